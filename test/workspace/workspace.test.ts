import { readFileSync } from "node:fs";
import { lint, openWorkspace, type WorkspaceOptions } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { tar } from "../support/write-tar.ts";
import { workbook } from "../support/write-workbook.ts";

// Tests of the library alone: `test/same.test.ts` compares it with the command and the editor.

describe("fixes", () => {
  test("of several VMs are written at once, and the fixes stay", async () => {
    const bad = 'virtualHW.version = "19"\nnumvcpus = "8"\ncpuid.coresPerSocket = "3"\n';
    const several = { "a.vmx": bad, "b.vmx": bad };
    const workspace = openWorkspace({ files: several });
    const { texts } = await workspace.fix((await workspace.check()).findings, { unsafe: true });
    const after = { ...several, ...Object.fromEntries(texts) };
    const again = await openWorkspace({ files: after }).check();
    expect(again.findings.map(({ ruleId }) => ruleId)).not.toContain("cpu/cps-divides");
  });

  test("only of the findings that are given", async () => {
    const bad = 'virtualHW.version = "19"\nnumvcpus = "8"\ncpuid.coresPerSocket = "3"\n';
    const workspace = openWorkspace({ files: { "a.vmx": bad, "b.vmx": bad } });
    const { findings } = await workspace.check();
    const { texts } = await workspace.fix(
      findings.filter(({ path }) => path === "b.vmx"),
      { unsafe: true },
    );
    expect([...texts.keys()]).toEqual(["b.vmx"]);
  });
});

test("a text has no path and no text in its result: both are the caller's", () => {
  const known = ["vms", "vmCount", "ran", "diagnostics", "skipped", "suppressed", "foreign", "withheld"];
  for (const text of ['numvcpus = "2"\n', "", "a: 1\n"]) expect(Object.keys(lint(text)).filter((key) => !known.includes(key))).toEqual([]);
});

test("the layout of each VM", async () => {
  const files = { "a.vmx": 'virtualHW.version = "19"\nnumvcpus = "48"\n', "vmlint.yaml": "host: 2x24x2:256@8.0\n" };
  const [layout] = await openWorkspace({ files }).topology();
  expect(layout?.path).toBe("a.vmx");
  expect(layout?.result?.ok && layout.result.topology.vcpus).toBe(48);
});

test("resources that create no VM are listed", async () => {
  const files = { "main.tf": 'resource "vsphere_virtual_machine" "none" {\n  count = 0\n  num_cpus = 4\n}\n' };
  const { notChecked } = await openWorkspace({ files }).check();
  expect(notChecked).toEqual([
    { path: "main.tf", reason: "vsphere_virtual_machine.none creates 0 VMs, because count is 0", makesNoVm: true },
    { path: ".", reason: "no file holds a VM" },
  ]);
});

describe("paths", () => {
  const vmx = 'numvcpus = "6"\ncpuid.coresPerSocket = "4"\n';
  const found = async (files: WorkspaceOptions["files"], paths?: readonly string[]) => {
    const { findings, notChecked } = await openWorkspace({ files }).check(paths);
    return [findings.map(({ path }) => path), notChecked.map(({ path }) => path)];
  };

  test.each<[given: string, path: string]>([
    ["./x/a.vmx", "x/a.vmx"],
    ["x//a.vmx", "x/a.vmx"],
    ["x\\a.vmx", "x/a.vmx"],
    ["x/../a.vmx", "a.vmx"],
    ["../a.vmx", "../a.vmx"],
    ["/x/a.vmx", "/x/a.vmx"],
    ["C:\\x\\a.vmx", "C:/x/a.vmx"],
    ["\\\\server\\share\\a.vmx", "//server/share/a.vmx"],
  ])("%s is %s, named or not", async (given, path) => {
    expect(await found({ [given]: vmx })).toEqual([[path], []]);
    expect(await found(new Map([[given, vmx]]), [given])).toEqual([[path], []]);
    expect(await found({ [given]: vmx }, [path])).toEqual([[path], []]);
  });

  test("Windows ignores the case", async () => {
    expect(await found({ "C:\\VMs\\a.vmx": vmx }, ["c:/vms/A.VMX"])).toEqual([["C:/VMs/a.vmx"], []]);
    expect(await found({ "C:\\VMs\\a.vmx": vmx }, ["c:\\vms"])).toEqual([["C:/VMs/a.vmx"], []]);
    expect((await found({ "VMs/a.vmx": vmx }, ["vms"]))[1]).toContain("vms");
  });

  test("that are not checked have a reason", async () => {
    const files = { "a.vmx": vmx, "main.tf": "locals {}\n", "x/README.md": "text", "x/prod.tfvars": "a = 1\n" };
    const { notChecked } = await openWorkspace({ files }).check(["zz", "a.vmx", "main.tf", "x", "x/prod.tfvars", "./zz/"]);
    expect(notChecked).toEqual([
      { path: "zz", reason: "there is no file or folder with this path" },
      { path: "main.tf", reason: "there is no VM in it" },
      { path: "x", reason: "there is no VM in it" },
      { path: "x/prod.tfvars", reason: "there is no VM in it" },
    ]);
    expect(await found({})).toEqual([[], ["."]]);
    expect(await found({ "a.vmx": vmx }, [])).toEqual([[], ["."]]);
    const modules = { "a.vmx": vmx, "x/node_modules/b/c.vmx": vmx, "node_modules/b.js": "" };
    expect(await found(modules)).toEqual([["a.vmx"], ["x/node_modules"]]);
    expect(await found(modules, ["x/node_modules/b/c.vmx"])).toEqual([["x/node_modules/b/c.vmx"], []]);
  });

  test("a configuration beside a folder is none of the folder above it", async () => {
    const files = { "vmlint.yaml": "rules: { cpu/cps-divides: off }\n", "../a.vmx": vmx, "b.vmx": vmx };
    expect(await found(files)).toEqual([["../a.vmx"], []]);
  });
});

describe("bytes", () => {
  const vmx = '.encoding = "windows-1252"\ndisplayName = "b\u00fcro"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"\n';
  const latin = Uint8Array.from(vmx, (letter) => letter.charCodeAt(0));

  test("of a text are decoded as the command decodes them", async () => {
    const { vms } = await openWorkspace({ files: { "a.vmx": latin } }).check();
    expect(vms.map(({ spec }) => spec.name)).toEqual(["b\u00fcro"]);
    expect(lint(latin).vms.map(({ spec }) => spec.name)).toEqual(["b\u00fcro"]);
  });

  test("of archives are unpacked, from contents and from functions", async () => {
    const row = ["sql01", "poweredOn", 6, 4096];
    const files = {
      "estate.xlsx": workbook({
        vInfo: [["VM", "Powerstate", "CPUs", "Memory"], row],
        vCPU: [
          ["VM", "Cores p/s"],
          ["sql01", 4],
        ],
      }),
      "appliance.ova": tar({ "appliance.ovf": readFileSync(new URL("../../examples/inventories/appliance.ovf", import.meta.url)) }),
    };
    const readers = {
      read: (path: string) => files[path as keyof typeof files],
      list: (path: string) => (path === "." ? Object.keys(files) : []),
    };
    for (const given of [files, readers]) {
      const { vms, notChecked } = await openWorkspace({ files: given }).check(["estate.xlsx", "appliance.ova"]);
      expect([...new Set(vms.map(({ path }) => path))]).toEqual(["appliance.ova", "estate.xlsx"]);
      expect(vms.at(-1)?.spec.settings).toMatchObject({ vcpus: { value: 6 }, memoryMiB: { value: 4096 } });
      expect(notChecked).toEqual([]);
    }
  });
});

test("a change of a configuration counts once it is reported", async () => {
  const files = new Map([
    ["a/vm.vmx", 'numvcpus = "6"\ncpuid.coresPerSocket = "4"\n'],
    ["vmlint.yaml", "ignore: [a]\n"],
  ]);
  const disk = {
    read: (path: string) => files.get(path),
    list: (folder: string) => ({ ".": ["a", "vmlint.yaml"], a: ["vm.vmx"] })[folder] ?? [],
  };
  const workspace = openWorkspace({ files: disk });
  const count = async () => (await workspace.check(["a"])).findings.length;
  expect(await count()).toBe(0);
  files.set("vmlint.yaml", "{}\n");
  workspace.changed(["vmlint.yaml"]);
  expect(await count()).toBeGreaterThan(0);
  files.set("base.yaml", "ignore: [a]\n");
  files.set("vmlint.yaml", "extends: [./base.yaml]\n");
  workspace.changed();
  expect(await count()).toBe(0);
  files.set("base.yaml", "{}\n");
  workspace.changed(["base.yaml"]);
  expect(await count()).toBeGreaterThan(0);
});

describe("the library as the command", () => {
  const bad = 'virtualHW.version = "19"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"\n';

  test("a configuration that cannot be used costs only the files below", async () => {
    const files = { "a/vmlint.yaml": "host: [", "a/one.vmx": bad, "b/two.vmx": bad, "vmlint.yaml": "host: 2x12x2:256@8.0\n" };
    const workspace = openWorkspace({ files });
    const { findings, notChecked } = await workspace.check();
    expect(new Set(findings.map(({ path }) => path))).toEqual(new Set(["b/two.vmx"]));
    expect(notChecked.map(({ path }) => path)).toEqual(["a/vmlint.yaml", "a/one.vmx"]);
    // Nothing is left to check.
    await expect(workspace.check(["a"])).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    // A fix needs a configuration without errors.
    await expect(workspace.fix(findings)).rejects.toThrow("vmlint.yaml");
    const { err, code } = vmlint(folder(files), ["."]);
    expect([err.includes("no file below it is checked"), code]).toEqual([true, 2]);
  });

  test("the name of a host in an export is a host of all VMs", async () => {
    const files = {
      "hosts.csv":
        "Host,CPU Model,# CPU,Cores per CPU,HT Active,# Memory,ESX Version\nesx01,Intel Xeon Gold 6148,2,20,True,786432,VMware ESXi 8.0.0 build-1\n",
      "a.vmx": 'virtualHW.version = "19"\nnumvcpus = "48"\n',
    };
    const paths = ["a.vmx", "hosts.csv"];
    const hostsOf = async (host: string) => (await openWorkspace({ files, host }).check(paths)).vms.map(({ target }) => target.host?.name);
    const report = JSON.parse(vmlint(folder(files), [...paths, "--host", "esx01", "--format", "json", "--fail-on", "never"]).out);
    expect(await hostsOf("esx01")).toEqual(["esx01"]);
    expect(report.diagnostics.map(({ host }: { host: string }) => host)).toContain("esx01");
    await expect(hostsOf("esx02")).rejects.toMatchObject({ code: "HOST_UNKNOWN" });
  });
});
