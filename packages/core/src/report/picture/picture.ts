import type { Topology } from "../../esxi/derive.ts";
import { type PossibleTopologies, possibleTopologies } from "../../esxi/possible.ts";
import type { LintedVm } from "../../lint/target.ts";
import type { HostModel } from "../../model/host.ts";
import { caseLines, headline, possibleHeadline, stateWords } from "../headline.ts";
import type { LintedFile } from "../result.ts";
import { failureOf, hostedNote, NO_HOST, reasonLine, staleNote } from "../topology-text.ts";
import { column, group } from "./box.ts";
import { drawnVm } from "./flaws.ts";
import { emptyPanel, type Panel, topologyPanel } from "./panel.ts";
import { type Scheme, style } from "./picture-style.ts";
import { escapeXml } from "./svg-text.ts";

export { bestFix, withChanges } from "./best-fix.ts";

/** The id, title and colours of a picture. */
export interface PictureOptions {
  /** A prefix of every id and style rule; pictures on the same page need different ones. Letters, digits and `-`. */
  readonly id?: string;
  readonly name?: string;
  /** The origin of the VM, such as its file. */
  readonly path?: string;
  /** The VM: its memory, workload and settings show more flaws. */
  readonly vm?: LintedVm;
  /** `auto` by default; set it for a page with a fixed colour scheme. */
  readonly scheme?: Scheme;
}

const DEFAULT_ID = "vmlint";

/** Draws a VM on its host: the view of the guest, the NUMA clients, and their sockets, nodes and cores. */
export const topologySvg = (
  host: HostModel,
  topology: Topology,
  { id = DEFAULT_ID, name = "", path = "", scheme, vm }: PictureOptions = {},
): string => svg([topologyPanel(host, topology, { name, path }, [], vm && drawnVm(vm.spec, vm.target.workload))], name || "VM", id, scheme);

/** Draws all VMs of some files, each on its host or with the reason why it has no layout. */
export function filesSvg(results: readonly LintedFile[], { id = DEFAULT_ID }: Pick<PictureOptions, "id"> = {}): string {
  const panels = results.flatMap(({ path, vms, foreign }) =>
    foreign === undefined
      ? vms.map((vm) => panelOf(path, vm))
      : [emptyPanel({ name: path, path: "" }, `This is not a VM definition: ${foreign}.`, [])],
  );
  const [only, ...others] = results.flatMap(({ vms }) => vms);
  const title = only && others.length === 0 ? only.spec.name || "VM" : `${panels.length} virtual machines`;
  return svg(panels.length > 0 ? panels : [emptyPanel({ name: "No VM", path: "" }, "There is no VM definition to draw.", [])], title, id);
}

function panelOf(path: string, { spec, target: { host, workload } }: LintedVm): Panel {
  const titles = { name: spec.name, path };
  if (!host) return emptyPanel(titles, NO_HOST, []);
  const result = possibleTopologies(spec, host, workload);
  const hosted = hostedNote(spec);
  if (result.ok) {
    const { certainty, certainties, cases } = result;
    const topology = { ...cases[0].topology, certainty, certainties };
    const notes = [...hosted, ...staleNote(spec, host, topology), ...alternatives(result)];
    return topologyPanel(host, topology, { ...titles, layout: possibleHeadline(result, host) }, notes, drawnVm(spec, workload));
  }
  return emptyPanel(titles, headline(spec.name, undefined, host), [...hosted, failureOf(result), ...result.reasons.map(reasonLine)]);
}

/** Returns the other layouts that a VM may have; empty if the drawn one is the only one. */
function alternatives(result: PossibleTopologies): readonly string[] {
  if (result.cases.length === 1) return [];
  const lines = caseLines(result).map((text) => `${text.replace(/\.$/, "")}.`);
  return ["Drawn is the first of these layouts:", ...lines, stateWords(result)].filter((text) => text !== "");
}

const MARGIN = 24;

function svg(panels: readonly Panel[], title: string, command: string, scheme: Scheme = "auto"): string {
  const id = command.replace(/[^A-Za-z0-9-]/g, "-").replace(/^(?![A-Za-z])/, "v");
  const all = column(
    panels.map(({ box }) => group(box, "panel")),
    2 * MARGIN,
  );
  const width = all.width + 2 * MARGIN;
  const height = all.height + 2 * MARGIN;
  const words = panels.map((panel) => panel.words.join(" ")).join(" ");
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" id="${id}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-title ${id}-desc">`,
    `<title id="${id}-title">${escapeXml(`Virtual topology of ${title}`)}</title>`,
    `<desc id="${id}-desc">${escapeXml(words)}</desc>`,
    style(id, scheme),
    `<rect class="paper" width="${width}" height="${height}"/>`,
    all.draw(MARGIN, MARGIN),
    "</svg>\n",
  ].join("\n");
}
