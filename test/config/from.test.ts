import { requireHost, VmlintError } from "@vmlint/core";
import { parseConfig, readConfig } from "@vmlint/core/config";
import { esxi } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import { esxcliGlobal, esxcliMemory, machines } from "../hosts/dumps.ts";

const FILES: Readonly<Record<string, string>> = {
  "dumps/esx01.txt": esxcliGlobal(machines["4x10x2"]) + esxcliMemory(machines["4x10x2"]),
  "cut.txt": esxcliGlobal(machines["4x10x2"]).slice(0, 60),
  "node.txt": "kind: KubeletConfiguration\ncpuManagerPolicy: static\nreservedSystemCPUs: 0-3\n",
  "list.txt": "available: 1 nodes (0)\nnode 0 cpus: 0 1\nnode 0 size: 1024 MB\n",
};
const asked: string[] = [];
const readFile = async (path: string) => {
  asked.push(path);
  const text = FILES[path];
  if (text === undefined) throw new Error("ENOENT");
  return text;
};
const config = (text: string) => readConfig(text, "vmlint.yaml", { read: readFile });

describe("a host from a dump", () => {
  test("is a host like any other, and keeps how it is known", async () => {
    const found = await config('host: lab\nhosts:\n  lab: { from: dumps/esx01.txt, esxi: "8.0" }\n');
    expect(requireHost("lab", found)).toEqual({
      name: "lab",
      sockets: 4,
      coresPerSocket: 10,
      threadsPerCore: 2,
      numaNodes: 4,
      memoryGiB: 1024,
      esxi: esxi(8, 0),
    });
    expect(found.imported?.get("lab")).toMatchObject({ missing: ["mhz"], origins: { esxi: "stated" } });
  });

  test("is overridden by values next to it", async () => {
    const { hosts } = await config("hosts: { lab: { from: dumps/esx01.txt, threadsPerCore: 1, numaNodes: 8, mhz: 2400, preferHt: true } }");
    expect(hosts.get("lab")).toMatchObject({ coresPerSocket: 10, threadsPerCore: 1, numaNodes: 8, mhz: 2400, preferHt: true });
  });

  test("may lack what its owner states", async () => {
    const { hosts } = await config("hosts: { lab: { from: list.txt, sockets: 1, threadsPerCore: 1 } }");
    expect(hosts.get("lab")).toMatchObject({ sockets: 1, coresPerSocket: 2, memoryGiB: 1 });
  });

  test("adds facts for KVM to those next to it", async () => {
    const { hosts } = await config(
      "hosts: { node: { from: node.txt, sockets: 2, coresPerSocket: 8, threadsPerCore: 2, kvm: { hugePagesMiB: { 1024: 4096 } } } }",
    );
    const kubernetes = { cpuManager: "static", options: [], reservedCpus: 4 };
    expect(hosts.get("node")).toMatchObject({ runs: { platform: "kvm" }, kvm: { kubernetes, hugePagesMiB: { 1024: 4096 } } });
  });

  test("is read only if its host is used, and once", async () => {
    asked.length = 0;
    await config("hosts: { a: { sockets: 1, coresPerSocket: 1 } } # from here");
    expect(asked).toEqual([]);
    await config("hosts: { a: { from: dumps/esx01.txt }, b: { from: dumps/esx01.txt, esxi: '7.0' } }");
    expect(asked).toEqual(["dumps/esx01.txt"]);
  });

  test.each([
    ["hosts:\n  lab:\n    from: nope.txt\n", "vmlint.yaml:3:11: nope.txt cannot be read. The path is relative to this file."],
    ["hosts:\n  lab:\n    from: cut.txt\n", 'vmlint.yaml:3:11: cut.txt:4: The dump ends before "Hyperthreading Active". Take it again.'],
    [
      "hosts:\n  lab: { from: list.txt }\n",
      "vmlint.yaml:2:16: list.txt: numactl -H does not say sockets or coresPerSocket or threadsPerCore",
    ],
    ["hosts:\n  lab: { from: dumps/esx01.txt, numaNodes: 7 }\n", "cannot exist: 40 cores do not divide into 7 NUMA nodes"],
    ["hosts:\n  lab: { from: dumps/esx01.txt, snc: 2 }\n", "vmlint.yaml:2:38: snc comes from the dump. Set numaNodes if the dump"],
    ["hosts:\n  lab: { from: 7 }\n", "vmlint.yaml:2:16: hosts.lab.from must be text."],
    ["hosts:\n  lab: { from: dumps/esx01.txt, esxi: '8.0', kvm: {} }\n", "vmlint.yaml:2:51: A host runs ESXi or KVM, not both."],
    ["hosts:\n  lab: { kvm: { hugePagesMiB: { 4: 2 } } }\n", 'There is no setting "hosts.lab.kvm.hugePagesMiB.4".'],
    ["hosts:\n  lab: { form: a.txt }\n", 'There is no setting "hosts.lab.form". Did you mean "from"?'],
    ["hosts:\n  lab: { from: a.txt\n", "vmlint.yaml:3:1: "],
    ["hosts: *from", "vmlint.yaml:1:1: Unresolved alias"],
  ])("%j", async (text, message) => {
    const error: unknown = await config(text).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(VmlintError);
    expect(error).toMatchObject({ code: "CONFIG_INVALID", message: expect.stringContaining(message) });
  });

  test("needs a reader of files", () => {
    expect(() => parseConfig("hosts: { lab: { from: a.txt } }", "vmlint.yaml")).toThrow("vmlint.yaml:1:23: a.txt is a file of its own");
  });
});
