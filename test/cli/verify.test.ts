import { describe, expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const DOMAIN = (name: string): string =>
  `<domain type='kvm'><name>${name}</name><memory unit='GiB'>4</memory><vcpu>4</vcpu><cpu><topology sockets='2' cores='2' threads='1'/></cpu></domain>`;
const LSCPU = (sockets: number): string =>
  `CPU(s):              4\nThread(s) per core:  1\nCore(s) per socket:  ${4 / sockets}\nSocket(s):           ${sockets}\nHypervisor vendor:   KVM\nNUMA node(s):        1\nNUMA node0 CPU(s):   0-3\n`;

describe("vmlint verify", () => {
  const files = {
    "a.xml": DOMAIN("a"),
    "b.xml": DOMAIN("b"),
    "good.txt": LSCPU(2),
    "a.lscpu.txt": LSCPU(2),
    "b.txt": LSCPU(4),
    "host.txt": "esxcli\n",
    "vm.vmx": 'numvcpus = "4"\n',
  };
  const run = (...args: readonly string[]) => vmlint(folder(files), ["verify", ...args]);

  test("exits with 0 if the guest shows the prediction", () => {
    expect(run("a.xml", "--guest", "good.txt")).toMatchObject({
      code: 0,
      out: expect.stringContaining("The guest shows the prediction in 5 facts."),
    });
  });

  test("names the fact that differs, and exits with 1", () => {
    const { code, out } = run("b.xml", "--guest", "b.txt");
    expect([code, out]).toEqual([1, expect.stringContaining("sockets: predicted 2, the guest shows 4")]);
    expect(out).toContain("same: vCPUs, threads per core, NUMA nodes");
  });

  test("finds the VM of a dump by its name", () => {
    const { code, out } = run("a.xml", "b.xml", "--guest", "a.lscpu.txt", "--guest", "b.txt", "--format", "json");
    expect(code).toBe(1);
    expect(JSON.parse(out).guests).toMatchObject([
      { vm: "a", same: true, dumps: ["lscpu"] },
      { vm: "b", same: false },
    ]);
    expect(run("a.xml", "b.xml", "--guest", "good.txt")).toMatchObject({
      code: 2,
      err: expect.stringContaining("there are 2 VMs"),
    });
  });

  test.each([
    ["no dump", ["a.xml"], "needs a dump"],
    ["a dump that is not there", ["a.xml", "--guest", "none.txt"], "none.txt cannot be read"],
    ["a text that is no dump", ["a.xml", "--guest", "host.txt"], "no dump of a guest"],
    ["no VM", ["host.txt", "--guest", "good.txt"], ""],
  ])("exits with 2 for %s", (_, args, words) => {
    const { code, err } = run(...args);
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });

  test("exits with 2 if the view needs a host", () => {
    const { code, out } = run("vm.vmx", "--guest", "good.txt");
    expect([code, out]).toEqual([2, expect.stringContaining("Nothing can be compared.")]);
  });
});
