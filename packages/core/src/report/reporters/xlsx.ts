import { formatEsxi } from "../../model/esxi.ts";
import { grouped } from "../../model/maps.ts";
import { valueIfKnown } from "../../model/source.ts";
import { capitalized, plural } from "../../model/words.ts";
import { type PageById, pagesOf } from "../../rules/page-of.ts";
import { countBySeverity, scopeWords } from "../counts.ts";
import { entriesOf } from "../entries.ts";
import { type EstateVm, estateVms, FIT_WORDS } from "../estate-vms.ts";
import { groupedBy, groupedByRule } from "../finding-groups.ts";
import { startWords } from "../overview.ts";
import { subjectOf, vmNames } from "../subject.ts";
import { type CellValue, type ReportSheet, reportSheet, workbookBytes } from "../workbook-file.ts";
import { findingRows } from "./finding-row.ts";
import { allPlaced, type BinaryReporter, type FindingAtPlace, isFailure, type Run, whereIs, whyUnchecked } from "./reporter.ts";

/** Writes a workbook: what to do first, a sheet for each severity, and all VMs of the inventories. */
export const xlsx: BinaryReporter = (results, run) => {
  const { notChecked = [], rules } = run;
  const page = pagesOf(rules);
  const findings = allPlaced(results);
  const bySeverity = grouped(findings, ({ diagnostic }) => diagnostic.severity);
  const vms = estateVms(results);
  const groups = groupedBy(entriesOf(results).flat(), ({ diagnostic }) => [diagnostic.ruleId]);
  return workbookBytes([
    startSheet(results, groupedByRule(entriesOf(results).flat()), page),
    summarySheet(groups, page),
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

type Groups = ReturnType<typeof groupedBy>;

/** The rules on the first sheet. */
const FIRST = 5;

/** Says in sentences what is wrong and what to do first. */
function startSheet(results: Parameters<BinaryReporter>[0], groups: ReturnType<typeof groupedByRule>, page: PageById): ReportSheet {
  const steps = groups.slice(0, FIRST).map(({ name, vms, hosts, others, first: { diagnostic, file } }, i) => {
    const counts = [...(vms > 0 ? [plural(vms, "VM")] : []), ...(hosts > 0 ? [plural(hosts, "host")] : [])].join(" and ");
    const what = page(name)?.summary ?? name;
    const subject = subjectOf(diagnostic)?.name ?? file.path;
    return `${i + 1}. ${what}${counts === "" ? "" : `: ${counts}`}. For example ${subject}: ${diagnostic.message}${others === "" ? "" : ` Also ${others}.`}`;
  });
  const lines = [
    startWords(results, groups[0], page) ?? `No errors or warnings in ${scopeWords(results)}.`,
    ...steps,
    ...(groups.length > 0 ? ["The sheets of severities list each finding with its fix. Filter them by cluster, host or rule."] : []),
  ];
  return reportSheet(
    "Start",
    { "*What to do first": 110 },
    lines.map((line) => [line]),
  );
}

function summarySheet(groups: Groups, page: PageById): ReportSheet {
  const rows = groups.map(({ name, counts, vms, hosts, clusters, first: { diagnostic } }, i): readonly CellValue[] => {
    const { severity, message, docsUrl } = diagnostic;
    const places = [...clusters].sort(([, a], [, b]) => b - a).map(([cluster, count]) => `${cluster} ${count}`);
    const summary = page(name)?.summary;
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
    return [about, cluster, host ?? "", title, value, proposed, fix, message, severity, ruleId, kind, whereIs(finding), page];
  });
  // A screen shows about 180 characters: what to do comes first.
  const widths = {
    ...{ Subject: 22, Cluster: 12, Host: 22, "*Title": 30, "*Current value": 22, "*Proposed value": 22, "*Fix": 40 },
    ...{ "*Finding": 70, Severity: 10, Rule: 30, Kind: 8, Place: 32, Page: 40 },
  };
  return reportSheet(name, widths, rows);
}

function vmSheet(vms: readonly EstateVm[]): ReportSheet {
  const rows = vms.map(({ spec, host, cluster, layout, fit, open, findings }): readonly CellValue[] => {
    const { vcpus, coresPerSocket, memoryMiB, hardwareVersion, guestOs } = spec.settings;
    const counts = countBySeverity([{ diagnostics: findings }]);
    const memory = valueIfKnown(memoryMiB);
    const state = spec.template ? "template" : spec.running ? "on" : spec.off ? "off" : "";
    const rules = [...new Set(findings.map(({ ruleId }) => ruleId))].join(", ");
    return [
      ...[spec.name, cluster, host?.name ?? spec.runsOn?.name, state, valueIfKnown(vcpus), valueIfKnown(coresPerSocket)],
      ...[memory === undefined ? undefined : Math.round(memory / 10.24) / 100, fit ? FIT_WORDS[fit] : `unknown: ${open ?? ""}`, layout],
      ...[valueIfKnown(hardwareVersion), valueIfKnown(guestOs), spec.measured?.readyPercent?.value],
      ...[host?.esxi && formatEsxi(host.esxi), counts.error, counts.warning, counts.info + counts.hint, rules],
    ];
  });
  const widths = {
    ...{ VM: 28, Cluster: 16, Host: 24, Power: 10, vCPUs: 8, "Cores per socket": 10, "Memory (GiB)": 10, "*On its host": 24 },
    ...{ "vCPUs by NUMA node": 16, "Hardware version": 10, Guest: 26, "CPU ready (%)": 10, ESXi: 10 },
    ...{ Errors: 8, Warnings: 10, Notes: 8, "*Rules": 60 },
  };
  return reportSheet("VMs", widths, rows);
}
