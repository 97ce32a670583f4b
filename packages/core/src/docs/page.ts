import { EMPTY_CONFIG, requireHost, targetOf } from "../config/config.ts";
import { DISABLE } from "../formats/directive.ts";
import type { Format } from "../formats/format.ts";
import { ovf } from "../formats/ovf/ovf.ts";
import type { ProjectFormat } from "../formats/project.ts";
import { terraform } from "../formats/terraform/terraform.ts";
import { govc } from "../formats/vi-json/govc.ts";
import { vmx } from "../formats/vmx/vmx.ts";
import { yaml } from "../formats/yaml/yaml.ts";
import { lintText } from "../lint/lint.ts";
import { lintTogether } from "../lint/lint-together.ts";
import { placer } from "../lint/placed.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { VmSpec } from "../model/spec.ts";
import type { Rule } from "../rules/define.ts";
import { FAMILIES, familyOf } from "../rules/families.ts";
import { isIn, kindsOf, PRESETS } from "../rules/presets.ts";
import { type Silencers, suppress } from "../suppress/suppress.ts";

export { FAMILIES, familyOf } from "../rules/families.ts";
export { rules } from "../rules/index.ts";

/** The page of a rule: what the site, `vmlint explain` and the editor show. The output in it is what the rule really prints. */
export function ruleMarkdown(rule: Rule): string {
  const bad = rule.bad.map((example) => {
    const output = lintExample(rule, example).map((d) => `${d.severity}: ${d.message}`);
    return `### ${heading(example)}\n\n${shown(example)}\n\n\`\`\`text\n${output.join("\n")}\n\`\`\``;
  });
  const good = rule.good.map((example) => `### ${heading(example)}\n\n${shown(example)}`);
  const severities = Object.entries(rule.severities ?? {}).map(([id, severity]) => `${severity} for \`${id}\``);
  const { evidence } = rule;
  const needs = [
    ...(rule.needs.some((need) => need !== "workload") ? ["Needs a host."] : []),
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
  const presets = PRESETS.filter((preset) => isIn(rule, preset)).map(code);
  return `${[
    `# ${rule.id}`,
    `${rule.summary}.`,
    ...(rule.optIn ? ["Off unless `rules:` in `vmlint.yaml` gives it a severity."] : []),
    [`Severity: ${[rule.severity, ...severities].join(", ")}.`, `Since: ${rule.since}.`, ...standing, ...needs].join(" "),
    ...(presets.length > 0 ? [`In the presets ${presets.join(", ")}.`] : []),
    `## Why\n\n${rule.why}`,
    ...(evidence
      ? [`## Evidence\n\n${evidence.figure} (${evidence.source.title}).${evidence.against ? `\n\nAgainst: ${evidence.against}` : ""}`]
      : []),
    `## When not to follow it\n\n${rule.whenNot}`,
    "## Reported",
    ...bad,
    "## Fine",
    ...good,
    ...(rule.sources.length > 0
      ? [`## Sources\n\n${rule.sources.map(({ title, url }) => `- ${url ? `[${title}](${url})` : title}`).join("\n")}`]
      : []),
  ].join("\n\n")}\n`;
}

const code = (word: string): string => `\`${word}\``;

/** All rules by family, each with its severity and what it finds, and a link to its page. */
export function rulesIndex(rules: readonly Rule[]): string {
  const sections = Object.entries(FAMILIES).map(([family, title]) => {
    const members = rules.filter(({ id }) => familyOf(id) === family);
    const rows = members.map(
      ({ id, severity, optIn, summary }) => `| [${id}](rules/${id}.md) | ${optIn ? `off (${severity})` : severity} | ${summary} |`,
    );
    return `## ${title}\n\n| rule | severity | finds |\n|---|---|---|\n${rows.join("\n")}`;
  });
  return `${[`# ${rules.length} rules`, ...sections].join("\n\n")}\n`;
}

type Example = Rule["good"][number];

/** A format of many files, for a text that is all of them. */
const oneFile = ({ name, parseProject }: ProjectFormat): Format => ({
  name,
  parse: (text) =>
    parseProject([MAIN], { read: (path) => (path === MAIN ? text : undefined), list: () => [MAIN] }, { environment: {}, options: [] }),
});

const MAIN = "main.tf";

/** The languages an example may be written in, and what reads them. */
const LANGUAGES = [
  ["vmx", vmx],
  ["yaml", yaml],
  ["json", govc],
  ["ovf", ovf],
  ["terraform", oneFile(terraform)],
] as const;

/** The texts of an example, each with its language. */
const textsOf = (example: Example) =>
  LANGUAGES.flatMap(([language, format]) => [example[language] ?? []].flat().map((text) => ({ language, format, text })));

/** The texts of an example; equal ones once. */
function shown(example: Example): string {
  const counts = new Map<string, number>();
  for (const { language, text } of textsOf(example)) {
    const block = `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
    counts.set(block, (counts.get(block) ?? 0) + 1);
  }
  return [...counts].map(([block, count]) => `${count > 1 ? `${count} VMs, each:\n\n` : ""}${block}`).join("\n\n");
}

/** Lints one of a rule's own examples with that rule alone; several texts are VMs that run on one machine. */
export function lintExample(rule: Rule, example: Example): readonly Diagnostic[] {
  const { host, workload, elsewhere } = example;
  const more = { ...(workload && { workload }), ...(elsewhere && { elsewhere: elsewhere.map((name) => requireHost(name)) }) };
  const fromComment = targetOf(EMPTY_CONFIG, typeof host === "string" ? requireHost(host) : host);
  const target = (vm: VmSpec) => ({
    ...fromComment(vm, () => "example.vmx"),
    // Its files are all there are.
    selects: (other: Rule) => other.over !== "descriptions" || other === rule,
    ...(rule.over === "host" && { machine: "example" }),
    ...(rule.optIn && { severities: { [rule.id]: rule.severity } }),
    ...more,
  });
  const place = placer();
  const silencers = new Map<string, Silencers>();
  const files = textsOf(example).map(({ text, format }, i) => {
    const path = `vm-${i + 1}`;
    // A suppression is told by what it hides, so that all rules have a part in it.
    const suppresses = text.includes(DISABLE);
    const { vms, diagnostics, skipped } = lintText(text, { ...(!suppresses && { rules: [rule] }), target, format });
    if (suppresses) silencers.set(path, { text, comments: format.comments?.(text) ?? [], declared: [], vms });
    return { path, text, diagnostics, skipped: suppresses ? [] : skipped, placed: place(vms), described: vms, vmCount: vms.length };
  });
  const linted = lintTogether(files, [rule]);
  if (silencers.size === 0) return linted.flatMap(({ diagnostics }) => diagnostics);
  const options = { today: TODAY, silencers, configs: [], isWhole: () => false };
  return suppress(linted, options).flatMap(({ diagnostics }) => diagnostics.filter(({ ruleId }) => ruleId === rule.id));
}

/** The day on which examples are read. */
const TODAY = "2026-01-01";

const heading = ({ title, host, workload, elsewhere = [] }: Example): string => {
  const facts = Object.entries(workload ?? {}).map(([name, value]) => (typeof value === "string" ? value : `${name} ${value}`));
  const hosts = host ? [typeof host === "string" ? host : host.name, ...elsewhere] : [];
  const conditions = [hosts.length > 0 && `on ${hosts.join(" or ")}`, facts.join(" ")].filter(Boolean).join(", ");
  return conditions ? `${title} (${conditions})` : title;
};
