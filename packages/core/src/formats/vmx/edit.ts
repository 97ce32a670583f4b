import type { Range, TextEdit } from "../../model/source.ts";
import type { Change, VmSpec } from "../../model/spec.ts";
import { escapeVmx } from "../../syntax/template-marker.ts";
import { flagText } from "../advanced.ts";
import { VMX_KEYS } from "./keys.ts";

/** Replaces the value where a key is set, and appends a line where it is not. */
export function editVmx(text: string, vm: VmSpec, changes: readonly Change[]): readonly TextEdit[] | undefined {
  const edits: TextEdit[] = [];
  const added: string[] = [];
  for (const change of changes) {
    const { key, current } = place(vm, change);
    const value = written(change);
    if (value === undefined) return undefined;
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

/** Some settings can come from another key than the one we write (`sched.vcpu0.affinity`): those are left alone. */
function isSetBy(text: string, key: string, [start]: Range): boolean {
  return text.slice(lineStart(text, start), start).trimStart().toLowerCase().startsWith(key.toLowerCase());
}

/** Where the line of an offset begins. Not by lastIndexOf: for the kind of line end a file lacks it searches the whole file. */
export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  return start;
}

function place(vm: VmSpec, change: Change) {
  if (change.setting !== "scsiType") return { key: VMX_KEYS[change.setting][0], current: vm.settings[change.setting] };
  const controller = vm.scsiControllers.find(({ id }) => id === change.controller);
  return { key: `${change.controller}.virtualDev`, current: controller?.type ?? ({ state: "absent" } as const) };
}

function written({ setting, value }: Change): string | undefined {
  if (typeof value === "boolean") return flagText(setting, value);
  if (Array.isArray(value)) return value.join(",");
  // A .vmx says "automatic" by leaving the key out, which is not an edit of a value.
  if (setting === "coresPerSocket" && value === "auto") return undefined;
  return escapeVmx(String(value));
}
