import type { Cpu } from "@vmlint/core/cpus";
import type { Palette } from "@vmlint/core/program";
import { jsonAnswer } from "../args/command-output.ts";

/** The processors as the json format has them. A field that is not there is not known. */
export function cpusJson(cpus: readonly Cpu[]): string {
  const sources = new Map(cpus.flatMap((cpu) => cpu.sources.map((source) => [source.key, source] as const)));
  return jsonAnswer({
    cpus: cpus.map((cpu) => ({ ...cpu, sources: cpu.sources.map(({ key }) => key) })),
    sources: [...sources.values()],
  });
}

const HEADINGS = ["processor", "cores", "threads", "MHz", "L3 groups", "NUMA nodes", "sockets", "sources"];

/** The processors as a table. */
export function cpusText(cpus: readonly Cpu[], { bold, width }: Palette): string {
  const rows = cpus.map((cpu) => [
    cpu.name,
    `${cpu.cores}`,
    `${cpu.cores * cpu.threadsPerCore}`,
    `${cpu.mhz ?? "-"}`,
    cpu.coresPerL3 === undefined ? "-" : `${cpu.cores / cpu.coresPerL3} x ${cpu.coresPerL3}`,
    cpu.nodesPerSocket && cpu.setting ? `${cpu.setting} ${[...cpu.nodesPerSocket, ...(cpu.mayShowOthers ? ["?"] : [])].join(", ")}` : "-",
    `${cpu.maxSockets ?? "-"}`,
    cpu.sources.map(({ key }) => key).join(", "),
  ]);
  const widths = HEADINGS.map((heading, i) => Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join("  ")
      .trimEnd();
  const table = [HEADINGS, ...rows].map(line);
  const isTooWide = width !== undefined && table.some((one) => one.length > width);
  const [head = "", ...body] = isTooWide ? [HEADINGS, ...rows].map((row) => line(row.slice(0, -1))) : table;
  const hidden = isTooWide ? "\nvmlint cpus --format json has the sources.\n" : "";
  return `${[bold(head), ...body].join("\n")}\n${hidden}`;
}
