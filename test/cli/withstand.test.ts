import { execFileSync } from "node:child_process";
import { truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const PLAN = '{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{"root_module":{}}}';
const VM = 'virtualHW.version = "19"\nnumvcpus = "4"\nmemSize = "4096"\n';

describe.skipIf(process.platform === "win32")("files that a configuration names", () => {
  const fifo = (files: Readonly<Record<string, string>>, name: string): string => {
    const cwd = folder(files);
    execFileSync("mkfifo", [join(cwd, name)]);
    return cwd;
  };
  const from = (path: string) => `host: h\nhosts: { h: { from: ${path}, esxi: "8.0" } }\n`;

  test.each(["/dev/zero", "/etc/passwd", "/proc/kmsg"])("is not read outside of the workspace: %s", (path) => {
    const { code, err } = vmlint(folder({ "a.vmx": VM, "vmlint.yaml": from(path) }), []);
    expect(code).toBe(2);
    expect(err).toContain(path);
    expect(err).toContain("lies outside of the workspace");
  });

  test("is no pipe: a host's dump", () => {
    const { code, err } = vmlint(fifo({ "a.vmx": VM, "vmlint.yaml": from("dump.txt") }, "dump.txt"), []);
    expect([code, err]).toEqual([2, expect.stringContaining("because it is not a regular file")]);
  });

  test("is no pipe: a configuration that is extended", () => {
    const { code, err } = vmlint(fifo({ "a.vmx": VM, "vmlint.yaml": "extends: [./base.yaml]\n" }, "base.yaml"), []);
    expect([code, err]).toEqual([2, expect.stringContaining("because it is not a regular file")]);
  });

  test("is no pipe: a baseline", () => {
    const { code, err } = vmlint(fifo({ "a.vmx": VM, "vmlint.yaml": "baseline: b.json\n" }, "b.json"), []);
    expect([code, err]).toEqual([2, expect.stringContaining("b.json is not a regular file")]);
  });

  test("may be in the enclosing repository", () => {
    const cwd = folder({
      ".git/HEAD": "",
      "base.yaml": "extends: [recommended]\n",
      "vms/a.vmx": VM,
      "vms/vmlint.yaml": "extends: [../base.yaml]\n",
    });
    expect(vmlint(join(cwd, "vms"), []).code).toBe(0);
  });
});

describe("a path without a VM", () => {
  test.each([
    ["garbage", { "a.vmx": "\u0001\u0002 garbage" }, "a.vmx"],
    ["an empty file", { "a.vmx": "" }, "a.vmx"],
    ["a plan without a VM", { "a.json": PLAN }, "a.json"],
    ["a folder without a VM", { "docs/readme.md": "hello" }, "docs"],
    ["a pattern that matches nothing", { "a.vmx": VM }, "*.ovf"],
  ])("is exit code 2: %s", (_, files, path) => {
    const cwd = folder(files as Record<string, string>);
    const { code, out, err } = vmlint(cwd, [path, "--format", "json"]);
    expect(code).toBe(2);
    expect(err).toContain("--allow-empty");
    expect(JSON.parse(out).notChecked).toEqual([{ path, reason: expect.any(String) }]);
    expect(vmlint(cwd, [path, "--allow-empty"]).code).toBe(0);
  });

  test.each(["ndjson", "sarif", "junit", "gitlab", "html", "md", "checkstyle"])("is in the %s report", (format) => {
    const { code, out } = vmlint(folder({ "a.vmx": VM, "b.vmx": "" }), ["a.vmx", "b.vmx", "--format", format]);
    expect(code).toBe(2);
    expect(out).toContain("b.vmx");
    expect(out).toContain("it is empty");
  });
});

test.each(["a.vmx", "RVTools_tabvInfo.csv", "main.tf"])("a file larger than any text can be is named at once: %s", (name) => {
  const cwd = folder({ "b.vmx": VM, [name]: "" });
  truncateSync(join(cwd, name), 600_000_000);
  const { code, out, err } = vmlint(cwd, ["--format", "json"]);
  expect([code, err]).toEqual([2, `vmlint: ${name} is not checked: it is larger than 500 MB.\n`]);
  expect(JSON.parse(out)).toMatchObject({ notChecked: [{ path: name }], summary: { vms: 1 } });
  expect(vmlint(cwd, [name])).toMatchObject({ code: 2, err: expect.stringContaining(`${name} is larger than 500 MB.`) });
});

test.each(["github", "azure", "compact", "text", "summary", "md", "tap", "csv", "html", "junit", "checkstyle"])(
  "no control character reaches the %s report",
  (format) => {
    const name = `a\u001b[31m\u0007\u009b\u202e\u2066\u200f`;
    const text = `displayName = "${name}"\nvirtualHW.version = "19"\nnumvcpus = "${name}"\nnumvcpuss = "4"\n`;
    const { out } = vmlint(folder({ [`${name}.vmx`]: text }), ["--format", format, "--host", "2x24x2@8.0"]);
    expect(out).not.toBe("");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test searches for control characters
    expect(out.replace(/\r?\n/g, "")).not.toMatch(/[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/);
  },
);

test("a CSV export is read with any separator, and its reader ends", () => {
  const { code, out } = vmlint(
    folder({ "RVTools_tabvInfo.csv": "VM,Powerstate,CPUs,Memory,Host\nsql01,pow\u001dredOn,12,4096,esx01" }),
    [],
  );
  expect([code, out]).toEqual([0, expect.any(String)]);
});

describe("resources that create no VM", () => {
  const vm = (name: string, more: string) => `resource "vsphere_virtual_machine" "${name}" {\n  ${more}\n  num_cpus = 4\n}\n`;
  const none = vm("none", "count = 0");
  const files = {
    "a/main.tf": `${none}${vm("one", "count = 1")}module "vm" {\n  source = "acme/vm/vsphere"\n}\n`,
    "a/each.tf": vm("each", "for_each = {}"),
  };
  const LISTED = [
    { path: "a/each.tf", reason: "vsphere_virtual_machine.each creates 0 VMs, because for_each is empty", makesNoVm: true },
    { path: "a/main.tf", reason: "module.vm is not in this folder: its source is acme/vm/vsphere", makesNoVm: true },
    { path: "a/main.tf", reason: "vsphere_virtual_machine.none creates 0 VMs, because count is 0", makesNoVm: true },
  ];

  test("are listed, and change no exit code", () => {
    const cwd = folder(files);
    const { code, out } = vmlint(cwd, ["a"]);
    expect(code).toBe(0);
    for (const { reason } of LISTED) expect(out).toContain(reason);
    const report = JSON.parse(vmlint(cwd, ["a", "--format", "json"]).out);
    expect(report.notChecked).toEqual(expect.arrayContaining(LISTED));
  });

  test("fail no report", () => {
    const cwd = folder(files);
    const of = (format: string) => vmlint(cwd, ["a", "--format", format]).out;
    expect(JSON.parse(of("sarif")).runs[0].invocations[0]).toMatchObject({ executionSuccessful: true });
    expect(of("junit")).toContain('failures="0" errors="0"');
    expect(of("gitlab")).not.toContain("blocker");
    expect(of("checkstyle")).not.toContain('severity="error"');
    for (const format of ["sarif", "junit", "gitlab", "checkstyle", "ndjson", "html", "md", "text", "tap", "csv"])
      expect(of(format), format).toContain(".none creates 0 VMs");
  });

  test("exit 2 if a path has no other files", () => {
    const cwd = folder({ "main.tf": none });
    expect(vmlint(cwd, ["main.tf"])).toMatchObject({ code: 2, err: expect.stringContaining("--allow-empty") });
    expect(vmlint(cwd, ["main.tf", "--allow-empty"]).code).toBe(0);
    expect(vmlint(cwd, []).code).toBe(2);
  });
});
