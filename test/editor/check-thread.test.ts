import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { checkThread } from "../support/check-thread.ts";
import { folder } from "../support/folder.ts";
import { hangOn } from "../support/hang.ts";

const startThread = checkThread();

const OPEN = { alias: ".terraform", isNowhere: false };
const RESOURCE =
  'resource "vsphere_virtual_machine" "vm" {\n  name = "vm"\n  num_cpus = var.vcpus\n  num_cores_per_socket = 4\n  memory = 4096\n}\n';
const variable = (vcpus: number): string => `variable "vcpus" {\n  default = ${vcpus}\n}\n`;
const DIVIDES = "host: 2x12x2:256@8.0\nextends: []\nrules: { cpu/cps-divides: error }\n";

/** Starts the thread for a folder with files. Returns it with the rules of the findings in a file. */
async function open(files: Readonly<Record<string, string>>, { isTrusted = true, below = ".", preload = "" } = {}) {
  const root = folder(files);
  const { call } = startThread(
    Object.keys(files).map((path) => join(root, path)),
    preload === "" ? undefined : pathToFileURL(join(root, preload)).href,
  );
  const state = { folders: [join(root, below)], isTrusted, open: new Map() };
  await call("begin", state);
  const found = async (path: string) => {
    const overview = await call("overview", join(root, path));
    return (
      overview &&
      ("problems" in overview ? overview.problems.map(({ message }) => message).join("\n") : overview.findings.map(({ ruleId }) => ruleId))
    );
  };
  return { root, call, found, begin: () => call("begin", state) };
}

test("a text in an editor counts before its file, and a change names the files to check again", async () => {
  const { root, call, found } = await open({ "main.tf": RESOURCE, "variables.tf": variable(8), "vmlint.yaml": DIVIDES });
  expect(await found("main.tf")).toEqual([]);
  const variables = join(root, "variables.tf");
  expect(await call("changed", variables, "text", { ...OPEN, text: variable(6) })).toContain(join(root, "main.tf"));
  expect(await found("main.tf")).toEqual(["cpu/cps-divides"]);
  expect(await call("changed", variables, "text", undefined)).toContain(join(root, "main.tf"));
  expect(await found("main.tf")).toEqual([]);
});

test("a file that changed on the disk is read again, and a configuration after the next beginning", async () => {
  const { root, call, found, begin } = await open({ "a.vmx": 'numvcpus = "6"\ncpuid.coresPerSocket = "4"\n', "vmlint.yaml": DIVIDES });
  expect(await found("a.vmx")).toEqual(["cpu/cps-divides"]);
  writeFileSync(join(root, "a.vmx"), 'numvcpus = "8"\ncpuid.coresPerSocket = "4"\n');
  expect(await found("a.vmx")).toEqual([]);
  expect(await call("isRead", join(root, "vmlint.yaml"))).toBe(true);
  expect(await call("isRead", join(root, "a.vmx"))).toBe(false);
  writeFileSync(join(root, "vmlint.yaml"), "host: nowhere\n");
  await begin();
  expect(await found("a.vmx")).toContain('There is no host "nowhere".');
});

test("of a workspace that is not trusted, no file outside is read", async () => {
  const files = {
    "vmlint.yaml": "rules: { cpu/cps-divides: off }\n",
    "in/a.vmx": 'numvcpus = "6"\ncpuid.coresPerSocket = "4"\n',
    "b.vmx": 'numvcpus = "6"\n',
  };
  const { root, call, found } = await open(files, { isTrusted: false, below: "in" });
  expect(await found("in/a.vmx")).toContain("cpu/cps-divides");
  expect(await call("isRead", join(root, "vmlint.yaml"))).toBe(false);
  expect(await found("b.vmx")).toBe(undefined);
  const trusted = await open(files, { below: "in" });
  expect(await trusted.found("in/a.vmx")).not.toContain("cpu/cps-divides");
});

test("a file that cannot be read, or holds no VM, has no overview", async () => {
  const { found } = await open({ "a.vmx": "<level/>\n", "vmlint.yaml": DIVIDES });
  expect(await found("a.vmx")).toBe(undefined);
  expect(await found("missing.vmx")).toBe(undefined);
});

test("a check that takes too long is stopped, and the next file is checked", async () => {
  const files = { "hang.mjs": hangOn("ENDLESS"), "b.vmx": 'numvcpus = "6"\ncpuid.coresPerSocket = "4"\n', "vmlint.yaml": DIVIDES };
  const { root, call, found } = await open(files, { preload: "hang.mjs" });
  for (const [path, alias, text] of [
    ["a.vmx", ".vmx", 'numvcpus = "6"\ndisplayName = "ENDLESS"\n'],
    ["main.tf", ".terraform", RESOURCE.replace('"vm"\n', '"ENDLESS"\n')],
  ] as const) {
    await call("changed", join(root, path), "text", { ...OPEN, alias, text });
    expect(await found(path)).toBe(
      `vmlint does not check ${path}: it failed, and this is a bug in vmlint (its check took more than 10 seconds).`,
    );
  }
  expect(await found("b.vmx")).toEqual(["cpu/cps-divides"]);
});
