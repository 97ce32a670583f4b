import type { LintedFile } from "../lint/lint-project.ts";
import type { LintedVm } from "../lint/target.ts";
import type { HostModel } from "../model/host.ts";
import type { VmSpec } from "../model/spec.ts";
import { deriveTopology, type Topology, type TopologyResult } from "../platforms/esxi/derive.ts";
import { short } from "./headline.ts";
import { type Palette, PLAIN } from "./palette.ts";
import { padded, printable, widthOf } from "./printable.ts";
import { failureOf, foreignBlock, guestLines, hostedNote, staleNote, titleLine } from "./topology-text.ts";
import { wrapped } from "./wrap.ts";

/** Joins the results of several runs, one per host. Each VM appears once per host, in the order of the runs. */
export function acrossHosts(runs: readonly (readonly LintedFile[])[]): readonly LintedFile[] {
  const [first = []] = runs;
  return first.map((file, f) => ({
    ...file,
    vms: file.vms.flatMap((_, v) => runs.flatMap((run) => run[f]?.vms[v] ?? [])),
  }));
}

/** Returns a table for each VM with a column per host, and notes about the differences. */
export function compareText(runs: readonly (readonly LintedFile[])[], palette: Palette = PLAIN): string {
  const [first = []] = runs;
  const blocks = first.flatMap(({ path, vms, foreign }, f) =>
    foreign === undefined
      ? vms.map((_, v) =>
          vmBlock(
            path,
            runs.flatMap((run) => run[f]?.vms[v] ?? []),
            palette,
          ),
        )
      : [foreignBlock(path, foreign, palette)],
  );
  return blocks.join("\n");
}

interface Column {
  readonly spec: VmSpec;
  readonly host: HostModel;
  readonly result: TopologyResult;
}

interface ComparedLayout extends Column {
  readonly topology: Topology;
}

function vmBlock(path: string, vms: readonly LintedVm[], palette: Palette): string {
  const [any] = vms;
  // Its definition decides the view, so that each host would show the same.
  const guest = any && guestLines(any);
  if (guest)
    return [titleLine(path, any.spec.name, palette), ...guest.flatMap((line) => wrapped(`  ${printable(line)}`, palette.width)), ""].join(
      "\n",
    );
  const columns = vms.flatMap(({ spec, target: { host, workload } }): Column[] => {
    return host ? [{ spec, host, result: deriveTopology(spec, host, workload) }] : [];
  });
  const laidOut = columns.flatMap((column): ComparedLayout[] =>
    column.result.ok ? [{ ...column, topology: column.result.topology }] : [],
  );
  const marked = new Set(ROWS.filter(([, value]) => new Set(laidOut.map(value)).size > 1).map(([name]) => name));
  const [first] = vms;
  const notes = [
    ...(first ? hostedNote(first.spec) : []),
    ...columns.flatMap(({ host, result }) =>
      result.ok ? [] : [`${host.name}: ${failureOf(result)} ${result.reasons.map(({ text }) => text).join("; ")}.`],
    ),
    ...laidOut.flatMap(({ spec, host, topology }) => staleNote(spec, host, topology)),
    ...oddOneOut(laidOut),
    ...(laidOut.length > 1 && marked.size === 0 ? [`The layout is the same on ${laidOut.map(({ host }) => host.name).join(", ")}.`] : []),
  ];
  const legend = marked.size > 0 ? [palette.dim("  * differs between the hosts"), ""] : [];
  return [
    titleLine(path, first?.spec.name ?? "", palette),
    ...blocksOf(columns, marked, palette).flatMap((rows) => [...rows, ""]),
    ...legend,
    ...notes.flatMap((note) => wrapped(`  ${printable(note)}`, palette.width)),
    ...(notes.length > 0 ? [""] : []),
  ].join("\n");
}

type Row = readonly [name: string, value: (column: ComparedLayout) => string];

const GUEST_NODES: Row = ["vNUMA nodes", ({ topology }) => groupsOf(topology.vnumaNodes)];

const ROWS: readonly Row[] = [
  ["sockets x cores", ({ topology }) => `${topology.sockets} x ${topology.coresPerSocket}`],
  GUEST_NODES,
  ["NUMA clients", ({ topology }) => (topology.numaManaged ? groupsOf(topology.numaClients) : "none")],
  ["node capacity", ({ topology }) => String(topology.nodeCapacity)],
  ["usable vCPUs", ({ topology }) => usable(topology)],
  ["certainty", ({ topology }) => topology.certainty],
];

const usable = ({ usableVcpus, guestUsableVcpus }: Topology): string =>
  usableVcpus === null ? "depends on the licence" : String(Math.min(usableVcpus, guestUsableVcpus));

/** A single number would look like a number of groups. */
const groupsOf = (groups: readonly number[]): string => (groups.length === 1 ? `one of ${groups[0]}` : short(groups));

/** The widest line of a table without a terminal; further hosts go into another table below. */
const TABLE_WIDTH = 120;
const LABEL_WIDTH = Math.max(...ROWS.map(([name]) => name.length)) + 6;

function blocksOf(columns: readonly Column[], marked: ReadonlySet<string>, palette: Palette): readonly (readonly string[])[] {
  const filled = columns.map((column) => {
    const { host, result } = column;
    const cells = ROWS.map(([, value]) => (result.ok ? value({ ...column, topology: result.topology }) : "-"));
    const head = printable(host.name);
    return { head, cells, width: Math.max(widthOf(head), ...cells.map(({ length }) => length)) };
  });
  const tables: (typeof filled)[] = [];
  let left = 0;
  for (const column of filled) {
    const last = tables.at(-1);
    if (last && left >= column.width + 2) last.push(column);
    else {
      tables.push([column]);
      left = (palette.width ?? TABLE_WIDTH) - LABEL_WIDTH;
    }
    left -= column.width + 2;
  }
  const joinedLine = (label: string, cells: readonly string[]) => `${label.padEnd(LABEL_WIDTH)}${cells.join("  ")}`.trimEnd();
  return tables.map((table) => [
    palette.bold(
      joinedLine(
        "",
        table.map(({ head, width }) => padded(head, width)),
      ),
    ),
    ...ROWS.map(([name], row) => {
      const cells = table.map((column) => (column.cells[row] ?? "").padEnd(column.width));
      const text = joinedLine(`${marked.has(name) ? "  *" : "   "} ${name}`, cells);
      return marked.has(name) ? palette.yellow(text) : text;
    }),
  ]);
}

/** Returns a note about the one host of three or more whose layout differs from the rest. */
function oddOneOut(columns: readonly ComparedLayout[]): readonly string[] {
  if (columns.length < 3) return [];
  const rows = ROWS.filter(([name]) => name !== "certainty" && name !== "node capacity");
  const key = (column: ComparedLayout) => rows.map(([, value]) => value(column)).join("|");
  const odd = columns.filter((column) => columns.every((other) => other === column || key(other) !== key(column)));
  const [oddLayout] = odd;
  const others = columns.filter((column) => column !== oddLayout);
  const [other] = others;
  if (odd.length !== 1 || !oddLayout || !other || new Set(others.map(key)).size !== 1) return [];
  const differences = rows.filter(([, value]) => value(oddLayout) !== value(other));
  return [
    `${oddLayout.host.name} is the odd one out: ${differences.map(([name, value]) => `${name} ${value(oddLayout)} (${value(other)} on the other hosts)`).join(", ")}.`,
  ];
}
