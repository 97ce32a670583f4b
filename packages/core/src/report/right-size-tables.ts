import { coresOf } from "../model/host.ts";
import { plural } from "../model/words.ts";
import { groupText } from "../platforms/esxi/layout.ts";
import { ACTIONS, type Action, type ClusterSum, clusterSums, type RightSized } from "../size/right-size.ts";
import type { RightSizing } from "../size/right-size-estate.ts";
import { powercli } from "../size/write.ts";
import { escapeXml } from "./picture/svg-text.ts";
import { folded, pageHead, sortedTable } from "./reporters/html/elements.ts";
import { layoutTrack } from "./reporters/html/estate.ts";
import { SCRIPT, SCRIPT_HASH } from "./reporters/html/script.ts";
import {
  ACTION_WORDS,
  COLUMNS,
  cellsOf,
  changeOf,
  changes,
  countWords,
  joinLines,
  missingLines,
  reasonsOf,
  shapeWords,
  sumWords,
  UNKNOWN,
  writtenShape,
} from "./right-size-report.ts";
import { reportSheet, workbookBytes } from "./workbook-file.ts";

/** The most VMs of a section, and rows of the table, that the page has; a workbook lists all. */
const SHOWN = 10;
const MOST_VMS = 200;
const MOST_ROWS = 2000;

/** The colours of answers in the bars of clusters. */
const COLOURS: Readonly<Record<Action, string>> = {
  grow: "exceeds",
  reshape: "spans",
  shrink: "fits",
  keep: "open",
  undecided: "",
  unmeasured: "",
};

/** Returns a page with the sums of each cluster, the VMs that change on their nodes, and a table of all. It loads nothing. */
export function rightSizeHtml(sizing: RightSizing): string {
  const { vms } = sizing;
  const sums = clusterSums(vms);
  const total = (action: Action): number => vms.filter((vm) => vm.action === action).length;
  const title = `Sizes of ${plural(vms.length, "VM")}`;
  return [
    ...pageHead(`vmlint size: ${title}`, SCRIPT_HASH),
    "<body>",
    `<header>\n<h1>${title}</h1>`,
    `<ul class="counts">${ACTIONS.map((action) => `<li><b>${total(action)}</b> ${ACTION_WORDS[action]}</li>`).join("")}</ul>`,
    `<p>${escapeXml(UNKNOWN)}</p>\n</header>`,
    "<main>",
    "<h2>Clusters</h2>",
    `<p class="about">VMs: ${KEY}.</p>`,
    ...folded(sums.map(clusterRow), "cluster", SHOWN),
    ...changes(vms).flatMap(({ title: words, vms: some }) => section(words, some)),
    ...unanswered(sizing),
    ...table(vms),
    "</main>",
    `<footer>${missingLines(vms)
      .map((line) => `<p>${escapeXml(line)}</p>`)
      .join("")}<p>Review each command. vmlint changes nothing.</p></footer>`,
    `<script>${SCRIPT}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

const KEY = (["shrink", "reshape", "grow", "keep"] as const)
  .map((action) => `<i class="key ${COLOURS[action]}"></i> ${ACTION_WORDS[action]}`)
  .join(", ");

function clusterRow(sum: ClusterSum): string {
  const all = ACTIONS.reduce((count, action) => count + sum.vms[action], 0);
  const parts = (["shrink", "reshape", "grow", "keep"] as const)
    .filter((action) => sum.vms[action] > 0)
    .map((action) => `<i class="${COLOURS[action]}" style="width:${((100 * sum.vms[action]) / all).toFixed(2)}%"></i>`);
  const words = [countWords(sum), sumWords(sum)].filter((text) => text !== "").join("; ");
  return `<div class="load"><span class="name"><bdi>${escapeXml(sum.cluster ?? "No cluster")}</bdi></span><span class="bar" aria-hidden="true">${parts.join("")}</span><span class="about">${escapeXml(words)}</span></div>`;
}

function section(title: string, vms: readonly RightSized[]): readonly string[] {
  if (vms.length === 0) return [];
  const left = vms.length - MOST_VMS;
  return [
    `<h2>${title}</h2>`,
    ...folded(vms.slice(0, MOST_VMS).map(vmBox), "VM", SHOWN),
    ...(left > 0 ? [`<p>${plural(left, "more VM")}: --format xlsx:FILE.xlsx lists all.</p>`] : []),
  ];
}

function vmBox(one: RightSized): string {
  const { vm, vcpus, shape, host, cluster } = one;
  if (!shape) return "";
  const change = changeOf(one);
  const difference = change === 0 ? "the same number" : `${Math.abs(change)} ${change < 0 ? "returned" : "more"}`;
  const place = [host, cluster].flatMap((name) => (name === null ? [] : `<bdi>${escapeXml(name)}</bdi>`)).join(", ");
  return [
    `<details class="vm"><summary><h3><bdi>${escapeXml(vm)}</bdi></h3> ${vcpus ?? 0} &#8594; ${shape.vcpus} vCPUs <span class="about">${difference}; ${place}</span></summary>`,
    ...picture(one),
    ...reasonsOf(one).map((line) => `<p>${escapeXml(line)}</p>`),
    `<pre>${escapeXml(powercli(vm, shape))}</pre>`,
    `<pre>${escapeXml(writtenShape(shape).terraform)}</pre>`,
    "</details>",
  ].join("\n");
}

/** Shows the VM on the nodes of its host, today and as proposed. */
function picture({ on, layout, shape, vcpus }: RightSized): readonly string[] {
  const proposed = shape?.topologies[0]?.numaClients;
  if (!on || !layout || !proposed || !shape) return [];
  const largest = Math.max(coresOf(on), vcpus ?? 0);
  const width = (count: number): string => `${((100 * count) / largest).toFixed(2)}%`;
  const row = (word: string, parts: readonly number[], about: string): string =>
    `<div class="shape"><span>${word}</span>${layoutTrack(on, parts, { kind: parts.length > 1 ? "spans" : "fits", width })}<span class="about">${escapeXml(about)}</span></div>`;
  return [row("today", layout, `${plural(vcpus ?? 0, "vCPU")} (${groupText(layout)})`), row("proposed", proposed, shapeWords(shape))];
}

/** Lists VMs without an answer by their reasons, and names that join nothing. */
function unanswered(sizing: RightSizing): readonly string[] {
  const open = sizing.vms.filter(({ action }) => action === "undecided");
  const lines = [...open.map(({ vm, reason }) => `${vm}: ${reason}.`), ...joinLines(sizing)];
  if (lines.length === 0) return [];
  return [
    "<h2>Without an answer</h2>",
    ...folded(
      lines.slice(0, MOST_VMS).map((line) => `<p>${escapeXml(line)}</p>`),
      "line",
      SHOWN,
    ),
  ];
}

const NUMERIC: ReadonlySet<keyof typeof COLUMNS> = new Set([
  ...([
    "vcpus",
    "demandPeakVcpus",
    "windowDays",
    "readyPercent",
    "costopPercent",
    "need",
    "proposed",
    "coresPerSocket",
    "difference",
  ] as const),
]);

/** The columns of the table of the page; a workbook has all. */
const OF_TABLE = [
  "vm",
  "cluster",
  "host",
  "action",
  "vcpus",
  "need",
  "proposed",
  "layoutOfProposed",
  "difference",
  "demandPeakVcpus",
] as const;

function table(vms: readonly RightSized[]): readonly string[] {
  const names = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
  const titleOf = (name: keyof typeof COLUMNS): string => COLUMNS[name][0];
  const columns = [...OF_TABLE, "readyPercent", "recommended"] as const;
  const rows = vms.slice(0, MOST_ROWS).map((vm) => {
    const cells = cellsOf(vm);
    return columns.map((name) => `<bdi>${escapeXml(String(cells[names.indexOf(name)] ?? ""))}</bdi>`);
  });
  const numeric = new Set(columns.filter((name) => NUMERIC.has(name)).map(titleOf));
  return [
    "<h2>All VMs</h2>",
    `<details><summary>${plural(vms.length, "VM")}, sorted by any column</summary>`,
    ...(vms.length > MOST_ROWS ? [`<p>The table has ${MOST_ROWS} of ${vms.length} VMs. --format xlsx:FILE.xlsx lists all.</p>`] : []),
    ...sortedTable("All VMs", columns.map(titleOf), { rows, numeric }),
    "</details>",
  ];
}

/** Returns a workbook: the clusters, the VMs that change, and all VMs. */
export function rightSizeWorkbook(sizing: RightSizing): Uint8Array {
  const { vms } = sizing;
  const titles = Object.fromEntries(Object.values(COLUMNS));
  const clusters = clusterSums(vms).map(({ cluster, vms: counts, ...sum }) => [
    cluster ?? "",
    ...ACTIONS.map((action) => counts[action]),
    ...[sum.vcpusReturned, sum.vcpusAdded, sum.nodesFreed, sum.licencesReturned, sum.licencesAdded],
  ]);
  const widths = {
    Cluster: 24,
    ...Object.fromEntries(ACTIONS.map((action) => [ACTION_WORDS[action], 12])),
    ...{ "vCPUs returned": 12, "vCPUs added": 12, "NUMA nodes freed": 12, "Core licences returned": 14, "Core licences added": 14 },
  };
  const changing = changes(vms).flatMap(({ title, vms: some }) => (title.includes("figures against") ? [] : some));
  const lines = [...joinLines(sizing), ...missingLines(vms), UNKNOWN];
  return workbookBytes([
    reportSheet("Clusters", widths, clusters),
    ...(changing.length > 0 ? [reportSheet("Changes", titles, changing.map(cellsOf))] : []),
    reportSheet("VMs", titles, vms.map(cellsOf)),
    reportSheet(
      "To know",
      { "*To know": 120 },
      lines.map((line) => [line]),
    ),
  ]);
}
