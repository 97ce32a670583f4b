import { type ReadUnit, readUnit } from "../lint/lint-project.ts";
import type { Memo } from "../memo/memo.ts";
import type { Parsed } from "../model/parsed.ts";
import { readingOf, type Unit } from "./unit.ts";

/** A unit as it was read. */
export interface OpenUnit {
  readonly unit: Unit;
  readonly read: ReadUnit<Parsed>;
}

/** The units of a caller. Runs and editors have different units and ask different questions about them. */
interface UnitSource<A> {
  /** Returns a unit by its key; `undefined` if there is none. The unit is read again when an input changes that this function asks for. */
  readonly unitOf: (key: string, by: "reading" | "answer") => Unit | undefined;
  readonly answerOf: (open: OpenUnit, key: string) => A;
  /** Calls a function that reads or checks a unit, and throws if it takes too long. */
  readonly inTime: <T>(unit: Unit, work: () => T) => T;
}

type Larger = NonNullable<ReturnType<Parameters<typeof readUnit>[2]>>;

/** Answers questions about the units of a workspace. An answer is repeated only after a change of its inputs. */
export function openUnits<A>(memo: Memo, { unitOf, answerOf, inTime }: UnitSource<A>) {
  /** The larger parser of a format, with the loader that its first reading returned. */
  const loaders = new Map<string, () => Promise<Larger>>();
  const larger = memo.input("larger", (name) => (loaders.get(name) as () => Promise<Larger>)());
  const opened = (unit: Unit): OpenUnit => {
    const { entry, format } = unit;
    const read = inTime(unit, () =>
      readUnit(format, readingOf(unit), ({ loadMore }) => {
        if (!entry || !loadMore) return undefined;
        loaders.set(entry.name, loadMore);
        return larger(entry.name);
      }),
    );
    return { unit, read };
  };
  const read = memo.query("reading", (key): OpenUnit | undefined => {
    const unit = unitOf(key, "reading");
    return unit && opened(unit);
  });
  const answer = memo.query("unit", (key): A | undefined => {
    const unit = unitOf(key, "answer");
    // A project is read again only if its files change; the VMs of a file by itself would take memory.
    const open = unit && (unit.given ? opened(unit) : read(key));
    return open && inTime(unit, () => answerOf({ ...open, unit }, key));
  });
  return { read, answer };
}
