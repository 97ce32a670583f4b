import { deriveTopology, topologyText } from "@vmlint/core";
import { answerFor, type LintedVm, needsHost } from "@vmlint/core/program";

/** The layout of one VM. */
export interface Drawn {
  readonly name: string;
  /** The layout in a line, or which VM has none. */
  readonly headline: string;
  /** Empty without a layout. */
  readonly picture: string;
  /** Why there is no layout. */
  readonly why: readonly string[];
}

/** Draws a VM on its host. */
export async function draw(vm: LintedVm, path: string, scheme: "light" | "dark", id: string): Promise<Drawn> {
  const { spec, target } = vm;
  const { host, workload } = target;
  const linted = { path, text: "", vms: [vm], diagnostics: [], skipped: [], foreign: undefined };
  // The command's own words: below the title the layout in a line, or why there is none.
  const [, , headline = "", ...rest] = topologyText([linted]).split("\n");
  const result = host && deriveTopology(spec, host, workload);
  const name = spec.name || "VM";
  const { topologyHtml, vmPicture } = await import("@vmlint/core/picture");
  if (!needsHost(spec) && answerFor(spec, host, workload)?.ok)
    return { name, headline: headline.trim(), picture: vmPicture(vm, { id, scheme }), why: [] };
  if (!host && needsHost(spec)) return { name, headline: name, picture: "", why: ["The layout depends on the host: choose one."] };
  if (!host || !result?.ok) return { name, headline: headline.trim(), picture: "", why: rest.map((line) => line.trim()).filter(Boolean) };
  return { name, headline: headline.trim(), picture: topologyHtml(host, result.topology, { id, name, scheme, vm }), why: [] };
}
