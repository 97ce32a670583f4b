import { resolve } from "node:path";
import { type LintedVm, list, type Palette, PLAIN, printable, rules, SEVERITIES } from "@vmlint/core";
import {
  IMPORTERS,
  type Importer,
  MIGRATION_TARGETS,
  type Migrated,
  type Migration,
  type MigrationTarget,
  migrationCsv,
  migrationHtml,
  migrationJson,
  migrationMarkdown,
  migrationText,
  migrationWorkbook,
  migrator,
  ranked,
  TARGETS,
  writtenDefinitions,
} from "@vmlint/core/migrate";
import { json, notOneOf, TOOL, usage } from "../args/command-output.ts";
import { type Flags, inputOf, thresholdOf } from "../args/options.ts";
import { realOf } from "../files/disk.ts";
import { shownPath } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { type Wanted, wantedOf, writeReport } from "../report/reports.ts";
import { lintFiles } from "../run/lint-files.ts";

/** Shows what an importer makes of each VM. Exits with 1 if a VM loses something of a severity that fails. */
export async function migrate(patterns: readonly string[], flags: Flags, io: Io): Promise<number> {
  const importer = importerOf(flags);
  const target = TARGETS[importer.target];
  const [host, ...others] = flags.host ?? [];
  if (others.length > 0) throw usage("vmlint migrate takes one --host: the host that the VMs are on now.");
  const threshold = thresholdOf(flags);
  const [wanted] = wantedOf([flags.format], io.cwd);
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
  } else print(migration, wanted as Wanted, io);
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

/** Prints a migration, or writes it to a file that it does not read. */
function print(migration: Migration, { format, file }: Wanted, io: Io): void {
  if (file === undefined) {
    io.out(String(reportOf(migration, format, io.palette)));
    return;
  }
  if (migration.vms.some(({ path }) => realOf(resolve(io.cwd, path)) === realOf(file)))
    throw usage(`${shownPath(file, io.cwd)} cannot be replaced by a report: this run reads it. Name another file.`);
  writeReport(file, reportOf(migration, format, PLAIN));
}

function reportOf(migration: Migration, format: Wanted["format"], palette: Palette): string | Uint8Array {
  if (format === "json") return json(migrationJson(migration, TOOL));
  if (format === "csv") return migrationCsv(migration);
  if (format === "html") return migrationHtml(migration);
  if (format === "xlsx") return migrationWorkbook(migration);
  return format === "md" ? migrationMarkdown(migration) : migrationText(migration, palette);
}
