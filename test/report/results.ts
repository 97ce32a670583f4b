import { type FileResult, requireHost, rules, type Severity } from "@vmlint/core";
import { checkAcrossVms, type LintedFile, lintText, PLAIN, summarize } from "@vmlint/core/program";
import type { Run } from "@vmlint/core/reporters";

/** A fixed list of rules: a new rule does not affect the expected output. */
const RULES = ["affinity/ht-siblings", "affinity/overlap", "vmx/duplicate-key", "vmx/type", "latency/high"];
const named = rules.filter(({ id }) => RULES.includes(id));

export const RUN: Run = { tool: { name: "vmlint", version: "1.2.3" }, failOn: "warning", palette: PLAIN };

const PINNED = (name: string) =>
  `displayName = "${name}"\nvirtualHW.version = "10"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"\nsched.cpu.latencySensitivity = "high"\n`;

/** A linted file whose VMs all run on one dl580g7. */
export function linted(path: string, text: string, severities: Readonly<Record<string, Severity>> = {}): LintedFile {
  const target = { host: requireHost("dl580g7"), workload: { kind: "mssql" } as const, machine: "esx01", severities };
  return { ...lintText(text, { target, rules: named }), path, text };
}

export const results = (files: readonly LintedFile[]): readonly FileResult[] =>
  checkAcrossVms(
    files.map((file) => summarize(file)),
    named,
  );

/** Every kind of thing a report holds: each severity, related places in two files, fixes, a clean file, a suppressed finding. */
export function sample(): readonly FileResult[] {
  const [first, ...others] = results([
    linted("prod/a.vmx", PINNED("sql01"), { "latency/high": "info" }),
    linted("prod/b.vmx", PINNED("sql02"), { "affinity/ht-siblings": "error", "latency/high": "hint" }),
    linted("prod/clean.vmx", 'displayName = "web"\nvirtualHW.version = "10"\nnumvcpus = "4"\n'),
    linted("test/c.vmx", 'virtualHW.version = "10"\nnumvcpus = "{{ vcpus }}"\nnumvcpus = "four"\n'),
  ]);
  const [suppressed, ...told] = first?.diagnostics ?? [];
  if (!first || !suppressed) throw new Error("the sample has no finding to suppress");
  return [
    { ...first, diagnostics: told, suppressed: [{ diagnostic: suppressed, by: "comment", reason: "until the host is replaced" }] },
    ...others,
  ];
}
