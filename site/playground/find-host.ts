import { type HostModel, VmlintError } from "@vmlint/core";
import { findHost, parseEsxi } from "@vmlint/core/program";

export type FoundHost = { readonly host: HostModel | undefined } | { readonly reason: string };

/** The host that somebody described, or why it is none. `release`: in place of the host's own; empty: that. */
export async function hostOf(description: string, release: string): Promise<FoundHost> {
  const words = description.trim();
  if (words === "") return { host: undefined };
  const esxi = parseEsxi(release);
  try {
    const found = await describedHost(words, description, esxi);
    return "host" in found && found.host && esxi ? { host: { ...found.host, esxi } } : found;
  } catch (error) {
    if (error instanceof VmlintError) return { reason: error.message };
    throw error;
  }
}

async function describedHost(words: string, dump: string, esxi: HostModel["esxi"]): Promise<FoundHost> {
  const known = findHost(words);
  if ("host" in known) return known;
  const { hostFromCpu, hostOfText, importHost, isDump } = await import("@vmlint/core/cpus");
  if (isDump(words)) return importHost(dump, { name: "pasted", file: "the host", stated: esxi ? { esxi } : {} });
  return hostOfText(words) ?? (known.isName ? hostFromCpu(words) : { reason: known.explanation });
}
