import { hostInWords } from "../../../hosts/host-facts.ts";
import { coresOf, coresPerNode, type HostModel } from "../../../model/host.ts";
import { sequence } from "../../../model/sequence.ts";
import { valueIfKnown } from "../../../model/source.ts";
import { plural } from "../../../model/words.ts";
import { countBySeverity } from "../../counts.ts";
import { type ClusterLoad, clusterLoads, type HostKind, hostKinds, type Load, openReasons, type Shape, shapesOf } from "../../estate.ts";
import { type EstateVm, FIT_WORDS } from "../../estate-vms.ts";
import { escapeXml } from "../../picture/svg-text.ts";
import type { Run } from "../reporter.ts";
import { countBadges, folded, sortedTable } from "./elements.ts";

/** The most clusters, hosts, kinds and rows that the page shows without opening something. */
const SHOWN = 10;

/** Returns the place of a VM's findings. */
type LinkOf = (vm: EstateVm) => string | undefined;

/** Returns the VMs of inventories: by cluster and host, on each kind of host, and in a table. */
export function estate(vms: readonly EstateVm[], linkOf: LinkOf, { hosts }: Run): readonly string[] {
  if (vms.length === 0) return [];
  return [
    "<h2>Clusters and hosts</h2>",
    `<p class="about">${KEY}. A template does not count, and a VM that is off has no vCPUs on a core.</p>`,
    ...folded(clusterLoads(vms, hosts).map(clusterRow), "cluster", SHOWN),
    ...openWords(vms),
    "<h2>VMs on each kind of host</h2>",
    `<p class="about">A box is a NUMA node with its cores. A bar is a VM of that size: each part stays on one node, and ESXi chooses which.</p>`,
    ...folded(
      hostKinds(vms, hosts).map((kind) => kindFigure(kind, linkOf)),
      "kind",
      SHOWN,
    ),
    ...vmTable(vms, linkOf),
  ];
}

/** Returns why layouts are unknown. */
function openWords(vms: readonly EstateVm[]): readonly string[] {
  const reasons = openReasons(vms);
  if (reasons.length === 0) return [];
  const shown = reasons.slice(0, MOST_REASONS).map(([why, count]) => `${plural(count, "VM")}: ${why}`);
  const rest = reasons.slice(MOST_REASONS).reduce((sum, [, count]) => sum + count, 0);
  const all = [...shown, ...(rest > 0 ? [`${plural(rest, "VM")}: other reasons, in the table of all VMs`] : [])];
  return [`<p class="about">Layout unknown. ${escapeXml(all.join("; "))}.</p>`];
}

const MOST_REASONS = 5;

const PARTS = ["fits", "spans", "exceeds", "open"] as const;
const PART_WORDS = { ...FIT_WORDS, open: "layout unknown" } as const;
const COUNT_WORDS = { ...PART_WORDS, spans: "span nodes", exceeds: "exceed the host" } as const;

const KEY = `VMs: ${PARTS.map((part) => `<i class="key ${part}"></i> ${PART_WORDS[part]}`).join(", ")}`;

const oneDigit = (value: number): string => value.toFixed(1).replace(/\.0$/, "");

function loadWords({ vms, fits, vcpusPerCore, readyPercent }: Load): string {
  const parts = PARTS.filter((part) => part !== "fits" && fits[part] > 0).map((part) => `${fits[part]} ${COUNT_WORDS[part]}`);
  return [
    `${plural(vms, "VM")}${parts.length > 0 ? ` (${parts.join(", ")})` : ""}`,
    ...(vcpusPerCore === undefined ? [] : [`${oneDigit(vcpusPerCore)} vCPUs per core`]),
    ...(readyPercent === undefined ? [] : [`CPU ready up to ${oneDigit(readyPercent)} %`]),
  ].join(", ");
}

const loadBar = ({ fits, vms }: Load): string =>
  `<span class="bar" aria-hidden="true">${PARTS.filter((part) => fits[part] > 0)
    .map((part) => `<i class="${part}" style="width:${((100 * fits[part]) / vms).toFixed(2)}%"></i>`)
    .join("")}</span>`;

const loadLine = (load: Load, more = ""): string =>
  `<span class="name"><bdi>${escapeXml(load.name)}</bdi></span>${loadBar(load)}<span class="about">${more}${loadWords(load)}</span>`;

function clusterRow(cluster: ClusterLoad): string {
  const { hosts } = cluster;
  if (hosts.length === 0) return `<div class="load">${loadLine(cluster)}</div>`;
  const rows = folded(
    hosts.map((host) => `<div class="load">${loadLine(host)}</div>`),
    "host",
    SHOWN,
  );
  return `<details class="row"><summary class="load">${loadLine(cluster, `${plural(hosts.length, "host")}, `)}</summary><div class="hosts">${rows.join("\n")}</div></details>`;
}

function kindFigure(kind: HostKind, linkOf: LinkOf): string {
  const { host, hosts, vms } = kind;
  const shapes = shapesOf(kind);
  const drawn = new Set(shapes.flatMap((shape) => shape.vms));
  const others = vms.filter((vm) => !drawn.has(vm));
  const largest = Math.max(coresOf(host), ...shapes.map(({ vcpus }) => vcpus));
  const width = (count: number): string => `${((100 * count) / largest).toFixed(2)}%`;
  const nodes = sequence(host.numaNodes, (node) => {
    const label = node === 0 ? `node 0: ${plural(coresPerNode(host), "core")}` : `node ${node}`;
    return `<span class="node" style="width:${width(coresPerNode(host))}">${host.numaNodes > MOST_LABELS ? "" : label}</span>`;
  });
  const cpu = host.cpu === undefined ? "" : ` <span class="about"><bdi>${escapeXml(host.cpu)}</bdi></span>`;
  return [
    `<figure class="kind"><figcaption>${plural(hosts, "host")} of ${escapeXml(hostInWords(host))}${cpu}</figcaption>`,
    `<div class="shape"><span class="about">${plural(vms.length, "VM")}</span><span class="nodes">${nodes.join("")}</span><span></span></div>`,
    ...folded(
      shapes.map((shape) => shapeRow(shape, kind, width) + vmNames(shape.vms, linkOf)),
      "size",
      SHOWN,
    ),
    ...(others.length > 0 ? [`<div>${plural(others.length, "VM")} without a layout</div>${vmNames(others, linkOf)}`] : []),
    "</figure>",
  ].join("\n");
}

/** More labels of nodes do not fit. */
const MOST_LABELS = 4;

const vmName = (vm: EstateVm, linkOf: LinkOf): string => {
  const link = linkOf(vm);
  const name = `<bdi>${escapeXml(vm.spec.name)}</bdi>`;
  return link === undefined ? name : `<a href="${link}">${name}</a>`;
};

const vmNames = (vms: readonly EstateVm[], linkOf: LinkOf): string =>
  `<div class="names">${folded(
    vms.map((vm) => vmName(vm, linkOf)),
    "VM",
    SHOWN,
  ).join(" ")}</div>`;

function shapeRow({ vcpus, layout, clients, fit, vms }: Shape, { host }: HostKind, width: (count: number) => string): string {
  // A VM that exceeds the host is one bar, which ends beyond the nodes.
  const track = layoutTrack(host, fit === "exceeds" ? [vcpus] : clients, { kind: fit ?? "open", width });
  const words = fit === "fits" ? "" : `${PART_WORDS[fit ?? "open"]}${layout.includes("+") || fit === undefined ? `: ${layout}` : ""}`;
  return `<div class="shape"><span>${vms.length} x <b>${plural(vcpus, "vCPU")}</b></span>${track}<span class="about">${escapeXml(words)}</span></div>`;
}

/** Returns the NUMA nodes of a host, with a bar for each part of a VM. */
export function layoutTrack(
  host: HostModel,
  parts: readonly number[],
  { kind, width }: { readonly kind: string; readonly width: (count: number) => string },
): string {
  const size = coresPerNode(host);
  const node = `<i class="back" style="width:${width(size)}"></i>`;
  const bars = parts.map((part, i) => `<i class="${kind}" style="left:${width((i % host.numaNodes) * size)};width:${width(part)}"></i>`);
  return `<span class="track">${node.repeat(host.numaNodes)}${bars.join("")}</span>`;
}

/** The most rows of the table; a workbook lists all. */
const MOST_ROWS = 2000;

function vmTable(vms: readonly EstateVm[], linkOf: LinkOf): readonly string[] {
  const titles = ["VM", "Cluster", "Host", "vCPUs", "Cores per socket", "GiB", "vCPUs by node", "On its host", "Ready %", "Findings"];
  const numeric = new Set(["vCPUs", "Cores per socket", "GiB", "Ready %", "Findings"]);
  const rows = vms.slice(0, MOST_ROWS).map((vm) => {
    const { spec, host, cluster, layout, fit, open, findings } = vm;
    const { vcpus, coresPerSocket, memoryMiB } = spec.settings;
    const memory = valueIfKnown(memoryMiB);
    return [
      vmName(vm, linkOf),
      ...[cluster, host?.name ?? spec.runsOn?.name].map((text = "") => `<bdi>${escapeXml(text)}</bdi>`),
      ...[valueIfKnown(vcpus), valueIfKnown(coresPerSocket), memory && oneDigit(memory / 1024)].map((value) => `${value ?? ""}`),
      ...[layout, escapeXml(fit ? FIT_WORDS[fit] : `unknown: ${open ?? ""}`)],
      spec.measured?.readyPercent?.value === undefined ? "" : oneDigit(spec.measured.readyPercent.value),
      countBadges(countBySeverity([{ diagnostics: findings }])),
    ];
  });
  const rest = vms.length > MOST_ROWS ? [`<p>The table has ${MOST_ROWS} of ${vms.length} VMs. --format xlsx:FILE.xlsx lists all.</p>`] : [];
  return [
    "<h2>All VMs</h2>",
    `<details${vms.length > SHOWN ? "" : ' open=""'}><summary>${plural(vms.length, "VM")}, sorted by any column</summary>`,
    ...rest,
    ...sortedTable("All VMs", titles, { rows, numeric }),
    "</details>",
  ];
}
