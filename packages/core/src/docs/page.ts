import { EMPTY_CONFIG, requireHost, targetOf } from "../config/config.ts";
import { lint } from "../lint.ts";
import type { Rule } from "../rules/define.ts";

/** The page of a rule: what the site, `vmlint explain` and the editor show. The output in it is what the rule really prints. */
export function ruleMarkdown(rule: Rule): string {
  const bad = rule.bad.map((example) => {
    const output = lintExample(rule, example).diagnostics.map((d) => `${d.severity}: ${d.message}`);
    return `### ${heading(example)}\n\n\`\`\`vmx\n${example.vmx}\n\`\`\`\n\n\`\`\`text\n${output.join("\n")}\n\`\`\``;
  });
  const good = rule.good.map((example) => `### ${heading(example)}\n\n\`\`\`vmx\n${example.vmx}\n\`\`\``);
  const severities = Object.entries(rule.severities ?? {}).map(([id, severity]) => `${severity} for \`${id}\``);
  const { evidence } = rule;
  const needs = [
    ...(rule.needs.some((need) => need !== "workload") ? ["Needs a host."] : []),
    ...(rule.needs.includes("workload") ? [`Needs a declared workload${rule.about ? ` \`${rule.about}\`` : ""}.`] : []),
  ];
  return `${[
    `# ${rule.id}`,
    `${rule.summary}.`,
    [`Severity: ${[rule.severity, ...severities].join(", ")}.`, `Since: ${rule.since}.`, ...needs].join(" "),
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

type Example = Rule["good"][number];

/** Lints one of a rule's own examples with that rule alone. */
export function lintExample(rule: Rule, { vmx, host, workload }: Example) {
  const fromComment = targetOf(EMPTY_CONFIG, host === undefined ? undefined : requireHost(host));
  return lint(vmx, { rules: [rule], target: (vm) => ({ ...fromComment(vm, () => "example.vmx"), ...(workload && { workload }) }) });
}

const heading = ({ title, host, workload }: Example): string => {
  const facts = workload ? Object.values(workload).join(" ") : "";
  const conditions = [host && `on ${host}`, facts].filter(Boolean).join(", ");
  return conditions ? `${title} (${conditions})` : title;
};
