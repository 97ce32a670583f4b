import { type Fail, linesOf } from "./facts.ts";

/** Where a dump begins: a typed object or list, alone or as a member. */
const START = /^[ \t]*(?:(\w+)[ \t]*=[ \t]*)?\((?:vim|vmodl)\.[\w.]+\)\s*[{[]/m;

/** Whether a text holds what vim-cmd and pyVmomi print of an object. */
export const isVmodl = (text: string): boolean => START.test(text);

/**
 * The objects that `vim-cmd` prints, as plain ones. Both dialects: the native one with a comma after every member, and
 * pyVmomi's with single quotes and `L` behind large numbers. A few members without the object around them are read too.
 * Indentation carries no meaning: programs that publish dumps eat it.
 */
export function readVmodl(text: string, fail: Fail): unknown {
  const start = START.exec(text);
  if (!start) return undefined;
  const reader = readerOf(text, start.index, fail);
  if (start[1] === undefined) return reader.value(0);
  return reader.members(0, () => reader.atEnd());
}

/** Objects nest eight deep in the largest dumps; a text that goes on for ever must not exhaust the stack. */
const DEEPEST = 100;

function readerOf(text: string, start: number, fail: Fail) {
  let at = start;
  const lineAt = (offset: number) => linesOf(text.slice(0, offset).trimEnd()).length;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  const broken = (): never => fail("The dump breaks off here, or this is not what vim-cmd prints. Take it again.", lineAt(at));

  /** Past the members there may be the next command's output. */
  const atEnd = (): boolean => !/\s*\w+\s*=/y.test(text.slice(at, at + 200));

  function members(depth: number, end: () => boolean): Record<string, unknown> {
    const found: Record<string, unknown> = Object.create(null);
    while (!end()) {
      const name = match(/\s*(\w+)\s*=\s*/y)?.[1] ?? broken();
      found[name] = value(depth + 1);
      match(/\s*,/y);
    }
    return found;
  }

  /** Notes hold quotes of their own, unescaped: a string ends at the quote that a separator follows. */
  function doubleQuoted(): string {
    const start = at;
    for (let quote = text.indexOf('"', at); quote >= 0; quote = text.indexOf('"', quote + 1)) {
      at = quote + 1;
      if (/\s*(?:[,}\]]|$)/y.test(text.slice(at, at + 200))) return text.slice(start, quote);
    }
    return broken();
  }

  function value(depth: number): unknown {
    if (depth > DEEPEST) fail("Objects nest deeper here than vim-cmd ever prints. Take the dump again.", lineAt(at));
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

  return { value, members, atEnd };
}
