import { findHost, type HostModel, isCountedProcessors, parseEsxi, VmlintError } from "@vmlint/core";

export type FoundHost = { readonly host: HostModel | undefined } | { readonly reason: string };

/** The host that somebody described, or why it is none. `release`: in place of the host's own; empty: that. */
export async function hostOf(description: string, release: string): Promise<FoundHost> {
  const words = description.trim();
  if (words === "") return { host: undefined };
  const esxi = parseEsxi(release);
  const found = await describedHost(words, description, release);
  return "host" in found && found.host && esxi ? { host: { ...found.host, esxi } } : found;
}

async function describedHost(words: string, said: string, release: string): Promise<FoundHost> {
  const known = findHost(words);
  if ("host" in known) return known;
  const isCounted = isCountedProcessors(words);
  if (!isCounted && !known.isName) return { reason: known.explanation };
  const { importHost, isSynthetic } = await import("@vmlint/core/hosts");
  // A dump may be JSON or XML of one line.
  if (isCounted || !(/[\n{[<]/.test(words) || isSynthetic(words))) return (await import("@vmlint/core/cpus")).hostFromCpu(words);
  const esxi = parseEsxi(release);
  try {
    return { host: importHost(said, { name: "pasted", file: "the host", stated: esxi ? { esxi } : {} }).host };
  } catch (error) {
    if (error instanceof VmlintError) return { reason: error.message };
    throw error;
  }
}
