import { WITHOUT_OPTIONS } from "../formats/inherited.ts";
import type { LintedFile } from "../lint/lint-project.ts";
import type { LintedVm } from "../lint/target.ts";
import { coresOf, coresPerNode, type HostModel, threadsOf } from "../model/host.ts";
import { addTo } from "../model/maps.ts";
import { consecutive, sequence } from "../model/sequence.ts";
import { SETTING_WORDS } from "../model/setting-words.ts";
import { DENNEMAN_2022_MISMATCH, type Source, VNUMA_CONTROLS_67 } from "../model/sources.ts";
import type { Observed, VmSpec } from "../model/spec.ts";
import type { GuestView, Step } from "../model/topology.ts";
import { capitalized, numberRuns, plural } from "../model/words.ts";
import { isSure } from "../platforms/esxi/certainty.ts";
import type { Topology } from "../platforms/esxi/derive.ts";
import { groupText, isEven } from "../platforms/esxi/layout.ts";
import { compareObserved } from "../platforms/esxi/observed.ts";
import { possibleTopologies } from "../platforms/esxi/possible.ts";
import { storedSize } from "../platforms/esxi/stored-size.ts";
import { answerFor, needsHost } from "../platforms/index.ts";
import type { Answer, NoAnswer } from "../platforms/platform.ts";
import { caseLines, certaintyWords, headline, possibleHeadline, possibleLayout, short, stateWords } from "./headline.ts";
import { hostDrawing } from "./host-drawing.ts";
import { nodeNeedWords } from "./node-need.ts";
import { type Palette, PLAIN } from "./palette.ts";
import { drawnVm } from "./picture/flaws.ts";
import { pinLines } from "./pins-text.ts";
import { printable } from "./printable.ts";
import { wrapped } from "./wrap.ts";

/**
 * Returns the view of the guest for each VM: the output of Coreinfo and lscpu, with the reasons.
 *
 * @example
 * console.log(topologyText([{ path: "a.vmx", text, ...lint(text, { host: "2x20x2:768@8.0" }) }]));
 */
export function topologyText(results: readonly LintedFile[], palette: Palette = PLAIN): string {
  const count = results.reduce((sum, { vms }) => sum + vms.length, 0);
  if (count > MOST_BLOCKS) return overview(results, count, palette);
  const all = results.flatMap(({ vms }) => vms);
  const blocks = results.flatMap(({ path, vms, foreign }) =>
    foreign === undefined ? vms.map((vm) => vmBlock(path, vm, all, palette)) : [foreignBlock(path, foreign, palette)],
  );
  return blocks.join("\n");
}

/** For more VMs, the text has one line for each layout. */
const MOST_BLOCKS = 20;

/** The most layouts of an overview, and the most VMs of a layout. */
const LAYOUTS = 40;
const NAMED = 3;

/** Returns the layouts of many VMs on any host, the most common first. */
function overview(results: readonly LintedFile[], count: number, palette: Palette): string {
  const layouts = new Map<string, string[]>();
  for (const { path, vms, foreign } of results) {
    if (foreign !== undefined) addTo(layouts, `No VM definition: ${foreign}`, printable(path));
    for (const { spec, target } of vms) addTo(layouts, lineOf(spec, target), printable([path, spec.name].filter(Boolean).join(" ")));
  }
  const all = [...layouts].sort(([, a], [, b]) => b.length - a.length);
  const rest = all.slice(LAYOUTS).reduce((sum, [, vms]) => sum + vms.length, 0);
  const lines = all.slice(0, LAYOUTS).flatMap(([layout, vms]) => {
    const more = vms.length - NAMED;
    const names = `${vms.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    return [
      ...wrapped(`${String(vms.length).padStart(5)}  ${layout}`, palette.width, 7),
      ...wrapped(`       ${names}`, palette.width).map(palette.dim),
    ];
  });
  return [
    palette.bold(`${plural(count, "VM")} with ${plural(all.length, "layout")}`),
    "",
    ...lines,
    ...(rest > 0 ? [`${String(rest).padStart(5)}  with other layouts`] : []),
    "",
    ...wrapped("vmlint topology FILE shows a layout in full, --format json lists each.", palette.width).map(palette.dim),
    "",
  ].join("\n");
}

/** Returns the layout of a VM in one line, or why there is none. */
function lineOf(spec: VmSpec, { host, workload }: LintedVm["target"]): string {
  if (!needsHost(spec)) {
    const answer = answerFor(spec, host, workload);
    return answer?.ok ? guestHeadline(answer.topology) : `${failureOf(answer)} ${printable(answer?.reasons[0]?.text ?? "")}`;
  }
  if (!host) return "no host";
  const result = possibleTopologies(spec, host, workload);
  return result.ok ? possibleLayout(result) : `${failureOf(result)} ${printable(result.reasons[0]?.text ?? "")}`;
}

/** Returns why a file has no VM. */
export const foreignBlock = (path: string, foreign: string, palette: Palette): string =>
  `${palette.underline(printable(path))}\n\n  This is not a VM definition: ${foreign}.\n`;

/** Returns the title with file and name of a VM. */
export const titleLine = (path: string, name: string, palette: Palette): string =>
  `${palette.underline(printable(path))}${name ? palette.dim(`  ${printable(name)}`) : ""}\n`;

export const NO_HOST = "The layout depends on the host: pass --host or add host: to vmlint.yaml.";

/** Returns a note about a VM that was not written for ESXi; empty for any other. */
export const hostedNote = ({ platform }: VmSpec): readonly string[] =>
  platform === "desktop" ? ["Written for Workstation or Fusion. On ESXi it would get this layout."] : [];

/** Returns a note about a stored node size that differs from the size for this host; empty without one. */
export function staleNote(spec: VmSpec, host: HostModel, topology: Topology): readonly string[] {
  const stored = storedSize(spec, host, topology);
  if (!stored || stored.fits) return [];
  const { numaManaged, numaClients, vnumaNodes } = topology;
  const certainty = stored.anew.certainty === "documented" ? "" : `, ${stored.anew.certainty}`;
  const clients = numaManaged ? ` on ${plural(numaClients.length, "NUMA client")} (${short(numaClients)})` : "";
  return [
    `${host.name}: the stored size ${stored.size} no longer fits: the guest keeps ${short(vnumaNodes)}${clients}, and would get ` +
      `${short(stored.anew.vnumaNodes)} anew${certainty} [${DENNEMAN_2022_MISMATCH.key}]. To end it, remove numa.autosize.cookie and ` +
      `numa.autosize.vcpu.maxPerVirtualNode while the VM is off, or set numa.autosize.once = FALSE, which sizes it anew at each power-on ` +
      `[${VNUMA_CONTROLS_67.key}].`,
  ];
}

/** Returns the observed state of a running VM; empty without observations. */
function observedNote(spec: VmSpec, topology: Topology): readonly string[] {
  const compared = compareObserved(spec, topology);
  if (!compared) return [];
  return [
    `${observedWords(spec)}; computed: ${compared.agrees ? "the same" : layoutWords(besideObserved(topology, compared.observed.value))}.`,
  ];
}

/** Returns the observed layout of a running VM; "" without one. */
function observedWords({ observed }: VmSpec): string {
  if (!observed) return "";
  const { value } = observed;
  return `${value.source} reports NUMA ${value.vnumaNodes ? "nodes" : "clients"} of ${layoutWords(value)}`;
}

/** Returns the part of the computed layout that is observed, too. */
const besideObserved = ({ vnumaNodes, numaManaged, numaClients }: Topology, observed: Observed): Observed => ({
  ...(observed.vnumaNodes && { vnumaNodes }),
  ...(observed.numaClients && numaManaged && { numaClients }),
  source: observed.source,
});

/** Returns the sizes of the NUMA nodes and clients that are known. */
const layoutWords = ({ vnumaNodes, numaClients = [] }: Observed): string =>
  [vnumaNodes && short(vnumaNodes), numaClients.length > 0 && short(numaClients)].filter(Boolean).join(" on NUMA clients of ");

/** Returns the lines about assumed settings of a VM. */
const assumedNote = ({ assumed, settings, changes }: VmSpec): readonly string[] => [
  ...[...(assumed?.origins ?? [])].map(([name, origin]) => {
    const setting = settings[name];
    const value = setting.state === "known" ? String(setting.value) : "not set";
    return `${capitalized(SETTING_WORDS[name])}: ${value}, ${origin}.`;
  }),
  ...(changes ? [`${capitalized(WITHOUT_OPTIONS)}.`] : []),
];

function vmBlock(path: string, vm: LintedVm, all: readonly LintedVm[], palette: Palette): string {
  const { spec } = vm;
  const { host, workload } = vm.target;
  const title = titleLine(path, spec.variant ? `${spec.name} (${spec.variant.name})` : spec.name, palette);
  if (!needsHost(spec)) return guestBlock(title, spec, answerFor(spec, host, workload), palette);
  if (!host)
    return `${title}\n${[observedWords(spec) && `${observedWords(spec)}.`, nodeNeedWords(spec), NO_HOST].flatMap((line) => (line ? [`  ${line}\n`] : [])).join("")}`;
  const result = possibleTopologies(spec, host, workload);
  const topology = result.ok ? result.cases[0].topology : undefined;
  const notes = [
    ...assumedNote(spec),
    ...hostedNote(spec),
    ...(result.ok && topology && result.cases.length === 1 ? observedNote(spec, topology) : []),
    ...(topology ? staleNote(spec, host, topology) : []),
  ];
  const { width } = palette;
  const noteLines = notes.flatMap((text) => wrapped(`  ${printable(text)}`, width, 4).map(palette.dim));
  const line = result.ok ? possibleHeadline(result, host) : headline(spec.name, undefined, host);
  const about = wrapped(`  ${line}`, width, 4).map(palette.bold).join("\n");
  if (!result.ok || !topology) {
    return [
      title,
      about,
      ...noteLines,
      "",
      `  ${palette.red(result.ok ? "" : failureOf(result))}`,
      ...(result.ok ? [] : result.reasons).flatMap(({ text }) => wrapped(`    ${printable(text)}`, width, 6)),
      "",
    ].join("\n");
  }
  const { certainties, cases } = result;
  const reasons =
    cases.length === 1
      ? topology.reasons
      : [...new Map(cases.flatMap((item) => item.topology.reasons).map((item) => [item.text, item])).values()];
  const sources = [...new Set([...reasons, ...cases].flatMap(({ source }) => source ?? []))];
  const knowsSockets = isSure(certainties.sockets);
  const knowsNodes = isSure(certainties.vnumaNodes);
  const knowsAll = cases.length === 1;
  const drawing = hostDrawing(host, topology, drawnVm(vm, all)).flatMap((row) => (row.startsWith("node ") ? row : words([row], width)));
  const possible = caseLines(result);
  const state = stateWords(result);
  const sections = [
    ...(knowsAll ? [] : [section("Possible", words(state ? [...possible, state] : possible, width), palette)]),
    ...(knowsAll || isSure(certainties.numaClients)
      ? [section("On the host", [...words(onHost(topology, host), width), ...drawing], palette)]
      : []),
    ...(knowsAll || (knowsSockets && knowsNodes) ? [section("lscpu", lscpu(topology), palette)] : []),
    ...(knowsAll || knowsSockets
      ? [section("Logical Processor to Socket Map", coreinfo(consecutive(sockets(topology)), "Socket"), palette)]
      : []),
    ...(knowsAll || knowsNodes ? [section("Logical Processor to NUMA Node Map", nodeMap(topology), palette)] : []),
    section(`Why (${certaintyWords(result)})`, words(reasons.map(reasonLine), width), palette),
    ...(sources.length > 0 ? [section("Sources", words(sources.map(sourceLine), width), palette)] : []),
  ];
  return [title, about, ...noteLines, "", ...sections].join("\n");
}

/** Returns the view of a guest whose definition decides it without a host. */
function guestBlock(title: string, spec: VmSpec, answer: Answer | undefined, palette: Palette): string {
  const { width } = palette;
  const notes = assumedNote(spec).flatMap((text) => wrapped(`  ${printable(text)}`, width, 4).map(palette.dim));
  if (!answer?.ok) {
    const reasons = (answer?.reasons ?? []).flatMap(({ text }) => wrapped(`    ${printable(text)}`, width, 6));
    return [title, ...notes, `  ${palette.red(failureOf(answer))}`, ...reasons, ""].join("\n");
  }
  const { topology } = answer;
  const sources = [...new Set(topology.reasons.flatMap(({ source }) => source ?? []))];
  const pins = pinLines(topology, MAP_ROWS);
  const sections = [
    ...(pins.length > 0 ? [section("On the host", words(pins, width), palette)] : []),
    section("lscpu", lscpu(topology), palette),
    section("Logical Processor to Socket Map", coreinfo(socketsOf(topology), "Socket"), palette),
    ...(topology.vnumaNodes.length > 0 ? [section("Logical Processor to NUMA Node Map", nodeMap(topology), palette)] : []),
    section(`Why (${topology.certainty})`, words(topology.reasons.map(reasonLine), width), palette),
    section("Sources", words(sources.map(sourceLine), width), palette),
  ];
  return [title, ...wrapped(`  ${guestHeadline(topology)}`, width, 4).map(palette.bold), ...notes, "", ...sections].join("\n");
}

/** Returns the view of a guest in a line, and the reasons if there is none; `undefined` for a VM of ESXi, whose view needs its host. */
export function guestLines({ spec, target: { host, workload } }: LintedVm): readonly [line: string, ...reasons: string[]] | undefined {
  if (needsHost(spec)) return undefined;
  const answer = answerFor(spec, host, workload);
  return answer?.ok ? [guestHeadline(answer.topology)] : [failureOf(answer), ...(answer?.reasons ?? []).map(reasonLine)];
}

/** Returns the view of a guest in a line. */
export function guestHeadline({ vcpus, sockets: count, coresPerSocket, threadsPerCore, vnumaNodes, sets }: GuestView): string {
  const threads = threadsPerCore > 1 ? ` x ${plural(threadsPerCore, "thread")}` : "";
  const nodes =
    vnumaNodes.length === 0 ? "NUMA nodes of its host CPUs" : vnumaNodes.length === 1 ? "no NUMA" : `NUMA nodes of ${short(vnumaNodes)}`;
  const possible = sets?.possibleVcpus ?? vcpus;
  const cores = sets?.cores === undefined ? coresPerSocket / threadsPerCore : sets.cores;
  const perSocket = cores === null ? `${short((sets?.sockets ?? []).map(({ length }) => length))} vCPUs` : plural(cores, "core");
  const more = possible > vcpus ? `, up to ${possible} by hot plug` : "";
  return `The guest sees ${plural(vcpus, "vCPU")}, ${plural(count, "socket")} ${cores === null ? "of" : "x"} ${perSocket}${cores === null ? "" : threads}, ${nodes}${more}.`;
}

/** Returns why there is no layout. */
export const failureOf = (answer: Pick<NoAnswer, "because"> | undefined): string =>
  answer?.because === "no-power-on" ? "It does not start:" : "The layout cannot be computed:";

/** Returns a step of the layout with its source, and its certainty if less than documented. */
const sourceLine = ({ key, title, url }: Source): string => `${key}: ${title}${url ? `, ${url}` : ""}`;

export const reasonLine = ({ text, source, certainty }: Step): string => `${text}${note(source?.key, certainty)}`;

const note = (source: string | undefined, certainty: string): string =>
  [source, certainty === "documented" ? undefined : certainty].some(Boolean)
    ? ` [${[source, certainty === "documented" ? undefined : certainty].filter(Boolean).join(", ")}]`
    : "";

/** Wraps sentences of a section to the width of the terminal, which has an indent of four columns. */
const words = (lines: readonly string[], width: number | undefined): readonly string[] =>
  lines.flatMap((line) => wrapped(printable(line), width === undefined ? undefined : width - 4, 2));

const section = (title: string, lines: readonly string[], palette: Palette): string =>
  [
    ...wrapped(`  ${title}`, palette.width, 4).map(palette.cyan),
    ...lines.map((line) => `    ${withFlaw(printable(line), palette)}`),
    "",
  ].join("\n");

/** A line with its flaw in colour: the words after an exclamation mark. */
const withFlaw = (line: string, { yellow }: Palette): string => line.replace(/(?:^| )! .*$/, yellow);

function lscpu(view: GuestView): string[] {
  const { vcpus, sockets: count, coresPerSocket, threadsPerCore, vnumaNodes, sets } = view;
  const evenCores = coresPerSocket % threadsPerCore === 0 ? coresPerSocket / threadsPerCore : null;
  const coresOfSocket = sets?.cores === undefined ? evenCores : sets.cores;
  const rows: [string, string | number][] = [
    ["CPU(s):", vcpus],
    ["Thread(s) per core:", threadsPerCore],
    ["Core(s) per socket:", coresOfSocket ?? "unknown"],
    ["Socket(s):", count],
    ["NUMA node(s):", vnumaNodes.length > 0 ? vnumaNodes.length : "unknown"],
  ];
  for (const [node, ids] of nodesOf(view).entries()) rows.push([`NUMA node${node} CPU(s):`, numberRuns(ids)]);
  return rows.map(([name, value]) => `${name.padEnd(21)}${value}`);
}

/** Returns the vCPUs of each virtual socket, in order. */
export const sockets = ({ vcpus, sockets: count, coresPerSocket }: GuestView): number[] =>
  sequence(Math.ceil(count), (i) => Math.min(coresPerSocket, vcpus - i * coresPerSocket));

/** Returns the vCPUs of each socket. */
export const socketsOf = (view: GuestView): readonly (readonly number[])[] => view.sets?.sockets ?? consecutive(sockets(view));

/** Returns the vCPUs of each node; empty if they are unknown. */
export const nodesOf = ({ vnumaNodes, sets }: GuestView): readonly (readonly number[])[] =>
  sets && sets.nodes.length > 0 ? sets.nodes.map(({ vcpus }) => vcpus) : consecutive(vnumaNodes);

/** The largest map to print; above it, or if many rows are alike, a line summarises the map. */
const MAP_ROWS = 32;
const LIKE_ROWS = 4;
const MAP_COLUMNS = 128;

function coreinfo(groups: readonly (readonly number[])[], name: string): string[] {
  const sizes = groups.map(({ length }) => length);
  const ids = groups.flat().sort((a, b) => a - b);
  if (groups.length > MAP_ROWS || (groups.length > LIKE_ROWS && isEven(sizes)) || ids.length > MAP_COLUMNS) {
    return [`${groups.length} x ${name}, ${isEven(sizes) ? `${plural(sizes[0] ?? 0, "vCPU")} each` : groupText(sizes)}`];
  }
  return groups.map((group, i) => {
    const own = new Set(group);
    return `${ids.map((id) => (own.has(id) ? "*" : "-")).join("")}  ${name} ${i}`;
  });
}

/** Without virtual NUMA, Coreinfo prints this line below the map (screenshot in F. Denneman's NUMA Deep Dive part 5). */
const nodeMap = (view: GuestView): string[] => [
  ...coreinfo(nodesOf(view), "NUMA Node"),
  ...(view.vnumaNodes.length === 1 ? ["No NUMA nodes."] : []),
];

/** Returns the host, and the resources that the VM gets. */
export function onHost(topology: Topology, host: HostModel): string[] {
  const { numaClients, numaManaged, nodeCapacity, pinning, usableVcpus, guestUsableVcpus, vcpus, threadsPerCore } = topology;
  const nodes = `${plural(host.numaNodes, "NUMA node")} x ${plural(coresPerNode(host), "core")}`;
  return [
    `${host.cpu ? `${host.cpu}, ` : ""}${nodes}, ${plural(coresOf(host), "core")}, ${plural(threadsOf(host), "logical CPU")}`,
    clientsLine(numaClients, numaManaged, nodeCapacity),
    ...(pinning
      ? [
          pinning.pcpus === 0
            ? "pinned to no logical CPU of this host"
            : `pinned to ${plural(pinning.pcpus, "logical CPU")} of ${plural(pinning.cores, "core")} (${pinning.perNode.join("+")} by node)${pinning.siblingPairs ? `, ${plural(pinning.siblingPairs, "sibling pair")}` : ""}`,
          ...(pinning.outOfRange.length > 0 ? [`not on this host: CPU ${numberRuns(pinning.outOfRange, ", ")}`] : []),
        ]
      : []),
    ...(host.assumed ?? []).map((assumption) => `assumed of the host: ${assumption}`),
    ...(usableVcpus === null ? [`SQL Server: ${whyOpen(threadsPerCore)}`] : []),
    ...(usableVcpus !== null && usableVcpus < vcpus ? [`SQL Server can use ${usableVcpus} of ${vcpus} vCPUs`] : []),
    ...(guestUsableVcpus < vcpus ? [`the guest OS can use ${guestUsableVcpus} of ${vcpus} vCPUs`] : []),
  ];
}

const whyOpen = (threadsPerCore: number): string =>
  threadsPerCore > 1
    ? "no source shows how the limits of an edition count virtual hyper-threads"
    : "usable vCPUs depend on the edition, version and licensing";

function clientsLine(clients: readonly number[], managed: boolean, capacity: number): string {
  if (!managed) return "outside NUMA scheduling: its vCPUs are not kept on a node";
  const [client = 0] = clients;
  if (clients.length === 1) return client > capacity ? `1 NUMA client of ${client} vCPUs` : "1 NUMA client: the VM stays on one node";
  return `${clients.length} NUMA clients: ${groupText(clients)} vCPUs`;
}
