import { sep } from "node:path";
import {
  type CheckRun,
  compareObserved,
  decodeVmx,
  deriveTopology,
  EMPTY,
  type Files,
  type Format,
  type FormatEntry,
  type HostModel,
  type LintedVm,
  plural,
  printable,
  projectsOf,
  type SingleFile,
} from "@vmlint/core";
import type { Inventory } from "@vmlint/core/inventory";
import type { UnlessLost } from "../files/find-files.ts";
import { bytesOf } from "../files/input-bytes.ts";
import { decode, toSlashes } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import type { Shared, ThreadResults } from "./checking.ts";
import type { Chosen } from "./choose.ts";
import { eachSound } from "./fault.ts";
import type { Folder } from "./folders.ts";
import { tellAssumptions } from "./host-finder.ts";

interface Given extends Pick<Shared, "faults" | "within"> {
  readonly results: ThreadResults | undefined;
  readonly unlessLost: UnlessLost;
  readonly files: Files;
  readonly inventory: Inventory | undefined;
  /** Filled with named files that hold no VM, and the reason. */
  readonly empty: Map<string, string>;
  /** Whether the run reads a file without a VM for other files. */
  readonly isContext: (path: string, reason: string) => boolean;
}

/** Returns what checks single files, one at a time. */
export const singlesOf = (
  inputs: Iterable<Chosen>,
  loaded: ReadonlyMap<FormatEntry, Format>,
  folders: ReadonlyMap<string, Folder>,
  given: Given,
  io: Io,
): CheckRun["singles"] =>
  function* (check) {
    const reportedHosts = new Set<HostModel>();
    const assumed = new Set<string>();
    const reported = { agreeing: 0, vms: 0 };
    const lintOne = (input: Chosen) => {
      if (!given.within(input.path)) return undefined;
      const against = folders.get(input.folder);
      if (!against) throw new Error(`${input.folder} was not checked`);
      const shownPath = `${against.prefix}${input.path.slice(input.path.lastIndexOf(sep) + 1)}`;
      const one = { input, shownPath, against, format: input.format && loaded.get(input.format) };
      const file = given.unlessLost(input, () => check(singleFile(one, given, io)));
      return file && { file, assumes: one.format?.assumes };
    };
    for (const checked of eachSound(inputs, given.faults, lintOne)) {
      if (!checked) continue;
      const { file, assumes } = checked;
      if (assumes && (file.vmCount ?? file.vms.length) > 0) assumed.add(assumes);
      for (const { target } of file.vms) if (target.host && !target.hostSource) tellAssumptions(target.host, reportedHosts, io);
      for (const vm of file.vms) {
        const compared = comparedOf(vm);
        if (!compared) continue;
        reported.vms++;
        if (compared.agrees) reported.agreeing++;
      }
      yield file;
    }
    if (reported.vms > 0)
      io.err(`vmlint: the computed layout agrees for ${reported.agreeing} of ${plural(reported.vms, "VM")} that report theirs.\n`);
    for (const assumption of assumed) io.err(`vmlint: assumed ${assumption}.\n`);
    for (const note of given.inventory?.notes() ?? []) io.err(`vmlint: ${printable(note)}.\n`);
  };

/** Returns the layout that a running VM reports, next to the computed one. */
function comparedOf({ spec, target: { host, workload } }: LintedVm) {
  const result = spec.observed && host && deriveTopology(spec, host, workload);
  return result?.ok ? compareObserved(spec, result.topology) : undefined;
}

/** A file, with its format and configuration. */
interface One {
  readonly input: Chosen;
  readonly shownPath: string;
  readonly format: Format | undefined;
  readonly against: Folder;
}

function singleFile(one: One, given: Given, io: Io): SingleFile {
  const { input, shownPath, format } = one;
  let bytes: Uint8Array | undefined;
  const readNow = (): Uint8Array => {
    bytes ??= bytesOf(one);
    return bytes;
  };
  const read = () => {
    const known = readNow();
    const text = decodeVmx(known, decode);
    // Files above this size are inventories, which vmlint never edits.
    if (known.length >= LARGE) bytes = undefined;
    return { text, bytes: known.length === text.length ? bytes : undefined };
  };
  return {
    path: toSlashes(input.path),
    name: shownPath,
    format,
    read,
    // Another thread has no standard input.
    recall: input.bytes ? undefined : () => given.results?.find(shownPath, format?.name ?? "") ?? {},
    passOver: (foreign) => {
      const why = whyNot(input, foreign);
      if (!input.isNamed || given.isContext(input.path, why)) return false;
      given.empty.set(input.path, why);
      io.err(`vmlint: ${shownPath} is not checked: ${why}.\n`);
      return true;
    },
  };
}

/** Returns why a named file is not checked, if its format finds no VM in it. */
function whyNot({ path, format }: Chosen, foreign: string): string {
  if (holdsValues(path)) return "it has values but no VM: check the folder that uses them";
  return format || foreign === EMPTY ? foreign : `unknown format (use --format-in to set it), and as a .vmx ${foreign}`;
}

const holdsValues = (path: string): boolean =>
  projectsOf(path).some(({ values = [] }) => values.some((ending) => path.toLowerCase().endsWith(ending)));

/** So large a file does not keep its bytes in memory. */
const LARGE = 1 << 20;
