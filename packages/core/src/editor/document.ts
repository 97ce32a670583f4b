import type { EvaluatedPlace, WrittenPart } from "../formats/project.ts";
import type { LintResult } from "../lint/lint.ts";
import type { LintedVm } from "../lint/target.ts";
import { once, onceFor } from "../model/memoize.ts";
import type { Range, Setting, TextEdit } from "../model/source.ts";
import type { Change, SettingName, VmSpec } from "../model/spec.ts";
import { deriveTopology, type TopologyResult } from "../platforms/esxi/derive.ts";
import type { Language } from "../syntax/language.ts";

/** An open text with its findings. */
export interface OpenDocument {
  readonly text: string;
  readonly result: LintResult;
  readonly comments: ((text: string) => readonly Range[]) | undefined;
  /** Returns the edits, in this or other files, that make a VM state some changes; `undefined` if there are none. */
  readonly edit: (vm: VmSpec, changes: readonly Change[]) => readonly TextEdit[] | undefined;
  readonly language?: Language | undefined;
  /** Adds the edits that restore the formatting of changed files; missing if fixes cannot break it. */
  readonly tidied?: (edits: readonly TextEdit[]) => readonly TextEdit[];
  /** Set for a file of a project; the ranges of its VMs then refer to the joined files. */
  readonly row?: Row | undefined;
}

/** The position of a file within its project. */
export interface Row {
  /** The offset of its first character in the joined files. */
  readonly start: number;
  /** Returns the blocks that define a VM, in any file. */
  readonly partsOf: (vm: VmSpec) => readonly WrittenPart[];
  readonly placeOf: (range: Range) => Place;
  readonly valueAt: (offset: number) => EvaluatedPlace | undefined;
}

/** A place in a file. */
export interface Place {
  /** The path of another file. */
  readonly path?: string;
  readonly range: Range;
}

/** Returns the topology of a VM; `undefined` without a host. */
export const layoutOf = ({ spec, target: { host, workload } }: LintedVm): TopologyResult | undefined =>
  host && deriveTopology(spec, host, workload);

/** Returns the range in the document; `undefined` if it is in another file. */
export function placeIn({ text, row }: Pick<OpenDocument, "text" | "row">, [start, end]: Range): Range | undefined {
  const from = row?.start ?? 0;
  return start >= from && start <= from + text.length ? [start - from, end - from] : undefined;
}

/** Returns the ranges of a VM's name in the document: one, or its block and a call of its module. */
export function namesIn(document: OpenDocument, { spec }: LintedVm): readonly Range[] {
  const parts = rowOf(document).partsOf(spec);
  const names = parts.length > 0 ? parts.map(({ name }) => name) : [spec.range];
  return names.map((name) => placeIn(document, name)).filter((place) => place !== undefined);
}

/** Returns the VM of the block at an offset. */
export function vmAt(document: OpenDocument, offset: number): LintedVm | undefined {
  return vmsAround(document, offset)[0];
}

/** Returns the VMs that the block at an offset defines. */
export function vmsAround(document: OpenDocument, offset: number): readonly LintedVm[] {
  const { start: from, partsOf } = rowOf(document);
  const at = offset + from;
  return document.result.vms.filter(({ spec }) => partsOf(spec).some(({ block: [start, end] }) => start <= at && at <= end));
}

/** Returns the position of a document within its project; a text by itself is a project of one. */
export const rowOf = onceFor((document: OpenDocument): Row => document.row ?? rowAlone(document));

/** Returns the position of a text by itself: each VM extends to the start of the next one, and the first begins with the text. */
function rowAlone({ text, result: { vms } }: OpenDocument): Row {
  const parts = once(() => {
    const starts = vms.map(({ spec }) => startOf(spec.range, spec.settings));
    const bounds = [...new Set(starts)].sort((a, b) => a - b);
    const last = new Map(bounds.map((start, at) => [start, (bounds[at + 1] ?? text.length + 1) - 1]));
    return new Map(
      vms.map(({ spec }, at) => {
        const start = starts[at] ?? 0;
        return [spec, [{ block: [start === bounds[0] ? 0 : start, last.get(start) ?? 0], name: spec.range }]] as const;
      }),
    );
  });
  return { start: 0, partsOf: (vm) => parts().get(vm) ?? [], placeOf: (range) => ({ range }), valueAt: () => undefined };
}

/** Returns the start of a VM: its name or its first setting. */
function startOf([start]: Range, settings: LintedVm["spec"]["settings"]): number {
  return Math.min(start, ...Object.values(settings).flatMap((setting) => (setting.state === "absent" ? [] : [setting.range[0]])));
}

export interface SettingAt {
  readonly name: SettingName;
  readonly setting: Exclude<Setting<unknown>, { state: "absent" }>;
  readonly vm: LintedVm;
}

/** Returns the setting with its value at an offset. */
export const settingAt = (document: OpenDocument, offset: number): SettingAt | undefined => settingsAt(document, offset, 1)[0];

/** Returns the range of a setting's value, and the steps of its trace in the same file. */
export const placesOf = ({ spec }: LintedVm, range: Range): readonly Range[] =>
  spec.traceTo ? [range, ...spec.traceTo(range).flatMap((place) => (place.path === undefined ? [place.range] : []))] : [range];

/** Returns the settings, of a limited number of VMs, whose value or trace is at an offset. */
export function settingsAt({ row, result: { vms } }: OpenDocument, offset: number, max = Number.POSITIVE_INFINITY): readonly SettingAt[] {
  const at = offset + (row?.start ?? 0);
  const settings: SettingAt[] = [];
  for (const vm of vms) {
    for (const [name, setting] of Object.entries(vm.spec.settings)) {
      if (setting.state === "absent" || !placesOf(vm, setting.range).some(([start, end]) => start <= at && at <= end)) continue;
      settings.push({ name: name as SettingName, setting, vm });
      if (settings.length === max) return settings;
    }
  }
  return settings;
}
