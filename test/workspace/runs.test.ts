import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineRule, openWorkspace } from "@vmlint/core";
import { defaultFormat, EMPTY_CONFIG, NOTHING_GIVEN } from "@vmlint/core/program";
import fc from "fast-check";
import { expect, test } from "vitest";
import { outside } from "../../packages/cli/src/process-io.ts";
import { openDisk } from "../../packages/cli/src/run/disk-workspace.ts";
import { lintFiles } from "../../packages/cli/src/run/lint-files.ts";
import { Memo } from "../../packages/core/src/memo/memo.ts";
import { targetsAgainst } from "../../packages/core/src/workspace/folders.ts";
import { openUnitChecks } from "../../packages/core/src/workspace/unit-checks.ts";
import { folder } from "../support/folder.ts";
import { PAGE } from "../support/plugin-page.ts";

// A repeated check asks again only about files with a change. Its results equal the results of a first check.

const vmx = (vcpus: number, more = "") =>
  `virtualHW.version = "19"\nnumvcpus = "${vcpus}"\ncpuid.coresPerSocket = "4"\nmemSize = "8192"\n${more}`;
const module = (vcpus: string) =>
  `variable "cpus" { type = number }\nresource "vsphere_virtual_machine" "vm" {\n  name = "vm"\n  num_cpus = ${vcpus}\n  num_cores_per_socket = 4\n  memory = 4096\n}\n`;
const root = (source: string) => `variable "n" { default = 8 }\nmodule "m" {\n  source = "${source}"\n  cpus = var.n\n}\n`;
const play = (vcpus: string) =>
  `- hosts: localhost\n  vars_files: [vars.yml]\n  tasks:\n    - community.vmware.vmware_guest:\n        name: app\n        hardware: { num_cpus: ${vcpus}, num_cpu_cores_per_socket: 4, memory_mb: 4096 }\n`;

/** The texts that each file may have; `undefined`: there is no such file. */
const TEXTS: Readonly<Record<string, readonly (string | undefined)[]>> = {
  "a/one.vmx": [
    vmx(8),
    vmx(10),
    vmx(8, 'sched.cpu.affinity = "0-7"\n'),
    vmx(10, "# vmlint-disable-file cpu/cps-divides -- old\n"),
    undefined,
  ],
  "a/two.vmx": [vmx(8, 'sched.cpu.affinity = "0-7"\n'), vmx(24), "", undefined],
  "infra/main.tf": [root("../mod"), root("../other"), undefined],
  "infra/terraform.tfvars": [undefined, "n = 10\n", "n = 7\n"],
  "mod/main.tf": [module("var.cpus"), module('length(split(",", file("${path.module}/list.txt")))'), undefined],
  "mod/list.txt": [undefined, "a,b,c", "a,b,c,d"],
  "other/main.tf": [undefined, module("2 * var.cpus")],
  "play/site.yml": [play("10"), play("'{{ n }}'"), undefined],
  "play/vars.yml": [undefined, "n: 10\n", "n: 8\n"],
  "vmlint.yaml": [
    "host: 2x12x2:256@8.0\n",
    undefined,
    "host: 2x10x2:256@7.0\n",
    "host: 2x12x2:256@8.0\nvarFiles: [big.tfvars]\n",
    "extends: [base.yaml]\n",
    'host: 2x12x2:256@8.0\nruns: { lab: ["*"] }\nhosts: { lab: 2x12x2:256@8.0 }\n',
    "host: 2x12x2:256@8.0\nsuppress:\n  - { rule: cpu/cps-divides, reason: old }\n",
    "hots: r640\n",
  ],
  "big.tfvars": ["n = 11\n", "n = 13\n", undefined],
  "base.yaml": [undefined, "host: 2x12x2:256@8.0\n", "host: 4x8x2:256@8.0\n"],
  "a/vmlint.yaml": [undefined, "root: true\nhost: 2x4x2:64@8.0\n", 'ignore: ["two.vmx"]\n'],
  "vmlint-baseline.json": [undefined, "[]", "not a list"],
};

const anyEdit = fc.constantFrom(...Object.entries(TEXTS).flatMap(([path, texts]) => texts.map((text) => [path, text] as const)));
const anyEdits = fc.array(fc.array(anyEdit, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 6 });

const anyOptions = fc.record({
  patterns: fc.constantFrom(["."], ["."], ["a"], ["infra", "play"]),
  host: fc.constantFrom(undefined, undefined, "r640", "2x4x2:64@7.0"),
  workload: fc.constantFrom(undefined, undefined, { kind: "mssql" as const }),
  together: fc.constantFrom(undefined, true),
  ignoreComments: fc.constantFrom(undefined, true),
});

const first = (): Map<string, string> =>
  new Map(Object.entries(TEXTS).flatMap(([path, [text]]) => (text === undefined ? [] : [[path, text]])));

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const outcome = <T>(asked: Promise<T>): Promise<T | string> => asked.catch((error: unknown) => String(error));

test("of a workspace, after any changes", async () => {
  await fc.assert(
    fc.asyncProperty(anyEdits, async (rounds) => {
      const disk = first();
      const files = {
        read: (path: string) => disk.get(path),
        list: (of: string) => [
          ...new Set(
            [...disk.keys()].flatMap(
              (path) => (of === "." ? path : path.startsWith(`${of}/`) ? path.slice(of.length + 1) : "").split("/")[0] ?? [],
            ),
          ),
        ],
      };
      const check = async (workspace: ReturnType<typeof openWorkspace>) => {
        const found = await outcome(workspace.check());
        if (typeof found === "string") return found;
        return json({ ...found, vms: found.vms.map(({ path, spec, target }) => [path, spec.name, target.host?.name, target.machine]) });
      };
      const kept = openWorkspace({ files });
      for (const edits of [[], ...rounds]) {
        for (const [path, text] of edits) text === undefined ? disk.delete(path) : disk.set(path, text);
        kept.changed();
        expect(await check(kept)).toEqual(await check(openWorkspace({ files })));
      }
    }),
    { numRuns: 20 },
  );
});

test("of the command, after any changes and with any options", async () => {
  await fc.assert(
    fc.asyncProperty(anyEdits, fc.array(anyOptions, { minLength: 7, maxLength: 7 }), async (rounds, options) => {
      const cwd = folder(Object.fromEntries(first()));
      const lint = async (more: object, disk?: ReturnType<typeof openDisk>) => {
        let err = "";
        const noted = new Set<string>();
        const io = { ...outside({ cwd, env: {}, isTerminal: false, print: () => {} }), noted: (path: string) => void noted.add(path) };
        const request = { patterns: ["."], onlyFindings: true, tolerates: ["lost", "mistakes", "faults", "over"] as const, disk, ...more };
        const run = await lintFiles(request, { ...io, err: (text) => (err += text) });
        const found = [...run.files()].map(({ vms, ...file }) => ({
          ...file,
          vms: vms.map(({ spec, target }) => [spec.name, target.host?.name]),
        }));
        const hidden = [...run.suppressions].map(([path, { comments, configEntries }]) => [path, comments, configEntries.length]);
        return json({ found, hidden: hidden.sort(), err, empty: [...run.unchecked.empty], noted: [...noted].sort() });
      };
      const kept = openDisk(cwd);
      for (const [at, edits] of [[], ...rounds].entries()) {
        for (const [path, text] of edits) {
          mkdirSync(dirname(join(cwd, path)), { recursive: true });
          text === undefined ? rmSync(join(cwd, path), { force: true }) : writeFileSync(join(cwd, path), text);
        }
        const more = options[at] ?? {};
        expect(await outcome(lint(more, kept))).toEqual(await outcome(lint(more)));
      }
    }),
    { numRuns: 10 },
  );
});

test("and asks only about files with a change", async () => {
  let asked = 0;
  const rule = defineRule({
    id: "acme/counts",
    ...PAGE,
    severity: "warning",
    docsUrl: "https://acme.example/counts",
    for: "any",
    messages: { found: () => "found" },
    *check({ vm }) {
      asked++;
      yield { messageId: "found", at: vm.range };
    },
  });
  const disk = first();
  const files = { read: (path: string) => disk.get(path), list: () => [] };
  const workspace = openWorkspace({ files, rules: [rule] });
  const count = async (): Promise<number> => {
    asked = 0;
    await workspace.check(["a/one.vmx", "a/two.vmx"]);
    return asked;
  };
  expect([await count(), await count()]).toEqual([2, 0]);
  disk.set("a/two.vmx", vmx(12));
  expect(await count()).toBe(1);
});

test("of checks at the same time", async () => {
  const files = { ...Object.fromEntries(first()), "other/main.tf": module("2 * var.cpus"), "infra2/main.tf": root("../other") };
  const workspace = openWorkspace({ files });
  const paths = ["infra", "infra2", "a", "play"];
  const together = await Promise.all(paths.map((path) => workspace.check([path])));
  for (const [at, path] of paths.entries()) expect(json(together[at])).toEqual(json(await openWorkspace({ files }).check([path])));
});

test("without memory for more answers, earlier answers stay", () => {
  const answers = openUnitChecks(new Memo());
  const against = { config: EMPTY_CONFIG, folder: ".", relative: (path: string) => path, targetOf: () => ({}) };
  const settings = { rules: [], againstAt: () => against, inventory: undefined, hides: () => false };
  const begin = (hasRoom: boolean) => {
    const given = { version: () => 0, around: [], hasRoom: () => hasRoom, noted: () => undefined };
    answers.begin({ ...given, settings, inTime: (work) => work() });
  };
  let readings = 0;
  const unitOf = () => {
    readings++;
    const files = { read: () => undefined, list: () => [] };
    return { entry: undefined, format: defaultFormat, paths: ["a.vmx"], files, inputs: NOTHING_GIVEN, given: { text: vmx(4) } };
  };
  begin(true);
  expect(answers.check({ key: "a", unitOf })).toHaveLength(1);
  begin(false);
  answers.check({ key: "a", unitOf });
  expect([readings, answers.keeps("a"), answers.keeps("b")]).toEqual([1, true, false]);
});

test("folders of one configuration share their targets, because topologies are cached by target", () => {
  const against = { host: "2x12x2:256@8.0" };
  expect(targetsAgainst(EMPTY_CONFIG, against)).toBe(targetsAgainst(EMPTY_CONFIG, against));
  expect(targetsAgainst(EMPTY_CONFIG, { host: "no-host" }).badHost?.error.message).toContain('There is no host "no-host".');
});
