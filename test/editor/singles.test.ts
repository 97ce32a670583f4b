import { parseConfig } from "@vmlint/core/config";
import { expect, test } from "vitest";
import { editor } from "../support/editor.ts";

// Single files whose VMs share a machine.

const config = parseConfig(
  'hosts: { esx01: { sockets: 2, coresPerSocket: 12, memoryGiB: 256, esxi: "8.0", runs: ["vm-*"] } }\n',
  "vmlint.yaml",
);
const pinned = (name: string, cores: string) =>
  `displayName = "${name}"\nvirtualHW.version = "19"\nnumvcpus = "4"\nmemSize = "4096"\nsched.cpu.affinity = "${cores}"\n`;
const files = { "/a.vmx": pinned("vm-a", "0,2,4,6"), "/b/b.vmx": pinned("vm-b", "0,2,4,6"), "/other.vmx": pinned("lone", "0,2,4,6") };

test("are checked together with the open one, and their findings are shown in them", async () => {
  const { check } = editor(files, { config });
  const found = (await check("/b/b.vmx"))?.result.diagnostics ?? [];
  expect(found.map(({ ruleId, related }) => [ruleId, related.map(({ path }) => path)])).toEqual([["affinity/overlap", ["/a.vmx"]]]);
  expect((await check("/b/b.vmx"))?.textOf("/a.vmx")).toBe(files["/a.vmx"]);
  const elsewhere = [...((await check("/a.vmx"))?.otherFiles ?? [])];
  expect(elsewhere.map(([path, { text, diagnostics }]) => [path, text, diagnostics])).toEqual([["/b/b.vmx", files["/b/b.vmx"], found]]);
  expect(elsewhere[0]?.[1].textOf("/a.vmx")).toBe(files["/a.vmx"]);
  expect((await check("/other.vmx"))?.result.diagnostics).toEqual([]);
});

test("count as they are typed, come and go", async () => {
  const { checks, disk, type, close, rules } = editor(files, { config });
  await type("/b/b.vmx");
  expect(await rules("/b/b.vmx")).toEqual(["affinity/overlap"]);
  expect(await type("/a.vmx", pinned("vm-a", "8,10,12,14"))).toContain("/b/b.vmx");
  expect(await rules("/b/b.vmx")).toEqual([]);
  expect(await close("/a.vmx")).toContain("/b/b.vmx");
  expect(await rules("/b/b.vmx")).toEqual(["affinity/overlap"]);
  disk.delete("/a.vmx");
  expect(await checks.touch("/a.vmx", "name")).toContain("/b/b.vmx");
  expect(await rules("/b/b.vmx")).toEqual([]);
  disk.set("/0.vmx", pinned("vm-0", "0,2,4,6"));
  expect(await checks.touch("/0.vmx", "name")).toContain("/b/b.vmx");
  expect(await rules("/b/b.vmx")).toEqual(["affinity/overlap"]);
});

test("are not read for a VM without a declared machine, and only once while another is typed", async () => {
  const { type, rules, read } = editor(files, { config });
  await type("/other.vmx");
  await rules("/other.vmx");
  expect(read).not.toContain("/a.vmx");
  await type("/a.vmx");
  await rules("/a.vmx");
  for (const cores of ["0,2,4,8", "0,2,4,10"]) {
    await type("/a.vmx", pinned("vm-a", cores));
    await rules("/a.vmx");
  }
  expect(read.filter((path) => path === "/b/b.vmx")).toHaveLength(1);
});
