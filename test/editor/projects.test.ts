import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { applyEdits, type Diagnostic, LineIndex, type Range } from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import { actionsAt, hintsOf, hoverAt, lensesOf, OtherFileFindings, outlineOf, safeFixes, suppressionsAt } from "@vmlint/core/editor";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { editor } from "../support/editor.ts";
import { playbookWith, RESOURCE, variable, WIDE } from "../support/sample-project.ts";

const CONFIG = parseConfig("host: dl580g7\nextends: [all]\n", "vmlint.yaml");
const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

const MODULE = { "/p/modules/vm/main.tf": RESOURCE, "/p/modules/vm/variables.tf": `variable "cpus" {}\n` };
const call = (source: string, cpus: string) => `module "a" {\n  source = "${source}"\n  cpus   = ${cpus}\n}\n`;

const place = (text: string, words: string, add = 0) => text.indexOf(words) + add;

interface Report {
  readonly diagnostics: readonly {
    readonly path: string;
    readonly ruleId: string;
    readonly message: string;
    readonly range: { readonly start: { readonly line: number; readonly column: number } };
    readonly related: readonly {
      readonly path?: string;
      readonly message: string;
      readonly range: { readonly start: { readonly line: number; readonly column: number } };
    }[];
  }[];
}

describe("a project in the editor has the same findings as on the command line", () => {
  const filesOf = (folder: string): readonly string[] =>
    readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));

  test.each(["terraform", "ansible", "kubernetes", "latency"])("examples/%s", async (name) => {
    const folder = join(EXAMPLES, name);
    const files = Object.fromEntries(filesOf(folder).map((path) => [path.slice(folder.length), readFileSync(path, "utf8")]));
    const config = parseConfig(files["/vmlint.yaml"] ?? "", "vmlint.yaml");
    const { check, type } = editor(files, { config });
    const found = await Promise.all(
      Object.entries(files).map(async ([path, text]) => {
        await type(path);
        const checkup = await check(path);
        const at = (range: Range, of = text) => Object.values(new LineIndex(of).at(range[0])).map((number) => number + 1);
        return (checkup?.result.diagnostics ?? []).map(({ range, ruleId, message, related }) => [
          [path.slice(1), ...at(range), ruleId, message],
          ...related.map((other) => [
            (other.path ?? path).slice(1),
            ...at(other.range, checkup?.textOf(other.path ?? path)),
            other.message,
          ]),
        ]);
      }),
    );
    const report: Report = JSON.parse(vmlint(folder, ["--format", "json"]).out);
    const said = report.diagnostics.map(({ path, range: { start }, ruleId, message, related }) => [
      [path, start.line, start.column, ruleId, message],
      ...related.map((other) => [other.path ?? path, other.range.start.line, other.range.start.column, other.message]),
    ]);
    const inOrder = (findings: unknown[]) => findings.map((one) => JSON.stringify(one)).sort();
    expect(inOrder(found.flat())).toEqual(inOrder(said));
    expect(said).not.toEqual([]);
  });
});

describe("files that refer to each other", () => {
  test("a value of another file that is not saved counts, and its reader is to be checked again", async () => {
    const { type, rules, disk } = editor({ "/p/main.tf": RESOURCE, "/p/variables.tf": variable(20) }, { config: CONFIG });
    await type("/p/main.tf");
    expect(await rules("/p/main.tf")).not.toContain(WIDE);
    expect(await type("/p/variables.tf", variable(64))).toContain("/p/main.tf");
    expect(await rules("/p/main.tf")).toContain(WIDE);
    expect(disk.get("/p/variables.tf")).toBe(variable(20));
    expect(await type("/p/variables.tf", variable(20))).toContain("/p/main.tf");
    expect(await rules("/p/main.tf")).not.toContain(WIDE);
  });

  test("terraform.tfvars and new files belong to the project", async () => {
    const { type, rules, disk, checks } = editor({ "/p/main.tf": RESOURCE + variable(20) }, { config: CONFIG });
    await type("/p/main.tf");
    expect(await rules("/p/main.tf")).not.toContain(WIDE);
    disk.set("/p/terraform.tfvars", "cpus = 64\n");
    expect([...(await checks.changed("/p/terraform.tfvars", "name"))]).toContain("/p/main.tf");
    expect(await rules("/p/main.tf")).toContain(WIDE);
    disk.delete("/p/terraform.tfvars");
    expect([...(await checks.changed("/p/terraform.tfvars", "name"))]).toContain("/p/main.tf");
    expect(await rules("/p/main.tf")).not.toContain(WIDE);
  });

  test("a file exists while it is open, even if it is not on the disk", async () => {
    const { type, close, rules, disk, checks } = editor({ "/p/main.tf": RESOURCE + variable(20) }, { config: CONFIG });
    await type("/p/main.tf");
    expect(await rules("/p/main.tf")).not.toContain(WIDE);
    expect(await type("/p/terraform.tfvars", "cpus = 64\n")).toContain("/p/main.tf");
    expect(await rules("/p/main.tf")).toContain(WIDE);
    expect(await close("/p/terraform.tfvars")).toContain("/p/main.tf");
    expect(await rules("/p/main.tf")).not.toContain(WIDE);
    disk.delete("/p/main.tf");
    await checks.changed("/p/main.tf", "name");
    await type("/p/terraform.tfvars", "cpus = 64\n");
    expect(await rules("/p/main.tf")).toContain(WIDE);
    await type("/new/main.tf", RESOURCE + variable(64));
    expect(await rules("/new/main.tf")).toContain(WIDE);
    await type("/new/a.pkr.hcl", 'source "vsphere-iso" "a" {\n  CPUs = 64\n  cpu_cores = 1\n  vm_version = 10\n}\n');
    expect(await rules("/new/a.pkr.hcl")).toContain(WIDE);
  });

  test("typing in an unsaved new file does not affect unrelated files", async () => {
    const { type, check } = editor({ "/p/main.tf": RESOURCE + variable(20) }, { config: CONFIG });
    await type("/p/main.tf");
    await check("/p/main.tf");
    await type("/p/notes.txt", "a");
    const before = await check("/p/main.tf");
    expect(await type("/p/notes.txt", "ab")).toEqual(["/p/notes.txt"]);
    expect(await check("/p/main.tf")).toBe(before);
  });

  test("a called module is checked through its calls, from the caller's file and from its own", async () => {
    const files = { "/p/live/main.tf": call("../modules/vm", "64"), ...MODULE, "/p/modules/vm/main.tf": RESOURCE.replace("4096", "4097") };
    const { type, check, rules, read } = editor(files, { config: CONFIG });
    await type("/p/modules/vm/main.tf");
    const module = await check("/p/modules/vm/main.tf");
    expect(module?.result.vms.map(({ spec }) => spec.name)).toEqual(["module.a.vsphere_virtual_machine.vm"]);
    // The value was written for the VM in the call.
    expect([...(module?.otherFiles.keys() ?? [])]).toEqual(["/p/live/main.tf"]);
    await type("/p/live/main.tf");
    expect(await rules("/p/live/main.tf")).toContain(WIDE);
    // A finding that depends only on the resource is reported at the resource.
    expect([...((await check("/p/live/main.tf"))?.otherFiles.keys() ?? [])]).toEqual(["/p/modules/vm/main.tf"]);
    expect(new Set(read).size).toBe(read.length);
  });

  test("a module with a computed source is checked through that call", async () => {
    const live = `variable "kind" {}\n${call("../modules/${var.kind}", "64")}`;
    const files = { "/p/live/main.tf": live, "/p/live/terraform.tfvars": 'kind = "vm"\n', ...MODULE };
    const { type, check, disk, checks } = editor(files, { config: CONFIG });
    await type("/p/modules/vm/main.tf");
    const names = async () => (await check("/p/modules/vm/main.tf"))?.result.vms.map(({ spec }) => spec.name);
    expect(await names()).toEqual(["module.a.vsphere_virtual_machine.vm"]);
    disk.set("/p/live/terraform.tfvars", 'kind = "other"\n');
    expect(await checks.changed("/p/live/terraform.tfvars", "text")).toContain("/p/modules/vm/main.tf");
    expect(await names()).toEqual(["vsphere_virtual_machine.vm"]);
    for (const source of ["${path.module}/../modules/vm", "../modules/${local.vm}"]) {
      await type("/p/live/main.tf", `locals {\n  vm = "vm"\n}\n${call(source, "64")}`);
      expect(await names()).toEqual(["module.a.vsphere_virtual_machine.vm"]);
      await type("/p/live/main.tf", "# nothing\n");
      expect(await names()).toEqual(["vsphere_virtual_machine.vm"]);
    }
  });

  test("a root that a test calls is also checked on its own, from both files", async () => {
    const files = { "/p/tests/main.tf": call("../live", "8"), "/p/live/main.tf": `${RESOURCE}variable "cpus" {}\n` };
    const { type, check, disk, checks } = editor(files, { config: CONFIG });
    const names = async (path: string) => (await check(path))?.result.vms.map(({ spec }) => spec.name);
    for (const path of ["/p/tests/main.tf", "/p/live/main.tf"]) await type(path);
    expect(await names("/p/live/main.tf")).toEqual(["module.a.vsphere_virtual_machine.vm"]);
    disk.set("/p/live/terraform.tfvars", "cpus = 64\n");
    expect(await checks.changed("/p/live/terraform.tfvars", "name")).toContain("/p/live/main.tf");
    expect(await names("/p/live/main.tf")).toEqual(["vsphere_virtual_machine.vm", "module.a.vsphere_virtual_machine.vm"]);
    expect(await names("/p/tests/main.tf")).toEqual(["module.a.vsphere_virtual_machine.vm"]);
  });

  test("adding or removing a call changes the check of its module", async () => {
    const { type, check } = editor({ "/p/live/main.tf": "# empty\n", ...MODULE }, { config: CONFIG });
    await type("/p/modules/vm/main.tf");
    const names = async () => (await check("/p/modules/vm/main.tf"))?.result.vms.map(({ spec }) => spec.name);
    expect(await names()).toEqual(["vsphere_virtual_machine.vm"]);
    expect(await type("/p/live/main.tf", call("../modules/vm", "8"))).toContain("/p/modules/vm/main.tf");
    expect(await names()).toEqual(["module.a.vsphere_virtual_machine.vm"]);
    await type("/p/live/main.tf", "# empty\n");
    expect(await names()).toEqual(["vsphere_virtual_machine.vm"]);
  });

  test("a call from outside the workspace applies while its file is open, in any order of opening", async () => {
    const files = { "/q/main.tf": call("../p/modules/vm", "8"), ...MODULE };
    for (const first of ["/p/modules/vm/main.tf", "/q/main.tf"]) {
      const isSearched = (path: string) => path.startsWith("/p/");
      const { type, close, check } = editor(files, { config: CONFIG, isSearched });
      const names = async () => (await check("/p/modules/vm/main.tf"))?.result.vms.map(({ spec }) => spec.name);
      await type(first);
      await type("/q/main.tf");
      await type("/p/modules/vm/main.tf");
      expect(await names()).toEqual(["module.a.vsphere_virtual_machine.vm"]);
      expect(await close("/q/main.tf")).toContain("/p/modules/vm/main.tf");
      expect(await names()).toEqual(["vsphere_virtual_machine.vm"]);
      expect(await type("/q/main.tf")).toContain("/p/modules/vm/main.tf");
      expect(await names()).toEqual(["module.a.vsphere_virtual_machine.vm"]);
    }
  });

  test("removing a folder removes its calls", async () => {
    const { type, check, disk, checks } = editor({ "/p/live/main.tf": call("../modules/vm", "8"), ...MODULE }, { config: CONFIG });
    await type("/p/modules/vm/main.tf");
    const names = async () => (await check("/p/modules/vm/main.tf"))?.result.vms.map(({ spec }) => spec.name);
    expect(await names()).toEqual(["module.a.vsphere_virtual_machine.vm"]);
    disk.delete("/p/live/main.tf");
    expect([...(await checks.changed("/p/live", "name"))]).toContain("/p/modules/vm/main.tf");
    expect(await names()).toEqual(["vsphere_virtual_machine.vm"]);
  });

  test("a new folder in the workspace adds its calls", async () => {
    const isSearched = (path: string) => !path.startsWith("/else/");
    const { type, check, disk, checks } = editor(MODULE, { config: CONFIG, isSearched });
    await type("/p/modules/vm/main.tf");
    const names = async () => (await check("/p/modules/vm/main.tf"))?.result.vms.map(({ spec }) => spec.name);
    expect(await names()).toEqual(["vsphere_virtual_machine.vm"]);
    disk.set("/else/where/main.tf", call("../../p/modules/vm", "8"));
    expect([...(await checks.changed("/else/where", "name"))]).not.toContain("/p/modules/vm/main.tf");
    disk.set("/p/live/eu/main.tf", call("../../modules/vm", "8"));
    expect([...(await checks.changed("/p/live", "name"))]).toContain("/p/modules/vm/main.tf");
    expect(await names()).toEqual(["module.a.vsphere_virtual_machine.vm"]);
  });

  test("all files of a large fileset are read at once", async () => {
    const vm = `resource "vsphere_virtual_machine" "vm" {\n  for_each = fileset(path.module, "vms/*.json")\n  num_cpus = 4\n}\n`;
    const vms = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`/p/vms/${at}.json`, "{}"]));
    const { type, check } = editor({ "/p/main.tf": vm, ...vms }, { config: CONFIG });
    await type("/p/main.tf");
    expect((await check("/p/main.tf"))?.result.vms).toHaveLength(120);
  });

  test("removing a folder removes its files", async () => {
    const { check, checks, disk } = editor({ "/p/old/a.vmx": 'numvcpus = "8"\n', "/p/b.vmx": 'numvcpus = "8"\n' }, { config: CONFIG });
    await check("/p/old/a.vmx");
    await check("/p/b.vmx");
    disk.delete("/p/old/a.vmx");
    expect([...(await checks.changed("/p/old", "name"))]).toEqual(["/p/old", "/p/old/a.vmx"]);
  });

  test("other projects are read once and then left alone", async () => {
    const files = { "/p/main.tf": RESOURCE + variable(8), "/q/main.tf": RESOURCE + variable(8), "/q/more.tf": "locals {}\n" };
    const { type, check } = editor(files, { config: CONFIG });
    await type("/p/main.tf");
    await type("/q/main.tf");
    const before = await check("/p/main.tf");
    await check("/q/main.tf");
    expect(await type("/q/more.tf", "locals { a = 1 }\n")).toEqual(["/q/more.tf", "/q/main.tf"]);
    expect(await check("/p/main.tf")).toBe(before);
  });

  test("a text without an open event is read from the disk", async () => {
    const { checks, type } = editor({ "/p/main.tf": RESOURCE + variable(8) }, { config: CONFIG });
    await type("/p/main.tf", RESOURCE + variable(8));
    const ask = (text: string) => checks.check({ path: "/p/main.tf", text, host: "" });
    await ask(RESOURCE + variable(8));
    await type("/p/main.tf", RESOURCE + variable(64));
    const found = await ask(RESOURCE + variable(64));
    expect(found?.text).toContain("64");
    expect(found?.result.diagnostics.map(({ ruleId }) => ruleId)).toContain(WIDE);
  });

  test("a folder without a VM has no result", async () => {
    const { type, check } = editor({ "/p/main.tf": 'resource "null_resource" "a" {}\n', "/p/a.tfvars": "a = 1\n" });
    for (const path of ["/p/main.tf", "/p/a.tfvars"]) {
      await type(path);
      expect(await check(path)).toBeUndefined();
    }
  });

  test("Packer and a playbook use values from sibling files", async () => {
    const packer = `source "vsphere-iso" "a" {\n  CPUs = var.cpus\n  cpu_cores = 1\n  vm_version = 10\n}\nvariable "cpus" {}\n`;
    const { type, rules, check } = editor(
      {
        "/k/a.pkr.hcl": packer,
        "/k/x.auto.pkrvars.hcl": "cpus = 20\n",
        "/y/play.yml": playbookWith("sizes.yml"),
        "/y/sizes.yml": "cpus: 20\n",
      },
      { config: CONFIG },
    );
    for (const [path, values, text] of [
      ["/k/a.pkr.hcl", "/k/x.auto.pkrvars.hcl", "cpus = 64\n"],
      ["/y/play.yml", "/y/sizes.yml", "cpus: 64\n"],
    ] as const) {
      await type(path);
      const vcpus = (await check(path))?.result.vms[0]?.spec.settings.vcpus;
      expect(vcpus).toMatchObject({ state: "known", value: 20 });
      expect(await type(values, text)).toContain(path);
      expect((await check(path))?.result.vms[0]?.spec.settings.vcpus).toMatchObject({ state: "known", value: 64 });
      expect(await rules(path)).toContain("cpu/exceeds-physical-cores");
    }
  });

  test("a single file uses no file outside of its folder and the workspace", async () => {
    const files = { "/y/a.yml": playbookWith("vars/sizes.yml"), "/y/b.yml": playbookWith("../z/sizes.yml") };
    const values = { "/y/vars/sizes.yml": "cpus: 4\n", "/z/sizes.yml": "cpus: 4\n" };
    const isInside = (path: string) => path.startsWith("/w/");
    const { type, check, read } = editor({ ...files, ...values }, { isInside, isSearched: isInside });
    const state = async (path: string) => {
      await type(path);
      return (await check(path))?.result.vms[0]?.spec.settings.vcpus.state;
    };
    expect([await state("/y/a.yml"), await state("/y/b.yml")]).toEqual(["known", "unknown"]);
    expect(read).not.toContain("/z/sizes.yml");
  });

  const VALUES = { name: "a", num_cpus: 64, num_cores_per_socket: 1, memory: 4096, hardware_version: 10 };
  test.each([
    ["/p/main.tofu", RESOURCE + variable(64)],
    ["/p/main.tf.json", JSON.stringify({ resource: { vsphere_virtual_machine: { vm: VALUES } } })],
    ["/p/main.tofu.json", JSON.stringify({ resource: { vsphere_virtual_machine: { vm: VALUES } } })],
    ["/p/a.pkr.json", JSON.stringify({ source: { "vsphere-iso": { a: { CPUs: 64, cpu_cores: 1, vm_version: 10 } } } })],
    [
      "/p/plan.json",
      JSON.stringify({
        format_version: "1.2",
        planned_values: {
          root_module: {
            resources: [
              { address: "vsphere_virtual_machine.vm", mode: "managed", type: "vsphere_virtual_machine", name: "vm", values: VALUES },
            ],
          },
        },
      }),
    ],
  ])("%s", async (path, text) => {
    const { type, check, rules } = editor({ [path]: text }, { config: CONFIG });
    await type(path);
    expect(await rules(path)).toContain(WIDE);
    const checkup = await check(path);
    const at = text.indexOf("64");
    const name = checkup?.result.vms[0]?.spec.name ?? "";
    // A plan has values but no expressions.
    if (checkup && !text.includes("variable")) expect(hoverAt(checkup, at)?.markdown).toContain(`**vcpus** = \`64\` of \`${name}\``);
    expect(checkup && hintsOf(checkup).map(({ label }) => label)).toEqual(["64 x 1, 7 NUMA nodes"]);
  });

  test("variables of the environment count, as for the command", async () => {
    const { type, rules } = editor({ "/p/main.tf": RESOURCE + variable(20) }, { config: CONFIG, environment: { TF_VAR_cpus: "64" } });
    await type("/p/main.tf");
    expect(await rules("/p/main.tf")).toContain(WIDE);
  });

  test("a comment can suppress a finding in every file, and is offered if the format has comments", async () => {
    const { type, rules, check } = editor({ "/p/main.tf": RESOURCE, "/p/variables.tf": variable(64) }, { config: CONFIG });
    await type("/p/main.tf");
    const checkup = await check("/p/main.tf");
    const at = place(RESOURCE, "var.cpus");
    const accept = checkup && suppressionsAt(checkup, [at, at]).find(({ title }) => title === `Accept ${WIDE} on this line`);
    expect(accept).toBeDefined();
    await type("/p/main.tf", applyEdits(RESOURCE, accept?.fix.edits ?? []));
    expect(await rules("/p/main.tf")).not.toContain(WIDE);
  });
});

/** Files that come to the disk while they are open, and call each other. */
const WRITTEN_WHILE_OPEN = [
  { path: "/p/main.tf", kind: "type", which: 3, checked: [] },
  { path: "/p/main.tf", kind: "write", which: 0, checked: [] },
  { path: "/q/main.tf", kind: "type", which: 3, checked: ["/p/main.tf"] },
  { path: "/q/main.tf", kind: "write", which: 0, checked: ["/p/main.tf", "/q/main.tf"] },
] as const;

/** Moves a folder and reports only the folder as changed. */
async function moveFolder({ disk, checks }: ReturnType<typeof editor>, folder: string): Promise<void> {
  const away = `${folder}-moved`;
  const isHere = [...disk.keys()].some((path) => path.startsWith(`${folder}/`));
  const [from, to] = isHere ? [folder, away] : [away, folder];
  for (const [path, text] of [...disk].filter(([one]) => one.startsWith(`${from}/`))) {
    disk.delete(path);
    disk.set(to + path.slice(from.length), text);
  }
  await checks.changed(from, "name");
  await checks.changed(to, "name");
}

test("after any sequence of file events, the findings are the same as after a fresh start", async () => {
  const texts: Readonly<Record<string, readonly string[]>> = {
    "/p/main.tf": [
      call("./modules/vm", "var.size"),
      call("./other", "8"),
      call('./${var.size < 30 ? "other" : "modules/vm"}', "8"),
      "# nothing\n",
      `${RESOURCE}${variable(64)}`,
    ],
    "/p/terraform.tfvars": ["size = 20\n", "size = 64\n", "size = 6"],
    "/p/size.tf": ['variable "size" { default = 30 }\n', "variable {"],
    "/p/modules/vm/main.tf": [RESOURCE, RESOURCE.replace("4096", "4097")],
    "/p/modules/vm/variables.tf": ['variable "cpus" {}\n', variable(12), call("../../other", "4")],
    "/p/other/main.tf": [RESOURCE, call("../modules/vm", "48")],
    "/q/main.tf": [call("../p/modules/vm", "10"), call("../p", "1")],
  };
  const paths = Object.keys(texts);
  const happening = fc.record({
    path: fc.constantFrom(...paths),
    kind: fc.constantFrom("type", "type", "close", "write", "delete", "move"),
    which: fc.nat(4),
    checked: fc.subarray(paths),
  });
  const shown = async (check: ReturnType<typeof editor>["check"], path: string) => {
    const checkup = await check(path);
    const findings = (all: readonly Diagnostic[] = []) => all.map(({ ruleId, range, message, vm }) => [ruleId, ...range, message, vm]);
    return checkup
      ? [
          checkup.result.vms.map(({ spec }) => spec.name),
          findings(checkup.result.diagnostics),
          [...checkup.otherFiles].map(([other, found]) => [other, findings(found.diagnostics)]).sort(),
        ]
      : undefined;
  };
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 12 }), fc.constantFrom("/", "/p/", "/q/"), async (all, workspace) => {
      const options = { config: CONFIG, isSearched: (path: string) => path.startsWith(workspace) };
      const changing = editor({}, options);
      const open = new Map<string, string>();
      for (const { path, kind, which, checked } of all) {
        const text = texts[path]?.[which % (texts[path]?.length ?? 1)] ?? "";
        // Checks that are under way meanwhile.
        const running = checked.filter((asked) => open.has(asked)).map((asked) => changing.check(asked));
        if (kind === "type") {
          open.set(path, text);
          await changing.type(path, text);
        } else if (kind === "close") {
          open.delete(path);
          await changing.close(path);
        } else if (kind === "move") {
          await moveFolder(changing, path.slice(0, path.lastIndexOf("/")));
        } else {
          const isNew = changing.disk.has(path) !== (kind === "write");
          if (kind === "write") changing.disk.set(path, text);
          else changing.disk.delete(path);
          await changing.checks.changed(path, isNew ? "name" : "text");
        }
        if (which > 1) await Promise.all(running);
        const fresh = editor(Object.fromEntries(changing.disk), options);
        for (const [other, typed] of open) await fresh.type(other, typed);
        for (const one of checked.filter((asked) => open.has(asked))) {
          expect(await shown(changing.check, one)).toEqual(await shown(fresh.check, one));
        }
      }
    }),
    { numRuns: 60, examples: [[WRITTEN_WHILE_OPEN.map((one) => ({ ...one, checked: [...one.checked] })), "/"]] },
  );
});

describe("fixes", () => {
  test("the literal is changed in its place, also in another file", async () => {
    const { type, check } = editor({ "/p/main.tf": RESOURCE, "/p/variables.tf": variable(64) }, { config: CONFIG });
    await type("/p/main.tf");
    const checkup = await check("/p/main.tf");
    const at = place(RESOURCE, "var.cpus");
    const [action] = (checkup && actionsAt(checkup, [at, at])) ?? [];
    const [edit] = action?.fix.edits ?? [];
    expect(edit?.path).toBe("/p/variables.tf");
    expect(variable(64).slice(...(edit?.range ?? [0, 0]))).toBe("64");
  });

  test("the comments behind it stay aligned, in another file too, unless they were not", async () => {
    const resource = (cores: string) => RESOURCE.replace("var.cpus", "8  # all").replace("socket = 1", `socket = ${cores}`);
    const open = async (text: string, files: Readonly<Record<string, string>> = {}) => {
      const { type, check } = editor({ ...files, "/p/main.tf": text }, { config: CONFIG });
      await type("/p/main.tf");
      const checkup = await check("/p/main.tf");
      if (!checkup) throw new Error("It is not checked.");
      return checkup;
    };
    const fixed = async (text: string, files?: Readonly<Record<string, string>>) => {
      const checkup = await open(text, files);
      const finding = checkup.result.diagnostics.find(({ ruleId }) => ruleId === "cpu/cps-divides");
      const [action] = actionsAt(checkup, finding?.range ?? [0, 0]);
      const edits = action?.fix.edits ?? [];
      const paths = new Set(edits.map(({ path = "/p/main.tf" }) => path));
      expect(paths.size).toBe(1);
      return applyEdits(checkup.textOf([...paths][0] ?? "") ?? "", edits);
    };
    const tidy = resource("8 # each").replace("8  #", "8 #");
    expect(await fixed(resource("16 # each"))).toBe(tidy);
    expect(await fixed(resource("16  # each"))).toBe(resource("8  # each"));
    const declared = (cores: number) => `variable "cores" {\n  default = ${cores} # each\n}${" ".repeat(12 + String(cores).length)}# end\n`;
    expect(await fixed(resource("var.cores"), { "/p/variables.tf": declared(16) })).toBe(declared(8));

    const { edit, result } = await open(resource("16 # each"));
    const [vm] = result.vms;
    const written = vm && edit(vm.spec, [{ setting: "coresPerSocket", value: 8 }]);
    expect(applyEdits(resource("16 # each"), written ?? [])).toBe(tidy);
  });

  test("is not offered for one VM if it would change others of the same file", async () => {
    const list = (second: string) =>
      `apiVersion: vmlint.dev/v1\nkind: VirtualMachineList\nitems:\n- spec: &base { vcpus: 4, memoryMiB: 4096 }\n- spec: ${second}\n`;
    const edits = async (text: string) => {
      const { check } = editor({ "/vms.yaml": text }, { config: CONFIG });
      const document = await check("/vms.yaml");
      return document?.result.vms.map(({ spec }) => document.edit(spec, [{ setting: "vcpus", value: 2 }])?.length);
    };
    expect(await edits(list("{ vcpus: 8, memoryMiB: 4096 }"))).toEqual([1, 1]);
    expect(await edits(list("*base"))).toEqual([undefined, undefined]);
  });

  test("is not offered if it would change another project that uses the file", async () => {
    const module = { ...MODULE, "/p/modules/vm/variables.tf": variable(64) };
    const own = `module "a" {\n  source = "../modules/vm"\n}\n`;
    const fixes = async (files: Readonly<Record<string, string>>) => {
      const { type, check } = editor(files, { config: CONFIG });
      await type("/p/live/main.tf");
      const found = [...((await check("/p/live/main.tf"))?.otherFiles.get("/p/modules/vm/main.tf")?.diagnostics ?? [])];
      return found.find(({ ruleId }) => ruleId === WIDE)?.fixes.length;
    };
    expect(await fixes({ "/p/live/main.tf": own, ...module })).toBeGreaterThan(0);
    expect(await fixes({ "/p/live/main.tf": own, "/p/test/main.tf": own, ...module })).toBe(0);
  });

  test("fix all holds edits of one place of one file apart", async () => {
    const text = RESOURCE.replace("var.cpus", "4").replace("  memory ", '  num_cpus = "4"\n  memory ');
    const { type, check } = editor({ "/p/main.tf": text }, { config: CONFIG });
    await type("/p/main.tf");
    const checkup = await check("/p/main.tf");
    expect(checkup && safeFixes(checkup).every(({ edits }) => edits.length > 0)).toBe(true);
  });
});

describe("hovers, lenses and hints", () => {
  const ROOT = `${call("./modules/vm", "local.cpus")}locals {\n  cpus = var.size * 2\n}\nvariable "size" {\n  default = 32\n}\n`;
  const open = async (path: string, files: Readonly<Record<string, string>>) => {
    const { type, check } = editor(files, { config: CONFIG });
    await type(path);
    const checkup = await check(path);
    if (!checkup) throw new Error(`${path} is not checked.`);
    return checkup;
  };
  const FILES = { "/p/main.tf": ROOT, ...MODULE };
  const LAYOUT = "64 vCPUs = 64 sockets x 1, 7 virtual NUMA nodes of 10+10+10+10+10+10+4, on dl580g7 (ESXi 5.5)";

  test("a hover shows the value of an expression, its source and its result", async () => {
    const root = await open("/p/main.tf", FILES);
    const hover = hoverAt(root, place(ROOT, "local.cpus", 3), ({ path, range }) => `at:${path ?? ""}:${range.join("-")}`);
    expect(hover?.range).toEqual([place(ROOT, "local.cpus"), place(ROOT, "local.cpus") + "local.cpus".length]);
    expect(hover?.markdown).toContain("= `64`");
    expect(hover?.markdown).toContain("**vcpus** of `module.a.vsphere_virtual_machine.vm`");
    expect(hover?.markdown).toContain(`[default of variable size](at::${place(ROOT, "32")}-${place(ROOT, "32") + 2})`);
    expect(hover?.markdown).toContain(LAYOUT);
  });

  test.each([
    ["a variable by its name", 'variable "size"', 12, "= `32`"],
    ["a local by its name", "cpus = var.size", 1, "= `64`"],
    ["a variable in an operation", "var.size", 5, "= `32`"],
    ["an operation", "* 2", 0, "= `64`"],
    ["an argument by its name", "cpus   =", 0, "= `64`"],
  ])("%s", async (_, words, add, expected) => {
    const root = await open("/p/main.tf", FILES);
    expect(hoverAt(root, place(ROOT, words, add))?.markdown).toContain(expected);
  });

  test.each(["variable", '"size"', "default", "32"])("a declaration has no link to itself: %s", async (words) => {
    const root = await open("/p/main.tf", FILES);
    const offset = ROOT.indexOf(words, place(ROOT, "variable")) + 1;
    const hover = hoverAt(root, offset, ({ path, range }) => `at:${path ?? ""}:${range.join("-")}`);
    expect(hover?.markdown).toContain("= `32`");
    expect(hover?.markdown).not.toContain("used as");
    expect(hover?.range[0]).toBeLessThanOrEqual(offset);
    expect(hover?.range[1]).toBeGreaterThanOrEqual(offset);
  });

  test("a hover on one value of a collection also shows the entire collection", async () => {
    const sizes = 'variable "sizes" {\n  default = { a = { cpus = 7 }, b = { cpus = 9 } }\n}\n';
    const text = RESOURCE.replace("var.cpus", "each.value.cpus").replace("{\n", "{\n  for_each = var.sizes\n") + sizes;
    const root = await open("/p/main.tf", { "/p/main.tf": text });
    const markdown = hoverAt(root, place(text, "7"))?.markdown;
    expect(markdown).toContain("= `{ a = { cpus = 7 }, b = { cpus = 9 } }`");
    expect(markdown).toContain('**vcpus** = `7` of `vsphere_virtual_machine.vm["a"]`');
  });

  test("a hover on a source value shows the settings that depend on it", async () => {
    const values = await open("/p/terraform.tfvars", { ...FILES, "/p/terraform.tfvars": "size = 32\n" });
    expect(values.result.vms.map(({ spec }) => spec.name)).toEqual(["module.a.vsphere_virtual_machine.vm"]);
    const hover = hoverAt(values, "size = ".length);
    expect(hover?.range).toEqual(["size = ".length, "size = 32".length]);
    expect(hover?.markdown).toContain("**vcpus** = `64` of `module.a.vsphere_virtual_machine.vm`");
    expect(hover?.markdown).toContain(LAYOUT);
    expect(hintsOf(values)).toEqual([]);
  });

  test("each call of a module and each element has its own value; equal ones are one", async () => {
    const text = `module "a" {\n  source   = "./modules/vm"\n  for_each = { x = 8, y = 8, z = 64 }\n  cpus     = each.value\n}\n`;
    const root = await open("/p/main.tf", { ...FILES, "/p/main.tf": text });
    expect(hoverAt(root, place(text, "each.value"))?.markdown).toContain('- = `8` in `module.a["x"]`, `module.a["y"]`\n- = `64`');
    const module = await open("/p/modules/vm/main.tf", { ...FILES, "/p/main.tf": text });
    expect(hoverAt(module, place(RESOURCE, "var.cpus"))?.markdown).toContain('- = `64` in `module.a["z"]`');
  });

  test("a sensitive value is hidden under every name", async () => {
    const text = `variable "secret" {\n  default   = "hunter2"\n  sensitive = true\n}\nlocals {\n  b = { c = [var.secret] }\n  d = upper(local.b.c[0])\n}\n${RESOURCE}${variable(8)}`;
    const root = await open("/p/main.tf", { "/p/main.tf": text });
    for (const words of ['variable "secret"', "default   ", "b = {", "var.secret]", "d = upper", "local.b.c[0]"]) {
      const markdown = hoverAt(root, place(text, words, words.startsWith("variable") ? 11 : 1))?.markdown;
      expect(markdown, words).toContain("sensitive");
      expect(markdown, words).not.toMatch(/hunter2/i);
    }
  });

  test("values of an unknown loop are not guessed", async () => {
    const text = `locals {\n  a = [for k in [1, 2] : k + 1]\n}\n${RESOURCE}${variable(8)}`;
    const root = await open("/p/main.tf", { "/p/main.tf": text });
    expect(hoverAt(root, place(text, "k + 1"))).toBeUndefined();
    expect(hoverAt(root, place(text, "a = [for"))?.markdown).toContain("= `[2, 3]`");
  });

  test("a lens is above the call and above the block of a VM, one for all with equal layouts", async () => {
    const root = await open("/p/main.tf", FILES);
    const name = (text: string, words: string) => [place(text, words), place(text, words) + words.length];
    expect(lensesOf(root)).toEqual([{ range: name(ROOT, "a"), title: LAYOUT, vm: 0 }].map((lens) => ({ ...lens, range: [8, 9] })));
    const module = await open("/p/modules/vm/main.tf", FILES);
    expect(lensesOf(module)).toEqual([{ range: name(RESOURCE, 'vm" {').map((at, i) => (i === 0 ? at : at - 3)), title: LAYOUT, vm: 0 }]);
    const many = await open("/p/main.tf", {
      ...FILES,
      "/p/main.tf": `module "a" {\n  source = "./modules/vm"\n  count = 3\n  cpus = 64\n}\n`,
    });
    expect(lensesOf(many).map(({ title }) => title)).toEqual([`3 VMs: ${LAYOUT}`]);
    expect(outlineOf(many).map((part) => part.name)).toEqual([0, 1, 2].map((at) => `module.a[${at}].vsphere_virtual_machine.vm`));
  });

  test("a hint is at the vCPUs of the VM", async () => {
    const root = await open("/p/main.tf", FILES);
    expect(hintsOf(root)).toEqual([{ at: place(ROOT, "local.cpus") + "local.cpus".length, label: "64 x 1, 7 NUMA nodes" }]);
    expect(hintsOf(await open("/p/modules/vm/main.tf", FILES))).toEqual([]);
  });
});

test("findings in another file disappear with the last text that causes them", () => {
  const elsewhere = new OtherFileFindings();
  const finding = { ruleId: "a/b", range: [0, 1] as const, message: "x" };
  const found = new Map([["/m.tf", { text: "text", diagnostics: [finding as never], textOf: () => "other" }]]);
  expect([...elsewhere.set("/a.tf", found)]).toEqual(["/m.tf"]);
  expect([...elsewhere.set("/b.tf", found)]).toEqual(["/m.tf"]);
  expect(elsewhere.of("/m.tf").diagnostics).toHaveLength(1);
  expect([...elsewhere.set("/a.tf", new Map())]).toEqual(["/m.tf"]);
  expect(elsewhere.of("/m.tf").diagnostics).toHaveLength(1);
  expect([...elsewhere.set("/b.tf", new Map())]).toEqual(["/m.tf"]);
  expect(elsewhere.of("/m.tf")).toMatchObject({ text: "", diagnostics: [] });
});
