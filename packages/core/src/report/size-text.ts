import type { Diagnostic } from "../model/diagnostic.ts";
import { formatEsxi } from "../model/esxi.ts";
import { coresPerNode, type HostModel } from "../model/host.ts";
import { grouped } from "../model/maps.ts";
import { memoryWords, names, numberRuns, plural } from "../model/words.ts";
import { groupText } from "../platforms/esxi/layout.ts";
import { workloadName } from "../size/request.ts";
import type { Shape } from "../size/shape.ts";
import type { Sizing } from "../size/size.ts";
import { TARGET_TITLES, TARGETS, writings } from "../size/write.ts";
import { type Palette, PLAIN } from "./palette.ts";
import { printable } from "./printable.ts";
import { wrapped } from "./wrap.ts";

/** Returns a sizing for people: the request, better candidates, thresholds and the settings to write. */
export function sizeText(sizing: Sizing, palette: Palette = PLAIN): string {
  const { requestedShape, preferHt, proposals, request, hosts, nodesForMemory, notes } = sizing;
  const [first] = proposals;
  const section = (title: string, lines: readonly string[]): string =>
    [palette.cyan(title), ...lines.map((line) => (line ? `  ${line}` : line)), ""].join("\n");
  const { width } = palette;
  const inSection = width === undefined ? undefined : width - 2;
  const rows = (shapes: readonly Shape[], numbered: boolean): string[] => table(shapes, request.vcpus, numbered, palette);
  const memory = nodesForMemory > 1 ? [`The memory alone takes ${nodesForMemory} NUMA nodes.`] : [];
  return [
    `${palette.bold(headline(sizing))}\n`,
    ...(notes.length > 0
      ? [`${notes.flatMap(({ text }) => wrapped(`! ${printable(text)}`, width, 2).map(palette.yellow)).join("\n")}\n`]
      : []),
    section(
      "Hosts",
      hosts.flatMap((host) => wrapped(hostLine(host), inSection, 2)),
    ),
    section("Requested", rows([requestedShape], false)),
    ...(preferHt ? [section("With preferHT", [...rows([preferHt], false), ...wrapped(HT_NOTE, inSection)])] : []),
    section("Proposals, best first", rows(proposals, true)),
    section("Where it changes", [
      ...sizing.steps.flatMap(({ above, text }) => wrapped(`above ${String(above).padStart(3)}  ${printable(text)}`, inSection, 11)),
      ...memory,
      ...wrapped(`without a flaw: ${numberRuns(sizing.flawless, ", ") || "no count"}`, inSection, 2),
    ]),
    ...(first ? [section(`Settings for ${plural(first.vcpus, "vCPU")}`, written(first, sizing, palette))] : []),
  ].join("\n");
}

const HT_NOTE = "   Two vCPUs then share a core: for work that shares memory, not for work that keeps every core busy (KB 415687).";

function headline({ request: { vcpus, memoryMiB, hardwareVersion, workload } }: Sizing): string {
  const memory = memoryMiB === undefined ? undefined : memoryWords(memoryMiB);
  return [plural(vcpus, "vCPU"), memory, workload && workloadName(workload), `hardware version ${hardwareVersion}`]
    .filter(Boolean)
    .join(", ");
}

function hostLine(host: HostModel): string {
  const { name, numaNodes, memoryGiB, unevenMemory, esxi } = host;
  const [nodes, word] = unevenMemory ? [1, " in all"] : [numaNodes, numaNodes > 1 ? " each" : ""];
  const memory = memoryGiB === undefined ? "" : `, ${Math.round((memoryGiB / nodes) * 10) / 10} GiB${word}`;
  return `${printable(name)}: ${plural(numaNodes, "NUMA node")} x ${plural(coresPerNode(host), "core")}${memory}${esxi ? `, ESXi ${formatEsxi(esxi)}` : ""}`;
}

function table(shapes: readonly Shape[], vcpus: number, numbered: boolean, palette: Palette): string[] {
  const { width } = palette;
  const cells = shapes.map((shape, i) => [
    numbered ? `${i + 1}.` : "  ",
    `${plural(shape.vcpus, "vCPU")}${shape.vcpus === vcpus ? "" : ` (${shape.vcpus > vcpus ? "+" : ""}${shape.vcpus - vcpus})`}`,
    socketsOf(shape),
    printable(nodesOf(shape)),
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return shapes.flatMap((shape, i) => [
    (cells[i] ?? []).map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "),
    ...flawsOf(shape).flatMap((flaw) =>
      wrapped(`   ! ${printable(flaw)}`, width === undefined ? undefined : width - 2, 5).map(palette.yellow),
    ),
  ]);
}

/** Returns each finding once, with its host if it does not hold on all, or why a layout is unknown. */
function flawsOf({ flaws, placements, isDecided }: Shape): readonly string[] {
  const groups = grouped(flaws, ({ severity, ruleId, message }) => [severity, ruleId, message].join("\n")).values();
  const isOnAll = (group: readonly Diagnostic[]): boolean => new Set(group.map(({ host }) => host)).size === placements.length;
  const found = [...groups].map((group) => {
    const { severity, ruleId, message } = group[0] as Diagnostic; // A group has at least one.
    return `${severity} ${ruleId}${isOnAll(group) ? "" : ` on ${names(group.map(({ host }) => host ?? ""))}`}: ${message}`;
  });
  const doubts = placements.flatMap(({ host, topology }) => {
    const [reason] = topology?.reasons.filter(({ certainty, about }) => certainty === "unknown" && about !== "sockets") ?? [];
    return reason ? `No source describes its layout on ${host}: ${reason.text}.` : [];
  });
  return isDecided || found.length > 0 ? found : doubts;
}

function socketsOf({ sockets, vcpus, coresPerSocket, placements }: Shape): string {
  const count = plural(sockets, "socket");
  if (coresPerSocket !== "auto") return `${count} x ${coresPerSocket}`;
  if (placements.every(({ topology }) => topology === null)) return "assigned at power on";
  return `${count}${vcpus % sockets === 0 ? ` x ${vcpus / sockets}` : ""}, assigned at power on`;
}

/** Returns the view of the guest, once if it is the same on every host. */
function nodesOf({ placements }: Shape): string {
  const nodesOf = placements.map(({ host, topology }) => [host, topology ? groupText(topology.vnumaNodes) : "does not start"] as const);
  const distinct = new Set(nodesOf.map(([, nodes]) => nodes));
  if (distinct.size > 1) return `NUMA nodes ${nodesOf.map(([host, nodes]) => `${nodes} on ${host}`).join(", ")}`;
  const [nodes = ""] = distinct;
  return nodes.includes("+") ? `NUMA nodes ${nodes}` : nodes === "does not start" ? nodes : "1 NUMA node";
}

function written(shape: Shape, { request }: Sizing, palette: Palette): string[] {
  const texts = writings(shape, request);
  return TARGETS.flatMap((target) => ["", palette.bold(TARGET_TITLES[target]), ...texts[target].split("\n").map((line) => `  ${line}`)]);
}
