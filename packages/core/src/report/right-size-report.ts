import { sortedBy } from "../advice/shapes.ts";
import type { Demand } from "../demand/demand.ts";
import { list, plural } from "../model/words.ts";
import { groupText } from "../platforms/esxi/layout.ts";
import { placeOf } from "../size/need.ts";
import { ACTIONS, type ClusterSum, clusterSums, type RightSized } from "../size/right-size.ts";
import type { RightSizing } from "../size/right-size-estate.ts";
import type { Shape } from "../size/shape.ts";
import { powercli, writings } from "../size/write.ts";
import { csvRows } from "./csv-rows.ts";
import { SCHEMA_VERSION } from "./json-report.ts";
import { type Palette, PLAIN } from "./palette.ts";
import { printable } from "./printable.ts";
import type { Tool } from "./result.ts";
import { wrapped } from "./wrap.ts";

/** How many VMs a list shows. */
const SHOWN = 10;

/** Returns a right-sizing for people: the sums of each cluster, then the VMs that change. */
export function rightSizeText(sizing: RightSizing, palette: Palette = PLAIN): string {
  const { vms } = sizing;
  const section = ({ title, vms: some }: Section, line: (vm: RightSized) => readonly string[]): readonly string[] =>
    some.length === 0
      ? []
      : [
          palette.bold(some.length > SHOWN ? `${title}: the first ${SHOWN} of ${some.length}` : title),
          ...some.slice(0, SHOWN).flatMap((vm) => line(vm).flatMap((text) => wrapped(`  ${printable(text)}`, palette.width, 6))),
          "",
        ];
  const undecided = { title: "VMs without an answer", vms: vms.filter(({ action }) => action === "undecided") };
  return [
    ...clusterSums(vms).flatMap((sum) => clusterLines(sum, palette)),
    "",
    ...changes(vms).flatMap((one) => section(one, vmLines)),
    ...section(undecided, ({ vm, reason }) => [`${vm}: ${reason}.`]),
    ...joinLines(sizing).map((line) => palette.yellow(printable(line))),
    ...missingLines(vms),
    UNKNOWN,
    "",
  ].join("\n");
}

/** The page about the limits of a right-sizing has more. */
export const UNKNOWN =
  "These sizes are proposals: the files hold no growth, no plans for other VMs on the host, and no tuning of the application.";

/** VMs that change in one way, those first that matter most. */
export interface Section {
  readonly title: string;
  readonly vms: readonly RightSized[];
}

/** Returns the VMs that change: VMs that lack vCPUs, VMs with too many, and VMs with a wrong shape. */
export function changes(vms: readonly RightSized[]): readonly Section[] {
  const of = (action: RightSized["action"]): readonly RightSized[] => vms.filter((vm) => vm.action === action);
  const byChange = (some: readonly RightSized[]): readonly RightSized[] =>
    [...some].sort((a, b) => Math.abs(changeOf(b)) - Math.abs(changeOf(a)) || a.against.length - b.against.length);
  const shrinking = byChange(of("shrink"));
  return [
    { title: "VMs that grow, the largest gap first", vms: byChange(of("grow")) },
    { title: "VMs that shrink, by vCPUs returned", vms: shrinking },
    ...(shrinking.length > SHOWN
      ? [{ title: "VMs that shrink, the fewest figures against it first", vms: sortedBy(shrinking, ({ against }) => [against.length]) }]
      : []),
    { title: "VMs that only change their shape", vms: of("reshape") },
  ];
}

export const changeOf = ({ shape, vcpus }: Pick<RightSized, "shape" | "vcpus">): number => (shape ? shape.vcpus - (vcpus ?? 0) : 0);

export const ACTION_WORDS = {
  shrink: "shrink",
  grow: "grow",
  reshape: "change shape",
  keep: "stay",
  undecided: "undecided",
  unmeasured: "without a row",
};

function clusterLines(sum: ClusterSum, palette: Palette): readonly string[] {
  const sums = sumWords(sum);
  return [`${palette.bold(printable(sum.cluster ?? "No cluster"))}: ${countWords(sum)}`, ...(sums === "" ? [] : [`  ${sums}`])];
}

/** Returns how many VMs of a cluster have each answer. */
export function countWords({ vms }: ClusterSum): string {
  const counts = ACTIONS.filter((action) => vms[action] > 0).map((action) => `${vms[action]} ${ACTION_WORDS[action]}`);
  const all = ACTIONS.reduce((sum, action) => sum + vms[action], 0);
  return `${plural(all, "VM")}: ${counts.join(", ")}`;
}

/** Returns what the changes of a cluster return and need. */
export const sumWords = ({ vcpusReturned, vcpusAdded, nodesFreed, licencesReturned, licencesAdded }: ClusterSum): string =>
  [
    ...(vcpusReturned > 0 ? [`${plural(vcpusReturned, "vCPU")} returned`] : []),
    ...(vcpusAdded > 0 ? [`${plural(vcpusAdded, "vCPU")} added`] : []),
    ...(nodesFreed > 0 ? [`${plural(nodesFreed, "NUMA node")} freed`] : []),
    ...(licencesReturned > 0 ? [`${plural(licencesReturned, "core licence")} returned`] : []),
    ...(licencesAdded > 0 ? [`${plural(licencesAdded, "core licence")} added`] : []),
  ].join(", ");

const vmLines = (vm: RightSized): readonly string[] => [headOf(vm), ...reasonsOf(vm).map((line) => `  ${line}`)];

const headOf = ({ vm, vcpus, layout, shape, isHot }: RightSized): string =>
  `${vm}: ${plural(vcpus ?? 0, "vCPU")}${layout ? ` (${groupText(layout)})` : ""} -> ${shape ? shapeWords(shape) : ""}${isHot ? ", while it runs" : ""}`;

/** Returns the reasons for and against a change. */
export const reasonsOf = ({ need, reason, rejected, licence, against }: RightSized): readonly string[] => [
  `${need ? `need ${need.vcpus}: ` : ""}${reason}${need?.figure ? ` (${placeOf(need.figure)}: ${need.figure.title})` : ""}`,
  ...rejected.map((one) => `not ${one.vcpus}: ${one.why}`),
  ...(licence ? [licence.text] : []),
  ...(against.length > 0 ? [`against: ${against.join("; ")}`] : []),
];

export function shapeWords(shape: Shape): string {
  const [topology] = shape.topologies;
  const cores = shape.coresPerSocket === "auto" ? "sockets assigned at power on" : `${plural(shape.coresPerSocket, "core")} per socket`;
  return `${plural(shape.vcpus, "vCPU")}${topology ? ` (${groupText(topology.numaClients)})` : ""}, ${cores}`;
}

/** Says which facts about the VMs that change are missing. */
export function missingLines(vms: readonly RightSized[]): readonly string[] {
  const changing = vms.filter(({ shape }) => shape);
  const assumed = changing.filter(({ assumesNoHotAdd }) => assumesNoHotAdd).length;
  const open = changing.filter(({ isLicenceOpen }) => isLicenceOpen).length;
  return [
    ...(open > 0
      ? [
          `${plural(open, "VM")} of these ${open === 1 ? "seems" : "seem"} to run SQL Server: add workload: { kind: mssql, licensing: core } to vmlint.yaml to count licences.`,
        ]
      : []),
    ...(assumed > 0
      ? [`The files do not say if CPU hot add is on for ${plural(assumed, "VM")} of these: the sizes assume that it is off.`]
      : []),
  ];
}

/** Says which names were not joined. */
export const joinLines = ({ unknown, ambiguous }: RightSizing): readonly string[] => [
  ...joinLine(unknown, "no VM"),
  ...joinLine(ambiguous, "several VMs or rows"),
];

function joinLine(demands: readonly Demand[], what: string): readonly string[] {
  if (demands.length === 0) return [];
  const names = demands.slice(0, 3).map(({ name, path, rows }) => `${name} (${path}, row ${rows[0]})`);
  const more = demands.length > 3 ? [`${demands.length - 3} more`] : [];
  return [
    `${plural(demands.length, "name")} of the exports ${demands.length === 1 ? "matches" : "match"} ${what}: ${list([...names, ...more], "and")}.`,
  ];
}

/** The columns of CSV, and their titles and widths in a workbook; `*` is a column of long texts. */
export const COLUMNS = {
  vm: ["VM", 26],
  path: ["File", 24],
  host: ["Host", 22],
  cluster: ["Cluster", 16],
  action: ["Answer", 12],
  vcpus: ["vCPUs", 8],
  layout: ["vCPUs by node", 14],
  recommended: ["Recommended", 14],
  demandPeakVcpus: ["Peak (vCPUs)", 10],
  statistic: ["Statistic", 16],
  windowDays: ["Window (days)", 10],
  readyPercent: ["CPU ready (%)", 10],
  costopPercent: ["Co-stop (%)", 10],
  need: ["Need", 8],
  proposed: ["Proposed vCPUs", 10],
  coresPerSocket: ["Cores per socket", 10],
  layoutOfProposed: ["By node then", 14],
  difference: ["Difference", 10],
  reason: ["*Reason", 50],
  cell: ["*Number in", 40],
  against: ["*Against it", 50],
  rejected: ["*Not proposed", 50],
  licence: ["*Licences", 24],
  powercli: ["*PowerCLI, to review", 60],
  terraform: ["*Terraform, to review", 50],
} as const satisfies Record<string, readonly [title: string, width: number]>;

/** Returns the changed settings only: a VM keeps its hardware version and its memory. */
export function writtenShape(shape: Shape) {
  const { hardwareVersion: _, ...settings } = shape.settings;
  return writings({ vcpus: shape.vcpus, settings }, { vcpus: shape.vcpus });
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, "; ").replace(/ +/g, " ");

/** Returns the cells of a VM, in the order of `COLUMNS`. */
export function cellsOf(one: RightSized): readonly (string | number)[] {
  const { vm, path, host, cluster, action, vcpus, layout, need, shape, reason, rejected, against, licence } = one;
  const [topology] = shape?.topologies ?? [];
  const cells: Record<keyof typeof COLUMNS, string | number | null | undefined> = {
    ...{ vm, path, host, cluster, action, vcpus, layout: layout && groupText(layout) },
    recommended: need?.recommended.map((each) => each.vcpus).join(" or "),
    demandPeakVcpus: need?.peak?.vcpus,
    statistic: need?.peak?.figure.statistic,
    windowDays: need?.windowMinutes === undefined ? "" : Math.round(need.windowMinutes / 144) / 10,
    ...{ readyPercent: need?.ready?.value, costopPercent: need?.costop?.value, need: need?.vcpus },
    ...{ proposed: shape?.vcpus, coresPerSocket: shape?.coresPerSocket, layoutOfProposed: topology && groupText(topology.numaClients) },
    difference: shape && changeOf(one),
    ...{ reason, cell: need?.figure && `${placeOf(need.figure)}: ${need.figure.title}` },
    against: against.join("; "),
    rejected: rejected.map((each) => `${each.vcpus}: ${each.why}`).join(" "),
    licence: licence?.text,
    powercli: shape && powercli(vm, shape),
    terraform: shape && oneLine(writtenShape(shape).terraform),
  };
  return Object.values(cells).map((value) => value ?? "");
}

/** Returns a row for each VM. */
export const rightSizeCsv = ({ vms }: RightSizing): string => csvRows([Object.keys(COLUMNS), ...vms.map(cellsOf)]);

/** `vmlint size --estate --format json`. */
export function rightSizeJson({ vms, unknown, ambiguous }: RightSizing, tool: Tool) {
  const unjoined = ({ name, path, sheet, rows }: Demand) => ({ name, path, sheet: sheet ?? null, row: rows[0] });
  return {
    schemaVersion: SCHEMA_VERSION,
    tool,
    clusters: clusterSums(vms),
    vms: vms.map(({ demands, need, shape, on: _, ...vm }) => ({
      ...vm,
      measuredIn: demands.map(({ path, sheet, rows, windowMinutes }) => ({
        path,
        sheet: sheet ?? null,
        rows,
        windowMinutes: windowMinutes ?? null,
      })),
      need: need ?? null,
      proposed: shape
        ? {
            vcpus: shape.vcpus,
            coresPerSocket: shape.coresPerSocket,
            settings: shape.settings,
            layout: shape.topologies[0]?.numaClients ?? null,
            powercli: powercli(vm.vm, shape),
            write: writtenShape(shape),
          }
        : null,
    })),
    unknownNames: unknown.map(unjoined),
    ambiguousNames: ambiguous.map(unjoined),
  };
}
