import type { Fix as FixObject, Invocation, Location, Log, PhysicalLocation, Result, Suppression } from "sarif";
import { cellReference } from "../../model/cell.ts";
import type { Evidence } from "../../model/diagnostic.ts";
import { type Fix, fixTitle, type Related, SEVERITIES, type Suppressed } from "../../model/diagnostic.ts";
import { getOrInsert } from "../../model/maps.ts";
import type { Range } from "../../model/source.ts";
import { evidenceOf, pagesOf } from "../../rules/page-of.ts";
import type { NotChecked } from "../json-report.ts";
import { type FileResult, linesOf } from "../result.ts";
import { vmsOf } from "../subject.ts";
import { fingerprints, lineHashes } from "./fingerprint.ts";
import {
  document,
  type FindingAtPlace,
  type FindingPlace,
  findingsAtPlaces,
  isFailure,
  placesIn,
  type Reporter,
  whyUnchecked,
} from "./reporter.ts";
import { driver, LEVELS } from "./sarif-driver.ts";

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** The base of relative paths; the reader of the report maps it to a folder. */
const BASE = "%SRCROOT%";

/**
 * Code scanning refuses a run with more results (GitHub, "SARIF support for code scanning", Validating your SARIF file), and a file above
 * 10 MB after gzip. As many results of a fleet of 500 VMs take 69 MB, and 3.7 MB after gzip, so their number is the limit.
 */
const MOST_RESULTS = 25_000;

/** Writes SARIF 2.1.0 for code scanning. Section numbers refer to the standard. */
export const sarif: Reporter = (results, { tool, rules, notChecked = [] }) => {
  const linesIn = linesOf(results);
  const page = pagesOf(rules);
  const placeIn = (path: string, range: Range): FindingPlace => placesIn(linesIn(path))(range);
  const all = results.flatMap(findingsOf);
  const findings = worst(all);
  const names = fingerprints(findings);
  const hashesIn = hashesByFile();
  const ids = [...new Set(findings.map(({ diagnostic }) => diagnostic.ruleId))].sort();
  const anySuppressed = findings.some(({ suppressed }) => suppressed);
  const log: Log = {
    version: "2.1.0",
    $schema: SCHEMA,
    runs: [
      {
        tool: { driver: driver(tool, ids, rules) },
        invocations: [invocation(notChecked, all.length - findings.length)],
        originalUriBaseIds: { [BASE]: { description: { text: "The folder that vmlint was run in." } } },
        columnKind: "utf16CodeUnits",
        results: findings.map((finding, i) => ({
          ...resultOf(finding, placeIn, evidenceOf(page(finding.diagnostic.ruleId))),
          ruleIndex: ids.indexOf(finding.diagnostic.ruleId),
          partialFingerprints: {
            "vmlint/v1": names[i] ?? "",
            // A workbook has no lines.
            ...(!finding.diagnostic.cell && { primaryLocationLineHash: hashesIn(finding.file)[finding.place.line - 1] ?? "" }),
          },
          // 3.27.23: if one result has this property, all results must have it.
          ...(anySuppressed && { suppressions: finding.suppressed ? [suppression(finding.suppressed)] : [] }),
        })),
      },
    ],
  };
  return document(log);
};

/** A run with unreadable files is unsuccessful (3.20.14) and lists them as notifications (3.20.21). */
function invocation(notChecked: readonly NotChecked[], omitted: number): Invocation {
  const notifications: Invocation["toolExecutionNotifications"] = notChecked.map((unchecked) => ({
    level: isFailure(unchecked) ? "error" : "note",
    message: { text: unlinked(whyUnchecked(unchecked)) },
    locations: [{ physicalLocation: { artifactLocation: artifact(unchecked.path) } }],
  }));
  const text = `The report omits the ${omitted} least severe findings, because code scanning takes ${MOST_RESULTS}.`;
  if (omitted > 0) notifications.push({ level: "warning", message: { text } });
  return {
    executionSuccessful: !notChecked.some(isFailure),
    ...(notifications.length > 0 && { toolExecutionNotifications: notifications }),
  };
}

/** Returns as many findings as code scanning takes, the most severe ones, in their order. Suppressed findings have the lowest rank. */
function worst(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= MOST_RESULTS) return findings;
  const rank = ({ suppressed, diagnostic }: Finding): number => (suppressed ? SEVERITIES.length : SEVERITIES.indexOf(diagnostic.severity));
  const order = new Map(findings.map((finding, i) => [finding, i]));
  const place = (finding: Finding): number => order.get(finding) ?? 0;
  const worst = findings.toSorted((a, b) => rank(a) - rank(b)).slice(0, MOST_RESULTS);
  return worst.sort((a, b) => place(a) - place(b));
}

interface Finding extends FindingAtPlace {
  readonly suppressed?: Suppressed;
}

const findingsOf = (file: FileResult): readonly Finding[] => [
  ...findingsAtPlaces(file),
  ...(file.suppressed ?? []).flatMap((suppressed) =>
    findingsAtPlaces(file, [suppressed.diagnostic]).map((finding) => ({ ...finding, suppressed })),
  ),
];

function hashesByFile(): (file: FileResult) => readonly string[] {
  const indexes = new Map<FileResult, readonly string[]>();
  return (file) => getOrInsert(indexes, file, () => lineHashes(file.text));
}

const suppression = ({ by, reason }: Suppressed): Suppression => ({
  kind: by === "comment" ? "inSource" : "external",
  ...(reason !== null && { justification: reason }),
});

function resultOf(
  { file: { path }, diagnostic, place }: Finding,
  placeIn: (path: string, range: Range) => FindingPlace,
  evidence: Evidence | null,
): Result {
  const { ruleId, messageId, severity, message, vm, vms, host, assumedOfHost, data, related, fixes, cell } = diagnostic;
  const logical = [
    ...(cell ? [{ name: cell.title, fullyQualifiedName: cellReference(cell), kind: "cell" }] : []),
    ...vmsOf(diagnostic).map((name) => ({ name, kind: "virtual machine" })),
  ];
  return {
    ruleId,
    level: LEVELS[severity],
    message: { text: unlinked(message) },
    locations: [
      {
        physicalLocation: physical(path, place),
        ...(logical.length > 0 && { logicalLocations: logical }),
      },
    ],
    ...(related.length > 0 && { relatedLocations: related.map((other, i) => relatedLocation(other, i, path, placeIn)) }),
    ...(fixes.length > 0 && { fixes: distinct(fixes.map((fix) => fixObject(fix, path, placeIn))) }),
    properties: { messageId, severity, vm, ...(vms && { vms }), host, ...(assumedOfHost && { assumedOfHost }), data, evidence },
  };
}

/** The schema requires unique items. */
const distinct = <T>(items: readonly T[]): T[] => [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];

const relatedLocation = (
  { message, range, path: other }: Related,
  id: number,
  ownPath: string,
  placeIn: (path: string, range: Range) => FindingPlace,
): Location => ({
  id: id + 1,
  message: { text: unlinked(message) },
  physicalLocation: physical(other ?? ownPath, placeIn(other ?? ownPath, range)),
});

/** Returns one change for each edited file. */
const fixObject = (fix: Fix, ownPath: string, placeIn: (path: string, range: Range) => FindingPlace): FixObject => ({
  description: { text: unlinked(fixTitle(fix)) },
  artifactChanges: [...new Set(fix.edits.map(({ path = ownPath }) => path))].map((path) => ({
    artifactLocation: artifact(path),
    replacements: fix.edits
      .filter((edit) => (edit.path ?? ownPath) === path)
      .map(({ range, newText }) => ({ deletedRegion: region(placeIn(path, range)), insertedContent: { text: newText } })),
  })),
  properties: { safety: fix.safety },
});

const physical = (path: string, place: FindingPlace): PhysicalLocation => ({ artifactLocation: artifact(path), region: region(place) });

const region = ({ line, column, endLine, endColumn }: FindingPlace) => ({
  startLine: line,
  startColumn: column,
  endLine,
  endColumn,
});

/** A path on another drive or network share of Windows is absolute (RFC 8089, appendix E.2 and E.3); any other path is relative. */
function artifact(path: string): PhysicalLocation["artifactLocation"] & object {
  const [drive = ""] = /^(?:[A-Za-z]:(?=\/)|\/\/)/.exec(path) ?? [];
  const uri = path.slice(drive.length).split("/").map(segment).join("/");
  return drive ? { uri: drive === "//" ? `file://${uri}` : `file:///${drive}${uri}` } : { uri, uriBaseId: BASE };
}

/** A URI cannot hold an unpaired surrogate. */
const segment = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, "\ufffd"));

/**
 * Breaks `[text](place)` with a zero-width character. SARIF makes a link of it anywhere in a message (3.11.6), even if it comes from a
 * file.
 */
const unlinked = (text: string): string => text.replaceAll("](", "]\u200b(");
