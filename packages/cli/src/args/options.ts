import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import type { Severity, Workload } from "@vmlint/core";
import { hint, parseWorkload, SEVERITIES, type VariableOption, VmlintError } from "@vmlint/core/program";
import { statsOf, toSlashes } from "../files/read-files.ts";
import type { Plugins } from "../plugins/plugins.ts";
import { notOneOf, usage } from "./command-output.ts";

/** Options of `vmlint size`. */
const WISH = {
  memory: { type: "string" },
  "hardware-version": { type: "string" },
  range: { type: "string" },
  estate: { type: "boolean" },
  percentile: { type: "string" },
} as const;

/** Options of a check. */
const CHECKING = {
  quiet: { type: "boolean" },
  anonymise: { type: "string" },
  "max-warnings": { type: "string" },
  stats: { type: "boolean" },
  timing: { type: "boolean" },
  fix: { type: "boolean" },
  "fix-unsafe": { type: "boolean" },
  "fix-dry-run": { type: "boolean" },
  diff: { type: "boolean" },
  "no-inline-config": { type: "boolean" },
  "add-suppressions": { type: "string" },
  baseline: { type: "string" },
  "no-baseline": { type: "boolean" },
  "update-baseline": { type: "boolean" },
  "prune-baseline": { type: "boolean" },
  changed: { type: "string" },
  staged: { type: "boolean" },
  jobs: { type: "string" },
  "allow-empty": { type: "boolean" },
  watch: { type: "boolean" },
} as const;

const DEFAULTS = { together: false, "fail-on": "warning" };

/** Every option of every command. */
export const OPTIONS = {
  host: { type: "string", multiple: true },
  config: { type: "string" },
  plugin: { type: "string", multiple: true },
  format: { type: "string", multiple: true },
  "format-in": { type: "string" },
  "stdin-filename": { type: "string" },
  "no-gitignore": { type: "boolean" },
  "force-exclude": { type: "boolean" },
  workload: { type: "string" },
  color: { type: "string" },
  together: { type: "boolean", default: DEFAULTS.together },
  var: { type: "string", multiple: true },
  "var-file": { type: "string", multiple: true },
  source: { type: "string" },
  "fail-on": { type: "string", default: DEFAULTS["fail-on"] },
  ...CHECKING,
  ...WISH,
  help: { type: "boolean", short: "h" },
  "help-all": { type: "boolean" },
  version: { type: "boolean", short: "V" },
  "print-config": { type: "string" },
  to: { type: "string" },
  by: { type: "string" },
  guest: { type: "string", multiple: true },
  write: { type: "boolean" },
  spec: { type: "boolean" },
  yes: { type: "boolean", short: "y" },
  /** Language clients pass it; there is no other way to talk. */
  stdio: { type: "boolean" },
} as const satisfies ParseArgsConfig["options"];

const CONTEXT = ["config", "plugin"];
const READING = [
  "host",
  "workload",
  ...CONTEXT,
  "format",
  "format-in",
  "stdin-filename",
  "no-gitignore",
  "force-exclude",
  "var",
  "var-file",
  "source",
];

/** The options of each command, besides --help and --version; "" checks files. */
export const OPTIONS_OF: Readonly<Record<string, readonly string[]>> = {
  "": [...READING, "together", "fail-on", "print-config", ...Object.keys(CHECKING)],
  topology: READING,
  size: ["host", "workload", ...CONTEXT, "format", ...Object.keys(WISH)],
  host: [...CONTEXT, "format"],
  cpus: ["format"],
  init: ["host", "workload", "spec", "yes"],
  rules: [...CONTEXT, "format"],
  explain: [...CONTEXT, "format"],
  "test-rules": CONTEXT,
  schema: [],
  lsp: ["stdio"],
  mcp: [],
  diff: ["fail-on", "format"],
  move: ["to", ...READING, "fail-on"],
  migrate: ["to", "by", "write", ...READING, "fail-on"],
  verify: ["guest", ...READING],
  completion: [],
  doctor: [...CONTEXT, "format"],
};

/** Commands besides linting. Their code is loaded on demand. */
export const COMMANDS = Object.keys(OPTIONS_OF).filter((command) => command !== "");

const TABLES = ["csv", "html", "md", "xlsx"];

/** The reports of commands besides text and JSON. */
export const MORE_FORMATS: Readonly<Record<string, readonly string[]>> = {
  topology: ["svg"],
  size: ["csv", "html", "xlsx"],
  migrate: TABLES,
  move: TABLES,
};

/** Throws USAGE for an option that a command does not have. Every command takes --color. */
export function checkAllowed(optionNames: readonly string[], command = ""): void {
  const wrong = optionNames.find((name) => name !== "color" && !OPTIONS_OF[command]?.includes(name));
  if (wrong === undefined) return;
  const [taker, ...others] = Object.keys(OPTIONS_OF).filter((one) => OPTIONS_OF[one]?.includes(wrong));
  const owner = taker === "" ? `vmlint [PATH...] --${wrong}` : `vmlint ${taker}`;
  if (others.length === 0) throw usage(`--${wrong} only works with ${owner}.`);
  throw usage(`vmlint ${command} has no option --${wrong}. See vmlint ${command} --help.`);
}

type Words = ReturnType<typeof parseWords>;

export interface Flags extends Omit<Words["values"], "format"> {
  /** For commands besides linting. */
  readonly format: string;
  /** For linting: FORMAT or FORMAT:FILE. Empty for the text report. */
  readonly formats: readonly string[];
  /** Values for the variables of Terraform and Packer, in their order. */
  readonly variables: readonly VariableOption[];
  /** The rules that plugins bring; missing in most runs. */
  readonly plugins?: Plugins;
}

interface CommandLine {
  readonly flags: Flags;
  /** The names of the options that are there. */
  readonly optionNames: readonly string[];
  readonly positionals: readonly string[];
}

/** The command line, understood. Throws USAGE on what no option is. */
export function parse(argv: readonly string[], cwd: string): CommandLine {
  // Most runs name files alone, and to load Node's parser takes as long as to check one.
  const hasOptions = argv.some((word) => word.startsWith("-"));
  const { values, positionals, tokens }: Words = hasOptions ? parseWords(argv) : { values: DEFAULTS, positionals: [...argv], tokens: [] };
  const empty = tokens.find((token) => token.kind === "option" && token.value === "");
  // A variable of a script that is not set.
  if (empty?.kind === "option") throw usage(`--${empty.name} is empty: give it a value, or leave it out.`);
  const formats = (values.format ?? []).map(reportWord);
  const variables = variablesOf(tokens, cwd);
  const flags = { ...values, ...sourceOf(values.source, cwd), format: formats[0] ?? "text", formats, variables };
  return { flags, optionNames: tokens.flatMap((token) => (token.kind === "option" ? token.name : [])), positionals };
}

function parseWords(argv: readonly string[]) {
  try {
    return parseArgs({ args: withDefaults(argv), allowPositionals: true, options: OPTIONS, tokens: true });
  } catch (cause) {
    const { message } = cause as Error;
    const [, lacking, dashed] = /^Option '(--[^' ]+).* argument (?:missing|(is ambiguous))/.exec(message) ?? [];
    if (lacking !== undefined)
      throw usage(`${lacking} needs a value${dashed ? `. A value that starts with a dash needs ${lacking}=-VALUE` : ""}.`);
    // Node's sentence names the flag; its advice about "--" does not help here.
    const [sentence = "Unknown option"] = message.split(/[.]\s/);
    const near = hint(/^Unknown option '--([^']+)/.exec(sentence)?.[1], Object.keys(OPTIONS), (name) => `--${name}`);
    throw new VmlintError("USAGE", `${sentence}.${near} vmlint --help lists the options.`, { cause });
  }
}

/** `--changed` may go without its value, which no option of parseArgs may. */
function withDefaults(argv: readonly string[]): string[] {
  const end = argv.indexOf("--");
  return argv.map((word, i) => (word === "--changed" && (end < 0 || i < end) ? "--changed=HEAD" : word));
}

/** A value of `--format`: `json:-` is `json`, as elsewhere a dash is the standard output. */
export const reportWord = (word: string): string => word.replace(/:-$/, "");

/** The folder of `--source`, as formats name folders. */
function sourceOf(folder: string | undefined, cwd: string): { readonly source?: string } {
  if (folder === undefined) return {};
  const path = resolve(cwd, folder);
  if (!statsOf(path)?.isDirectory()) throw new VmlintError("FILE_UNREADABLE", `${folder} is not a folder.`);
  return { source: toSlashes(path) };
}

/** `--var NAME=VALUE` and `--var-file FILE`: the later wins, so that their order counts. */
function variablesOf(tokens: Words["tokens"], cwd: string): readonly VariableOption[] {
  return tokens.flatMap((token): VariableOption[] => {
    if (token.kind !== "option" || (token.name !== "var" && token.name !== "var-file")) return [];
    const text = token.value ?? "";
    if (token.name === "var-file") {
      const path = resolve(cwd, text);
      // A shell hands in a pipe for <(...).
      if (!existsSync(path) || statsOf(path)?.isDirectory())
        throw new VmlintError("FILE_UNREADABLE", `--var-file: ${text} ${existsSync(path) ? "is a folder, not a file" : "does not exist"}.`);
      return [{ kind: "file", path: toSlashes(path) }];
    }
    const equals = text.indexOf("=");
    if (equals < 1) throw usage(`--var takes NAME=VALUE, not "${text}".`);
    return [{ kind: "value", name: text.slice(0, equals), text: text.slice(equals + 1) }];
  });
}

/** The workload from `--workload`, such as `mssql,edition=standard`. */
export function workloadOf({ workload: text }: Pick<Flags, "workload">): Workload | undefined {
  const workload = text === undefined ? undefined : parseWorkload(text);
  if (typeof workload === "string") throw usage(`--workload: ${workload}`);
  return workload;
}

const COLOURED: Readonly<Record<string, boolean | undefined>> = { always: true, never: false, auto: undefined };

/** Whether `--color` asks for colours; undefined leaves it to the terminal. */
export function isColoured({ color = "auto" }: Pick<Flags, "color">): boolean | undefined {
  if (!Object.hasOwn(COLOURED, color)) throw notOneOf("--color", Object.keys(COLOURED), color);
  return COLOURED[color];
}

/** How files are found and read. */
export const inputOf = (flags: Flags) => ({
  workload: workloadOf(flags),
  format: flags["format-in"],
  stdinName: flags["stdin-filename"],
  noGitignore: flags["no-gitignore"],
  forceExclude: flags["force-exclude"],
  variables: flags.variables,
  source: flags.source,
  plugins: flags.plugins,
});

const MOST_JOBS = 64;

/** Returns the number of threads from `--jobs`. */
export function jobsOf({ jobs = "auto" }: Pick<Flags, "jobs">): number | "auto" {
  if (jobs === "auto") return jobs;
  const count = /^\d+$/.test(jobs) ? Number(jobs) : 0;
  if (count < 1 || count > MOST_JOBS) throw usage(`--jobs takes auto or a number from 1 to ${MOST_JOBS}, not "${jobs}".`);
  return count;
}

/** From which severity on a run fails. */
export function thresholdOf({ "fail-on": word }: Flags): Severity | "never" {
  if (word === "never" || isSeverity(word)) return word;
  throw notOneOf("--fail-on", [...SEVERITIES, "never"], word);
}

const isSeverity = (text: string): text is Severity => (SEVERITIES as readonly string[]).includes(text);
