import { EMPTY_CONFIG, requireHost } from "../config/config.ts";
import { DISABLE } from "../formats/directive.ts";
import { entryNamed } from "../formats/index.ts";
import type { ImportVm } from "../importers/import-vm.ts";
import { applyEdits } from "../lint/apply-edits.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { grouped } from "../model/maps.ts";
import { list } from "../model/words.ts";
import { isCrossVm, type Rule, type RulePage } from "../rules/define.ts";
import { FAMILIES, familyOf } from "../rules/families.ts";
import { pageOf } from "../rules/page-of.ts";
import { PRESETS } from "../rules/preset-names.ts";
import { isIn, kindsOf } from "../rules/presets.ts";
import { openWorkspace } from "../workspace/workspace.ts";

export type { RulePage } from "../rules/define.ts";
export { FAMILIES, familyOf } from "../rules/families.ts";
export { pageOf } from "../rules/page-of.ts";

/** Returns the page of a rule, for the site, `vmlint explain` and editors. Examples show real output. */
export async function ruleMarkdown(rule: Rule): Promise<string> {
  const page = async (example: Example): Promise<string> => {
    const findings = await lintExample(rule, example);
    const output = findings.map((d) => `${d.severity}: ${d.message}`);
    const fix = fixOf(example, findings);
    const lines = [...output, ...(fix ? [`fix: ${fix.title}`] : [])].join("\n");
    const diff = fix ? `\n\n\`\`\`diff\n${fix.lines.join("\n")}\n\`\`\`` : "";
    return `### ${heading(example)}\n\n${outputOf(example)}\n\n\`\`\`text\n${lines}\n\`\`\`${diff}`;
  };
  const { summary, why, whenNot, evidence, sources, bad: badOnes, good: goodOnes } = pageOf(rule);
  const bad = await Promise.all(badOnes.map(page));
  const good = goodOnes.map((example) => `### ${heading(example)}\n\n${outputOf(example)}`);
  const others = [...grouped(Object.entries(rule.severities ?? {}), ([, severity]) => severity)];
  const severities = others.map(
    ([severity, ids]) =>
      `${severity} for the message${ids.length > 1 ? "s" : ""} ${list(
        ids.map(([id]) => code(id)),
        "and",
      )}`,
  );
  const needs = [
    ...(rule.needs.some((need) => need !== "workload") ? ["Needs a host."] : []),
    ...(rule.over === "host-itself" ? ["Reports each host once, with the VMs on it. Hosts of an inventory need no VM."] : []),
    ...(rule.over === "import" ? ["Needs `migrate:` in `vmlint.yaml`, which names the target and the importer."] : []),
    ...(rule.over === "descriptions" ? ["Needs two files of one run that describe the VM."] : []),
    ...(rule.over === "host" ? ["Needs VMs that are declared to run on one machine: `runs:` of its host, or `--together`."] : []),
    ...(rule.needs.includes("workload") ? [`Needs a declared workload${rule.about ? ` ${kindsOf(rule).map(code).join(", ")}` : ""}.`] : []),
  ];
  const standing = [
    ...(rule.stability ? [`Stability: ${rule.stability}.`] : []),
    ...(rule.history ?? []).map(
      ({ until, severity, messageId }) => `Until ${until}: ${severity}${messageId === undefined ? "" : ` for ${code(messageId)}`}.`,
    ),
  ];
  // The key in the configuration turns on the rules about imports.
  const presets = rule.over === "import" ? [] : PRESETS.filter((preset) => isIn(rule, preset)).map(code);
  return `${[
    `# ${summary}`,
    `The rule ${code(rule.id)}.`,
    ...(rule.optIn
      ? [`Off unless \`rules:\` in \`vmlint.yaml\` gives it a severity${presets.length > 0 ? ", or one of its presets is on" : ""}.`]
      : []),
    [`Severity: ${[rule.severity, ...severities].join("; ")}.`, `Since: ${rule.since}.`, ...standing, ...needs].join(" "),
    ...(presets.length > 0 ? [`In the presets ${presets.join(", ")}.`] : []),
    `## Why\n\n${why}`,
    ...(evidence
      ? [`## Evidence\n\n${evidence.figure} (${evidence.source.title}).${evidence.against ? `\n\nAgainst: ${evidence.against}` : ""}`]
      : []),
    `## When not to follow it\n\n${whenNot}`,
    "## Reported",
    ...bad,
    "## Fine",
    ...good,
    ...(sources.length > 0
      ? [`## Sources\n\n${sources.map(({ title, url }) => `- ${url ? `[${title}](${url})` : title}`).join("\n")}`]
      : []),
  ].join("\n\n")}\n`;
}

const code = (word: string): string => `\`${word}\``;

/** Returns the index of all rules by family, with severity, summary and link. */
export function rulesIndex(rules: readonly Rule[]): string {
  const sections = Object.entries(FAMILIES).map(([family, title]) => {
    const members = rules.filter(({ id }) => familyOf(id) === family);
    const rows = members.map(
      (rule) =>
        `| [${rule.id}](rules/${rule.id}.md) | ${rule.optIn ? `off (${rule.severity})` : rule.severity} | ${pageOf(rule).summary} |`,
    );
    return `## ${title}\n\n| rule | severity | finds |\n|---|---|---|\n${rows.join("\n")}`;
  });
  return `${[`# ${rules.length} rules`, ...sections].join("\n\n")}\n`;
}

type Example = RulePage["good"][number];

/** Languages of examples with their file extensions. */
const ENDINGS = {
  vmx: "vmx",
  yaml: "yaml",
  json: "json",
  ovf: "ovf",
  log: "log",
  terraform: "tf",
  xml: "xml",
  conf: "conf",
} as const;

const LANGUAGES = Object.keys(ENDINGS) as readonly (keyof typeof ENDINGS)[];

/** Returns the texts of an example with their languages. */
const textsOf = (example: Example) => LANGUAGES.flatMap((language) => [example[language] ?? []].flat().map((text) => ({ language, text })));

/** Returns the texts of an example without duplicates. */
function outputOf(example: Example): string {
  const counts = new Map<string, number>();
  for (const { language, text } of textsOf(example)) {
    const block = `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
    counts.set(block, (counts.get(block) ?? 0) + 1);
  }
  return [...counts].map(([block, count]) => `${count > 1 ? `${count} VMs, each:\n\n` : ""}${block}`).join("\n\n");
}

/** Returns the first fix of an example, with its lines as a diff; `undefined` without one, and if the example has several texts. */
function fixOf(
  example: Example,
  findings: readonly Diagnostic[],
): { readonly title: string; readonly lines: readonly string[] } | undefined {
  const [fix] = findings.flatMap(({ fixes }) => fixes);
  const [only, ...others] = textsOf(example);
  if (!fix || !only || others.length > 0) return undefined;
  const [before, after] = [only.text, applyEdits(only.text, fix.edits)].map((text) => text.trimEnd().split("\n"));
  return { title: fix.title, lines: changedLines(before ?? [], after ?? []) };
}

/** Returns the lines that differ, with a sign, between the equal lines at both ends. */
function changedLines(before: readonly string[], after: readonly string[]): readonly string[] {
  const start = before.findIndex((line, i) => line !== after[i]);
  const first = start < 0 ? before.length : start;
  let same = 0;
  while (same < Math.min(before.length, after.length) - first && before.at(-1 - same) === after.at(-1 - same)) same++;
  const part = (lines: readonly string[], sign: string) => lines.slice(first, lines.length - same).map((line) => `${sign} ${line}`);
  return [...part(before, "-"), ...part(after, "+")];
}

/** Checks an example of a rule with this rule only. Several texts are VMs on one machine. */
export async function lintExample(rule: Rule, example: Example): Promise<readonly Diagnostic[]> {
  const { workload, otherHosts = [] } = example;
  const host = typeof example.host === "string" ? requireHost(example.host) : example.host;
  const texts = textsOf(example);
  // Without all rules, a suppression of another rule would look unused.
  const suppresses = texts.some(({ text }) => text.includes(DISABLE));
  const files = Object.fromEntries(texts.map(({ language, text }, i) => [`vm-${i + 1}.${ENDINGS[language]}`, text]));
  const workspace = openWorkspace({
    files,
    config: {
      ...EMPTY_CONFIG,
      ...(workload && { workload }),
      ...(host && { hosts: new Map([[host.name, host]]), clusters: new Map([["cluster", [host.name, ...otherHosts]]]) }),
      ...(example.migrate && { imports: await importOf(example.migrate) }),
      ...(rule.optIn && { rules: { [rule.id]: rule.severity } }),
      // The example has all its files, and no check for a suppression is skipped.
      selects: (other) => other === rule || (other.over !== "descriptions" && !(suppresses && other.needs.length > 0)),
    },
    host,
    together: isCrossVm(rule) && rule.over !== "descriptions" && otherHosts.length === 0,
    today: TODAY,
    // A rule about imports also reads the findings of other rules.
    ...(!suppresses && !example.migrate && { rules: [rule] }),
  });
  const { findings } = await workspace.check(Object.keys(files));
  return findings.filter(({ ruleId }) => ruleId === rule.id);
}

/** Returns the import of an example, as a configuration would. */
async function importOf(named: NonNullable<Example["migrate"]>): Promise<ImportVm | undefined> {
  const { importNamed } = await import("../importers/import-named.ts");
  const found = importNamed(named);
  return "problem" in found ? undefined : found.open(await entryNamed(found.format).load());
}

/** A fixed date for `until=` in examples. */
const TODAY = "2026-01-01";

const heading = ({ title, host, workload, otherHosts = [], migrate }: Example): string => {
  const facts = Object.entries(workload ?? {}).map(([name, value]) => (typeof value === "string" ? value : `${name} ${value}`));
  const hosts = host ? [typeof host === "string" ? host : host.name, ...otherHosts] : [];
  const conditions = [hosts.length > 0 && `on ${hosts.join(" or ")}`, facts.join(" "), migrate && `to ${migrate.to} by ${migrate.by}`]
    .filter(Boolean)
    .join(", ");
  return conditions ? `${title} (${conditions})` : title;
};
