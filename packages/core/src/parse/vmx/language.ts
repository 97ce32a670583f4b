import type { Range } from "../../model/source.ts";
import type { Completion, Hover, KnownOfVm, Language, Part } from "../language.ts";
import { type Entry, entryValue } from "./dictionary.ts";
import { KEY_DOCS, type KeyDoc, keyDoc } from "./key-docs.ts";
import { readDictionary } from "./scan.ts";
import { SNIPPETS } from "./snippets.ts";

export const vmxLanguage: Language = { hover, complete, outline };

/** Every `key = value` of a text in file order, the second of a key set twice among them. */
function entriesOf(text: string): readonly Entry[] {
  const dictionary = readDictionary(text);
  const entries = Array.from({ length: dictionary.size }, (_, i) => dictionary.entry(i));
  return [...entries, ...dictionary.duplicates].sort((a, b) => a.keyRange[0] - b.keyRange[0]);
}

const holds = ([start, end]: Range, offset: number): boolean => start <= offset && offset <= end;

function hover(text: string, offset: number): Hover | undefined {
  const entry = entriesOf(text).find(({ keyRange, valueRange }) => holds(keyRange, offset) || holds(valueRange, offset));
  const doc = entry && keyDoc(entry.key);
  if (!entry || !doc) return undefined;
  return { range: holds(entry.keyRange, offset) ? entry.keyRange : entry.valueRange, markdown: `**${doc.key}**\n\n${about(doc)}` };
}

/** What a key does, and in a second line what can be written and what holds where nothing is. */
function about(doc: KeyDoc): string {
  const facts = [
    doc.values ? `Values: ${doc.values.map((value) => `\`${value}\``).join(", ")}` : `Type: ${doc.type}`,
    ...(doc.unit ? [`unit: ${doc.unit}`] : []),
    ...(doc.absent === undefined ? [] : [`when absent: ${doc.absent}`]),
    ...(doc.since === undefined ? [] : [`from hardware version ${doc.since}`]),
  ];
  const note = doc.written ? " ESXi writes it: it is no setting." : doc.undocumented ? " No page of VMware says what it does." : "";
  return `${doc.what}${note}\n\n${facts.join(" · ")}`;
}

const LINE = /^([ \t]*)([^\s#=]*)([ \t]*)(=?)([ \t]*)("?)([^"]*)/;

function complete(text: string, offset: number, known: KnownOfVm): readonly Completion[] {
  const [start, end] = lineAt(text, offset);
  const [, indent = "", key = "", , equals = "", , quote = "", value = ""] = LINE.exec(text.slice(start, offset)) ?? [];
  if (!equals) {
    const range: Range = [start + indent.length, endOfWord(text, offset, end)];
    return /[=#]/.test(text.slice(offset, end)) ? keysOnly(range, known) : [...keys(range, known), ...snippets(range)];
  }
  const doc = keyDoc(key);
  const range: Range = [offset - value.length, endOfWord(text, offset, end)];
  return doc ? valuesOf(doc, known).map((choice) => valueItem(doc, choice, range, quote !== "")) : [];
}

/** Where the line of an offset begins, and where it ends. */
function lineAt(text: string, offset: number): Range {
  let start = offset;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  const length = text.slice(offset).search(/[\r\n]|$/);
  return [start, offset + length];
}

const endOfWord = (text: string, offset: number, end: number): number => offset + text.slice(offset, end).search(/[\s"=#]|$/);

const isKnownBy = ({ since = 0, written, undocumented }: KeyDoc, { hardwareVersion }: KnownOfVm): boolean =>
  !written && !undocumented && (hardwareVersion === undefined || hardwareVersion >= since);

/** A whole line for each key: the name, and its value to be typed or chosen. */
const keys = (range: Range, known: KnownOfVm): Completion[] =>
  KEY_DOCS.filter((doc) => isKnownBy(doc, known)).map((doc) => ({
    ...keyItem(doc, range),
    snippet: `${numbered(doc.key)} = "${choice(doc)}"$0`,
  }));

/** The name alone, where the line has a value already. */
const keysOnly = (range: Range, known: KnownOfVm): Completion[] =>
  KEY_DOCS.filter((doc) => isKnownBy(doc, known)).map((doc) => ({ ...keyItem(doc, range), snippet: numbered(doc.key) }));

const keyItem = (doc: KeyDoc, range: Range): Omit<Completion, "snippet"> => ({
  label: doc.key,
  kind: "key",
  detail: [doc.type, doc.unit, doc.absent === undefined ? undefined : `default ${doc.absent}`].filter(Boolean).join(", "),
  markdown: about(doc),
  range,
});

/** `scsi<N>:<M>.mode` -> `scsi${1:0}:${2:0}.mode`. */
const numbered = (key: string): string => key.replace("<N>", "${1:0}").replace("<M>", "${2:0}");

const choice = ({ values }: KeyDoc): string => (values ? `\${3|${values.join(",")}|}` : "$3");

function valuesOf(doc: KeyDoc, { vcpus }: KnownOfVm): readonly string[] {
  if (doc.key !== "cpuid.coresPerSocket" || vcpus === undefined) return doc.values ?? [];
  return Array.from({ length: Math.min(vcpus, 1024) }, (_, i) => i + 1)
    .filter((size) => vcpus % size === 0)
    .map(String);
}

const valueItem = (doc: KeyDoc, label: string, range: Range, quoted: boolean): Completion => ({
  label,
  kind: "value",
  detail: doc.absent === label ? "the default" : "",
  markdown: about(doc),
  range,
  snippet: quoted ? label : `"${label}"`,
});

const snippets = (range: Range): Completion[] =>
  SNIPPETS.map(({ name, what, lines }) => ({
    label: name,
    kind: "snippet",
    detail: what,
    markdown: what,
    range,
    snippet: lines.join("\n"),
  }));

/** Keys of one device or family that stand together form a part: `scsi0`, `numa`. */
function outline(text: string): readonly Part[] {
  const groups: { readonly family: string; readonly parts: Part[] }[] = [];
  for (const entry of entriesOf(text)) {
    const family = familyOf(text.slice(...entry.keyRange));
    const part: Part = {
      name: text.slice(...entry.keyRange),
      detail: entryValue(text, entry),
      range: [entry.keyRange[0], entry.valueRange[1]],
      nameRange: entry.keyRange,
      parts: [],
    };
    const last = groups.at(-1);
    if (last?.family === family) last.parts.push(part);
    else groups.push({ family, parts: [part] });
  }
  return groups.flatMap(({ family, parts }) => {
    const [first] = parts;
    const last = parts.at(-1);
    if (!first || !last || parts.length === 1) return parts;
    return [{ name: family, detail: "", range: [first.range[0], last.range[1]] as const, nameRange: first.nameRange, parts }];
  });
}

/** `scsi0:1.mode` -> `scsi0`, `numa.vcpu.min` -> `numa`, `numvcpus` -> itself. */
const familyOf = (key: string): string => /^[^.:]+/.exec(key)?.[0] ?? key;
