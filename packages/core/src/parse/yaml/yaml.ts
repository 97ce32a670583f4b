import type { Change } from "../../model/change.ts";
import type { Parsed, Problem, TextEdit } from "../../model/parsed.ts";
import type { Range } from "../../model/source.ts";
import type { VmSpec } from "../../model/spec.ts";
import { ADVANCED } from "../advanced.ts";
import type { Format } from "../format.ts";
import { isSpec, type Place, readSpecs, SPEC_SETTINGS } from "./spec.ts";
import { commentsOf, type Entry, entriesOf, isNothing, readDocuments } from "./tree.ts";

/** More than any file of VM specs, and little enough to read without noticing. */
const MOST_CHARACTERS = 20_000_000;

/** Where each VM's keys stand: what an edit needs and no rule does. */
const places = new WeakMap<VmSpec, Place>();

function parseYaml(text: string): Parsed {
  if (text.length > MOST_CHARACTERS) {
    return {
      vms: [],
      problems: [unreadable(`${text.length} characters are more than the ${MOST_CHARACTERS} of any file of VM specs`, [0, 0])],
    };
  }
  const vms: VmSpec[] = [];
  const problems: Problem[] = [];
  let ours = false;
  for (const { root, errors } of readDocuments(text)) {
    if (!isSpec(root)) continue;
    ours = true;
    for (const { message, range } of errors) problems.push(unreadable(message, range));
    for (const { vm, place } of readSpecs(root, (problem) => problems.push(problem))) {
      vms.push(vm);
      places.set(vm, place);
    }
  }
  return ours
    ? { vms, problems }
    : { vms, problems, foreign: "no document in it is of a kind that vmlint reads, such as apiVersion: vmlint.dev/v1" };
}

const unreadable = (message: string, range: Range): Problem => ({ ruleId: "spec/syntax", messageId: "syntax", data: { message }, range });

/** Replaces a value where its key is set, and puts a line before the first key where it is not. */
function editYaml(text: string, vm: VmSpec, changes: readonly Change[]): readonly TextEdit[] | undefined {
  const place = places.get(vm);
  if (!place) return undefined;
  const edits: TextEdit[] = [];
  for (const change of changes) {
    const edit = editOf(text, vm, place, change);
    if (!edit) return undefined;
    edits.push(edit);
  }
  return edits;
}

function editOf(text: string, vm: VmSpec, { spec, advanced }: Place, change: Change): TextEdit | undefined {
  if (change.setting === "scsiType") {
    const type = vm.scsiControllers.find(({ id }) => id === change.controller)?.type;
    return type && type.state !== "absent" ? { range: type.range, newText: change.value } : undefined;
  }
  const { setting, value } = change;
  const current = vm.settings[setting];
  const written = Array.isArray(value) ? `[${value.join(", ")}]` : String(value);
  if (current.state !== "absent") return { range: current.range, newText: written };
  const isDirect = (SPEC_SETTINGS as readonly string[]).includes(setting);
  if (isDirect) return before(text, entriesOf(spec), `${setting}: ${written}`);
  if (!(setting in ADVANCED)) return undefined;
  const line = `${ADVANCED[setting as keyof typeof ADVANCED][0]}: "${written.toUpperCase()}"`;
  if (!isNothing(advanced)) return before(text, entriesOf(advanced), line);
  return before(text, entriesOf(spec), `advanced: { ${line} }`);
}

/** A line of its own before the first key of a block mapping; a mapping in braces is left alone. */
function before(text: string, [first]: readonly Entry[], line: string): TextEdit | undefined {
  if (!first) return undefined;
  const [start] = first.keyRange;
  const indent = /(?:^|[\r\n])([ ]*)$/.exec(text.slice(Math.max(0, start - 200), start))?.[1];
  if (indent === undefined) return undefined;
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  return { range: [start, start], newText: `${line}${eol}${indent}` };
}

export const yaml: Format = { name: "yaml", parse: parseYaml, comments: commentsOf, edit: editYaml };
