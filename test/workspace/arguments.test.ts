import { type ErrorCode, lint, lintVm, openWorkspace, requireHost, VmlintError, type WorkspaceOptions } from "@vmlint/core";
import { afterEach, expect, test } from "vitest";

// Arguments of programs in JavaScript: an error with a code, or a result; never a second rejection, never silence.

const VMX = 'numvcpus = "6"\ncpuid.coresPerSocket = "4"\n';
const HOST = requireHost("2x20x2:768@8.0");

const unhandled: unknown[] = [];
const note = (error: unknown) => void unhandled.push(error);
process.on("unhandledRejection", note);
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve));
  expect(unhandled.splice(0)).toEqual([]);
});

const check = async (options: object, paths?: readonly string[]) => openWorkspace(options as WorkspaceOptions).check(paths);

/** Calls each function that takes these options. */
const callers: Readonly<Record<string, (options: object) => unknown>> = {
  lint: (options) => lint(VMX, options),
  lintVm: (options) => lintVm({ vcpus: 6 }, options),
  openWorkspace: (options) => check({ files: { "a.vmx": VMX }, ...options }),
};

const SHARED: readonly (readonly [options: object, code: ErrorCode, message: string])[] = [
  [{ hots: "x" }, "USAGE", '"hots" is unknown. Write '],
  [{ workload: { kind: "sqlserver" } }, "USAGE", 'workload: "sqlserver" is no workload: write mssql, '],
  [{ workload: { edition: "standard" } }, "USAGE", "workload: The workload has no kind: write mssql, "],
  [{ workload: { kind: "mssql", edition: "Std" } }, "USAGE", "workload: edition must be enterprise, "],
  [{ workload: { kind: "mssql", maxdop: {} } }, "USAGE", "workload: maxdop must be a whole number of 0 or more, not an object."],
  [{ workload: { kind: "mssql", editon: "web" } }, "USAGE", 'workload: "editon" is no fact of a workload: '],
  [{ workload: "mssql, std" }, "USAGE", 'workload: "std" is no fact of a workload: '],
  [{ workload: "mssql, web, express" }, "USAGE", 'workload: "edition" is there twice.'],
  [{ workload: [] }, "USAGE", "workload must be an object, not a list."],
  [{ rules: {} }, "USAGE", "rules must be a list, not an object."],
  [{ rules: [{ id: "a/b" }] }, "USAGE", "rules[0] must be a rule, as defineRule makes it, not an object."],
  [
    { host: { sockets: 2 } },
    "HOST_UNKNOWN",
    "host: This object is no host: name, coresPerSocket, threadsPerCore and numaNodes are missing.",
  ],
  [{ host: { ...HOST, memoryGiB: "768" } }, "HOST_UNKNOWN", 'host.memoryGiB must be a number, not "768".'],
  [{ host: { ...HOST, memoryGib: 768 } }, "HOST_UNKNOWN", 'host: "memoryGib" is unknown.'],
  [{ host: 4 }, "HOST_UNKNOWN", "host: 4 is no host: it is no object."],
  [{ host: "2x Xeon Gold 6149" }, "HOST_UNKNOWN", 'vmlint knows no processor "Xeon Gold 6149".'],
];

test.each(Object.keys(callers).flatMap((name) => SHARED.map(([options, code, message]) => [name, options, code, message] as const)))(
  "%s refuses %j: %s %s",
  async (name, options, code, message) => {
    const call = async () => callers[name]?.(options);
    await expect(call()).rejects.toMatchObject({ name: "VmlintError", code, message: expect.stringContaining(message) });
  },
);

test.each<[call: () => unknown, code: ErrorCode, message: string]>([
  [() => openWorkspace(undefined as never), "USAGE", "openWorkspace must be an object, not nothing."],
  [() => openWorkspace({} as never), "USAGE", "openWorkspace: files is missing."],
  [() => openWorkspace({ files: [] as never }), "USAGE", "openWorkspace: files must be an object, not a list."],
  [
    () => openWorkspace({ files: { "a.vmx": 4 } as never }),
    "USAGE",
    'openWorkspace: files["a.vmx"] must be a text or bytes (Uint8Array), not 4.',
  ],
  [() => openWorkspace({ files: { "": VMX } }), "USAGE", 'a path of openWorkspace: files must be a path, not "".'],
  [() => openWorkspace({ files: { "a.vmx": VMX, "./a.vmx": VMX } }), "USAGE", "files has a.vmx twice: as a.vmx and as ./a.vmx."],
  [() => openWorkspace({ files: { a: VMX, "a/b.vmx": VMX } }), "USAGE", "files has a as a file, and that is a folder."],
  [() => openWorkspace({ files: { read: () => VMX } as never }), "USAGE", "files.list must be a function, not nothing."],
  [() => openWorkspace({ files: {}, config: { host: "lab" } as never }), "USAGE", "config must be the text of a vmlint.yaml, or "],
  [() => openWorkspace({ files: {}, today: "31.12.2026" }), "USAGE", "today must be a day such as 2026-12-31"],
  [() => openWorkspace({ files: {}, variables: [{ kind: "value", name: "a" } as never] }), "USAGE", "variables[0]: text is missing."],
  [() => lint(4 as never), "USAGE", "lint: the text must be a text or bytes (Uint8Array), not 4."],
  [() => lint(VMX, { target: {}, host: "2x20x2" }), "USAGE", "lint: target states host, workload and severities itself."],
  [() => lint(VMX, { format: "vmx" as never }), "USAGE", "lint: format must be a format, such as yaml of @vmlint/core/yaml"],
  [() => lintVm(undefined as never), "USAGE", "lintVm takes a VM as an object, such as { vcpus: 22 }."],
  [() => lintVm({}, { severities: { "cpu/cps-divide": "off" } }), "RULE_UNKNOWN", 'Did you mean "cpu/cps-divides"?'],
  [() => lintVm({}, { severities: { "cpu/cps-divides": "none" as never } }), "USAGE", "must be error, warning, info or hint, or off"],
  [() => requireHost(4 as never), "HOST_UNKNOWN", "requireHost takes the name of a host, not 4."],
])("%s throws %s: %s", (call, code, message) => {
  const thrown = (() => {
    try {
      return call();
    } catch (error) {
      return error;
    }
  })();
  expect(thrown).toBeInstanceOf(VmlintError);
  expect(thrown).toMatchObject({ code, message: expect.stringContaining(message) });
});

test.each<[options: object, paths: readonly string[] | undefined, code: ErrorCode]>([
  [{ files: { "a.vmx": VMX }, config: "hosts: 1" }, undefined, "CONFIG_INVALID"],
  [{ files: { "a.vmx": VMX }, variables: [{ kind: "file", path: "prod.tfvars" }] }, undefined, "FILE_UNREADABLE"],
  [{ files: { "a.vmx": VMX } }, "a.vmx" as never, "USAGE"],
  [{ files: { "a.vmx": VMX } }, [""], "USAGE"],
  [{ files: { read: async () => VMX, list: () => [] } }, undefined, "USAGE"],
  [{ files: { read: () => undefined, list: () => ["a", "b"] } }, ["zz"], "USAGE"],
])("check of %j, %j rejects once", async (options, paths, code) => {
  const workspace = openWorkspace(options as WorkspaceOptions);
  await expect(workspace.check(paths)).rejects.toMatchObject({ code });
  await expect(workspace.topology(paths)).rejects.toMatchObject({ code });
});

test.each<[workload: unknown]>([
  ["mssql,edition=standard,version=2019"],
  ["mssql, standard, 2019"],
  [{ kind: "mssql", edition: "Standard", version: 2019 }],
  [{ kind: "mssql", edition: "standard", version: "2019", licensing: undefined }],
])("the workload %j is one of the same", (workload) => {
  const { findings } = lintVm({ vcpus: 32, coresPerSocket: 8 }, { workload: workload as never, host: HOST });
  expect(findings).toEqual(
    lintVm({ vcpus: 32, coresPerSocket: 8 }, { workload: { kind: "mssql", edition: "standard", version: "2019" }, host: HOST }).findings,
  );
  expect(findings.map(({ ruleId }) => ruleId)).toContain("mssql/standard-cores");
});

test("processors are a host, as with --host and host:", async () => {
  const host = "2x Xeon Gold 6148:768@8.0";
  const vmx = 'numvcpus = "96"\n';
  const [first] = lint(vmx, { host }).diagnostics;
  expect(first?.ruleId).toBe("cpu/exceeds-host-threads");
  expect(lintVm({ vcpus: 96 }, { host }).findings.map(({ message }) => message)).toContain(first?.message);
  for (const options of [{ host }, { config: `host: ${host}\n` }]) {
    const { findings } = await check({ files: { "a.vmx": vmx }, ...options });
    expect(findings.map(({ message }) => message)).toContain(first?.message);
  }
});

test("severities of rules, as a configuration sets them", () => {
  const vm = { vcpus: 8, coresPerSocket: 3, hardwareVersion: 19 };
  const of = (given: object) => lintVm(vm, given).findings.map(({ ruleId, severity }) => [ruleId, severity]);
  expect(of({ severities: { "cpu/cps-divides": "info" } })).toContainEqual(["cpu/cps-divides", "info"]);
  expect(of({ severities: { "cpu/cps-divides": "off" } }).map(([id]) => id)).not.toContain("cpu/cps-divides");
});

test("a call with anything gives an error with a code, or a result about each named path (npm run fuzz -- --calls)", async () => {
  const scripts = new URL("../../scripts/fuzz/", import.meta.url);
  const { wrongWithCall } = await import(new URL("arguments.mjs", scripts).href);
  const { drawn } = await import(new URL("inputs.mjs", scripts).href);
  const wrong: unknown[] = [];
  for (let number = 0; number < 1000; number++) wrong.push((await wrongWithCall(drawn(48, number))) ?? []);
  expect(wrong.flat()).toEqual([]);
});
