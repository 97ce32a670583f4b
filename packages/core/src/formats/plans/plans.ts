import { type Files, folderOf, joinPath, Sources } from "../../model/files.ts";
import type { Problem } from "../../model/problem.ts";
import type { TextEdit } from "../../model/source.ts";
import type { Change, VmSpec } from "../../model/spec.ts";
import { excessOf, tooLarge } from "../../syntax/extent.ts";
import { type Format, filesIn } from "../format.ts";
import { untraced } from "../hcl/variables.ts";
import type { ParsedProject, ProjectInputs } from "../project.ts";
import { isModuleFile } from "../terraform/module-files.ts";
import { parseTerraform, terraform } from "../terraform/terraform.ts";
import { entriesOf, get, type Json, rangeOf, readJson, valueAt } from "./json-tree.ts";
import { isPackerTemplate, packerVms } from "./packer-json.ts";
import { kindOf, placedOn, plannedVms, stepsOf } from "./plan.ts";
import { isStack, stackVms } from "./pulumi-stack.ts";

/** Reads plans, states (including Pulumi's) and legacy Packer templates: JSON files, distinguished by their content. */
function parseProject(paths: readonly string[], files: Files, inputs: ProjectInputs): ParsedProject {
  const sources = new Sources();
  const vms: VmSpec[] = [];
  const problems: Problem[] = [];
  const owners = new Map<VmSpec, string>();
  const users: ParsedProject["countUsers"][] = [];
  const variables = new Set<string>();
  const secret = new Set<string>();
  const open = (path: string): Json | undefined => {
    const text = files.read(path);
    const read = text === undefined ? undefined : readJson(sources.add(path, text));
    if (!read || "node" in read) return read;
    problems.push(read);
    return undefined;
  };
  for (const path of paths) {
    const root = open(path);
    if (!root) continue;
    const specs: VmSpec[] = [];
    if (kindOf(root)) {
      secret.add(path);
      const configuration = configurationOf(root, path, files, inputs, sources);
      if (configuration) users.push(configuration.countUsers);
      for (const name of configuration?.variables?.() ?? []) variables.add(name);
      const sourceOf = placesIn(configuration?.vms ?? []);
      for (const planned of plannedVms(root)) {
        if (excessOf(specs.length, "VMs")) break;
        const { vm } = planned;
        const source = sourceOf(vm.name);
        specs.push(source ? { ...placedOn(planned, source), edit: (changes) => editBoth(vm, source, changes) } : vm);
      }
    } else if (isStack(root)) {
      secret.add(path);
      for (const vm of stackVms(root)) specs.push(vm);
    } else if (isPackerTemplate(root)) {
      for (const [name] of entriesOf(get(root, "variables"))) variables.add(name);
      for (const vm of packerVms(root, inputs, open, files)) specs.push(vm);
    }
    const tooMany = excessOf(specs.length, "VMs");
    if (tooMany !== undefined)
      problems.push({ ruleId: "spec/syntax", messageId: "syntax", data: { message: tooLarge(tooMany) }, range: rangeOf(root) });
    for (const vm of tooMany === undefined ? specs : []) {
      owners.set(vm, path);
      vms.push(vm);
    }
  }
  const count: ParsedProject["countUsers"] = (range) => Math.max(0, ...users.map((of) => of(range)));
  return {
    vms,
    problems,
    sources,
    pathOf: (vm) => owners.get(vm) ?? "",
    countUsers: count,
    variables: () => variables,
    isSecret: (path) => secret.has(path),
  };
}

/** Finds the VM of a configuration by address. A VM with an unknown number of instances has `[*]` instead of keys. */
function placesIn(vms: readonly VmSpec[]): (address: string) => VmSpec | undefined {
  const byAddress = new Map(vms.map((vm) => [vm.name, vm]));
  const vague = vms.filter(({ name }) => name.includes("[*]")).map((vm) => ({ vm, steps: stepsOf(vm.name) }));
  return (address) => {
    const steps = stepsOf(address);
    const isCandidate = (of: readonly string[]): boolean =>
      of.length === steps.length && of.every((step, at) => step === steps[at] || (at % 2 === 1 && step === "[*]"));
    return byAddress.get(address) ?? vague.find((entry) => isCandidate(entry.steps))?.vm;
  };
}

/** Returns the configuration of a plan or state, evaluated with the variables of the plan. */
function configurationOf(root: Json, path: string, files: Files, inputs: ProjectInputs, sources: Sources): ParsedProject | undefined {
  const folder = inputs.source ?? folderOf(path);
  const paths = files
    .list(folder)
    .filter(isModuleFile)
    .map((name) => joinPath(folder, name));
  if (paths.length === 0) return undefined;
  const variables = entriesOf(get(root, "variables"));
  const values = new Map(variables.map(([name, variable]) => [name, untraced(valueAt(get(variable, "value")))]));
  return parseTerraform(paths, files, inputs, { sources, values });
}

/** Only edits values that are equal in configuration and plan. */
function editBoth(vm: VmSpec, source: VmSpec, changes: readonly Change[]): readonly TextEdit[] | undefined {
  const isSame = (change: Change): boolean => {
    const controller = (of: VmSpec) => of.scsiControllers.find(({ id }) => change.setting === "scsiType" && id === change.controller)?.type;
    const [a, b] =
      change.setting === "scsiType" ? [controller(vm), controller(source)] : [vm.settings[change.setting], source.settings[change.setting]];
    if (b?.state === "known") return a?.state === "known" && JSON.stringify(a.value) === JSON.stringify(b.value);
    return b?.state === "absent";
  };
  return changes.every(isSame) ? source.edit?.(changes) : undefined;
}

export const plans: Format<ParsedProject> = {
  name: "plans",
  // The environment variables of the configuration next to a plan or state.
  ...(terraform.environment !== undefined && { environment: terraform.environment }),
  read: (reading) => parseProject(reading.paths, filesIn(reading), reading.inputs),
};
