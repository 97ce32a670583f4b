import type { Demand, Figure } from "../demand/demand.ts";
import { list, plural } from "../model/words.ts";
import { groupText } from "../platforms/esxi/layout.ts";
import { ACTIONS, type ClusterSum, clusterSums, type RightSized } from "../size/right-size.ts";
import type { Shape } from "../size/shape.ts";
import { powercli, writings } from "../size/write.ts";
import { csvRows } from "./csv-rows.ts";
import { SCHEMA_VERSION } from "./json-report.ts";
import { type Palette, PLAIN } from "./palette.ts";
import { printable } from "./printable.ts";
import type { Tool } from "./result.ts";
import { wrapped } from "./wrap.ts";

/** The answer of `vmlint size --estate`. */
export interface RightSizing {
  readonly vms: readonly RightSized[];
  /** Demand of names that no VM has, and of names that several have. */
  readonly unknown: readonly Demand[];
  readonly ambiguous: readonly Demand[];
}

/** How many VMs a list shows. */
const SHOWN = 10;

/** Returns a right-sizing for people: the sums of each cluster, then the VMs that change. */
export function rightSizeText({ vms, unknown, ambiguous }: RightSizing, palette: Palette = PLAIN): string {
  const changing = vms.filter(({ shape }) => shape);
  const shrinking = byReturned(changing.filter(({ action }) => action === "shrink"));
  const growing = changing.filter(({ action }) => action === "grow");
  const reshaping = changing.filter(({ action }) => action === "reshape");
  const undecided = vms.filter(({ action }) => action === "undecided");
  const section = (title: string, some: readonly RightSized[], line: (vm: RightSized) => readonly string[]): readonly string[] =>
    some.length === 0
      ? []
      : [
          palette.bold(some.length > SHOWN ? `${title}: the first ${SHOWN} of ${some.length}` : title),
          ...some.slice(0, SHOWN).flatMap((vm) => line(vm).flatMap((text) => wrapped(`  ${printable(text)}`, palette.width, 6))),
          "",
        ];
  return [
    ...clusterSums(vms).flatMap((sum) => clusterLines(sum, palette)),
    "",
    ...section("VMs that grow", growing, vmLines),
    ...section("VMs that shrink, by vCPUs returned", shrinking, vmLines),
    ...section("VMs that only change their shape", reshaping, vmLines),
    ...section("VMs without an answer", undecided, ({ vm, reason }) => [`${vm}: ${reason}.`]),
    ...joinLines(unknown, "no VM").map((line) => palette.yellow(line)),
    ...joinLines(ambiguous, "several VMs or rows").map((line) => palette.yellow(line)),
    ...hotAddLine(changing),
    "These sizes are proposals: they know nothing of growth, of licences that no file states, and of how an application is tuned.",
    "",
  ].join("\n");
}

const byReturned = (vms: readonly RightSized[]): readonly RightSized[] => [...vms].sort((a, b) => changeOf(a) - changeOf(b));

const changeOf = ({ shape, vcpus }: RightSized): number => (shape?.vcpus ?? 0) - (vcpus ?? 0);

const WORDS = {
  shrink: "shrink",
  grow: "grow",
  reshape: "change shape",
  keep: "stay",
  undecided: "undecided",
  unmeasured: "without a row",
};

function clusterLines({ cluster, vms, vcpusReturned, vcpusAdded, nodesFreed }: ClusterSum, palette: Palette): readonly string[] {
  const counts = ACTIONS.filter((action) => vms[action] > 0).map((action) => `${vms[action]} ${WORDS[action]}`);
  const all = ACTIONS.reduce((sum, action) => sum + vms[action], 0);
  const sums = [
    ...(vcpusReturned > 0 ? [`${plural(vcpusReturned, "vCPU")} returned`] : []),
    ...(vcpusAdded > 0 ? [`${plural(vcpusAdded, "vCPU")} added`] : []),
    ...(nodesFreed > 0 ? [`${plural(nodesFreed, "NUMA node")} freed`] : []),
  ];
  return [
    `${palette.bold(printable(cluster ?? "No cluster"))}: ${plural(all, "VM")}: ${counts.join(", ")}`,
    ...(sums.length > 0 ? [`  ${sums.join(", ")}`] : []),
  ];
}

function vmLines({ vm, vcpus, layout, shape, need, reason, rejected, isHot, demand, licence }: RightSized): readonly string[] {
  if (!shape) return [];
  const now = `${plural(vcpus ?? 0, "vCPU")}${layout ? ` (${groupText(layout)})` : ""}`;
  return [
    `${vm}: ${now} -> ${shapeWords(shape)}${isHot ? ", while it runs" : ""}`,
    `  ${need ? `need ${need.vcpus}: ` : ""}${reason}${need?.figure && demand ? ` (${demand.path}, ${rowWords(need.figure)}: ${need.figure.title})` : ""}`,
    ...(licence ? [`  ${licence}`] : []),
    ...rejected.map((one) => `  not ${one.vcpus}: ${one.why}`),
  ];
}

const rowWords = ({ row, lastRow }: Figure): string => (lastRow === undefined ? `row ${row}` : `rows ${row} to ${lastRow}`);

function shapeWords(shape: Shape): string {
  const [topology] = shape.topologies;
  const cores = shape.coresPerSocket === "auto" ? "sockets assigned at power on" : `${shape.coresPerSocket} cores per socket`;
  return `${plural(shape.vcpus, "vCPU")}${topology ? ` (${groupText(topology.numaClients)})` : ""}, ${cores}`;
}

function hotAddLine(changing: readonly RightSized[]): readonly string[] {
  const assumed = changing.filter(({ assumesNoHotAdd }) => assumesNoHotAdd).length;
  return assumed === 0
    ? []
    : [`The files do not say if CPU hot add is on for ${plural(assumed, "VM")} of these: the sizes assume that it is off.`];
}

/** Says which names were not joined. */
function joinLines(demands: readonly Demand[], what: string): readonly string[] {
  if (demands.length === 0) return [];
  const names = demands.slice(0, 3).map(({ name, rows }) => `${name} (row ${rows[0]})`);
  const more = demands.length > 3 ? [`${demands.length - 3} more`] : [];
  return [
    printable(
      `${plural(demands.length, "name")} of the exports ${demands.length === 1 ? "matches" : "match"} ${what}: ${list([...names, ...more], "and")}.`,
    ),
  ];
}

const COLUMNS =
  "vm,path,host,cluster,action,vcpus,layout,recommended,demandPeakVcpus,statistic,readyPercent,costopPercent,need,proposed,coresPerSocket,layoutOfProposed,difference,reason,rejected,powercli,terraform".split(
    ",",
  );

/** Returns the changed settings only: a VM keeps its hardware version and its memory. */
function written(shape: Shape) {
  const { hardwareVersion: _, ...settings } = shape.settings;
  return writings({ vcpus: shape.vcpus, settings }, { vcpus: shape.vcpus });
}

/** Returns a row for each VM. */
export function rightSizeCsv({ vms }: RightSizing): string {
  const rows = vms.map(({ vm, path, host, cluster, action, vcpus, layout, need, shape, reason, rejected }) => [
    ...[vm, path, host ?? "", cluster ?? "", action, vcpus ?? "", layout ? groupText(layout) : ""],
    ...[need?.recommended.map((one) => one.vcpus).join(" or ") ?? "", need?.peakVcpus ?? "", need?.peak?.statistic ?? ""],
    ...[need?.ready ?? "", need?.costop ?? "", need?.vcpus ?? "", shape?.vcpus ?? "", shape?.coresPerSocket ?? ""],
    ...[
      shape?.topologies[0] ? groupText(shape.topologies[0].numaClients) : "",
      shape ? changeOf({ shape, vcpus } as RightSized) : "",
      reason,
    ],
    ...[rejected.map((one) => `${one.vcpus}: ${one.why}`).join(" "), shape ? powercli(vm, shape) : ""],
    shape
      ? written(shape)
          .terraform.replace(/\s*\n\s*/g, "; ")
          .replace(/ +/g, " ")
      : "",
  ]);
  return csvRows([COLUMNS, ...rows]);
}

/** `vmlint size --estate --format json`. */
export function rightSizeJson({ vms, unknown, ambiguous }: RightSizing, tool: Tool) {
  const unjoined = ({ name, path, rows }: Demand) => ({ name, path, row: rows[0] });
  return {
    schemaVersion: SCHEMA_VERSION,
    tool,
    clusters: clusterSums(vms),
    vms: vms.map(({ demand, need, shape, ...vm }) => ({
      ...vm,
      measuredIn: demand ? { path: demand.path, rows: demand.rows } : null,
      need: need ?? null,
      proposed: shape
        ? {
            vcpus: shape.vcpus,
            coresPerSocket: shape.coresPerSocket,
            settings: shape.settings,
            layout: shape.topologies[0]?.numaClients ?? null,
            powercli: powercli(vm.vm, shape),
            write: written(shape),
          }
        : null,
    })),
    unknownNames: unknown.map(unjoined),
    ambiguousNames: ambiguous.map(unjoined),
  };
}
