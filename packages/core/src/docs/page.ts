import { EMPTY_CONFIG, requireHost, targetOf } from "../config/config.ts";
import { lint } from "../lint.ts";
import { lintTogether } from "../lint-together.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { VmSpec } from "../model/spec.ts";
import { yaml } from "../parse/yaml/yaml.ts";
import { placer } from "../placed.ts";
import type { Rule } from "../rules/define.ts";
import { isIn, kindsOf, PRESETS } from "../rules/presets.ts";

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
    ...(rule.together ? ["Needs VMs that are declared to run on one machine: `runs:` of its host, or `--together`."] : []),
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
    [`Severity: ${[rule.severity, ...severities].join(", ")}.`, `Since: ${rule.since}.`, ...standing, ...needs].join(" "),
    `In the presets ${presets.join(", ")}.`,
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

/** The families of rules, in the order of the index. */
const FAMILIES: Readonly<Record<string, string>> = {
  affinity: "Pinning to CPUs and nodes",
  numa: "NUMA nodes",
  topo: "Sockets and cores",
  cpu: "CPUs",
  smt: "Virtual hyper-threads",
  mem: "Memory",
  latency: "Latency sensitivity",
  guest: "Guest operating systems",
  mssql: "SQL Server",
  oracle: "Oracle",
  hana: "SAP HANA",
  imdg: "In-memory data grids",
  ft: "Fault Tolerance",
  storage: "Storage",
  scsi: "SCSI controllers",
  nvme: "NVMe controllers",
  net: "Network cards",
  host: "VMs of one machine",
  tf: "Terraform",
  vmx: ".vmx files",
  spec: "VM specs and comments",
};

const familyOf = ({ id }: Rule): string => id.slice(0, id.indexOf("/"));

/** All rules by family, each with its severity and what it finds, and a link to its page. */
export function rulesIndex(rules: readonly Rule[]): string {
  const families = [...new Set([...Object.keys(FAMILIES), ...rules.map(familyOf)])];
  const sections = families.flatMap((family) => {
    const members = rules.filter((rule) => familyOf(rule) === family);
    const rows = members.map(({ id, severity, summary }) => `| [${id}](rules/${id}.md) | ${severity} | ${summary} |`);
    return rows.length > 0 ? [`## ${FAMILIES[family] ?? family}\n\n| rule | severity | finds |\n|---|---|---|\n${rows.join("\n")}`] : [];
  });
  return `${[`# ${rules.length} rules`, ...sections].join("\n\n")}\n`;
}

type Example = Rule["good"][number];

const textsOf = ({ yaml, vmx = yaml ?? [] }: Example): readonly string[] => (typeof vmx === "string" ? [vmx] : vmx);

/** The texts of an example; equal ones once. */
function shown(example: Example): string {
  const counts = new Map<string, number>();
  for (const text of textsOf(example)) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts]
    .map(
      ([text, count]) =>
        `${count > 1 ? `${count} VMs, each:\n\n` : ""}\`\`\`${example.yaml === undefined ? "vmx" : "yaml"}\n${text.trimEnd()}\n\`\`\``,
    )
    .join("\n\n");
}

/** Lints one of a rule's own examples with that rule alone; several texts are VMs that run on one machine. */
export function lintExample(rule: Rule, example: Example): readonly Diagnostic[] {
  const { host, workload } = example;
  const fromComment = targetOf(EMPTY_CONFIG, typeof host === "string" ? requireHost(host) : host);
  const target = (vm: VmSpec) => ({
    ...fromComment(vm, () => "example.vmx"),
    selects: () => true,
    machine: "example",
    ...(workload && { workload }),
  });
  const place = placer();
  const files = textsOf(example).map((text, i) => {
    const format = example.yaml === undefined ? undefined : yaml;
    const { vms, diagnostics, skipped } = lint(text, { rules: [rule], target, format });
    return { path: `vm-${i + 1}`, diagnostics, skipped, placed: place(vms) };
  });
  return lintTogether(files, [rule]).flatMap(({ diagnostics }) => diagnostics);
}

const heading = ({ title, host, workload }: Example): string => {
  const facts = Object.entries(workload ?? {}).map(([name, value]) => (typeof value === "string" ? value : `${name} ${value}`));
  const conditions = [host && `on ${typeof host === "string" ? host : host.name}`, facts.join(" ")].filter(Boolean).join(", ");
  return conditions ? `${title} (${conditions})` : title;
};
