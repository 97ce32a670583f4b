import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { spawned, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { type AnyVm, asConfigInfo, asOvf, asVmx } from "../support/inventories.ts";
import { tar } from "../support/write-tar.ts";

const VM: AnyVm = { name: "app01", vcpus: 8, memoryMiB: 65536, hardwareVersion: 19, latency: "high", advanced: {}, scsi: [], nics: [] };
const GOVC = JSON.stringify({ virtualMachines: [{ name: "app01", config: asConfigInfo(VM) }] });

interface Found {
  readonly ruleId: string;
  readonly path: string;
}

/** The files with latency sensitivity High. */
const check = (cwd: string, args: readonly string[], input = "") => {
  const { out, err } = spawned(cwd, [...args, "--host", "dl580g7", "--format", "json"], {}, input);
  const { diagnostics, summary } = JSON.parse(out);
  return {
    found: diagnostics.filter(({ ruleId }: Found) => ruleId === "latency/high").map(({ path }: Found) => path),
    vms: summary.vms,
    err,
  };
};

describe("the standard input", () => {
  test.each([
    ["govc's JSON", GOVC],
    ["a .vmx", asVmx(VM)],
    ["an OVF descriptor", asOvf(VM)],
    ["a VM spec", "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec: { vcpus: 8, latencySensitivity: high }\n"],
  ])("is recognized by its content: %s", (_, text) => {
    expect(check(folder({}), ["-"], text)).toEqual({ found: ["-"], vms: 1, err: "" });
  });

  test("goes by the name it is given, for its format and its configuration", () => {
    const cwd = folder({ "prod/vmlint.yaml": "rules: { latency/high: off }\n" });
    expect(check(cwd, ["-", "--stdin-filename", "lab/app01.vmx"], asVmx(VM)).found).toEqual(["lab/app01.vmx"]);
    expect(check(cwd, ["-", "--stdin-filename", "prod/app01.vmx"], asVmx(VM)).found).toEqual([]);
  });

  test("is compared on several hosts, though it can be read once", () => {
    const { code, out } = spawned(folder({}), ["topology", "-", "--host", "dl580g7", "--host", "r640"], {}, GOVC);
    expect([code, out.match(/app01/g)?.length]).toEqual([0, 1]);
    expect(out).toContain("r640");
  });

  test("may be an archive", () => {
    const archive = String.fromCharCode(...tar({ "vm.ovf": asOvf(VM) }));
    expect(check(folder({}), ["-", "--format-in", "ova"], archive).vms).toBe(1);
  });

  test("without a VM is reported", () => {
    expect(check(folder({}), ["-"], "{}")).toMatchObject({ vms: 0, err: expect.stringContaining("- is not checked") });
  });
});

describe("--format-in", () => {
  test("reads a named file in this format under any name", () => {
    const cwd = folder({ "inventory.txt": GOVC });
    expect(check(cwd, ["inventory.txt", "--format-in", "govc"]).vms).toBe(1);
    expect(check(cwd, ["inventory.txt"]).vms).toBe(0);
  });

  test("looks in folders for that format alone", () => {
    expect(check(folder({ "a.vmx": asVmx(VM), "b.json": GOVC }), [".", "--format-in", "govc"]).found).toEqual(["b.json"]);
  });
});

describe("files without a VM", () => {
  const cwd = () =>
    folder({
      "package.json": '{"name":"x","version":"1.0.0"}',
      "pom.xml": "<project/>",
      "broken.json": '{"name":',
      "vm.json": GOVC,
      "vm.ovf": asOvf(VM),
      "vm.ova": tar({ "vm.ovf": asOvf(VM), "vm.vmdk": new Uint8Array(100_000) }),
      "other.ova": "no tar",
    });

  test("are passed over in silence when found", () => {
    const found = ["vm.json", "vm.ova", "vm.ovf"];
    expect(check(cwd(), ["."])).toEqual({ found, vms: 3, err: "" });
    expect(check(cwd(), ["*.json"])).toMatchObject({ vms: 1, err: "" });
  });

  test("are reported if they are named", () => {
    const { err } = check(cwd(), ["package.json", "pom.xml", "other.ova"]);
    expect(err.split("\n")).toEqual([
      "vmlint: other.ova is not checked: it has no Envelope element.",
      "vmlint: package.json is not checked: it has no document of a kind that vmlint reads, such as apiVersion: vmlint.dev/v1.",
      "vmlint: pom.xml is not checked: it has no Envelope element.",
      "vmlint: nothing was checked there. Pass --allow-empty if you expect that.",
      "",
    ]);
  });

  test("a Git LFS pointer is reported, for a package as for a .vmx", () => {
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5679\n";
    const cwd = folder({ "a.vmx": pointer, "b.ova": pointer, "c.ovf": pointer });
    const told = (...paths: readonly string[]) =>
      vmlint(cwd, ["--format", "compact", ...paths]).out.match(/^\S+(?=:1:1: info vmx\/unreadable: .*Git LFS)/gm);
    expect(told()).toEqual(["a.vmx", "b.ova"]);
    expect(told("b.ova", "c.ovf")).toEqual(["b.ova", "c.ovf"]);
  });

  test("a truncated VM file is an error with its line", () => {
    const { code, out } = vmlint(folder({ "vm.json": GOVC.slice(0, 60), "vm.ovf": asOvf(VM).slice(0, -40) }), []);
    expect(code).toBe(1);
    expect(out).toContain("error inventory/unreadable vm.json:1:59");
    expect(out).toMatch(/error inventory\/unreadable vm\.ovf:\d+:\d+/);
  });

  test("a truncated file of another cloud, such as a template, is skipped", () => {
    const template = '{\n  "resources": [\n    {% for i in range(n) %}\n    { "type": "Microsoft.Compute/virtualMachines" }\n';
    const { code, out } = vmlint(folder({ "azure.json": template }), []);
    expect([code, out]).toEqual([2, "No checks ran in 0 VMs (0 files).\n"]);
  });
});

describe("a descriptor that goes by the name of a package", () => {
  const texts = {
    text: asOvf(VM),
    "that breaks off": asOvf(VM).slice(0, -40),
    "in UTF-16": Buffer.from(`\ufeff${asOvf(VM)}`, "utf16le"),
  };
  const reportOf = (cwd: string, args: readonly string[]) => {
    const { code, out, err } = vmlint(cwd, [...args, "--host", "dl580g7", "--format", "json"]);
    const { diagnostics, summary } = JSON.parse(out);
    return { code, err, diagnostics, summary };
  };

  test.each(Object.entries(texts))("is read as the .ovf that it is: %s", (_, content) => {
    const [ovf, ova] = ["ovf", "ova"].map((ending) => {
      const cwd = folder({ [`vm.${ending}`]: content });
      const reports = [[], ["--fix-unsafe"]].map((args) => reportOf(cwd, [...args, "."]));
      expect(readFileSync(join(cwd, `vm.${ending}`))).toEqual(Buffer.from(content));
      return JSON.stringify(reports).replaceAll("vm.ova", "vm.ovf");
    });
    expect(ova).toBe(ovf);
    expect(ovf).toContain('"ruleId"');
  });

  test("has its findings at their lines and columns, from the standard input too", () => {
    const text = asOvf(VM);
    const line = text.split("\n").findIndex((one) => one.includes("latencySensitivity.level")) + 1;
    const column = (text.split("\n")[line - 1]?.indexOf('"high"') ?? 0) + 2;
    const place = {
      path: "vm.ova",
      ruleId: "latency/high",
      range: expect.objectContaining({ start: expect.objectContaining({ line, column }) }),
    };
    expect(reportOf(folder({ "vm.ova": text }), ["vm.ova"]).diagnostics).toContainEqual(expect.objectContaining(place));
    expect(check(folder({}), ["-", "--stdin-filename", "vm.ova"], text)).toEqual({ found: ["vm.ova"], vms: 1, err: "" });
  });
});

test.each([
  [
    ["a.vmx", "--format-in", "json"],
    '--format-in takes vmx, vmware-log, plans, yaml, terraform, packer, powercli, govc, ovf, proxmox, libvirt, rvtools, rvtools-csv, rvtools-zip, host-statistics, table or ova, not "json".',
  ],
  [[".", "--stdin-filename", "a.vmx"], '--stdin-filename names the standard input: give "-" as a path too.'],
])("%j is a usage error", (args, message) => {
  const { code, err } = vmlint(folder({ "a.vmx": asVmx(VM) }), args);
  expect([code, err]).toEqual([2, `vmlint: ${message}\n`]);
});

describe("large files", () => {
  const SHARED = 64 * 1024;
  const PART = 16 * SHARED;
  const at = (offset: number) => `${" ".repeat(offset)}${GOVC}`;

  // The word that tells the format lies across the end of a part that is read, one way or another.
  test.each([0, SHARED - 20, SHARED - 5, SHARED, PART + SHARED - 1050, PART + SHARED - 5, 3 * PART])(
    "with %d blanks before the VM",
    (offset) => {
      expect(check(folder({ "vms.json": at(offset) }), ["."])).toEqual({ found: ["vms.json"], vms: 1, err: "" });
    },
  );

  test("in UTF-16, as PowerShell writes it", () => {
    const bytes = Buffer.from(`\ufeff${at(SHARED)}`, "utf16le");
    expect(check(folder({ "vms.json": bytes }), ["."])).toEqual({ found: ["vms.json"], vms: 1, err: "" });
  });

  test("of thousands of VMs need memory for their text and findings alone", () => {
    const quiet: AnyVm = { ...VM, latency: "normal", scsi: [["pvscsi", 6]], nics: ["vmxnet3"] };
    const vms = Array.from({ length: 15_000 }, (_, i) => JSON.stringify({ name: `vm-${i}`, config: asConfigInfo(quiet) }));
    const root = folder({ "prod.json": `{"virtualMachines":[${vms.join()}]}` });
    // The text is 18 MB; with all VMs at once 80 are too few.
    const { code, out, err } = spawned(root, ["prod.json"], { NODE_OPTIONS: "--max-old-space-size=64" });
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("15000 VMs (1 file)");
  });

  test("of another program", () => {
    expect(check(folder({ "x.json": JSON.stringify({ a: "x".repeat(2 * PART) }) }), ["."])).toMatchObject({ found: [], vms: 0 });
  });
});

describe("what Pulumi exports of a stack", () => {
  const outputs = { numCpus: 8, memory: 65536, latencySensitivity: "high" };
  const urn = "urn:pulumi:dev::lab::vsphere:index/virtualMachine:VirtualMachine::app01";
  const resource = { urn, type: "vsphere:index/virtualMachine:VirtualMachine", outputs };
  const stack = JSON.stringify({ version: 3, deployment: { manifest: {}, resources: [resource] } });
  const program = "name: lab\nruntime: yaml\nresources:\n  app01:\n    type: vsphere:VirtualMachine\n    properties: { numCpus: 8 }\n";

  test.each<[what: string, files: Record<string, string>, args: readonly string[], found: readonly string[], vms: number]>([
    ["is read", { "stack.json": stack }, ["."], ["stack.json"], 1],
    ["is left alone beside the program that it is of", { "stack.json": stack, "Pulumi.yaml": program }, ["."], [], 1],
    ["is read where it is named", { "stack.json": stack, "Pulumi.yaml": program }, ["stack.json"], ["stack.json"], 1],
    ["is read beside another language's project", { "stack.json": stack, "Pulumi.yaml": "runtime: nodejs\n" }, ["."], ["stack.json"], 1],
  ])("%s", (_, files, args, found, vms) => {
    expect(check(folder(files), args)).toMatchObject({ found, vms });
  });
});
