import { sequence } from "../../model/sequence.ts";
import type { Range } from "../../model/source.ts";
import type { Completion, Hover, KnownOfVm, Language, OutlinePart, Token } from "../../syntax/language.ts";
import { type Entry, entryValue } from "./dictionary.ts";
import { KEY_DOCS, type KeyDoc, keyDoc } from "./key-docs.ts";
import { readDictionary } from "./scan.ts";
import { SNIPPETS } from "./snippets.ts";

export const vmxLanguage: Language = { hover, complete, outline, tokens };

/** Returns every `key = value` of a text in file order, including duplicate keys. */
function entriesOf(text: string): readonly Entry[] {
  const dictionary = readDictionary(text);
  const entries = sequence(dictionary.size, (i) => dictionary.entry(i));
  return [...entries, ...dictionary.duplicates].sort((a, b) => a.keyRange[0] - b.keyRange[0]);
}

/** A key that vmlint describes is a property, any other a variable. What VMware ignores, a second value of a key included, is a comment. */
function tokens(text: string): readonly Token[] {
  const dictionary = readDictionary(text);
  const read = sequence(dictionary.size, (i) => dictionary.entry(i)).flatMap((entry): Token[] => [
    { range: entry.keyRange, kind: keyDoc(entry.key) ? "property" : "variable" },
    { range: entry.valueRange, kind: kindOf(text.slice(...entry.valueRange)) },
  ]);
  const ignored = dictionary.duplicates.map(({ keyRange, valueRange }): Range => [keyRange[0], valueRange[1]]);
  const comments = [...ignored, ...dictionary.malformed].map((range): Token => ({ range, kind: "comment" }));
  return [...read, ...comments].filter(({ range: [start, end] }) => start < end).sort((a, b) => a.range[0] - b.range[0]);
}

const kindOf = (value: string): Token["kind"] => (/^-?\d+$/.test(value) ? "number" : /^(true|false)$/i.test(value) ? "keyword" : "string");

const holds = ([start, end]: Range, offset: number): boolean => start <= offset && offset <= end;

function hover(text: string, offset: number): Hover | undefined {
  const entry = entriesOf(text).find(({ keyRange, valueRange }) => holds(keyRange, offset) || holds(valueRange, offset));
  const doc = entry && keyDoc(entry.key);
  if (!entry || !doc) return undefined;
  return { range: holds(entry.keyRange, offset) ? entry.keyRange : entry.valueRange, markdown: `**${doc.key}**\n\n${documentation(doc)}` };
}

/** Returns the effect of a key, then its possible values and its default. */
function documentation(doc: KeyDoc): string {
  const facts = [
    doc.values ? `Values: ${doc.values.map((value) => `\`${value}\``).join(", ")}` : `Type: ${doc.type}`,
    ...(doc.unit ? [`unit: ${doc.unit}`] : []),
    ...(doc.absent === undefined ? [] : [`when absent: ${doc.absent}`]),
    ...(doc.since === undefined ? [] : [`from hardware version ${doc.since}`]),
  ];
  const note = doc.isWritten ? " ESXi writes it: do not set it." : doc.undocumented ? " VMware does not document it." : "";
  return `${doc.meaning}${note}\n\n${facts.join(" · ")}`;
}

/** Matches a line up to an unfinished key or value, but not after a closing quote or in a comment. */
const LINE = /^([ \t]*)(?![ \t])([^\s#=]*)(?:[ \t]*(=)[ \t]*("?)((?<=")[^"]*|[^\s#"]*))?$/;

function complete(text: string, offset: number, vm: KnownOfVm): readonly Completion[] {
  const [start, end] = lineAt(text, offset);
  const line = LINE.exec(text.slice(start, offset));
  if (!line) return [];
  const [, indent = "", key = "", equals = "", quote = "", value = ""] = line;
  const last = endOfWord(text, offset, end);
  if (!equals) {
    const range: Range = [start + indent.length, last];
    const hasValue = /[=#]/.test(text.slice(offset, end));
    return [...keys(range, vm, text.slice(...range), hasValue), ...(hasValue ? [] : snippets(range))];
  }
  const doc = keyDoc(key);
  // Outside of the quotes of a value there is nothing to complete.
  if (!doc || (quote === "" && text[last] === '"')) return [];
  return valuesOf(doc, vm).map((choice) => valueItem(doc, choice, [offset - value.length, last], quote !== ""));
}

/** Returns the start and the end of the line at an offset. */
function lineAt(text: string, offset: number): Range {
  let start = offset;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  const length = text.slice(offset).search(/[\r\n]|$/);
  return [start, offset + length];
}

const endOfWord = (text: string, offset: number, end: number): number => offset + text.slice(offset, end).search(/[\s"=#]|$/);

const existsOn = ({ since = 0, isWritten, undocumented }: KeyDoc, { hardwareVersion }: KnownOfVm): boolean =>
  !isWritten && !undocumented && (hardwareVersion === undefined || hardwareVersion >= since);

/** Returns a completion for each key: the name with its value, or only the name if the line already has a value. */
function keys(range: Range, vm: KnownOfVm, typed: string, hasValue: boolean): Completion[] {
  return KEY_DOCS.filter((doc) => existsOn(doc, vm)).map((doc) => {
    const label = withNumbers(doc.key, typed);
    const name = label.replace("<N>", "${1:0}").replace("<M>", "${2:0}");
    return { ...keyItem(doc, label, range), snippet: hasValue ? name : `${name} = "${choice(doc)}"$0` };
  });
}

/** `scsi<N>:<M>.mode` at `scsi1.` -> `scsi1:<M>.mode`: fills in the typed number. */
function withNumbers(key: string, typed: string): string {
  const at = key.indexOf("<N>");
  if (at < 0 || typed.slice(0, at).toLowerCase() !== key.slice(0, at).toLowerCase()) return key;
  const [, n = "<N>", m = "<M>"] = /^(\d+)(?::(\d+))?/.exec(typed.slice(at)) ?? [];
  return key.replace("<N>", n).replace("<M>", m);
}

const keyItem = (doc: KeyDoc, label: string, range: Range): Omit<Completion, "snippet"> => ({
  label,
  kind: "key",
  detail: [doc.type, doc.unit, doc.absent === undefined ? undefined : `default ${doc.absent}`].filter(Boolean).join(", "),
  markdown: documentation(doc),
  range,
});

const choice = ({ values }: KeyDoc): string => (values ? `\${3|${values.join(",")}|}` : "$3");

function valuesOf(doc: KeyDoc, { vcpus }: KnownOfVm): readonly string[] {
  if (doc.key !== "cpuid.coresPerSocket" || vcpus === undefined) return doc.values ?? [];
  return sequence(Math.min(vcpus, 1024), (i) => i + 1)
    .filter((size) => vcpus % size === 0)
    .map(String);
}

const isBest = ({ best, values }: KeyDoc, label: string): boolean => best !== undefined && values?.[0] === label;

const valueItem = (doc: KeyDoc, label: string, range: Range, quoted: boolean): Completion => ({
  label,
  kind: "value",
  detail: isBest(doc, label) ? `best: ${doc.best}` : doc.absent === label ? "the default" : "",
  markdown: documentation(doc),
  ...(isBest(doc, label) && { isBest: true }),
  range,
  snippet: quoted ? label : `"${label}"`,
});

const snippets = (range: Range): Completion[] =>
  SNIPPETS.map(({ name, description, lines }) => ({
    label: name,
    kind: "snippet",
    detail: description,
    markdown: description,
    range,
    snippet: lines.join("\n"),
  }));

/** Adjacent keys of one device or family form an outline item: `scsi0`, `numa`. */
function outline(text: string): readonly OutlinePart[] {
  const groups: { readonly family: string; readonly parts: OutlinePart[] }[] = [];
  for (const entry of entriesOf(text)) {
    const family = familyOf(text.slice(...entry.keyRange));
    const part: OutlinePart = {
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
