import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import {
  type FileResult,
  foundAtLeast,
  type GivenOption,
  once,
  placer,
  SEVERITIES,
  type Severity,
  summarize,
  textReport,
  VERSION,
  VmlintError,
} from "@vmlint/core";
import { toSlashes } from "./files.ts";
import type { Io } from "./io.ts";
import { lintFiles } from "./lint-files.ts";

export const EXIT = { clean: 0, found: 1, usage: 2, internal: 3 } as const;

/** What `vmlint size` alone takes. */
const WISH = {
  vcpus: { type: "string" },
  memory: { type: "string" },
  workload: { type: "string" },
  edition: { type: "string" },
  "sql-version": { type: "string" },
  licensing: { type: "string" },
  "hardware-version": { type: "string" },
  range: { type: "string" },
} as const;

/** What checking alone takes. */
const CHECKING = {
  quiet: { type: "boolean" },
  "max-warnings": { type: "string" },
  stats: { type: "boolean" },
  fix: { type: "boolean" },
  "fix-unsafe": { type: "boolean" },
  "fix-dry-run": { type: "boolean" },
  diff: { type: "boolean" },
  "no-inline-config": { type: "boolean" },
  baseline: { type: "string" },
  "no-baseline": { type: "boolean" },
  "update-baseline": { type: "boolean" },
  "prune-baseline": { type: "boolean" },
} as const;

const OPTIONS = {
  host: { type: "string", multiple: true },
  config: { type: "string" },
  format: { type: "string", multiple: true },
  "format-in": { type: "string" },
  "stdin-filename": { type: "string" },
  together: { type: "boolean", default: false },
  var: { type: "string", multiple: true },
  "var-file": { type: "string", multiple: true },
  source: { type: "string" },
  "fail-on": { type: "string", default: "warning" },
  ...CHECKING,
  ...WISH,
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
  spec: { type: "boolean" },
  /** Language clients pass it; there is no other way to talk. */
  stdio: { type: "boolean" },
} as const satisfies ParseArgsConfig["options"];

type Values = ReturnType<typeof parse>["values"];

export interface Flags extends Omit<Values, "format"> {
  /** Of the commands beside linting. */
  readonly format: string;
  /** Of linting: form, or form:file; empty for text. */
  readonly formats: readonly string[];
  /** Values for the variables of Terraform and Packer, in their order. */
  readonly variables: readonly GivenOption[];
}

/** Commands beside linting; their code is loaded when one is asked for. */
const COMMANDS = ["topology", "size", "host", "cpus", "init", "rules", "explain", "schema", "lsp"];

/** The whole command: arguments and the outside in, exit code out. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    const { values, positionals, tokens } = parse(argv);
    const { format: formats = [] } = values;
    const variables = variablesOf(tokens, io.cwd);
    const flags: Flags = { ...values, ...sourceOf(values.source, io.cwd), format: formats[0] ?? "text", formats, variables };
    const [first = "", ...rest] = positionals;
    const command = COMMANDS.includes(first) ? first : undefined;
    if (flags.help) return print(io, (await import("./commands.ts")).help(command ?? ""));
    if (flags.version) return print(io, `${VERSION}\n`);
    if (command !== undefined) checkFormat(formats, command);
    const misplaced = command === "size" ? undefined : Object.keys(WISH).find((name) => name in flags);
    if (flags.stdio && command !== "lsp") throw usage("--stdio is for vmlint lsp alone.");
    if (flags.spec && command !== "init") throw usage("--spec is for vmlint init alone.");
    if (misplaced) throw usage(`--${misplaced} is for vmlint size alone.`);
    if (command === undefined) return await lint(positionals, flags, io);
    const checking = Object.keys(CHECKING).find((name) => name in flags);
    if (checking) throw usage(`--${checking} is for checking alone: vmlint [PATH...] --${checking}.`);
    const run = (await import("./commands.ts")).COMMANDS[command];
    return print(io, (await run?.(rest, flags, io)) ?? "");
  } catch (error) {
    if (isVmlintError(error)) {
      io.err(`vmlint: ${error.message}\n`);
      return EXIT.usage;
    }
    io.err(`vmlint failed, and this is a bug in vmlint:\n${error instanceof Error ? error.stack : String(error)}\n`);
    return EXIT.internal;
  }
}

function checkFormat([format = "text", ...others]: readonly string[], command: string): void {
  if (others.length > 0) throw usage(`vmlint ${command} takes one --format.`);
  if (format === "text" || format === "json" || (format === "svg" && command === "topology")) return;
  if (format === "svg") throw usage("--format svg draws layouts: it goes with vmlint topology alone.");
  throw usage(`vmlint ${command} takes --format text or json${command === "topology" ? ", or svg" : ""}, not "${format}".`);
}

/** Whether the one report is the text on stdout, as in most runs: what the others need is not loaded then. */
const isPlain = ({ formats, quiet, stats, "max-warnings": most }: Flags): boolean =>
  formats.length < 2 && (formats[0] ?? "text") === "text" && !quiet && !stats && most === undefined;

async function lint(patterns: readonly string[], flags: Flags, io: Io): Promise<number> {
  const threshold = flags["fail-on"];
  if (threshold !== "never" && !isSeverity(threshold)) {
    throw usage(`--fail-on takes ${SEVERITIES.join(", ")} or never, not "${threshold}".`);
  }
  const [host, ...others] = flags.host ?? [];
  if (others.length > 0) throw usage("--host is given once for checking; vmlint topology compares hosts.");
  const report = isPlain(flags) ? undefined : (await import("./reports.ts")).planReports(flags, threshold, io);
  const { config, together, variables, source } = flags;
  const wishes = wishesOf(flags);
  const { "no-inline-config": ignoreComments, "no-baseline": ignoreBaseline } = flags;
  const usesBaseline = flags.baseline !== undefined || wishes.write !== undefined;
  const input = { format: flags["format-in"], stdinName: flags["stdin-filename"], variables, source };
  const run = await lintFiles({ patterns, host, config, together, ignoreComments, baseline: usesBaseline, ...input }, io);
  // Known only once the files are read, unless they are to be fixed.
  const reviewing = once(async () =>
    (await import("./review.ts")).reviewer(run, { ...wishes, baseline: ignoreBaseline ? false : flags.baseline, patterns }, io),
  );
  const fixing = wishes.fix && (await import("./fix.ts")).fixer({ ...wishes.fix, patterns, open: (await reviewing()).open }, io);
  const alone: FileResult[] = [];
  const place = placer();
  for (const file of run.files(fixing?.fix)) alone.push(summarize(file, place));
  const placed = alone.reduce((count, file) => count + file.placed.length, 0);
  const linted = placed > 1 ? (await import("@vmlint/core/together")).lintTogether(alone) : alone;
  const isReviewed = run.silencers.size > 0 || run.hasBaseline || [...run.configs].some((found) => found.config.suppress);
  const { results, stale } = isReviewed ? (await reviewing()).review(linted) : { results: linted, stale: false };
  const failsByBaseline = stale && io.ci;
  if (report) return report(results) || failsByBaseline ? EXIT.found : EXIT.clean;
  io.out(fixing?.dryRun ? fixing.diff() : textReport(results, io.palette));
  return failsByBaseline || (threshold !== "never" && foundAtLeast(results, threshold)) ? EXIT.found : EXIT.clean;
}

/** What is to be written, by the flags that ask for it. */
function wishesOf(flags: Flags) {
  const unsafe = flags["fix-unsafe"] ?? false;
  const dryRun = flags.diff ?? flags["fix-dry-run"] ?? false;
  if (dryRun && !isPlain(flags)) throw usage("--diff prints a diff: it goes without --format, --quiet, --max-warnings and --stats.");
  const [update, prune, none] = [flags["update-baseline"], flags["prune-baseline"], flags["no-baseline"]];
  if ((update && prune) || (none && (update || prune || flags.baseline !== undefined)))
    throw usage("--update-baseline, --prune-baseline and --no-baseline exclude each other.");
  const write = update ? ("update" as const) : prune ? ("prune" as const) : undefined;
  if (dryRun && write) throw usage("--diff writes nothing, and goes without --update-baseline and --prune-baseline.");
  return { write, fix: flags.fix || unsafe || dryRun ? { unsafe, dryRun } : undefined };
}

function print(io: Io, text: string): number {
  io.out(text);
  return EXIT.clean;
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options: OPTIONS, tokens: true });
  } catch (cause) {
    // Node's sentence names the flag; its advice about "--" does not help here.
    const [sentence = "Unknown option"] = (cause as Error).message.split(/[.]\s/);
    throw new VmlintError("USAGE", `${sentence}. vmlint --help lists the options.`, { cause });
  }
}

/** The folder of `--source`, as formats name folders. */
function sourceOf(folder: string | undefined, cwd: string): { readonly source?: string } {
  if (folder === undefined) return {};
  const path = resolve(cwd, folder);
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new VmlintError("FILE_UNREADABLE", `${folder} is no folder.`);
  return { source: toSlashes(path) };
}

/** `--var NAME=VALUE` and `--var-file FILE`: the later wins, so that their order counts. */
function variablesOf(tokens: ReturnType<typeof parse>["tokens"], cwd: string): readonly GivenOption[] {
  return tokens.flatMap((token): GivenOption[] => {
    if (token.kind !== "option" || (token.name !== "var" && token.name !== "var-file")) return [];
    const text = token.value ?? "";
    if (token.name === "var-file") {
      const path = resolve(cwd, text);
      if (!existsSync(path)) throw new VmlintError("FILE_UNREADABLE", `${text} does not exist.`);
      return [{ kind: "file", path: toSlashes(path) }];
    }
    const equals = text.indexOf("=");
    if (equals < 1) throw usage(`--var takes NAME=VALUE, not "${text}".`);
    return [{ kind: "value", name: text.slice(0, equals), text: text.slice(equals + 1) }];
  });
}

const usage = (message: string): VmlintError => new VmlintError("USAGE", message);

const isSeverity = (text: string): text is Severity => (SEVERITIES as readonly string[]).includes(text);

/** By name, not by class: the configuration's reader is a bundle of its own with a class of its own. */
const isVmlintError = (error: unknown): error is VmlintError => error instanceof Error && error.name === "VmlintError";
