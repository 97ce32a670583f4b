import type { Format, HostModel } from "@vmlint/core";
import type { Inventory } from "@vmlint/core/inventory";
import {
  agreesInSockets,
  compareObserved,
  decodeVmx,
  deriveTopology,
  EMPTY,
  type FormatEntry,
  type LintedVm,
  plural,
  printable,
  projectsOf,
  type RunHost,
} from "@vmlint/core/program";
import type { UnlessLost } from "../files/find-files.ts";
import { bytesOf } from "../files/input-bytes.ts";
import { decode, shownPath } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import type { Shared, ThreadResults } from "./checking.ts";
import type { Chosen } from "./choose.ts";
import { eachSound } from "./fault.ts";
import { tellAssumptions } from "./host-finder.ts";

interface Given extends Shared {
  readonly results: ThreadResults | undefined;
  /** Returns the files in the order to check them. */
  readonly ordered: (files: readonly Chosen[]) => Iterable<Chosen>;
  readonly formats: ReadonlyMap<FormatEntry | undefined, Format>;
  readonly unlessLost: UnlessLost;
  readonly inventory: Inventory | undefined;
  /** Filled with named files that hold no VM, and the reason. */
  readonly empty: Map<string, string>;
  /** Whether the run reads a file without a VM for other files. */
  readonly isContext: (path: string, reason: string) => boolean;
}

type ForSingles = Pick<RunHost<Chosen>, "read" | "recall" | "passOver" | "singles">;

function count(sum: { agreeing: number; vms: number }, agrees: boolean): void {
  sum.vms++;
  if (agrees) sum.agreeing++;
}

/** Returns how single files are read and checked, one at a time. */
export function singlesOf(
  { results, ordered, formats, faults, within, unlessLost, inventory, empty, isContext }: Given,
  io: Io,
): ForSingles {
  const lintEach: ForSingles["singles"] = function* (files, check) {
    const reportedHosts = new Set<HostModel>();
    const assumed = new Set<string>();
    const reported = { agreeing: 0, vms: 0 };
    const sockets = { agreeing: 0, vms: 0 };
    const lintOne = (input: Chosen) => {
      const file = within(input.path) ? unlessLost(input, () => check(input)) : undefined;
      return file && { file, assumes: formats.get(input.entry)?.assumes };
    };
    for (const checked of eachSound(ordered(files), faults, lintOne)) {
      if (!checked) continue;
      const { file, assumes } = checked;
      if (assumes && (file.vmCount ?? file.vms.length) > 0) assumed.add(assumes);
      for (const { target } of file.vms) if (target.host && !target.hostSource) tellAssumptions(target.host, reportedHosts, io);
      for (const vm of file.vms) {
        const compared = comparedOf(vm);
        if (compared) count(reported, compared.agrees);
        const { spec, target } = vm;
        const agrees = spec.observed && target.host && agreesInSockets(spec, target.host, target.workload);
        if (agrees !== undefined) count(sockets, agrees);
      }
      yield file;
    }
    if (reported.vms > 0)
      io.err(`vmlint: the computed layout agrees for ${reported.agreeing} of ${plural(reported.vms, "VM")} that report theirs.\n`);
    if (sockets.vms > 0)
      io.err(
        `vmlint: ESXi would choose the reported sockets of ${sockets.agreeing} of ${plural(sockets.vms, "VM")}; other sockets may be set by hand.\n`,
      );
    for (const assumption of assumed) io.err(`vmlint: assumed ${assumption}.\n`);
    for (const note of inventory?.notes() ?? []) io.err(`vmlint: ${printable(note)}.\n`);
  };
  return {
    singles: lintEach,
    read(input, format) {
      const bytes = bytesOf(input, format);
      const text = decodeVmx(bytes, decode);
      return { text, bytes: bytes.length === text.length && bytes.length < LARGE ? bytes : undefined };
    },
    // Another thread has no standard input.
    recall: (input, format) => (input.bytes ? {} : (results?.find(shownPath(input.path, io.cwd), format?.name ?? "") ?? {})),
    passOver: (input, foreign) => {
      const why = whyNot(input, foreign);
      if (!input.isNamed || isContext(input.path, why)) return false;
      empty.set(input.path, why);
      io.err(`vmlint: ${shownPath(input.path, io.cwd)} is not checked: ${why}.\n`);
      return true;
    },
  };
}

/** Returns the layout that a running VM reports, next to the computed one. */
function comparedOf({ spec, target: { host, workload } }: LintedVm) {
  const result = spec.observed && host && deriveTopology(spec, host, workload);
  return result?.ok ? compareObserved(spec, result.topology) : undefined;
}

/** Returns why a named file is not checked, if its format finds no VM in it. */
function whyNot({ path, entry }: Chosen, foreign: string): string {
  if (holdsValues(path)) return "it has values but no VM: check the folder that uses them";
  return entry || foreign === EMPTY ? foreign : `unknown format (use --format-in to set it), and as a .vmx ${foreign}`;
}

const holdsValues = (path: string): boolean =>
  projectsOf(path).some(({ values = [] }) => values.some((ending) => path.toLowerCase().endsWith(ending)));

/** Files above this size are inventories, which vmlint never edits; their bytes do not stay in memory. */
const LARGE = 1 << 20;
