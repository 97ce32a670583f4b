import { DEEPEST, NESTED } from "../syntax/extent.ts";
import { type Fail, linesOf } from "./facts.ts";

/** The start of a dump: a typed object or list, alone or as a member. */
const START = /^[ \t]*(?:(\w+)[ \t]*=[ \t]*)?\((?:vim|vmodl)\.([\w.]+)\)\s*[{[]/m;

/** The API member for each type of object with facts about a host. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ["host.HardwareInfo", "hardware"],
  ["host.Summary", "summary"],
  ["host.ConfigInfo", "config"],
  ["AboutInfo", "product"],
  ["host.CpuInfo", "cpuInfo"],
  ["host.NumaInfo", "numaInfo"],
  ["host.HyperThreadScheduleInfo", "hyperThread"],
]);

/** Whether a text contains an object in the notation of vim-cmd and pyVmomi. */
export const isVmodl = (text: string): boolean => START.test(text);

/**
 * Reads the objects that `vim-cmd` prints. Supports both dialects: the native one with a comma after every member, and pyVmomi's with
 * single quotes and `L` after large numbers. Also reads a few members without the enclosing object. Indentation has no meaning, because
 * publishing often removes it. Several objects become the host members of their types; text after the first that is not an object is other
 * output.
 */
export function readVmodl(text: string, fail: Fail): unknown {
  const starts = new RegExp(START, "gm");
  const record: Record<string, unknown> = Object.create(null);
  const objects: unknown[] = [];
  for (let start = starts.exec(text); start; start = starts.exec(text)) {
    const [head, member, type = ""] = start;
    if (objects.length > 0 && !MEMBERS.has(type)) continue;
    const reader = readerOf(text, start.index, fail);
    const read = member === undefined ? reader.value(0) : reader.members(0, () => reader.atEnd());
    const members = member === undefined ? membersOf(type, read) : (read as object);
    const again = Object.keys(members).find((name) => name in record);
    if (again) fail(secondTime(again), lineAt(text, start.index + head.length));
    Object.assign(record, members);
    objects.push(read);
    starts.lastIndex = reader.end();
  }
  return objects.length === 1 ? objects[0] : record;
}

function membersOf(type: string, object: unknown): object {
  const name = MEMBERS.get(type);
  return name === undefined ? {} : { [name]: object };
}

const secondTime = (name: string): string => `"${name}" is here a second time. Give each host a file of its own.`;

const lineAt = (text: string, offset: number): number => linesOf(text.slice(0, offset).trimEnd()).length;

function readerOf(text: string, start: number, fail: Fail) {
  let at = start;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  const broken = (): never => fail("The dump breaks off here, or this is not what vim-cmd prints. Take it again.", lineAt(text, at));

  /** The next command's output may follow the members. */
  const atEnd = (): boolean => !/\s*\w+\s*=/y.test(text.slice(at, at + 200));

  function members(depth: number, end: () => boolean): Record<string, unknown> {
    const record: Record<string, unknown> = Object.create(null);
    while (!end()) {
      const name = match(/\s*(\w+)\s*=\s*/y)?.[1] ?? broken();
      if (name in record) fail(secondTime(name), lineAt(text, at));
      record[name] = value(depth + 1);
      match(/\s*,/y);
    }
    return record;
  }

  /** Notes contain unescaped quotes: a string ends at the quote before a separator. */
  function doubleQuoted(): string {
    const start = at;
    for (let quote = text.indexOf('"', at); quote >= 0; quote = text.indexOf('"', quote + 1)) {
      at = quote + 1;
      if (/\s*(?:[,}\]]|$)/y.test(text.slice(at, at + 200))) return text.slice(start, quote);
    }
    return broken();
  }

  function value(depth: number): unknown {
    if (depth > DEEPEST) fail(`Here are ${NESTED}, and vim-cmd never prints as many. Take the dump again.`, lineAt(text, at));
    match(/\s*\([\w.:-]+\)\s*/y);
    if (match(/\s*\{/y)) return members(depth, () => match(/\s*\}/y) !== null);
    if (match(/\s*\[/y)) {
      const list: unknown[] = [];
      while (!match(/\s*\]/y)) {
        list.push(value(depth + 1));
        match(/\s*,/y);
      }
      return list;
    }
    if (match(/\s*"/y)) return doubleQuoted();
    const single = match(/\s*u?'([^'\\]*(?:\\[\s\S][^'\\]*)*)'/y);
    if (single) return single[1];
    const bare = match(/\s*(<unset>|[^\s,{}[\]()"'=]+(?:\([^()]*\))?)/y)?.[1] ?? broken();
    if (/^-?\d+L?$/.test(bare)) return Number(bare.replace("L", ""));
    if (bare === "<unset>" || bare === "null" || bare === "None") return undefined;
    return /^(true|false)$/i.test(bare) ? bare.toLowerCase() === "true" : bare;
  }

  return { value, members, atEnd, end: () => at };
}
