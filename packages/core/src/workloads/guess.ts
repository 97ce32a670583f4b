import { valueIfKnown } from "../model/source.ts";
import type { Hint, VmSpec } from "../model/spec.ts";
import type { WorkloadGuess, WorkloadKind } from "../model/workload.ts";
import { kindInName, mayNameWorkload, refusesWorkload } from "./name-words.ts";
import { PACKAGE_NAMES, SERVICE_PORTS } from "./workload-names.ts";

/** A note with more words is a sentence, not a name. */
const MOST_NOTE_WORDS = 5;

/** The most pieces of evidence to print. */
const NAMED = 4;

/**
 * Returns the likely workload of a VM from its names and from the packages its configuration installs; `undefined` without evidence or if
 * the evidence is contradictory. On a Linux guest "sql" may mean any database.
 */
export function guessWorkload(vm: Pick<VmSpec, "name" | "alias" | "settings">, hints: readonly Hint[]): WorkloadGuess | undefined {
  const { name, alias = lastPart(name) } = vm;
  const allHints = [{ kind: "name", text: alias }, ...modulesIn(name), ...hints].filter(mayHint);
  // "web01" in a folder called mssql is not a database server.
  if (allHints.length === 0 || refusesWorkload(alias)) return undefined;
  const guesses = allHints.flatMap((hint) => {
    const kind = kindOf(hint);
    return kind ? [{ kind, evidence: `${hint.kind} ${hint.text}` }] : [];
  });
  const kinds = new Set(guesses.map(({ kind }) => kind));
  const [kind] = kinds;
  if (kind === undefined || kinds.size > 1) return undefined;
  const evidence = [...new Set(guesses.map((guess) => guess.evidence))].slice(0, NAMED);
  return { kind: onGuest(kind, evidence, valueIfKnown(vm.settings.guestOs)), evidence };
}

/** Returns the names of the file and its folders as hints. */
export function hintsInPath(path: string): readonly Hint[] {
  if (!mayNameWorkload(path)) return [];
  const folders = path.split("/").slice(0, -1);
  const file = path.slice(path.lastIndexOf("/") + 1).replace(/\..*$/, "");
  return [{ kind: "file", text: file }, ...folders.map((text) => ({ kind: "folder", text }))];
}

/** Returns the last part of an address: `db` for `module.sql["a"].vsphere_virtual_machine.db`. */
const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1).replace(/\[\d+\]$/, "");

const mayHint = ({ kind, text }: Hint): boolean => kind === "package" || kind === "port" || mayNameWorkload(text);

/** Returns the modules of an address and their instance keys as hints. */
const modulesIn = (address: string): readonly Hint[] =>
  !address.includes("module.")
    ? []
    : [...address.matchAll(/\bmodule\.([\w-]+)(?:\["([^"]+)"\])?/g)].flatMap(([, name, key]) =>
        [name, key].flatMap((text) => (text === undefined ? [] : [{ kind: "module", text }])),
      );

function kindOf({ kind, text }: Hint): WorkloadKind | undefined {
  if (kind === "package") return PACKAGE_NAMES.find(([pattern]) => pattern.test(text.toLowerCase()))?.[1];
  // A sentence may mention products that the VM does not run.
  if (kind === "note" && text.trim().split(/\s+/).length > MOST_NOTE_WORDS) return undefined;
  if (kind === "port") return SERVICE_PORTS.get(Number(text));
  return kindInName(text);
}

function onGuest(kind: WorkloadKind, evidence: readonly string[], guestOs: string | undefined): WorkloadKind {
  if (kind !== "mssql" || guestOs === undefined || /win/i.test(guestOs)) return kind;
  return evidence.some((text) => /mssql|sqlserver/i.test(text)) ? kind : "database";
}
