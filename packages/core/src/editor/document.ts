import type { EvaluatedPlace, WrittenPart } from "../formats/project.ts";
import type { LintResult } from "../lint/lint.ts";
import type { LintedVm } from "../lint/target.ts";
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
  const parts = document.row?.partsOf(spec) ?? [];
  const names = parts.length > 0 ? parts.map(({ name }) => name) : [spec.range];
  return names.map((name) => placeIn(document, name)).filter((place) => place !== undefined);
}

/** Returns the VM at an offset: the last VM that begins before it; in a project, the VM of the block. */
export function vmAt(document: OpenDocument, offset: number): LintedVm | undefined {
  const { row, result } = document;
  if (row) return vmsAround(document, offset)[0];
  return result.vms.findLast(({ spec }) => startOf(spec.range, spec.settings) <= offset) ?? result.vms[0];
}

/** Returns the VMs that the block at an offset defines. */
export function vmsAround({ row, result }: OpenDocument, offset: number): readonly LintedVm[] {
  if (!row) return [];
  const at = offset + row.start;
  return result.vms.filter(({ spec }) => row.partsOf(spec).some(({ block: [start, end] }) => start <= at && at <= end));
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
