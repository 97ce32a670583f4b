import { formatEsxi } from "../../model/esxi.ts";
import { grouped } from "../../model/maps.ts";
import { valueIfKnown } from "../../model/source.ts";
import { capitalized } from "../../model/words.ts";
import { rules as builtin } from "../../rules/index.ts";
import { countBySeverity } from "../counts.ts";
import { entriesOf } from "../entries.ts";
import { type EstateVm, estateVms, FIT_WORDS } from "../estate-vms.ts";
import { groupedBy } from "../finding-groups.ts";
import { subjectOf, vmNames } from "../subject.ts";
import { type CellValue, type ReportSheet, reportSheet, workbookBytes } from "../workbook-file.ts";
import { findingRows } from "./finding-row.ts";
import { allPlaced, type BinaryReporter, type FindingAtPlace, isFailure, type Run, whereIs, whyUnchecked } from "./reporter.ts";

/** Writes a workbook: what to do first, a sheet for each severity, and all VMs of the inventories. */
export const xlsx: BinaryReporter = (results, run) => {
  const { notChecked = [], rules = builtin } = run;
  const findings = allPlaced(results);
  const bySeverity = grouped(findings, ({ diagnostic }) => diagnostic.severity);
  const vms = estateVms(results);
  return workbookBytes([
    summarySheet(entriesOf(results).flat(), rules),
    ...(["error", "warning", "info", "hint"] as const).flatMap((severity) => {
      const found = bySeverity.get(severity) ?? [];
      return found.length > 0 ? [findingSheet(`${capitalized(severity)}s`, found, run)] : [];
    }),
    ...(vms.length > 0 ? [vmSheet(vms)] : []),
    ...(notChecked.length > 0
      ? [
          reportSheet(
            "Not checked",
            { Path: 50, Kind: 12, "*Reason": 90 },
            notChecked.map((one) => [one.path, isFailure(one) ? "error" : "info", whyUnchecked(one)]),
          ),
        ]
      : []),
  ]);
};

function summarySheet(findings: Parameters<typeof groupedBy>[0], rules: NonNullable<Run["rules"]>): ReportSheet {
  const groups = groupedBy(findings, ({ diagnostic }) => [diagnostic.ruleId]);
  const rows = groups.map(({ name, counts, vms, hosts, clusters, first: { diagnostic } }, i): readonly CellValue[] => {
    const { severity, message, docsUrl } = diagnostic;
    const places = [...clusters].sort(([, a], [, b]) => b - a).map(([cluster, count]) => `${cluster} ${count}`);
    const summary = rules.find(({ id }) => id === name)?.summary;
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const rule = docsUrl === "" ? name : { text: name, url: docsUrl };
    return [i + 1, severity, summary, total, vms, hosts, places.join(", "), message, rule];
  });
  const widths = {
    Order: 8,
    Severity: 10,
    "*What is wrong": 40,
    Findings: 10,
    VMs: 8,
    Hosts: 8,
    "*Clusters": 30,
    "*Example": 80,
    Rule: 32,
  };
  return reportSheet("Summary", widths, rows);
}

function findingSheet(name: string, findings: readonly FindingAtPlace[], { rules }: Run): ReportSheet {
  const rowOf = findingRows(rules);
  const rows = findings.map((finding): readonly CellValue[] => {
    const { diagnostic } = finding;
    const { cluster, host, ruleId, message, severity } = diagnostic;
    const { title, value, proposed, fix, page } = rowOf(finding);
    const subject = subjectOf(diagnostic);
    const kind = subject === null ? "file" : subject.kind;
    const about = kind === "vm" ? vmNames(diagnostic) : (subject?.name ?? finding.file.path);
    return [cluster, host ?? "", kind, about, title, message, value, proposed, fix, severity, ruleId, whereIs(finding), page];
  });
  const widths = {
    ...{ Cluster: 16, Host: 24, Kind: 8, Subject: 26, "*Title": 36, "*Finding": 70, "*Current value": 28 },
    ...{ "*Proposed value": 28, "*Fix": 44, Severity: 10, Rule: 30, Place: 32, Page: 40 },
  };
  return reportSheet(name, widths, rows);
}

function vmSheet(vms: readonly EstateVm[]): ReportSheet {
  const rows = vms.map(({ spec, host, cluster, layout, fit, findings }): readonly CellValue[] => {
    const { vcpus, coresPerSocket, memoryMiB, hardwareVersion, guestOs } = spec.settings;
    const counts = countBySeverity([{ diagnostics: findings }]);
    const memory = valueIfKnown(memoryMiB);
    const state = spec.template ? "template" : spec.running ? "on" : spec.off ? "off" : "";
    const rules = [...new Set(findings.map(({ ruleId }) => ruleId))].join(", ");
    return [
      ...[spec.name, cluster, host?.name ?? spec.runsOn?.name, state, valueIfKnown(vcpus), valueIfKnown(coresPerSocket)],
      ...[memory === undefined ? undefined : Math.round(memory / 10.24) / 100, fit && FIT_WORDS[fit], layout],
      ...[valueIfKnown(hardwareVersion), valueIfKnown(guestOs), spec.measured?.readyPercent?.value],
      ...[host?.esxi && formatEsxi(host.esxi), counts.error, counts.warning, counts.info + counts.hint, rules],
    ];
  });
  const widths = {
    ...{ VM: 28, Cluster: 16, Host: 24, Power: 10, vCPUs: 8, "Cores per socket": 10, "Memory (GiB)": 10, "On its host": 18 },
    ...{ "vCPUs by NUMA node": 16, "Hardware version": 10, Guest: 26, "CPU ready (%)": 10, ESXi: 10 },
    ...{ Errors: 8, Warnings: 10, Notes: 8, "*Rules": 60 },
  };
  return reportSheet("VMs", widths, rows);
}
