import { basename, resolve } from "node:path";
import { decodeVmx, type LintedVm, list, printable, rules, VmlintError } from "@vmlint/core/program";
import { type CheckedGuest, checkGuest, guestCheckJson, guestCheckText, seeGuest } from "@vmlint/core/verify";
import { json, TOOL, usage } from "../args/command-output.ts";
import { type Flags, inputOf } from "../args/options.ts";
import { readStandardInput, STDIN } from "../files/find-files.ts";
import { decode, isFile, readText } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { lintFiles } from "../run/lint-files.ts";

interface FoundVm {
  readonly vm: LintedVm;
  readonly path: string;
}

/** Compares the prediction for each VM with the dump of its guest. Exits with 1 if a fact differs. */
export async function verify(patterns: readonly string[], flags: Flags, io: Io): Promise<number> {
  const guests = flags.guest ?? [];
  if (guests.length === 0) throw usage("vmlint verify needs a dump from inside the VM: vmlint verify sql01.xml --guest lscpu.txt.");
  if (guests.filter((file) => file === STDIN).length + patterns.filter((path) => path === STDIN).length > 1)
    throw usage("vmlint verify can read the standard input only once.");
  const [host, ...others] = flags.host ?? [];
  if (others.length > 0) throw usage("vmlint verify takes one --host: the host that the VM ran on.");
  const reading = rules.filter(({ over }) => over === "text");
  const run = await lintFiles({ patterns, host, config: flags.config, rules: reading, ...inputOf(flags) }, io);
  const vms: FoundVm[] = [];
  for (const { path, vms: all } of run.files()) for (const vm of all) vms.push({ vm, path });
  if (vms.length === 0) {
    io.err("vmlint: no VM was found.\n");
    return 2;
  }
  const checked: CheckedGuest[] = [];
  for (const file of guests) {
    const seen = seeGuest(await textOf(file, io), file);
    const { vm, path } = vmOf(file, vms);
    checked.push(checkGuest(vm, path, seen, file));
  }
  io.out(flags.format === "json" ? json(guestCheckJson(checked, TOOL)) : guestCheckText(checked, io.palette));
  if (checked.some(({ same }) => same === false)) return 1;
  return checked.some(({ same }) => same === null) ? 2 : 0;
}

/** Returns the VM of a dump: the only one, or the VM with the name at the start of the file's name. */
function vmOf(file: string, vms: readonly FoundVm[]): FoundVm {
  const [first, second] = vms;
  if (first && !second) return first;
  const named = vms.filter(({ vm: { spec } }) => spec.name !== "" && isOf(basename(file), spec.name));
  const longest = Math.max(0, ...named.map(({ vm }) => vm.spec.name.length));
  const [found, other] = named.filter(({ vm }) => vm.spec.name.length === longest);
  if (found && !other) return found;
  const names = vms.slice(0, SHOWN).map(({ vm }) => printable(vm.spec.name));
  const of = other ? `${printable(found?.vm.spec.name ?? "")} is the name of several VMs` : `there are ${vms.length} VMs`;
  throw usage(
    `${file}: ${of}. Name one file, or name the dump as its VM, such as ${list(
      names.map((name) => `${name}.txt`),
      "or",
    )}.`,
  );
}

const SHOWN = 3;

/** Whether the name of a file is that of a VM, before an ending such as `.lscpu.txt`. */
const isOf = (file: string, name: string): boolean => file === name || (file.startsWith(name) && file[name.length] === ".");

async function textOf(file: string, io: Io): Promise<string> {
  if (file === STDIN) return decodeVmx(await readStandardInput(), decode);
  const path = resolve(io.cwd, file);
  io.noted?.(path);
  if (!isFile(path)) throw new VmlintError("FILE_UNREADABLE", `${file} cannot be read as a file.`);
  return readText(path);
}
