import { findHost, type HostModel, parseEsxi, VmlintError } from "@vmlint/core";

export type FoundHost = { readonly host: HostModel | undefined } | { readonly reason: string };

/** The host that somebody described, or why it is none. `release`: in place of the host's own; empty: that. */
export async function hostOf(said: string, release: string): Promise<FoundHost> {
  const words = said.trim();
  if (words === "") return { host: undefined };
  const esxi = parseEsxi(release);
  const found = await describedHost(words, said, release);
  return "host" in found && found.host && esxi ? { host: { ...found.host, esxi } } : found;
}

async function describedHost(words: string, said: string, release: string): Promise<FoundHost> {
  const known = findHost(words);
  if ("host" in known) return known;
  if (/^\d+x\d+x\d/.test(words)) return { reason: known.reason };
  // A dump may be JSON or XML of one line.
  if (!/[\n{[<]/.test(words)) return (await import("@vmlint/core/cpus")).hostFromCpu(words);
  const { importHost } = await import("@vmlint/core/hosts");
  const esxi = parseEsxi(release);
  try {
    return { host: importHost(said, { name: "host", file: "the host", stated: esxi ? { esxi } : {} }).host };
  } catch (error) {
    if (error instanceof VmlintError) return { reason: error.message };
    throw error;
  }
}
