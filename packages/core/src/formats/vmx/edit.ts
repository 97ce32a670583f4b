import type { Range, TextEdit } from "../../model/source.ts";
import type { Change, VmSpec } from "../../model/spec.ts";
import { escapeVmx } from "../../syntax/template-marker.ts";
import { flagText } from "../advanced.ts";
import { vmxKey } from "./keys.ts";

/** Replaces the value of a key, or appends a line if the key is missing. */
export function editVmx(text: string, vm: VmSpec, changes: readonly Change[]): readonly TextEdit[] | undefined {
  const edits: TextEdit[] = [];
  const added: string[] = [];
  for (const change of changes) {
    const { key, current } = place(vm, change);
    const value = valueText(change);
    if (value === undefined || key === undefined) return undefined;
    if (current.state !== "absent" && !isSetBy(text, key, current.range)) return undefined;
    if (current.state === "absent") added.push(`${key} = "${value}"`);
    else edits.push({ range: current.range, newText: value });
  }
  if (added.length > 0) {
    const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
    const before = text === "" || /[\r\n]$/.test(text) ? "" : eol;
    edits.push({ range: [text.length, text.length], newText: before + added.map((line) => line + eol).join("") });
  }
  return edits;
}

/** Some settings can come from another key than the one vmlint writes (`sched.vcpu0.affinity`); these are not edited. */
function isSetBy(text: string, key: string, [start]: Range): boolean {
  return text.slice(lineStart(text, start), start).trimStart().toLowerCase().startsWith(key.toLowerCase());
}

/** Returns the start of the line at an offset. lastIndexOf would search the whole file for a line end that the file does not use. */
export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  return start;
}

function place(vm: VmSpec, change: Change) {
  if (change.setting !== "scsiType") return { key: vmxKey(change.setting), current: vm.settings[change.setting] };
  const controller = vm.scsiControllers.find(({ id }) => id === change.controller);
  return { key: `${change.controller}.virtualDev`, current: controller?.type ?? ({ state: "absent" } as const) };
}

function valueText({ setting, value }: Change): string | undefined {
  if (typeof value === "boolean") return flagText(setting, value);
  if (Array.isArray(value)) return value.join(",");
  // A .vmx expresses "automatic" by a missing key, which an edit of the value cannot do.
  if (setting === "coresPerSocket" && value === "auto") return undefined;
  return escapeVmx(String(value));
}
