import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { outputSchema } from "@vmlint/core/output-schema";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const vm = (name: string, vcpus: number, coresPerSocket: number) =>
  `virtualHW.version = "20"\nmemSize = "4096"\ndisplayName = "${name}"\nnumvcpus = "${vcpus}"\ncpuid.coresPerSocket = "${coresPerSocket}"\n`;
const REMAINDER = (vcpus: number, coresPerSocket: number) => `${vcpus} vCPUs do not divide into sockets of ${coresPerSocket} cores`;

/** A folder with the report of one state of its files. */
function reported(cwd: string, name: string, files: Readonly<Record<string, string>>, ...args: readonly string[]): void {
  for (const [path, text] of Object.entries(files)) writeFileSync(join(cwd, path), text);
  writeFileSync(join(cwd, name), vmlint(cwd, [...Object.keys(files), "--format", "json", ...args]).out);
}

test("new findings, findings that are gone, and unchanged ones, wherever their lines and hosts are", () => {
  const cwd = folder({});
  reported(cwd, "old.json", { "a.vmx": vm("a", 6, 4), "b.vmx": vm("b", 6, 4) }, "--host", "2x8x1:256@8.0");
  const moved = `# a comment\n${vm("a", 10, 4)}`;
  reported(cwd, "new.json", { "a.vmx": moved, "b.vmx": vm("b", 6, 3), "c.vmx": vm("c", 9, 6) }, "--host", "2x16x1:256@8.0");
  const { code, out, err } = vmlint(cwd, ["diff", "old.json", "new.json"]);
  expect([code, err]).toEqual([1, ""]);
  expect(out).toMatch(/^New\n {2}error cpu\/cps-divides c\.vmx:5 {2}c\n.*\n\nGone\n {2}error cpu\/cps-divides b\.vmx:5 {2}b\n/);
  expect(out).toContain(REMAINDER(9, 6));
  expect(out).toMatch(/\n1 new finding, 1 gone, 1 unchanged\.\n$/);
  expect(vmlint(cwd, ["diff", "new.json", "new.json"])).toEqual({ code: 0, out: "0 new findings, 0 gone, 2 unchanged.\n", err: "" });
  expect(vmlint(cwd, ["diff", "old.json", "new.json", "--fail-on", "never"]).code).toBe(0);

  const report = JSON.parse(vmlint(cwd, ["diff", "old.json", "new.json", "--format", "json"]).out);
  expect(new Ajv2020({ strict: false }).compile(outputSchema as object)(report)).toBe(true);
  expect(report).toMatchObject({ added: [{ path: "c.vmx", line: 5, vm: "c" }], gone: [{ path: "b.vmx" }], unchanged: 1, skipped: [] });
});

test("a skipped rule does not count as fixed", () => {
  const cwd = folder({});
  const files = { "a.vmx": vm("a", 6, 6) };
  reported(cwd, "old.json", files, "--host", "2x4x1:256@8.0");
  reported(cwd, "new.json", files);
  const { out } = vmlint(cwd, ["diff", "old.json", "new.json"]);
  expect(out).toContain("Gone\n");
  expect(out).toMatch(/cps-exceeds-pnode was skipped for 1 more check than before: a finding may be gone for this reason\.\n$/);
});

test.each([
  [["old.json"], "vmlint diff takes two reports, the older one first: vmlint diff old.json new.json."],
  [["a.vmx", "a.vmx"], "a.vmx is not a report of vmlint --format json: "],
  [["nope.json", "a.vmx"], "nope.json does not exist."],
])("what it cannot compare is an error: %j", (args, message) => {
  expect(vmlint(folder({ "a.vmx": vm("a", 1, 1) }), ["diff", ...args])).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining(message),
  });
});
