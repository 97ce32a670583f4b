import { VmlintError } from "../model/errors.ts";
import type { Fail, SeenMachine } from "./facts.ts";
import { dumpFormats } from "./index.ts";

/** The view of a guest by one or more commands that ran inside it. */
export interface SeenGuest {
  /** The commands: `lscpu`, `numactl -H`. */
  readonly dumps: readonly string[];
  readonly machine: SeenMachine;
}

/** Reads what a guest shows of itself. Throws HOST_UNREADABLE for any other text, and for a truncated or contradictory one. */
export function seeGuest(text: string, file: string): SeenGuest {
  const fail: Fail = (message, line) => {
    throw new VmlintError("HOST_UNREADABLE", `${file}${line === undefined ? "" : `:${line}`}: ${message}`);
  };
  const dump = text.replace(/^\ufeff/, "");
  const all = dumpFormats.flatMap(({ title, recognises, see }) => (see && recognises(dump) ? [{ title, seen: see(dump, fail) }] : []));
  const [first] = all;
  if (!first) {
    const readable = dumpFormats.flatMap(({ title, see }) => (see ? [title] : []));
    return fail(`This is no dump of a guest that vmlint reads. It reads ${readable.join(", ")}.`, 1);
  }
  const other = all.find(({ seen }) => seen.cpus !== first.seen.cpus);
  if (other) fail(`${first.title} shows ${first.seen.cpus} CPUs, and ${other.title} shows ${other.seen.cpus}. Take both at once.`);
  const machine = Object.assign({}, ...all.map(({ seen }) => withoutMissing(seen)).reverse()) as SeenMachine;
  return { dumps: all.map(({ title }) => title), machine };
}

const withoutMissing = (seen: SeenMachine): Partial<SeenMachine> =>
  Object.fromEntries(Object.entries(seen).filter(([, value]) => value !== undefined));
