import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openWorkspace } from "@vmlint/core";
import { CONFIG_KEYS } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import { configSchema } from "../../packages/core/src/config/schema.ts";
import type { FileAccess } from "../../packages/vscode-ext/src/file-access.ts";
import { fileChecks } from "../../packages/vscode-ext/src/file-checks.ts";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const VM = 'virtualHW.version = "20"\nmemSize = "4096"\nnumvcpus = "3"\ncpuid.coresPerSocket = "2"\n';
const OFF = "rules: { cpu/cps-divides: off }\n";
const WORKFLOW = "name: vmlint\non: [push]\npermissions:\n  contents: read\njobs:\n  vmlint:\n    runs-on: ubuntu-latest\n";
const GITLAB = "stages: [test]\nvariables:\n  HOST: x\nworkflow:\n  rules: []\nvmlint:\n  stage: test\n  script: [vmlint]\n";
const CIRCLE = "version: 2.1\norbs: {}\nworkflows:\n  all:\n    jobs: [vmlint]\n";
const PLAYBOOK = "- hosts: all\n  tasks: []\n";

type Kind = "configuration" | "mistake" | "not ours";

/** A file beside a VM with one finding. A configuration turns the rule off. */
const FILES: readonly (readonly [what: string, path: string, text: string, kind: Kind])[] = [
  ["a configuration", "vmlint.yaml", OFF, "configuration"],
  ["under the other name", "ci/vmlint.yml", OFF, "configuration"],
  ["in JSON", "vmlint.json", '{ "rules": { "cpu/cps-divides": "off" } }', "configuration"],
  ["in braces", "vmlint.yaml", "{ rules: { cpu/cps-divides: off } }\n", "configuration"],
  ["behind a comment and a line of a document", "vmlint.yaml", `# ours\n---\n${OFF}`, "configuration"],
  ["with quoted keys", "vmlint.yaml", `"rules": { cpu/cps-divides: off }\n`, "configuration"],
  ["with lines of Windows and a mark", "vmlint.yaml", `\ufeff${OFF.replace("\n", "\r\n")}`, "configuration"],
  ["indented", "vmlint.yaml", "  rules:\n    cpu/cps-divides: off\n  ignore: []\n", "configuration"],
  ["one wrong key", "vmlint.yaml", `${OFF}hots: x\n`, "mistake"],
  ["a key of another program", "vmlint.yaml", `${OFF}jobs: {}\n`, "mistake"],
  ["only a misspelt key", "vmlint.yaml", "hots: x\n", "mistake"],
  ["two letters swapped", "vmlint.yaml", "ruels: {}\n", "mistake"],
  ["a syntax error", "vmlint.yaml", "host: [x\n", "mistake"],
  ["a workflow of GitHub", ".github/workflows/vmlint.yml", WORKFLOW, "not ours"],
  ["a configuration where GitHub keeps workflows", ".github/workflows/vmlint.yml", OFF, "not ours"],
  ["a workflow of Gitea", ".gitea/workflows/vmlint.yaml", WORKFLOW, "not ours"],
  ["jobs of GitLab", ".gitlab/vmlint.yml", GITLAB, "not ours"],
  ["jobs of CircleCI", ".circleci/vmlint.yml", CIRCLE, "not ours"],
  ["jobs in another folder", "ci/vmlint.yml", GITLAB, "not ours"],
  ["a workflow in another folder", "ci/vmlint.yaml", WORKFLOW, "not ours"],
  ["a playbook", "vmlint.yml", PLAYBOOK, "not ours"],
  ["values of a chart", "vmlint.yaml", "image: vmlint\nreplicas: 1\n", "not ours"],
  ["JSON of another program", "vmlint.json", '{ "name": "vmlint", "version": "1.0.0" }', "not ours"],
  ["no words", "vmlint.yaml", "", "not ours"],
];

/** Files for an editor with one workspace folder. */
const accessTo = (files: Readonly<Record<string, string>>): FileAccess =>
  ({
    isDisk: true,
    isTrusted: () => false,
    folderAround: () => "/estate",
    read: async (path: string) => {
      const text = files[path.slice("/estate/".length)];
      if (text === undefined) throw new Error("missing");
      return text;
    },
  }) as Partial<FileAccess> as FileAccess;

describe.each(FILES)("%s: %s", (_, path, text, kind) => {
  const at = dirname(path) === "." ? "" : `${dirname(path)}/`;
  const files = { [path]: text, [`${at}a.vmx`]: VM };

  test("the command", () => {
    const { code, err } = vmlint(folder(files), []);
    expect(code).toBe(kind === "configuration" ? 0 : kind === "mistake" ? 2 : 1);
    expect(err === "").toBe(kind !== "mistake");
  });

  test("the library", async () => {
    const found = await openWorkspace({ files })
      .check()
      .then(
        ({ findings }) => (findings.length > 0 ? "not ours" : "configuration"),
        () => "mistake",
      );
    expect(found).toBe(kind);
  });

  test("an editor", async () => {
    const found = await fileChecks(accessTo(files))
      .configOf(`/estate${at === "" ? "" : `/${at.slice(0, -1)}`}`)
      .then(
        ({ config }) => (Object.keys(config.rules).length > 0 ? "configuration" : "not ours"),
        () => "mistake",
      );
    expect(found).toBe(kind);
  });
});

test("the keys are those of the schema", () => {
  expect([...CONFIG_KEYS].sort()).toEqual(Object.keys(configSchema.shape).sort());
});

test("--config takes any file, and doctor lists files that are not ours", () => {
  const cwd = folder({ "a.vmx": VM, ".ci/vmlint.yml": OFF, "ci/vmlint.yml": GITLAB });
  expect(vmlint(cwd, ["--config", ".ci/vmlint.yml"]).code).toBe(0);
  expect(vmlint(cwd, ["doctor"]).out).toMatch(/^not ours +\.ci\/vmlint\.yml, ci\/vmlint\.yml: /m);
  mkdirSync(join(cwd, "sub/.vms"), { recursive: true });
  writeFileSync(join(cwd, "sub/.vms/vmlint.yaml"), OFF);
  writeFileSync(join(cwd, "sub/.vms/b.vmx"), VM);
  expect(vmlint(join(cwd, "sub/.vms"), []).code).toBe(0);
});
