import type { Parsed } from "../../model/parsed.ts";
import { known, type Range, type Setting, type TextEdit, valueIfKnown } from "../../model/source.ts";
import type { Change, Settings } from "../../model/spec.ts";
import { scalarOf, settingOf } from "../../syntax/node.ts";
import { isTemplate } from "../../syntax/template-marker.ts";
import * as read from "../../syntax/values.ts";
import { readDirective } from "../directive.ts";
import { textFormat } from "../format.ts";
import { withOpenMachine } from "../open-machine.ts";
import { ifPointer } from "../unreadable.ts";
import { mayHoldProxmox } from "./recognise.ts";
import { nicModel, proxmoxVm } from "./vm.ts";

/** A line of a configuration. */
interface Line {
  readonly key: string;
  readonly value: string;
  readonly range: Range;
}

const LINE = /^([a-z][a-z_-]*\d*):[ \t]*(.+?)[ \t]*\r?$/;

interface Lines {
  readonly lines: readonly Line[];
  readonly comments: readonly Range[];
  readonly end: number;
  /** Whether a line is a template, which may bring in or remove keys. */
  readonly isTemplated: boolean;
}

/** Returns the lines of the current configuration, and its comments: sections hold snapshots and pending changes. */
function linesOf(text: string): Lines {
  const lines: Line[] = [];
  let isTemplated = false;
  const comments: Range[] = [];
  let start = 0;
  for (const line of text.split("\n")) {
    if (/^\[[^\]]*\]\s*$/.test(line)) break;
    const [, key, value] = LINE.exec(line) ?? [];
    if (key !== undefined && value !== undefined) {
      const from = start + line.indexOf(value, key.length + 1);
      lines.push({ key, value, range: [from, from + value.length] });
    } else if (line.startsWith("#")) comments.push([start, start + line.trimEnd().length]);
    else isTemplated ||= isTemplate(line.trim());
    start += line.length + 1;
  }
  return { lines, comments, end: Math.min(start, text.length), isTemplated };
}

function parseConf(text: string): Parsed {
  const pointer = ifPointer(text);
  if (pointer) return pointer;
  const { lines, comments, end, isTemplated } = linesOf(text);
  // The last line of a key wins.
  const byKey = new Map(lines.map((line) => [line.key, line]));
  if (byKey.has("rootfs")) return { vms: [], problems: [], foreign: "it is a container of Proxmox" };
  if (!mayHoldProxmox(text)) return { vms: [], problems: [], foreign: "it has no key of a VM of Proxmox" };
  const { directive, problems } = readDirective(text, comments);
  const name = byKey.get("name");
  const first = lines[0]?.range ?? [0, 0];
  const range = name?.range ?? first;
  const setting = <T>(key: string, reader: read.Read<T>): Setting<T> => {
    const line = byKey.get(key);
    return settingOf(line && scalarOf(line), reader, key);
  };
  const own = proxmoxVm({
    setting,
    name: name?.value ?? "",
    range,
    nics: lines
      .filter(({ key }) => /^net\d+$/.test(key))
      .map(({ value, range: at }, index) => ({ index, type: known(nicModel(value), at) })),
    directive,
    isTemplate: valueIfKnown(setting("template", read.text)) === "1",
  });
  const vm = isTemplated ? withOpenMachine(own, "a template may bring in other keys", range) : own;
  return { vms: [{ ...vm, edit: (changes) => editConf(text, byKey, end, vm.settings, changes) }], problems };
}

/** Writes sockets, cores and memory; `undefined` if NUMA nodes or vCPUs for hot plug would no longer fit. */
function editConf(
  text: string,
  byKey: ReadonlyMap<string, Line>,
  end: number,
  settings: Settings,
  changes: readonly Change[],
): readonly TextEdit[] | undefined {
  const wanted = new Map(changes.map(({ setting, value }) => [setting as string, Number(value)]));
  if ([...wanted.keys()].some((name) => !["vcpus", "coresPerSocket", "memoryMiB"].includes(name))) return undefined;
  const isCustom = [...byKey.keys()].some((key) => /^numa\d$/.test(key));
  if (isCustom && (wanted.has("vcpus") || wanted.has("memoryMiB"))) return undefined;
  if (byKey.has("vcpus") && (wanted.has("vcpus") || wanted.has("coresPerSocket"))) return undefined;
  const vcpus = wanted.get("vcpus") ?? valueIfKnown(settings.vcpus);
  const before = valueIfKnown(settings.coresPerSocket);
  const isOne = before === valueIfKnown(settings.vcpus) && !wanted.has("coresPerSocket");
  const cores = wanted.get("coresPerSocket") ?? (isOne ? vcpus : before);
  if (vcpus === undefined || typeof cores !== "number" || !Number.isInteger(vcpus / cores)) return undefined;
  const memory = wanted.get("memoryMiB");
  const values: Readonly<Record<string, number>> = {
    ...((wanted.has("vcpus") || wanted.has("coresPerSocket")) && { cores, sockets: vcpus / cores }),
    ...(memory !== undefined && { memory }),
  };
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const added: string[] = [];
  const edits: TextEdit[] = [];
  for (const [key, value] of Object.entries(values)) {
    const line = byKey.get(key);
    if (!line) added.push(...(value === 1 ? [] : [`${key}: ${value}`]));
    else if (line.value !== String(value)) edits.push({ range: line.range, newText: line.value.replace(/\d+/, String(value)) });
  }
  if (added.length === 0) return edits;
  const place = lastLineEnd(byKey, end);
  return [...edits, { range: [place, place], newText: added.map((line) => `${eol}${line}`).join("") }];
}

/** Returns the end of the last line of the current configuration. */
const lastLineEnd = (byKey: ReadonlyMap<string, Line>, end: number): number =>
  Math.min(end, Math.max(...[...byKey.values()].map(({ range }) => range[1])));

export const proxmox = textFormat({ name: "proxmox", parse: parseConf, comments: (text) => linesOf(text).comments });
