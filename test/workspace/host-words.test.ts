import { lint, lintResource, lintVm, openWorkspace } from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const DUMP = `Architecture: x86_64
CPU(s): 80
Thread(s) per core: 2
Core(s) per socket: 20
Socket(s): 2
NUMA node(s): 2
NUMA node0 CPU(s): 0-19,40-59
NUMA node1 CPU(s): 20-39,60-79
`;

/** Hosts of 80 logical CPUs, as a text means one. */
const HOSTS: readonly string[] = [
  "2x20x2:768@8.0",
  "2x Xeon Gold 6148:768@8.0",
  "pack:2 numa:1 core:20 pu:2",
  "pack:2 numa:1 core:20 pu:2@8.0",
];

/** Texts that mean no host, with a part of the reason. */
const WRONG: readonly (readonly [host: string, reason: string])[] = [
  ["2x Xeon Gold 6149", 'vmlint knows no processor "Xeon Gold 6149"'],
  ["2x Xeon Gold 6148@9000", "names no ESXi version"],
  ["pack:2 core:20", "The string must end with pu:"],
  ["pack:2 core:20 pu:2@x", '"x" is not an ESXi version'],
  ["2x20x", "is not a short form of a host"],
  ["nowhere", 'There is no host "nowhere"'],
];

const VMX = 'numvcpus = "96"\n';
const quoted = (host: string): string => JSON.stringify(host);
const specOf = (host: string): string =>
  `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: a }\nhost: ${quoted(host)}\nspec: { vcpus: 96 }\n`;
const check = async (options: Parameters<typeof openWorkspace>[0]) => (await openWorkspace(options).check()).findings;

/** Returns the answer of each door about a VM of 96 vCPUs on a host. A door that knows no such host says why. */
const DOORS: Readonly<Record<string, (host: string) => unknown>> = {
  "--host": (host) => vmlint(folder({ "a.vmx": VMX }), ["--host", host]),
  "host: of a configuration": (host) => check({ files: { "a.vmx": VMX }, config: `host: ${quoted(host)}\n` }),
  parseConfig: (host) => check({ files: { "a.vmx": VMX }, config: parseConfig(`host: ${quoted(host)}\n`, "vmlint.yaml") }),
  "host: of a spec": (host) => check({ files: { "a.yaml": specOf(host) } }),
  openWorkspace: (host) => check({ files: { "a.vmx": VMX }, host }),
  lint: (host) => lint(VMX, { host }),
  lintVm: (host) => lintVm({ vcpus: 96 }, { host }),
  lintResource: (host) => lintResource({ type: "vsphere_virtual_machine", values: { num_cpus: 96 } }, { host }),
};

const said = async (door: (host: string) => unknown, host: string): Promise<string> => {
  try {
    return JSON.stringify(await door(host));
  } catch (error) {
    return JSON.stringify(String(error));
  }
};

test.each(Object.entries(DOORS))("%s takes all texts of a host", async (_, door) => {
  for (const host of HOSTS) expect(await said(door, host), host).toMatch(/more than this host's 80 logical CPUs/);
  for (const [host, reason] of WRONG) expect(await said(door, host), host).toContain(JSON.stringify(reason).slice(1, -1));
});

test("the text of a dump is a host where its reader can be loaded, and other doors say what reads it", async () => {
  const of = (name: string) => said(DOORS[name] ?? (() => undefined), DUMP);
  for (const name of ["openWorkspace", "lintResource"]) expect(await of(name), name).toMatch(/more than this host's 80 logical CPUs/);
  for (const name of ["lint", "lintVm"]) expect(await of(name), name).toMatch(/importHost of @vmlint\/core\/hosts reads/);
});
