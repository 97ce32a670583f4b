import { shownGiB } from "../../limits/vm-memory.ts";
import type { LintedVm } from "../../lint/target.ts";
import { coresOf, type HostModel } from "../../model/host.ts";
import { addTo } from "../../model/maps.ts";
import { sequence } from "../../model/sequence.ts";
import { valueIfKnown } from "../../model/source.ts";
import { list, plural } from "../../model/words.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { groupText } from "../../platforms/esxi/layout.ts";
import { possibleTopologies } from "../../platforms/esxi/possible.ts";
import { needsHost } from "../../platforms/index.ts";
import { hostTitle } from "../headline.ts";
import { onHost } from "../topology-text.ts";
import { column, flow, group, paragraph } from "./box.ts";
import { drawnVm, type Flaws, flawsOf } from "./flaws.ts";
import { swatch } from "./legend.ts";
import { hostBox } from "./machine.ts";
import { GAP } from "./nodes.ts";
import { hue, type Paint } from "./paint.ts";
import { asWide, flawBox, type Panel, section, titleBox } from "./panel.ts";
import { placementOf } from "./placement.ts";
import type { Sheet } from "./sheet.ts";

/** A VM with the first of its possible layouts. */
interface PlacedVm {
  readonly vm: LintedVm;
  readonly topology: Topology;
}

/** VMs that share a machine, or would if their file were on one. */
export interface HostedGroup {
  readonly host: HostModel;
  /** The file; empty if a configuration declares the machine that they share. */
  readonly path: string;
  readonly vms: readonly PlacedVm[];
}

/** One drawing shows this many VMs: more have no colours of their own. */
const MOST_VMS = 8;

/** Groups the VMs of a declared machine, or of a file with one host, for a drawing. */
export function groupsOf(results: readonly { readonly path: string; readonly vms: readonly LintedVm[] }[]): readonly HostedGroup[] {
  const groups = new Map<string, { host: HostModel; path: string; vm: LintedVm }[]>();
  for (const { path, vms } of results)
    for (const vm of vms) {
      const { host, machine } = vm.target;
      if (!host || !needsHost(vm.spec)) continue;
      const place = machine === undefined ? path : "";
      addTo(groups, JSON.stringify([machine ?? "", place, host.name]), { host, path: place, vm });
    }
  return [...groups.values()].flatMap((members): readonly HostedGroup[] => {
    const [first] = members;
    if (!first || members.length < 2 || members.length > MOST_VMS) return [];
    const vms = members.flatMap(({ vm }): readonly PlacedVm[] => {
      const result = possibleTopologies(vm.spec, first.host, vm.target.workload);
      return result.ok ? [{ vm, topology: result.cases[0].topology }] : [];
    });
    return vms.length > 1 ? [{ host: first.host, path: first.path, vms }] : [];
  });
}

/** Returns the drawing of a host with several VMs on it, each in a colour. */
export const togetherOn = (group: HostedGroup) => (sheet: Sheet) => togetherPanel(group, sheet);

function togetherPanel({ host, path, vms }: HostedGroup, sheet: Sheet): Panel {
  const { width } = sheet;
  const topologies = vms.map(({ topology }) => topology);
  const placement = placementOf(topologies, host);
  const vmOfVcpu = topologies.flatMap(({ vcpus }, i) => sequence(vcpus, () => i));
  const vmOfClient = topologies.flatMap(({ numaManaged, numaClients }, i) => (numaManaged ? numaClients.map(() => i) : []));
  const paint: Paint = (vcpu) => {
    const client = vmOfVcpu[vcpu] ?? 0;
    const { className, over } = hue(client);
    return { className: `vcpu ${className}`, over, client };
  };
  const pins = new Map<number, number[]>();
  for (const [i, { pinning }] of topologies.entries()) for (const cpu of pinning?.numbers ?? []) addTo(pins, cpu, i);
  const nameOf = (i: number): string => {
    const { name, alias = name } = vms[i]?.vm.spec ?? { name: "" };
    return alias || `VM ${i + 1}`;
  };
  const flaws = flawsTogether(host, vms, pins, nameOf);
  const machine = hostBox(host, {
    placement,
    pins,
    isManaged: topologies.some(({ numaManaged }) => numaManaged),
    names: (clients) => list([...new Set(clients.map((client) => nameOf(vmOfClient[client] ?? 0)))], "and"),
    paint,
    flaws: new Map(),
    memory: undefined,
    sheet,
  });
  const chips = vms.map(({ topology }, i) => swatch([hue(i)], `${nameOf(i)}: ${sizeWords(topology)}`, width));
  const about = aboutTogether(host, path, vms);
  const [hostFacts = ""] = onHost(topologies[0] as Topology, host);
  const note = "ESXi chooses nodes and cores at run time: this is one of several equal placements.";
  const titles = { name: `${vms.length} VMs`, path };
  const box = column(
    [
      titleBox(titles, about, width),
      flawBox(flaws, width),
      section(`On ${hostTitle(host)}`, `${hostFacts}.`, width, group(machine, "host")),
      flow(chips, width, GAP),
      paragraph(note, width, { dim: true }),
    ],
    6,
  );
  const words = vms.map(({ topology }, i) => `${nameOf(i)}: ${sizeWords(topology)}.`);
  return { box: asWide(box, width), words: [about, ...flaws.values(), ...words, note] };
}

const sizeWords = ({ vcpus, numaClients, pinning, numaManaged }: Topology): string => {
  if (pinning) return `${plural(vcpus, "vCPU")}, pinned`;
  const parts = numaManaged && numaClients.length > 1 ? ` in clients of ${groupText(numaClients)}` : "";
  return `${plural(vcpus, "vCPU")}${parts}`;
};

/** Returns the vCPUs and the memory of all VMs, and the cores and the memory of the host. */
function aboutTogether(host: HostModel, path: string, vms: readonly PlacedVm[]): string {
  const vcpus = vms.reduce((sum, { topology }) => sum + topology.vcpus, 0);
  const sizes = vms.map(({ vm }) => valueIfKnown(vm.spec.settings.memoryMiB));
  const gib = shownGiB(sizes.reduce<number>((sum, mib = 0) => sum + mib, 0));
  const memory = host.memoryGiB === undefined || sizes.includes(undefined) ? "" : `, ${gib} of ${host.memoryGiB} GiB`;
  const condition = path === "" ? "" : "If these VMs share one host: ";
  return `${condition}${vcpus} vCPUs on ${plural(coresOf(host), "core")}${memory}`;
}

/** Returns what is wrong with the VMs together, then with each. */
function flawsTogether(
  host: HostModel,
  vms: readonly PlacedVm[],
  pins: ReadonlyMap<number, readonly number[]>,
  nameOf: (i: number) => string,
): Flaws {
  const shared = [...pins].filter(([, owners]) => owners.length > 1);
  const owners = [...new Set(shared.flatMap(([, all]) => all))].sort((a, b) => a - b);
  const together =
    shared.length > 0 ? [`${list(owners.map(nameOf), "and")} are pinned to ${plural(shared.length, "common logical CPU")}.`] : [];
  const own = vms.flatMap(({ vm, topology }, i) =>
    [...flawsOf(host, topology, drawnVm(vm)).values()].map((text) => `${nameOf(i)}: ${text}`),
  );
  return new Map([...together, ...own].length > 0 ? [["shared-pins", [...together, ...own].join(" ")]] : []);
}
