import { type ParseArgsConfig, parseArgs } from "node:util";
import {
  type FileResult,
  foundAtLeast,
  type LintedFile,
  lintJson,
  nearest,
  rules,
  SEVERITIES,
  type Severity,
  summarize,
  textReport,
  topologyJson,
  topologyText,
  VERSION,
  VmlintError,
} from "@vmlint/core";
import { HELP } from "./help.ts";
import type { Io } from "./io.ts";
import { lintFiles } from "./lint-files.ts";

export const EXIT = { clean: 0, found: 1, usage: 2, internal: 3 } as const;

const TOOL = { name: "vmlint", version: VERSION };

const OPTIONS = {
  host: { type: "string" },
  config: { type: "string" },
  format: { type: "string", default: "text" },
  "fail-on": { type: "string", default: "warning" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "V" },
} as const satisfies ParseArgsConfig["options"];

type Flags = ReturnType<typeof parse>["values"];

const COMMANDS: Readonly<Record<string, (args: readonly string[], flags: Flags, io: Io) => Promise<number>>> = {
  topology,
  rules: listRules,
  explain,
  schema,
};

/** The whole command: arguments and the outside in, exit code out. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    const { values: flags, positionals } = parse(argv);
    const [first = "", ...rest] = positionals;
    const command = Object.hasOwn(COMMANDS, first) ? first : "";
    if (flags.help) return print(io, HELP[command] ?? HELP[""] ?? "");
    if (flags.version) return print(io, `${VERSION}\n`);
    if (!["text", "json"].includes(flags.format)) throw usage(`--format takes text or json, not "${flags.format}".`);
    return await (COMMANDS[command]?.(rest, flags, io) ?? lint(positionals, flags, io));
  } catch (error) {
    if (isVmlintError(error)) {
      io.err(`vmlint: ${error.message}\n`);
      return EXIT.usage;
    }
    io.err(`vmlint failed, and this is a bug in vmlint:\n${error instanceof Error ? error.stack : String(error)}\n`);
    return EXIT.internal;
  }
}

async function lint(patterns: readonly string[], flags: Flags, io: Io): Promise<number> {
  const threshold = flags["fail-on"];
  if (threshold !== "never" && !isSeverity(threshold)) {
    throw usage(`--fail-on takes ${SEVERITIES.join(", ")} or never, not "${threshold}".`);
  }
  const results: FileResult[] = [];
  for (const file of await lintFiles({ patterns, host: flags.host, config: flags.config }, io)) results.push(summarize(file));
  io.out(flags.format === "json" ? json(lintJson(results, TOOL)) : textReport(results, io.palette));
  return threshold !== "never" && foundAtLeast(results, threshold) ? EXIT.found : EXIT.clean;
}

async function topology(patterns: readonly string[], flags: Flags, io: Io): Promise<number> {
  // Findings about the shape are for linting; what could not be read is for both.
  const readingRules = rules.filter(({ checks }) => !checks);
  const results: readonly LintedFile[] = [
    ...(await lintFiles({ patterns, host: flags.host, config: flags.config, rules: readingRules }, io)),
  ];
  return print(io, flags.format === "json" ? json(topologyJson(results, TOOL)) : topologyText(results, io.palette));
}

async function listRules(args: readonly string[], flags: Flags, io: Io): Promise<number> {
  if (args.length > 0) throw usage(`vmlint rules takes no argument: vmlint explain ${args[0]} prints one rule.`);
  if (flags.format === "json") {
    const listed = rules.map(({ id, severity, severities = {}, summary, since, needs }) => ({
      id,
      severity,
      severities,
      summary,
      since,
      needs,
    }));
    return print(io, json({ schemaVersion: 1, tool: TOOL, rules: listed }));
  }
  const width = Math.max(...rules.map(({ id }) => id.length));
  const lines = rules.map(({ id, severity, summary }) => `${io.palette.bold(id.padEnd(width))}  ${severity.padEnd(7)}  ${summary}`);
  return print(io, `${lines.join("\n")}\n`);
}

async function explain([id, ...others]: readonly string[], _: Flags, io: Io): Promise<number> {
  if (id === undefined || others.length > 0) throw usage("vmlint explain takes the name of one rule, such as affinity/ht-siblings.");
  const rule = rules.find((candidate) => candidate.id === id);
  if (!rule) {
    const near = nearest(
      id,
      rules.map((r) => r.id),
    );
    throw new VmlintError("RULE_UNKNOWN", `There is no rule "${id}".${near ? ` Did you mean "${near}"?` : ""} vmlint rules lists them.`);
  }
  const { ruleMarkdown } = await import("@vmlint/core/docs");
  return print(io, ruleMarkdown(rule));
}

async function schema([name, ...others]: readonly string[], _: Flags, io: Io): Promise<number> {
  if (name !== "output" || others.length > 0) throw usage("vmlint schema takes one name: output.");
  const { outputSchema } = await import("@vmlint/core/output-schema");
  return print(io, json(outputSchema));
}

function print(io: Io, text: string): number {
  io.out(text);
  return EXIT.clean;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options: OPTIONS });
  } catch (cause) {
    // Node's sentence names the flag; its advice about "--" does not help here.
    const [sentence = "Unknown option"] = (cause as Error).message.split(/[.]\s/);
    throw new VmlintError("USAGE", `${sentence}. vmlint --help lists the options.`, { cause });
  }
}

const usage = (message: string): VmlintError => new VmlintError("USAGE", message);

const isSeverity = (text: string): text is Severity => (SEVERITIES as readonly string[]).includes(text);

/** By name, not by class: the configuration's reader is a bundle of its own with a class of its own. */
const isVmlintError = (error: unknown): error is VmlintError => error instanceof Error && error.name === "VmlintError";
