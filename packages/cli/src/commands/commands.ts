import type { Rule } from "@vmlint/core";
import type { RulePage } from "@vmlint/core/docs";
import {
  rules as builtin,
  evidenceOf,
  foundAtLeast,
  hint,
  hostJson,
  hostText,
  isIn,
  PRESETS,
  VmlintError,
  wrapped,
} from "@vmlint/core/program";
import { isVmlintError, json, jsonAnswer, notOneOf, TOOL, usage } from "../args/command-output.ts";
import { COMPLETIONS } from "./completion.ts";
import { cpusJson, cpusText } from "./cpus.ts";
import { doctor } from "./doctor.ts";

export { help } from "./help.ts";

import { type Flags, thresholdOf } from "../args/options.ts";
import type { Io } from "../io.ts";
import { configFinder } from "../run/disk-workspace.ts";
import { understandHost } from "../run/host-finder.ts";
import { init } from "./init.ts";

export { migrate } from "./migrate.ts";
export { move } from "./move.ts";
export { printConfig } from "./print-config.ts";
export { topology } from "./topology.ts";
export { verify } from "./verify.ts";

/** All commands except linting. Each returns its output or throws. */
export const COMMANDS: Readonly<Record<string, (args: readonly string[], flags: Flags, io: Io) => Promise<string>>> = {
  host: describeHost,
  size,
  rules: listRules,
  explain,
  "test-rules": testRules,
  schema,
  cpus: listCpus,
  init,
  lsp,
  completion,
  doctor,
};

async function size(args: readonly string[], flags: Flags, io: Io): Promise<string> {
  if (flags.estate) {
    await (await import("./size-estate.ts")).sizeEstate(args, flags, io);
    return "";
  }
  if (flags.percentile !== undefined) throw usage("--percentile only works with --estate.");
  if (!["text", "json"].includes(flags.format)) throw usage(`--format ${flags.format} of vmlint size only works with --estate.`);
  const [vcpus, ...others] = args;
  if (vcpus === undefined) throw usage("vmlint size needs the number of vCPUs you want: vmlint size 24.");
  if (others.length > 0) throw usage("vmlint size takes one number of vCPUs, such as vmlint size 24. See vmlint size --help.");
  if (!/^\d+$/.test(vcpus)) throw usage(`vmlint size takes the number of vCPUs, such as 24, not "${vcpus}".`);
  const { sizeReport } = await import("./size.ts");
  return sizeReport(Number(vcpus), flags, io);
}

async function describeHost([word, ...others]: readonly string[], flags: Flags, io: Io): Promise<string> {
  if (word === undefined || others.length > 0)
    throw usage("vmlint host takes one host: a dump, a name or a short form. vmlint host --help lists them.");
  const { config } = await configFinder(io.cwd, { config: flags.config, plugins: flags.plugins?.rules })(io.cwd);
  const understood = await understandHost(word, config, io);
  return flags.format === "json" ? json(hostJson(understood, TOOL)) : hostText(understood, word, io.palette);
}

async function listRules(args: readonly string[], flags: Flags, io: Io): Promise<string> {
  if (args.length > 0) throw usage(`vmlint rules has no arguments. vmlint explain RULE prints one rule.`);
  const { pageOf } = await import("@vmlint/core/docs");
  const rules = flags.plugins?.allRules ?? builtin;
  if (flags.format === "json") {
    return jsonAnswer({ rules: rules.map((rule) => ruleJson(rule, pageOf(rule))) });
  }
  const width = Math.max(...rules.map(({ id }) => id.length));
  const lines = rules.flatMap((rule) => {
    const { id, severity } = rule;
    const [first = "", ...more] = wrapped(
      `${id.padEnd(width)}  ${severity.padEnd(7)}  ${pageOf(rule).summary}`,
      io.palette.width,
      width + 11,
    );
    return [io.palette.bold(id) + first.slice(id.length), ...more];
  });
  return `${lines.join("\n")}\n`;
}

/** A rule in the list of rules. */
const ruleJson = (rule: Rule, { summary }: RulePage) => ({
  id: rule.id,
  severity: rule.severity,
  severities: rule.severities ?? {},
  summary,
  since: rule.since,
  stability: rule.stability ?? "stable",
  needs: rule.needs,
  presets: PRESETS.filter((preset) => isIn(rule, preset)),
});

async function explain([id, ...others]: readonly string[], flags: Flags, io: Io): Promise<string> {
  if (id === undefined || others.length > 0) throw usage("vmlint explain takes the name of one rule, such as affinity/ht-siblings.");
  const { pageOf, ruleMarkdown } = await import("@vmlint/core/docs");
  const rules = flags.plugins?.allRules ?? builtin;
  const rule = rules.find((candidate) => candidate.id === id);
  if (!rule) {
    const ids = rules.map((each) => each.id);
    const family = ids.filter((each) => each.startsWith(`${id}/`));
    const near = family.length > 0 ? ` The rules of ${id} are ${family.join(", ")}.` : `${hint(id, ids)} vmlint rules lists them.`;
    throw new VmlintError("RULE_UNKNOWN", `There is no rule "${id}".${near}`);
  }
  if (flags.format === "json") {
    const page = pageOf(rule);
    const { why, whenNot, sources } = page;
    return jsonAnswer({ rule: { ...ruleJson(rule, page), why, whenNot, evidence: evidenceOf(page), sources, reads: rule.reads } });
  }
  try {
    const page = await ruleMarkdown(rule);
    return io.isTerminal ? (await import("./terminal-page.ts")).terminalPage(page, io.palette) : page;
  } catch (cause) {
    if (!isVmlintError(cause)) throw cause;
    throw new VmlintError("PLUGIN_INVALID", `An example of rule "${id}" cannot be checked: ${cause.message}`, { cause });
  }
}

/** Checks the examples of plugin rules. */
async function testRules(args: readonly string[], { plugins }: Flags, _io: Io): Promise<string> {
  if (args.length > 0 || !plugins || plugins.rules.length === 0)
    throw usage("vmlint test-rules checks the examples of plugins, such as vmlint --plugin ./rules.yaml test-rules.");
  const { lintExample, pageOf } = await import("@vmlint/core/docs");
  const passed: string[] = [];
  const wrong: string[] = [];
  for (const rule of plugins.rules) {
    const { bad, good } = pageOf(rule);
    const found = async (one: RulePage["good"][number]) => {
      try {
        return await lintExample(rule, one);
      } catch (cause) {
        if (isVmlintError(cause)) throw new VmlintError("PLUGIN_INVALID", `${rule.id}: ${one.title}: ${cause.message}`, { cause });
        throw cause;
      }
    };
    for (const one of bad) {
      const findings = await found(one);
      const { message } = one as { readonly message?: string };
      const isExpected = findings.some((each) => each.messageId === one.expect && (message === undefined || each.message === message));
      if (!isExpected) wrong.push(`${rule.id}: ${one.title} has ${findings[0] ? `the message "${findings[0].message}"` : "no finding"}.`);
    }
    for (const one of good) for (const { message } of await found(one)) wrong.push(`${rule.id}: ${one.title} has a finding: ${message}`);
    passed.push(`${rule.id}: ${bad.length} bad, ${good.length} good\n`);
  }
  if (wrong.length > 0) throw new VmlintError("PLUGIN_INVALID", wrong.join("\n"));
  if (await plugins.haveFailed()) throw new VmlintError("PLUGIN_INVALID", "A rule failed on its examples.");
  return passed.join("");
}

const SCHEMAS: Readonly<Record<string, () => Promise<unknown>>> = {
  output: async () => (await import("@vmlint/core/output-schema")).outputSchema,
  spec: async () => (await import("@vmlint/core/spec-schema")).specSchema,
  config: async () => (await import("@vmlint/core/config-schema")).configSchema,
};

async function schema([name = "", ...others]: readonly string[], _flags: Flags, _io: Io): Promise<string> {
  const load = Object.hasOwn(SCHEMAS, name) && others.length === 0 ? SCHEMAS[name] : undefined;
  if (!load) throw notOneOf("vmlint schema", Object.keys(SCHEMAS), [name, ...others].join(" "));
  return json(await load());
}

async function listCpus(words: readonly string[], flags: Flags, io: Io): Promise<string> {
  const { cpus, findCpu, matchingCpus } = await import("@vmlint/core/cpus");
  const text = words.join(" ");
  const matching = text === "" ? cpus() : matchingCpus(text);
  // The name that a machine shows has words that the catalogue does not.
  const found = matching.length === 0 ? findCpu(text) : undefined;
  if (found && "reason" in found) throw usage(`${found.reason} vmlint cpus lists them.`);
  const listed = found ? [found.cpu] : matching;
  return flags.format === "json" ? cpusJson(listed) : cpusText(listed, io.palette);
}

async function lsp(args: readonly string[], _flags: Flags, io: Io): Promise<string> {
  if (args.length > 0) throw usage("vmlint lsp has no file argument: the editor sends the files.");
  const { serve } = await import("../serve/lsp/server.ts");
  await serve(io.cwd);
  return "";
}

/** Compares two reports. Exits with 1 if a finding is new. */
export async function diff(files: readonly string[], flags: Flags, io: Io): Promise<number> {
  const threshold = thresholdOf(flags);
  const { diffJson, diffReports, diffText } = await import("./diff.ts");
  const found = diffReports(files, io.cwd);
  io.out(flags.format === "json" ? diffJson(found) : diffText(found, io.palette));
  return threshold !== "never" && foundAtLeast([{ diagnostics: found.added }], threshold) ? 1 : 0;
}

async function completion([shell = "", ...others]: readonly string[], _flags: Flags, _io: Io): Promise<string> {
  const script = Object.hasOwn(COMPLETIONS, shell) && others.length === 0 ? COMPLETIONS[shell] : undefined;
  if (!script) throw notOneOf("vmlint completion", Object.keys(COMPLETIONS), [shell, ...others].join(" "));
  return script();
}
