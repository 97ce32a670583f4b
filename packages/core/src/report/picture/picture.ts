import type { LintedFile } from "../../lint/lint-project.ts";
import type { LintedVm } from "../../lint/target.ts";
import type { HostModel } from "../../model/host.ts";
import type { Topology } from "../../platforms/esxi/derive.ts";
import { drawingsOf, onPage, type PictureOptions, standalone, titleOf, topologyOn, vmOn } from "./drawing.ts";
import { drawnVm, flawsOf } from "./flaws.ts";
import { SHEETS, type SheetName, WIDE } from "./sheet.ts";
import { groupsOf, togetherOn } from "./together.ts";

export { bestFix, withChanges } from "./best-fix.ts";
export type { PictureOptions } from "./drawing.ts";
export { guestFlaws } from "./guest-panel.ts";

/** Draws a VM on its host: the view of the guest, the NUMA clients, and their sockets, nodes and cores. */
export const topologySvg = (host: HostModel, topology: Topology, options: PictureOptions & { readonly sheet?: SheetName } = {}): string =>
  standalone([topologyOn(host, topology, options)], SHEETS[options.sheet ?? "wide"], options);

/** Returns what is wrong with the layout of a VM, as sentences, the worst first. */
export const flawSentences = (host: HostModel, topology: Topology, vm: LintedVm): readonly string[] => [
  ...flawsOf(host, topology, drawnVm(vm)).values(),
];

/** Draws the same for a page, which shows the wide drawing or the narrow one. */
export const topologyHtml = (host: HostModel, topology: Topology, options: PictureOptions = {}): string =>
  onPage([topologyOn(host, topology, options)], options);

/** Draws a VM for a page: on its host if its layout needs one, otherwise the view of its guest. */
export const vmPicture = (vm: LintedVm, options: PictureOptions = {}): string =>
  onPage([vmOn(options.path ?? "", vm, [], options.isUntitled)], { name: vm.spec.name, ...options });

/** Draws each host of several VMs of a file for a page; an empty text if there is none. */
export function togetherHtml(path: string, vms: readonly LintedVm[], options: PictureOptions = {}): string {
  const groups = groupsOf([{ path, vms }]);
  return groups.length > 0 ? onPage(groups.map(togetherOn), options) : "";
}

/** Draws all VMs of some files, each on its host or with the reason why it has no layout. */
export const filesSvg = (results: readonly LintedFile[], { id }: Pick<PictureOptions, "id"> = {}): string =>
  standalone(drawingsOf(results), WIDE, { id, name: titleOf(results) });
