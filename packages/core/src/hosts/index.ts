import { VmlintError } from "../model/errors.ts";
import { combine, type DumpPart, type ImportedHost, type ImportRequest } from "./combine.ts";
import { coreinfo } from "./coreinfo.ts";
import { esxcliCpuGlobal, esxcliCpuList, esxcliMemory, esxiVersion, schedStats } from "./esxcli.ts";
import { type DumpFormat, type Fail, linesOf } from "./facts.ts";
import { vimCmd, vsphereJson } from "./host-systems.ts";
import { hwlocXml } from "./hwloc.ts";
import { lscpuExtendedJson, lscpuJson, lscpuParsable, lscpuTable } from "./lscpu.ts";
import { numactl } from "./numactl.ts";
import { synthetic } from "./synthetic.ts";

export type { ImportedHost, ImportRequest, StatedHost } from "./combine.ts";
export type { DumpFormat } from "./facts.ts";
export { isSynthetic } from "./synthetic.ts";

/** All supported kinds of dumps. */
export const dumpFormats: readonly DumpFormat[] = [
  // First: it names the update, which the API's version number does not below 7.0.
  esxiVersion,
  vimCmd,
  vsphereJson,
  esxcliCpuGlobal,
  esxcliCpuList,
  esxcliMemory,
  schedStats,
  lscpuTable,
  lscpuJson,
  lscpuParsable,
  lscpuExtendedJson,
  hwlocXml,
  numactl,
  coreinfo,
  synthetic,
];

/**
 * Reads a host model from a dump. Throws HOST_UNREADABLE, with the line if possible, for any other text, and for a dump that is truncated,
 * contradictory, of a machine with unequal parts, or without a required fact.
 */
export function importHost(text: string, request: ImportRequest): ImportedHost {
  const fail: Fail = (message, line) => {
    throw new VmlintError("HOST_UNREADABLE", `${request.file}${line === undefined ? "" : `:${line}`}: ${message}`);
  };
  const dump = text.replace(/^\ufeff/, "");
  if (dump.trim() === "") return fail("The file is empty. Take the dump again.", 1);
  const readers = dumpFormats.filter((format) => format.recognises(dump));
  if (readers.length === 0) {
    return fail(`This is no host dump that vmlint reads. It reads ${dumpFormats.map(({ title }) => title).join(", ")}.`, 1);
  }
  const parts: DumpPart[] = readers.map((format) => ({ title: format.title, facts: format.read(dump, fail) }));
  const end = lastNumber(dump);
  if (end !== undefined) parts.push({ title: "", facts: { assumed: [{ text: `"${end}" is whole: the file ends right behind it` }] } });
  return combine(parts, request, fail);
}

/** A command ends its last line. Without a line end, the last number of a text may be incomplete. */
function lastNumber(dump: string): string | undefined {
  const last = linesOf(dump).at(-1) ?? "";
  return last !== dump && /\d$/.test(last) ? last.trim() : undefined;
}
