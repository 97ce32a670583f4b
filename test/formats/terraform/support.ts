import { applyEdits, type Rule, type Setting, type Target, type VmSpec } from "@vmlint/core";
import { lintProject, readWhole as readTerraform } from "@vmlint/core/project";
import type { ProjectInputs } from "../../../packages/core/src/formats/project.ts";
import { terraform } from "../../../packages/core/src/formats/terraform/terraform.ts";
import { filesOf, type Texts } from "../../support/text-files.ts";

export const NOTHING_GIVEN: ProjectInputs = { environment: {}, options: [] };

const modulesIn = (texts: Texts): readonly string[] => Object.keys(texts).filter((path) => /\.(tf|tofu)(\.json)?$/.test(path));

/** Reads the modules of some files in one run. */
export function parse(texts: Texts, given: Partial<ProjectInputs> = {}, paths = modulesIn(texts)) {
  return terraform.read({ paths, files: filesOf(texts), inputs: { ...NOTHING_GIVEN, ...given } });
}

/** The same, after loading the functions that the files need. */
export const readWhole = async (texts: Texts, given: ProjectInputs) =>
  readTerraform(terraform, { paths: modulesIn(texts), files: filesOf(texts), inputs: given });

/** Known values as they are, absent ones null, unknown ones as their reason in brackets. */
export const shown = (setting: Setting<unknown>): unknown =>
  setting.state === "known" ? setting.value : setting.state === "absent" ? null : `<${setting.reason}>`;

/** One setting of every VM, by its address. */
export function settings(
  texts: Texts,
  name: keyof VmSpec["settings"],
  given: Partial<ProjectInputs> = {},
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(parse(texts, given).vms.map((vm) => [vm.name, shown(vm.settings[name])]));
}

/** The findings of some rules, file by file. */
export function lintTexts(texts: Texts, rules: readonly Rule[], target: Target = {}) {
  const project = parse(texts);
  return lintProject(project, { rules, target });
}

/** Returns the files after applying the edits of a fix. */
export function fixed(
  texts: Texts,
  path: string,
  edits: readonly { path?: string; range: readonly [number, number]; newText: string }[],
): Texts {
  const result: Record<string, string> = { ...texts };
  for (const file of new Set(edits.map((edit) => edit.path ?? path))) {
    result[file] = applyEdits(
      texts[file] ?? "",
      edits.filter((edit) => (edit.path ?? path) === file),
    );
  }
  return result;
}
