import { WORKLOAD_KINDS } from "@vmlint/core/program";
import * as z from "zod";

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodRawShape;
  /** The command line that answers. */
  readonly words: (given: Readonly<Record<string, unknown>>) => readonly string[];
}

const host = z
  .string()
  .min(1)
  .describe('A host of vmlint.yaml, a built-in host such as "dl580g7", or SOCKETSxCORESxTHREADS:GIB@ESXI such as "2x24x2:768@8.0"');
// "-" is stdin, which carries the protocol.
const path = z
  .string()
  .min(1)
  .refine((text) => text !== "-", "name a file or folder");
const workload = z
  .string()
  .min(1)
  .describe(`The workload: ${WORKLOAD_KINDS.join(", ")}, for SQL Server also mssql,edition=standard,version=2019,licensing=core`);
const reading = {
  paths: z.array(path).optional().describe("Files, folders or globs, from the folder the server runs in (default: that folder)"),
  host: host.optional(),
  workload: workload.optional(),
};

/** Returns `--name=value` for each value. In this form a value may begin with a dash. */
const options = (values: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [value].flat().map((one) => `--${name}=${one}`)));

/** The tools that an agent can call. */
export const tools: readonly Tool[] = [
  {
    name: "check",
    title: "Check VM definitions",
    description: "Reports VMs whose shape does not fit their host, with what to set instead. Reads files only and changes nothing.",
    input: reading,
    words: ({ paths = [], ...given }) => [...options(given), "--", ...(paths as readonly string[])],
  },
  {
    name: "topology",
    title: "Show the layout of VMs",
    description: "Shows the sockets, cores and NUMA nodes that ESXi gives each VM on its host, and why.",
    input: reading,
    words: ({ paths = [], ...given }) => ["topology", ...options(given), "--", ...(paths as readonly string[])],
  },
  {
    name: "size",
    title: "Choose the shape of a VM",
    description: "Proposes vCPUs, cores per socket and memory for a VM on one or several hosts. Use it before you write the VM.",
    input: {
      vcpus: z.int().min(1).describe("The number of vCPUs you want"),
      memory: z.string().optional().describe("An amount with its unit, such as 300GiB"),
      host: z.array(host).optional().describe("The hosts the VM may run on (default: the host of vmlint.yaml)"),
      workload: workload.optional(),
    },
    words: ({ vcpus, ...given }) => ["size", String(vcpus), ...options(given)],
  },
  {
    name: "explain",
    title: "Explain a rule",
    description: "Prints the page of a rule: why it matters, the evidence with its source, when not to follow it, examples.",
    input: { rule: z.string().min(1).describe("The id of a rule, such as numa/wide-uneven") },
    words: ({ rule }) => ["explain", "--", String(rule)],
  },
];
