import {
  IMPORTERS,
  type Importer,
  MIGRATION_TARGETS,
  type Migrated,
  type MigrationTarget,
  migrationComparison,
  migrationJson,
  migrator,
  ranked,
  TARGETS,
  writtenDefinitions,
} from "@vmlint/core/migrate";
import { type LintedVm, list, printable, rules, SEVERITIES } from "@vmlint/core/program";
import { json, notOneOf, TOOL, usage } from "../args/command-output.ts";
import { type Flags, inputOf, thresholdOf } from "../args/options.ts";
import { shownPath } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { comparisonPrinter } from "../report/answer-printer.ts";
import { lintFiles } from "../run/lint-files.ts";

/** Shows what an importer makes of each VM. Exits with 1 if a VM loses something of a severity that fails. */
export async function migrate(patterns: readonly string[], flags: Flags, io: Io): Promise<number> {
  const importer = importerOf(flags);
  const target = TARGETS[importer.target];
  const [host, ...others] = flags.host ?? [];
  if (others.length > 0) throw usage("vmlint migrate takes one --host: the host that the VMs are on now.");
  const threshold = thresholdOf(flags);
  const print = comparisonPrinter(flags.format, io);
  const reading = rules.filter(({ over }) => over === "text");
  const run = await lintFiles({ patterns, host, config: flags.config, rules: reading, ...inputOf(flags) }, io);
  const migrateVm = await migrator(importer, target, flags.plugins?.allRules ?? rules);
  const vms: Migrated[] = [];
  for (const { path, vms: all } of run.files()) for (const vm of all) if (!isForeign(vm)) vms.push(migrateVm(vm, path));
  for (const [path, reason] of run.unchecked.empty) io.err(`vmlint: ${printable(shownPath(path, io.cwd))}: no VM is read: ${reason}.\n`);
  const migration = { importer, target, vms: ranked(vms) };
  if (flags.write) {
    const { text, without } = writtenDefinitions(migration);
    io.out(text);
    for (const line of without) io.err(`vmlint: ${printable(line)}.\n`);
  } else print(migrationComparison(migration), () => json(migrationJson(migration, TOOL)));
  if (vms.length === 0) {
    io.err("vmlint: no VM of ESXi was found.\n");
    return 2;
  }
  const fails = (severity: Migrated["worst"]): boolean =>
    severity !== null && threshold !== "never" && SEVERITIES.indexOf(severity) <= SEVERITIES.indexOf(threshold);
  return !flags.write && vms.some(({ worst }) => fails(worst)) ? 1 : 0;
}

const isForeign = ({ spec: { platform } }: LintedVm): boolean => platform === "kvm" || platform === "other";

function importerOf({ to, by }: Flags): Importer {
  if (!isTarget(to)) {
    if (to === undefined) throw usage(`vmlint migrate needs a target: --to ${list(MIGRATION_TARGETS, "or")}.`);
    throw notOneOf("--to of vmlint migrate", MIGRATION_TARGETS, to);
  }
  const all = IMPORTERS.filter(({ target }) => target === to);
  const importer = by === undefined ? all[0] : all.find(({ name }) => name === by);
  if (!importer)
    throw notOneOf(
      `--by with --to ${to}`,
      all.map(({ name }) => name),
      by ?? "",
    );
  return importer;
}

const isTarget = (word: string | undefined): word is MigrationTarget =>
  (MIGRATION_TARGETS as readonly (string | undefined)[]).includes(word);
