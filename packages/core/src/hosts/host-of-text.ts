import { VmlintError } from "../model/errors.ts";
import { parseEsxi } from "../model/esxi.ts";
import { isCountedProcessors, isDescription } from "../model/host.ts";
import { combine, type DumpPart, type ImportedHost, type ImportRequest } from "./combine.ts";
import { type DumpFormat, type Fail, linesOf } from "./facts.ts";
import { hostFromCpu } from "./host-from-cpu.ts";
import { synthetic } from "./synthetic.ts";

/** Whether a text is a dump rather than a word. A dump may be JSON or XML of one line. */
export const isDump = (text: string): boolean => text.includes("\n") || /^\s*[[{<]/.test(text);

/**
 * Returns the host that a word describes by itself: processors (`2x Xeon Gold 6148:768@8.0`), or a description of hwloc
 * (`pack:2 core:12 pu:2@8.0`); `undefined` for a name, a short form and a dump. Throws HOST_UNKNOWN and HOST_UNREADABLE.
 */
export function hostOfText(text: string): ImportedHost | undefined {
  if (isDump(text)) return undefined;
  if (isCountedProcessors(text)) {
    const found = hostFromCpu(text);
    if ("reason" in found) throw new VmlintError("HOST_UNKNOWN", found.reason);
    return withoutDump(found.host);
  }
  const [, plain = text, version] = /^(.+)@([^@]*)$/.exec(text) ?? [];
  if (!isDescription(plain)) return undefined;
  const stated = version === undefined ? undefined : { esxi: release(version) };
  return importWith([synthetic], plain, { name: plain, file: plain, stated });
}

/** Returns a host that does not come from a dump. */
export function withoutDump(host: ImportedHost["host"]): ImportedHost {
  const missing = (["esxi", "memoryGiB", "mhz"] as const).filter((field) => host[field] === undefined);
  return { host, formats: [], origins: {}, notes: [], missing };
}

/** Returns the release behind the @ of a host. */
export function release(version: string) {
  const esxi = parseEsxi(version);
  if (!esxi) throw new VmlintError("HOST_UNKNOWN", `"${version}" is not an ESXi version. Write 6.7, 7.0 or 8.0 U2.`);
  return esxi;
}

/** Reads a host from a dump of some formats. */
export function importWith(dumpFormats: readonly DumpFormat[], text: string, request: ImportRequest): ImportedHost {
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
