import { resolve } from "node:path";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import * as z from "zod";
import { TOOL } from "../../args/command-output.ts";
import { realOf } from "../../files/disk.ts";
import { GLOB, isWithin } from "../../files/read-files.ts";
import type { Io } from "../../io.ts";
import { openDisk } from "../../run/disk-workspace.ts";
import { tools } from "./tools.ts";

/** Runs a command line as `vmlint` does, and returns its exit code. */
export type Run = (argv: readonly string[], io: Io) => Promise<number>;

/** Serves a coding agent on stdin and stdout until it closes the connection. Each tool runs a command line of vmlint. */
export async function serve(run: Run, io: Io): Promise<void> {
  const disk = openDisk(io.cwd);
  const handle = serveStdio(() => {
    const server = new McpServer(TOOL, { instructions: INSTRUCTIONS });
    for (const { name, title, description, input, words } of tools) {
      const annotations = { readOnlyHint: true, openWorldHint: false };
      server.registerTool(name, { title, description, inputSchema: z.strictObject(input), annotations }, async (given) => {
        const printed: string[] = [];
        const print = (text: string) => void printed.push(text);
        const { progress, ask, ...rest } = io;
        const outside = filesIn(given).find((path) => !isBelow(path, io.cwd));
        if (outside !== undefined) {
          const text = `${outside} is not read: it lies outside of the folder that vmlint serves.`;
          return { content: [{ type: "text" as const, text }], isError: true };
        }
        const code = await run(words(given), { ...rest, disk, out: print, err: print, isTerminal: false });
        return { content: [{ type: "text" as const, text: printed.join("") }], isError: code > 1 };
      });
    }
    return server;
  });
  await new Promise((closed) => process.stdin.once("end", closed).once("close", closed));
  await handle.close();
}

/** The files and folders that a call names: its paths, and hosts that may be dumps (FILE@ESXI). */
const filesIn = ({ paths = [], host = [] }: Readonly<Record<string, unknown>>): readonly string[] => [
  ...[paths].flat().map(String),
  ...[host].flat().flatMap((word) => [String(word), String(word).replace(/@[^@]*$/, "")]),
];

/** Whether a path or a pattern leads to nothing outside of the folder. */
function isBelow(path: string, folder: string): boolean {
  const parts = path.replaceAll("\\", "/").split("/");
  const pattern = parts.findIndex((part) => GLOB.test(part));
  if (pattern >= 0 && parts.slice(pattern).join("/").includes("..")) return false;
  const fixed = pattern < 0 ? path : `${parts.slice(0, pattern).join("/")}${pattern > 0 ? "/" : ""}`;
  return [path, fixed].every((one) => isWithin(realOf(resolve(folder, one)), realOf(folder)));
}

const INSTRUCTIONS =
  "vmlint checks definitions of vSphere VMs (.vmx, Terraform, Packer, Ansible, OVF, YAML) against the ESXi host they run on. " +
  "Use size to choose a shape before you write a VM, and check after you wrote it. Set 'host' unless a vmlint.yaml sets it.";
