import { LIBVIRT_DOMAIN, LIBVIRT_NUMA, LIBVIRT_VALIDATE } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import type { PageOf } from "../define.ts";
import { cpuOf, domainOf, pinned } from "../domain-example.ts";
import { refusalRule } from "../refusal.ts";

const EIGHT = "sockets='1' cores='8' threads='1'";
const cell = (id: number, cpus: string): string => `id='${id}' cpus='${cpus}' memory='8' unit='GiB'`;

/** Some I/O threads, and pins of threads by id. */
const ioPinned = (threads: number, ...ids: readonly number[]): string =>
  `<iothreads>${threads}</iothreads>\n<cputune>\n${ids.map((id) => `  <iothreadpin iothread='${id}' cpuset='0'/>\n`).join("")}</cputune>`;

export const rule = refusalRule("libvirt", {
  topology: (d: { vcpus: number; cpus: number }) =>
    `libvirt refuses a topology of ${plural(d.cpus, "CPU")} for ${plural(d.vcpus, "vCPU")}. Set sockets, cores and threads whose product is ${d.vcpus}.`,
  current: (d: { current: number; maximum: number }) =>
    `libvirt refuses ${plural(d.current, "present vCPU")} of at most ${d.maximum}. Set current to ${d.maximum} or fewer.`,
  empty: () => "libvirt refuses <numa> without cells. Add a cell, or remove <numa>.",
  gap: (d: { id: number; last: number }) =>
    `libvirt refuses NUMA cell ${d.id}: ids are consecutive from 0, and the last is ${d.last}. Number the cells from 0 to ${d.last}.`,
  twice: (d: { id: number }) => `libvirt refuses two NUMA cells with the id ${d.id}. Number each cell once.`,
  overlap: (d: { vcpu: number; cell: number; other: number }) =>
    `libvirt refuses vCPU ${d.vcpu} in the NUMA cells ${d.other} and ${d.cell}. List each vCPU in one cell.`,
  beyond: (d: { vcpu: number; vcpus: number }) =>
    `libvirt refuses vCPU ${d.vcpu} in a NUMA cell: the domain has ${plural(d.vcpus, "vCPU")}. List vCPUs up to ${d.vcpus - 1}.`,
  noCells: () => "libvirt refuses <memnode> without NUMA cells. Add cells, or bind the memory with <memory nodeset>.",
  noCell: (d: { cell: number; cells: number }) =>
    `libvirt refuses <memnode> for cell ${d.cell}: there are ${plural(d.cells, "cell")}. Name a cell up to ${d.cells - 1}.`,
  pinnedTwice: (d: { vcpu: number }) => `libvirt refuses two pins of vCPU ${d.vcpu}. Keep one.`,
  noThread: (d: { thread: number }) =>
    `libvirt refuses a pin of I/O thread ${d.thread}: the domain has none with that id. Raise <iothreads>, or remove the pin.`,
  threadTwice: (d: { thread: number }) => `libvirt refuses two pins of I/O thread ${d.thread}. Keep one.`,
});

export const page = (): PageOf<typeof rule> => ({
  summary: "libvirt refuses the domain",
  why: "libvirt compares the vCPUs, the topology, the NUMA cells and the pins of a domain. It refuses to define it.",
  whenNot: "When a program changes the file before libvirt reads it.",
  sources: [LIBVIRT_VALIDATE, LIBVIRT_NUMA, LIBVIRT_DOMAIN],
  bad: [
    { title: "A topology of 6 CPUs", xml: domainOf(cpuOf("sockets='1' cores='6' threads='1'")), expect: "topology" },
    { title: "More present than possible", xml: domainOf("", "<vcpu current='16'>8</vcpu>"), expect: "current" },
    { title: "No cells", xml: domainOf("<cpu>\n  <numa/>\n</cpu>"), expect: "empty" },
    { title: "Ids 0 and 2", xml: domainOf(cpuOf(EIGHT, cell(0, "0-3"), cell(2, "4-7"))), expect: "gap" },
    { title: "An id twice", xml: domainOf(cpuOf(EIGHT, cell(0, "0-3"), cell(0, "4-7"))), expect: "twice" },
    { title: "vCPU 4 in two cells", xml: domainOf(cpuOf(EIGHT, cell(0, "0-4"), cell(1, "4-7"))), expect: "overlap" },
    { title: "vCPU 8 of 8", xml: domainOf(cpuOf(EIGHT, cell(0, "0-3"), cell(1, "4-8"))), expect: "beyond" },
    { title: "Memory of a missing cell", xml: domainOf("<numatune>\n  <memnode cellid='0' nodeset='0'/>\n</numatune>"), expect: "noCells" },
    {
      title: "Memory of cell 2",
      xml: domainOf(`${cpuOf(EIGHT, cell(0, "0-3"), cell(1, "4-7"))}\n<numatune>\n  <memnode cellid='2' nodeset='0'/>\n</numatune>`),
      expect: "noCell",
    },
    { title: "Two pins", xml: domainOf(pinned([4, 5], "  <vcpupin vcpu='1' cpuset='6'/>\n")), expect: "pinnedTwice" },
    { title: "A pin of I/O thread 2 of 1", xml: domainOf(ioPinned(1, 2)), expect: "noThread" },
    { title: "Two pins of an I/O thread", xml: domainOf(ioPinned(1, 1, 1)), expect: "threadTwice" },
  ],
  good: [
    { title: "As many as the vCPUs", xml: domainOf(cpuOf(EIGHT, cell(0, "0-3"), cell(1, "4-7"))) },
    { title: "A pin of each I/O thread", xml: domainOf(ioPinned(2, 1, 2)) },
  ],
});
