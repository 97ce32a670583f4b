import type { LintedFile } from "../../lint/lint-project.ts";
import type { LintedVm } from "../../lint/target.ts";
import type { HostModel } from "../../model/host.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { type PossibleTopologies, possibleTopologies } from "../../platforms/esxi/possible.ts";
import { answerFor, needsHost } from "../../platforms/index.ts";
import { caseLines, headline, possibleHeadline, stateWords } from "../headline.ts";
import { failureOf, hostedNote, NO_HOST, reasonLine, staleNote } from "../topology-text.ts";
import { type Box, column, group } from "./box.ts";
import { drawnVm } from "./flaws.ts";
import { guestPanel } from "./guest-panel.ts";
import { emptyPanel, type Panel, type Titles, topologyPanel } from "./panel.ts";
import { roomStyle, type Scheme, type StyleScope, style } from "./picture-style.ts";
import { SHEETS, type Sheet } from "./sheet.ts";
import { escapeXml } from "./svg-text.ts";
import { groupsOf, togetherOn } from "./together.ts";

/** The id, title and colours of a picture. */
export interface PictureOptions {
  /** A prefix of every id and style rule; pictures on the same page need different ones. Letters, digits and `-`. */
  readonly id?: string | undefined;
  readonly name?: string;
  /** The origin of the VM, such as its file. */
  readonly path?: string;
  /** Whether the page has the name, the layout in a line and the flaws itself. */
  readonly isUntitled?: boolean;
  /** The VM: its memory, workload and settings show more flaws. */
  readonly vm?: LintedVm;
  /** `auto` by default; set it for a page with a fixed colour scheme. */
  readonly scheme?: Scheme;
}

const DEFAULT_ID = "vmlint";

/** Draws a panel on any sheet. */
type Drawing = (sheet: Sheet) => Panel;

export const topologyOn =
  (host: HostModel, topology: Topology, { name = "", path = "", vm, isUntitled }: PictureOptions): Drawing =>
  (sheet) =>
    topologyPanel(host, topology, { titles: { name, path, isHidden: isUntitled }, vm: vm && drawnVm(vm) }, sheet);

export function drawingsOf(results: readonly LintedFile[]): readonly Drawing[] {
  const all = results.flatMap(({ vms }) => vms);
  const together = groupsOf(results).map(togetherOn);
  const alone = results.flatMap(({ path, vms, foreign }) =>
    foreign === undefined
      ? vms.map((vm) => vmOn(path, vm, all))
      : [reasonOn({ name: path, path: "" }, `This is not a VM definition: ${foreign}.`)],
  );
  const drawings = [...together, ...alone];
  return drawings.length > 0 ? drawings : [reasonOn({ name: "No VM", path: "" }, "There is no VM definition to draw.")];
}

export function titleOf(results: readonly LintedFile[]): string {
  const [only, ...others] = results.flatMap(({ vms }) => vms);
  return only && others.length === 0 ? only.spec.name : `${drawingsOf(results).length} virtual machines`;
}

const reasonOn =
  (titles: Titles, about: string, why: readonly string[] = []): Drawing =>
  (sheet) =>
    emptyPanel(titles, about, why, sheet);

export function vmOn(path: string, vm: LintedVm, all: readonly LintedVm[], isHidden = false): Drawing {
  const { spec } = vm;
  const { host, workload } = vm.target;
  const titles = { name: spec.name, path, isHidden };
  if (!needsHost(spec)) return guestOn(titles, vm);
  if (!host) return reasonOn(titles, NO_HOST);
  const result = possibleTopologies(spec, host, workload);
  const hosted = hostedNote(spec);
  if (!result.ok)
    return reasonOn(titles, headline(spec.name, undefined, host), [...hosted, failureOf(result), ...result.reasons.map(reasonLine)]);
  const { certainty, certainties, cases } = result;
  const topology = { ...cases[0].topology, certainty, certainties };
  const notes = [...hosted, ...staleNote(spec, host, topology), ...alternatives(result)];
  const about = { titles: { ...titles, layout: possibleHeadline(result, host) }, notes, vm: drawnVm(vm, all) };
  return (sheet) => topologyPanel(host, topology, about, sheet);
}

/** Draws the view of a guest whose definition decides it, or the reason why there is none. */
function guestOn(titles: Titles, { spec, target: { host, workload } }: LintedVm): Drawing {
  const answer = answerFor(spec, host, workload);
  if (answer?.ok) return (sheet) => guestPanel(answer.topology, host, titles, sheet);
  return reasonOn(titles, failureOf(answer), (answer?.reasons ?? []).map(reasonLine));
}

/** Returns the other layouts that a VM may have; empty if the drawn one is the only one. */
function alternatives(result: PossibleTopologies): readonly string[] {
  if (result.cases.length === 1) return [];
  const lines = caseLines(result).map((text) => `${text.replace(/\.$/, "")}.`);
  return ["Drawn is the first of these layouts:", ...lines, stateWords(result)].filter((text) => text !== "");
}

export function standalone(
  drawings: readonly Drawing[],
  sheet: Sheet,
  { id: command = DEFAULT_ID, name, scheme = "auto" }: PictureOptions,
): string {
  const id = idOf(command);
  const { box, words } = drawn(drawings, sheet);
  const head = `${labels(id, name, words)}${style({ selector: `#${id}`, prefix: id }, scheme)}`;
  return svg(`${sizeOf(box, sheet)} id="${id}" ${labelled(id)}`, box, sheet, head);
}

/** Returns a picture for a page, with styles of its own. */
export function onPage(drawings: readonly Drawing[], options: PictureOptions): string {
  const { id: command = DEFAULT_ID, scheme = "auto" } = options;
  const id = idOf(command);
  return pageDrawings(drawings, { ...options, id }, stylesFor({ selector: `#${id}`, prefix: id }, scheme));
}

/** The drawings of each width, which share their words. */
function pageDrawings(drawings: readonly Drawing[], { id = DEFAULT_ID, name }: PictureOptions, styles: string): string {
  const images = Object.entries(SHEETS).map(([sheetName, sheet], i) => {
    const { box, words } = drawn(drawings, sheet);
    return svg(`class="${sheetName}" ${labelled(id)}`, box, sheet, i === 0 ? labels(id, name, words) : "");
  });
  return `<div class="picture" id="${id}">${styles}${images.join("")}</div>\n`;
}

/** An image of its own, because a drawing that is not shown has no patterns. */
const stylesFor = (scope: StyleScope, scheme: Scheme): string =>
  `<svg class="styles" width="0" height="0" aria-hidden="true">${style(scope, scheme)}${roomStyle(scope)}</svg>`;

/** Returns an id of letters, digits and `-`. */
const idOf = (text: string): string => text.replace(/[^A-Za-z0-9-]/g, "-").replace(/^(?![A-Za-z])/, "v");

function drawn(drawings: readonly Drawing[], sheet: Sheet): Panel {
  const panels = drawings.map((draw) => draw(sheet));
  const boxes = panels.map(({ box }) => group(box, "panel"));
  return { box: column(boxes, 2 * sheet.margin), words: panels.flatMap(({ words }) => words) };
}

const labels = (id: string, name: string | undefined, words: readonly string[]): string =>
  `<title id="${id}-title">${escapeXml(`Virtual topology of ${name || "VM"}`)}</title>\n<desc id="${id}-desc">${escapeXml(words.join(" "))}</desc>\n`;

const labelled = (id: string): string => `role="img" aria-labelledby="${id}-title ${id}-desc"`;

const sizeOf = ({ width, height }: Box, { margin }: Sheet): string => `width="${width + 2 * margin}" height="${height + 2 * margin}"`;

function svg(attributes: string, box: Box, sheet: Sheet, head = ""): string {
  const { margin } = sheet;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${attributes} viewBox="0 0 ${box.width + 2 * margin} ${box.height + 2 * margin}">`,
    `${head}<rect class="paper" ${sizeOf(box, sheet)}/>`,
    box.draw(margin, margin),
    "</svg>\n",
  ].join("\n");
}

/** Draws a VM for a page that has `pageStyles`. */
export const vmHtml = (path: string, vm: LintedVm, id: string): string =>
  pageDrawings([vmOn(path, vm, [])], { id, name: vm.spec.name }, "");

/** The styles of all pictures on a page. */
export const pageStyles = (): string => `<div class="picture">${stylesFor({ selector: ".picture", prefix: "picture" }, "auto")}</div>`;
