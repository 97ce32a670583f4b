import type { FileContext } from "../../model/files.ts";
import { once } from "../../model/memoize.ts";
import type { Parsed } from "../../model/parsed.ts";
import type { Problem } from "../../model/problem.ts";
import type { Range, Setting } from "../../model/source.ts";
import { NO_SETTINGS, type SettingName, type VmSpec } from "../../model/spec.ts";
import { commentsOf, readDocuments, spanOf, type Tree } from "../../syntax/yaml/tree.ts";
import { textFormat } from "../format.ts";
import { ALL_SETTINGS, leaveOpen, OF_PATCH } from "../inherited.ts";
import { chartValues } from "../kubernetes/helm.ts";
import { isPatch } from "../kubernetes/kustomize.ts";
import { otherInventory } from "../other-inventories.ts";
import { directiveComments, withDirectives } from "./directive-comments.ts";
import { editYaml } from "./edit.ts";
import type { DocumentContext, ReadVm } from "./kind.ts";
import { KINDS, objectsOf, readDocument } from "./kinds.ts";
import { usageOf } from "./usage.ts";

/** More than real files of VM specs, and still fast to read. */
const MOST_CHARACTERS = 20_000_000;

function parseYaml(text: string, _bytes?: Uint8Array, context?: FileContext): Parsed {
  if (text.length > MOST_CHARACTERS) {
    return {
      vms: [],
      problems: [unreadable(`${text.length} characters are more than the ${MOST_CHARACTERS} of any file of VM specs`, [0, 0])],
    };
  }
  const vms: ReadVm[] = [];
  const problems: Problem[] = [];
  const comments = directiveComments(text);
  let isVmlint = false;
  let template: string | undefined;
  let start = 0;
  const trees = readDocuments(text, chartValues(text, context));
  const documentContext: DocumentContext = {
    context,
    objects: once(() => trees.flatMap(({ root, errors }) => (errors.length > 0 ? [] : objectsOf(root)))),
  };
  for (const tree of trees) {
    const span: Range = [start, endOf(tree, start, text)];
    start = span[1];
    const mistakes: Problem[] = [];
    const vmsOfDocument = readDocument(tree.root, (problem) => mistakes.push(problem), documentContext);
    if (!vmsOfDocument && !(tree.errors.length > 0 && looksLikeVm(text.slice(...span)))) continue;
    const [error] = tree.errors;
    if (error && tree.root.source.template) {
      template ??= `it is a template, and not YAML until it is filled in (line ${lineOf(text, error.range[0])}: ${error.message})`;
      continue;
    }
    isVmlint = true;
    // Later errors mostly follow from the first.
    for (const mistake of mistakes) if (!error || mistake.range[0] < error.range[0]) problems.push(mistake);
    if (error) problems.push(unreadable(error.message, error.range));
    for (const vm of withDirectives(text, comments, span, vmsOfDocument ?? [], (problem) => problems.push(problem))) {
      vms.push({ ...vm, vm: { ...vm.vm, edit: vm.edits ?? ((changes) => editYaml(text, vm.span, vm.place, changes)) } });
    }
  }
  const isOfPatch = context !== undefined && vms.length > 0 && text.includes("apiVersion") && isPatch(context);
  if (isVmlint) return { vms: vms.map(({ vm }) => (isOfPatch ? asPatch(vm) : vm)), problems, countUsers: usageOf(vms) };
  return {
    vms: [],
    problems: [],
    foreign:
      template ??
      lackOf(text) ??
      otherInventory(text) ??
      "it has no document of a kind that vmlint reads, such as apiVersion: vmlint.dev/v1",
  };
}

/** Leaves open all settings that a patch does not state. */
function asPatch(vm: VmSpec): VmSpec {
  const settings: Record<SettingName, Setting<unknown>> = { ...vm.settings };
  // The base decides the other counts of KVM.
  if (vm.kvm) Object.assign(settings, NO_SETTINGS);
  leaveOpen(settings, ALL_SETTINGS, { reason: OF_PATCH, range: vm.range });
  return {
    ...vm,
    ...(vm.kvm && { kvm: { ...vm.kvm, refused: undefined } }),
    settings: settings as unknown as VmSpec["settings"],
    defaults: {},
    changes: true,
    devices: () => ({ missing: OF_PATCH, ...vm.devices() }),
    board: () => Object.fromEntries(Object.entries(vm.board?.() ?? {}).filter(([, { state }]) => state !== "absent")),
  };
}

const lackOf = (text: string): string | undefined => KINDS.find(({ lack, sign }) => lack !== undefined && sign.test(text))?.lack;

const looksLikeVm = (text: string): boolean => KINDS.some(({ sign }) => sign.test(text));

/** Returns the end of a document; a broken one may have no contents. */
function endOf({ root }: Tree, start: number, text: string): number {
  const end = (root.document.range as readonly number[] | undefined)?.[2] ?? spanOf(root)[1];
  return Math.min(Math.max(end, start), text.length);
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split(/\r\n|\n|\r/).length;

const unreadable = (message: string, range: Range): Problem => ({ ruleId: "spec/syntax", messageId: "syntax", data: { message }, range });

export const yaml = textFormat({
  name: "yaml",
  parse: parseYaml,
  comments: commentsOf,
});
