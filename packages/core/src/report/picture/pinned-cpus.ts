import type { HostModel } from "../../model/host.ts";
import { grouped } from "../../model/maps.ts";
import { sequence } from "../../model/sequence.ts";
import type { GuestPins } from "../../model/topology.ts";
import { list, plural } from "../../model/words.ts";
import { sharedCpus } from "../pins-text.ts";
import { type Box, type Cell, EMPTY, type Fill, flow, paragraph } from "./box.ts";
import { runs } from "./groups.ts";
import { CAPTIONED_NODES, fitted, GAP, NUMBERED_SIZES, nodeBox, type PictureNode } from "./nodes.ts";
import type { Paint } from "./paint.ts";
import type { Sheet } from "./sheet.ts";

/** With more CPUs, the lines about the pins say more than a picture. */
const DRAWN_CPUS = 2048;

/** The threads that may run on a host CPU. */
interface Tenants {
  /** vCPUs that run nowhere else. */
  readonly alone: readonly number[];
  /** vCPUs that may run on other CPUs, too. */
  readonly others: readonly number[];
  readonly hasThreads: boolean;
}

/** Draws host CPUs with the vCPUs that are pinned to them: all CPUs of a host that lists them, otherwise the CPUs of the pins. */
export function pinnedBox(pins: GuestPins, host: HostModel | undefined, paint: Paint, { width, hostHeight }: Sheet): Box {
  const tenants = tenantsOf(pins);
  const nodes = host?.linuxCpus ? hostNodes(host.linuxCpus) : namedCpus(tenants);
  const count = nodes.reduce((sum, { cores }) => sum + cores.flat().length, 0);
  if (count > DRAWN_CPUS) return paragraph(`${plural(count, "CPU")}: too many to draw`, width);
  const shared = sharedCpus(pins);
  const plain = nodes.length > CAPTIONED_NODES;
  const draws = nodes.map(({ title, cores }, i) => {
    const cpus = [...cores.flat()].sort((a, b) => a - b);
    const node: PictureNode = {
      kind: "solid",
      // A single caption would be a small box without its flaws.
      captions: plain ? [`${i}`] : [...title, runs(cpus, "CPU"), ""],
      groups: [cores.map((core) => coreCell(core, tenants, paint))],
      below: EMPTY,
      flaws: cpus.flatMap((cpu) => {
        const vcpus = shared.get(cpu);
        return vcpus ? [`CPU ${cpu}: vCPUs ${list(vcpus, "and")}`] : [];
      }),
    };
    return nodeBox(node);
  });
  const build = (size: number, columns: number): Box =>
    flow(
      draws.map((draw) => draw(size, columns)),
      width,
      GAP,
    );
  return fitted(width, hostHeight, build, NUMBERED_SIZES);
}

function tenantsOf({ vcpus, others }: GuestPins): ReadonlyMap<number, Tenants> {
  const threads = new Set(others.flatMap(({ cpus }) => cpus));
  const pairs = [...vcpus].flatMap(([vcpu, cpus]) => cpus.map((cpu) => ({ cpu, vcpu, isAlone: cpus.length === 1 })));
  const byCpu = grouped(pairs, ({ cpu }) => cpu);
  return new Map(
    [...new Set([...byCpu.keys(), ...threads])].map((cpu) => {
      const all = byCpu.get(cpu) ?? [];
      const of = (isAlone: boolean): readonly number[] => all.filter((one) => one.isAlone === isAlone).map(({ vcpu }) => vcpu);
      return [cpu, { alone: of(true), others: of(false), hasThreads: threads.has(cpu) }];
    }),
  );
}

interface DrawnNode {
  readonly title: readonly string[];
  readonly cores: readonly (readonly number[])[];
}

/** Returns the nodes of a host, in them the threads of each core. */
function hostNodes(cpus: NonNullable<HostModel["linuxCpus"]>): readonly DrawnNode[] {
  const byNode = grouped(
    sequence(cpus.length, (cpu) => cpu).filter((cpu) => cpus[cpu] !== undefined),
    (cpu) => cpus[cpu]?.node ?? 0,
  );
  return [...byNode]
    .sort(([a], [b]) => a - b)
    .map(([node, all]) => ({ title: [`NUMA node ${node}`], cores: [...grouped(all, (cpu) => cpus[cpu]?.core ?? cpu).values()] }));
}

/** Returns the CPUs of pins in runs; which of them share a core is unknown. */
function namedCpus(tenants: ReadonlyMap<number, Tenants>): readonly DrawnNode[] {
  const cpus = [...tenants.keys()].sort((a, b) => a - b);
  // CPUs in a row have the same distance to their place in the list.
  return [...grouped([...cpus.entries()], ([i, cpu]) => cpu - i).values()].map((run) => ({
    title: [],
    cores: run.map(([, cpu]) => [cpu]),
  }));
}

function coreCell(core: readonly number[], tenants: ReadonlyMap<number, Tenants>, paint: Paint): Cell {
  const most = Math.max(...core.map((cpu) => tenants.get(cpu)?.alone.length ?? 0));
  const parts = core.map((cpu): Fill => {
    const { alone = [], others = [], hasThreads = false } = tenants.get(cpu) ?? {};
    const [first] = alone;
    if (first !== undefined) return { ...paint(first), text: alone.length === 1 ? String(first) : "" };
    const [some] = others;
    if (some !== undefined) return { className: `${paint(some).className} pinned`, over: "pin" };
    return { className: hasThreads ? "cpu off" : "cpu idle" };
  });
  return most > 1 ? { parts, flaw: most } : { parts };
}
