import { type DumpFormat, type Fail, lastLine, linesOf } from "./facts.ts";
import { factsOfCpus } from "./grid.ts";
import { sharesOf } from "./node-memory.ts";

const MIB = 2 ** 20;

/** `numactl -H`: nodes with their CPUs and memory, and nothing of sockets or cores. CPU numbers are Linux's. */
export const numactl: DumpFormat = {
  id: "numactl",
  title: "numactl -H",
  recognises: (text) => /^available: \d+ nodes? \(/m.test(text),
  see(text, fail) {
    const { nodes } = nodesIn(text, fail);
    return {
      cpus: nodes.reduce((sum, { ids }) => sum + ids.length, 0),
      nodes: nodes.map(({ ids }) => ids.map(Number).sort((a, b) => a - b)),
    };
  },
  read(text, fail) {
    const { nodes: all, sizes } = nodesIn(text, fail);
    const {
      threads,
      nodes: count,
      notes = [],
    } = factsOfCpus(
      all.flatMap(({ node, ids, line }) => ids.map((id) => ({ id: Number(id), node, line }))),
      fail,
    );
    const shares = sharesOf(all.map(({ node, ids }) => ({ name: node, bytes: sizes.get(node) ?? 0, hasCpus: ids.length > 0 })));
    return {
      ...(threads !== undefined && { threads }),
      ...(count !== undefined && { nodes: count }),
      memoryBytes: [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0),
      ...shares,
      notes: [...notes, ...(shares.notes ?? [])],
    };
  },
};

/** Returns the nodes with their CPUs, and the bytes of each. */
function nodesIn(text: string, fail: Fail) {
  const lines = linesOf(text);
  const heads = lines.flatMap((line, i) => (/^available: \d+ nodes? \(/.test(line) ? [i + 1] : []));
  if (heads.length > 1) return fail("A second machine begins here. Give each host a file of its own.", heads[1]);
  const expected = Number(/^available: (\d+)/m.exec(text)?.[1]);
  const sizes = new Map<string, number>();
  const nodes = lines.flatMap((line, i) => {
    const size = /^node (\d+) size: (\d+) MB\s*$/.exec(line);
    if (size) sizes.set(size[1] ?? "", Number(size[2]) * MIB);
    const [, node, list] = /^node (\d+) cpus:([ \d]*)$/.exec(line) ?? [];
    return node === undefined || list === undefined ? [] : [{ node, ids: list.trim() === "" ? [] : list.trim().split(/ +/), line: i + 1 }];
  });
  const unsized = nodes.find(({ node }) => !sizes.has(node));
  if (nodes.length !== expected)
    return fail(`The dump names ${expected} NUMA nodes and lists ${nodes.length}. Take it again.`, lastLine(text));
  if (unsized) return fail(`The dump ends before the size of node ${unsized.node}. Take it again.`, lastLine(text));
  return { nodes, sizes };
}
