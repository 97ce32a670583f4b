import { type DumpFormat, keyedLines, linesOf, numbersOf } from "./facts.ts";
import { factsOfCpus, type LogicalCpu, linuxCpus } from "./grid.ts";
import { nodeListsIn } from "./lscpu.ts";

const LINE = /^\S*\/cpu(\d+)\/topology\/(?:thread_siblings_list|core_cpus_list):([\d,-]+)\s*$/;

/**
 * `grep . /sys/devices/system/cpu/cpu0/topology/thread_siblings_list`, for each CPU: the CPUs of each core. The tables of `lscpu` in the same file name
 * the CPUs of each NUMA node.
 */
export const siblings: DumpFormat = {
  id: "thread-siblings",
  title: "thread_siblings_list",
  recognises: (text) => linesOf(text).some((line) => LINE.test(line)),
  read(text, fail) {
    const nodes = nodeListsIn(keyedLines(text));
    const nodeOf = new Map(nodes.flatMap(({ node, ids }) => (ids ?? []).map((id) => [id, node] as const)));
    const cpus = linesOf(text).flatMap((line, i): LogicalCpu[] => {
      const [, id, list] = LINE.exec(line) ?? [];
      const core = list === undefined ? undefined : numbersOf(list)?.join();
      return id === undefined ? [] : [{ id: Number(id), core, node: nodeOf.get(Number(id)), line: i + 1 }];
    });
    const { threads, cores } = factsOfCpus(cpus, fail);
    return {
      ...(threads !== undefined && { threads }),
      ...(cores !== undefined && { cores }),
      // Without the nodes of CPUs, a host with several is not known.
      ...(nodes.length > 0 && linuxCpus(cpus)),
    };
  },
};
