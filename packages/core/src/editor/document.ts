import { deriveTopology, type TopologyResult } from "../esxi/derive.ts";
import type { Format } from "../formats/format.ts";
import type { Evaluated, WrittenPart } from "../formats/project.ts";
import type { LintResult } from "../lint/lint.ts";
import type { LintedVm } from "../lint/target.ts";
import type { Range, Setting, TextEdit } from "../model/source.ts";
import type { Change, SettingName, VmSpec } from "../model/spec.ts";
import type { Language } from "../syntax/language.ts";

/** A text that is open in an editor, with what was found in it. */
export interface OpenDocument {
  readonly text: string;
  readonly result: LintResult;
  readonly comments: Format["comments"];
  /** The edits, of this or other files, that make a VM state some changes; `undefined` if there are none. */
  readonly edit: (vm: VmSpec, changes: readonly Change[]) => readonly TextEdit[] | undefined;
  readonly language?: Language | undefined;
  /** Edits with those that keep the files formatted which they change; missing where nothing stands beside what they change. */
  readonly tidied?: (edits: readonly TextEdit[]) => readonly TextEdit[];
  /** Set for a text that is one of several which write VMs together; the ranges of its VMs then lie in the row of all. */
  readonly row?: Row | undefined;
}

/** What a text of several is among the others. */
export interface Row {
  /** Where its own first character stands in the row of all. */
  readonly start: number;
  /** The blocks that write a VM, in whatever file. */
  readonly partsOf: (vm: VmSpec) => readonly WrittenPart[];
  readonly placeOf: (range: Range) => Place;
  readonly valueAt: (offset: number) => Evaluated | undefined;
}

/** A place in a file. */
export interface Place {
  /** The file, where that is not the document itself. */
  readonly path?: string;
  readonly range: Range;
}

/** How a VM lies on its host; `undefined` where it has none. */
export const layoutOf = ({ spec, target: { host, workload } }: LintedVm): TopologyResult | undefined =>
  host && deriveTopology(spec, host, workload);

/** A range of a VM as it is in the document; `undefined`: it is in another file. */
export function placeIn({ text, row }: Pick<OpenDocument, "text" | "row">, [start, end]: Range): Range | undefined {
  const from = row?.start ?? 0;
  return start >= from && start <= from + text.length ? [start - from, end - from] : undefined;
}

/** Where the name of a VM stands in the document: once, or in its block and in a call of its module. */
export function namesIn(document: OpenDocument, { spec }: LintedVm): readonly Range[] {
  const parts = document.row?.partsOf(spec) ?? [];
  const names = parts.length > 0 ? parts.map(({ name }) => name) : [spec.range];
  return names.map((name) => placeIn(document, name)).filter((place) => place !== undefined);
}

/** The VM whose text an offset is in: the last that begins before it, as one VM follows the other; of several files, that of the block. */
export function vmAt(document: OpenDocument, offset: number): LintedVm | undefined {
  const { row, result } = document;
  if (row) return vmsAround(document, offset)[0];
  return result.vms.findLast(({ spec }) => startOf(spec.range, spec.settings) <= offset) ?? result.vms[0];
}

/** The VMs that the block around an offset writes. */
export function vmsAround({ row, result }: OpenDocument, offset: number): readonly LintedVm[] {
  if (!row) return [];
  const at = offset + row.start;
  return result.vms.filter(({ spec }) => row.partsOf(spec).some(({ block: [start, end] }) => start <= at && at <= end));
}

/** A VM begins where its name or its first setting stands. */
function startOf([start]: Range, settings: LintedVm["spec"]["settings"]): number {
  return Math.min(start, ...Object.values(settings).flatMap((setting) => (setting.state === "absent" ? [] : [setting.range[0]])));
}

export interface SettingAt {
  readonly name: SettingName;
  readonly setting: Exclude<Setting<unknown>, { state: "absent" }>;
  readonly vm: LintedVm;
}

/** The setting whose value stands at an offset. */
export const settingAt = (document: OpenDocument, offset: number): SettingAt | undefined => settingsAt(document, offset, 1)[0];

/** Where the value of a setting stands, and what it came through on its way there. */
export const placesOf = ({ spec }: LintedVm, range: Range): readonly Range[] =>
  spec.way ? [range, ...spec.way(range).flatMap((place) => (place.path === undefined ? [place.range] : []))] : [range];

/** The settings, of at most so many VMs, whose values stand at an offset, or come from there. */
export function settingsAt({ row, result: { vms } }: OpenDocument, offset: number, most = Number.POSITIVE_INFINITY): readonly SettingAt[] {
  const at = offset + (row?.start ?? 0);
  const found: SettingAt[] = [];
  for (const vm of vms) {
    for (const [name, setting] of Object.entries(vm.spec.settings)) {
      if (setting.state === "absent" || !placesOf(vm, setting.range).some(([start, end]) => start <= at && at <= end)) continue;
      found.push({ name: name as SettingName, setting, vm });
      if (found.length === most) return found;
    }
  }
  return found;
}
