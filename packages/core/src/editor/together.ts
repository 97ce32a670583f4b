import { isAlone } from "../formats/index.ts";
import { checkAcrossVms } from "../lint/check-across-vms.ts";
import { isSilent } from "../lint/finding.ts";
import type { LintedVm } from "../lint/target.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { folderOf } from "../model/files.ts";
import { addTo, grouped } from "../model/maps.ts";
import { onceFor } from "../model/memoize.ts";
import type { FileResult } from "../report/result.ts";
import { isCrossVm } from "../rules/define.ts";
import { rules } from "../rules/index.ts";
import type { CheckedProject } from "./check-project.ts";
import { type CheckedPart, reviewParts } from "./check-text.ts";
import type { EditorHost } from "./editor-host.ts";
import type { FileFindings } from "./other-file-findings.ts";
import type { Projects } from "./projects.ts";
import type { ReadAhead } from "./read-ahead.ts";
import { AT_ONCE, type Selected, type Selection } from "./selection.ts";
import type { Singles } from "./singles.ts";
import type { WorkspaceCallers } from "./workspace-callers.ts";

/** A file of the workspace that was checked by itself. */
interface PlacedFile {
  readonly file: FileResult;
  readonly part: CheckedPart;
}

/** The files of the workspace with the findings of a comparison. */
interface Compared {
  readonly files: ReadonlyMap<string, PlacedFile>;
  /** The findings of cross-VM rules, by path. */
  readonly findings: ReadonlyMap<string, readonly Diagnostic[]>;
}

/** The result of a document, together with the files that its VMs are compared with. */
interface Reviewed {
  /** The results of the document's own files. */
  readonly results: readonly FileResult[];
  /** Findings in other files that lead to them. */
  readonly otherFiles: ReadonlyMap<string, FileFindings>;
  /** Missing if its VMs are compared with no other files. */
  readonly compared: Compared | undefined;
}

interface ReviewRequest {
  /** The VMs of the document. */
  readonly vms: readonly LintedVm[];
  readonly selected: Selected;
  /** The host in the settings. */
  readonly host: string;
}

const TOGETHER: ReadonlySet<string> = new Set(rules.filter(isCrossVm).map(({ id }) => id));

/** Compares the VMs of all files of the workspace, and repeats that only if one of the files changed. */
export class Together {
  readonly #host: Pick<EditorHost, "inTime" | "today">;
  readonly #files: ReadAhead;
  readonly #selection: Selection;
  readonly #singles: Singles;
  readonly #projects: Projects;
  readonly #callers: WorkspaceCallers;
  /** By the host of the settings. */
  readonly #compared = new Map<string, Promise<Compared>>();
  /** The last review of each text or project. */
  readonly #reviews = new WeakMap<CheckedPart, Reviewed>();

  constructor(
    host: EditorHost,
    files: ReadAhead,
    {
      selection,
      singles,
      projects,
      callers,
    }: { readonly selection: Selection; readonly singles: Singles; readonly projects: Projects; readonly callers: WorkspaceCallers },
  ) {
    this.#host = host;
    this.#files = files;
    this.#selection = selection;
    this.#singles = singles;
    this.#projects = projects;
    this.#callers = callers;
  }

  /** Completes the result of a document, together with the files of the workspace that its VMs are compared with. */
  async review(own: CheckedPart, { vms, selected, host }: ReviewRequest): Promise<Reviewed> {
    const { entries, describes } = selected;
    const isCompared =
      own.files.some(({ path }) => entries.has(path)) && vms.some((vm) => sharesMachine(vm) || (describes && isDescribed(vm)));
    const compared = isCompared ? await this.#compare(host) : undefined;
    const before = this.#reviews.get(own);
    if (before && before.compared === compared) return before;
    const paths = new Set(own.files.map(({ path }) => path));
    const isAbout = ({ related }: Diagnostic): boolean => related.some(({ path }) => path !== undefined && paths.has(path));
    const others = [...(compared?.findings ?? [])].flatMap(([path, diagnostics]) => {
      const placed = paths.has(path) || !diagnostics.some(isAbout) ? undefined : compared?.files.get(path);
      return placed ? { ...placed.part, files: [placed.file] } : [];
    });
    const { today, inTime = (work) => work() } = this.#host;
    // Another project may have suppressions of the same file. The last ones count.
    const results = inTime(() => reviewParts([...others, own], today(), compared?.findings));
    const otherFiles = new Map<string, FileFindings>();
    const textOf = (path: string): string | undefined => this.#files.known(path);
    for (const { path, diagnostics } of results) {
      const about = paths.has(path) ? [] : diagnostics.filter((one) => TOGETHER.has(one.ruleId) && isAbout(one));
      if (about.length > 0) otherFiles.set(path, { text: textOf(path) ?? "", diagnostics: about, textOf });
    }
    const reviewed: Reviewed = { results: results.filter(({ path }) => paths.has(path)), otherFiles, compared };
    this.#reviews.set(own, reviewed);
    return reviewed;
  }

  #compare(host: string): Promise<Compared> {
    const before = this.#compared.get(host);
    if (before) return before;
    const compared = this.#compareNow(host);
    this.#compared.set(host, compared);
    return compared;
  }

  forget(): void {
    this.#compared.clear();
  }

  async #compareNow(host: string): Promise<Compared> {
    const selected = await this.#selection.get();
    const parts = [...(await this.#singlesOf(selected, host)), ...(await this.#projectsOf(selected, host))];
    const files = new Map<string, PlacedFile>();
    for (const part of parts) for (const file of part.files) if (!files.has(file.path)) files.set(file.path, { file, part });
    const compared = parts.map(comparedIn);
    const describes = selected.describes && compared.some(({ isDescribed }) => isDescribed);
    const { inTime = (work) => work() } = this.#host;
    const results = inTime(() => checkAcrossVms(compared.flatMap((part) => (describes ? part.described : part.hosted))));
    const findings = new Map<string, Diagnostic[]>();
    // A file that several projects call has the VMs of each.
    for (const { path, diagnostics } of results) for (const diagnostic of diagnostics) addTo(findings, path, diagnostic);
    return { files, findings };
  }

  async #singlesOf({ entries, inventory }: Selected, host: string): Promise<readonly CheckedPart[]> {
    const paths = [...entries].flatMap(([path, entry]) => (isAlone(entry) ? path : []));
    const check = async (path: string): Promise<CheckedPart | undefined> => {
      const known = this.#singles.known(path, { host, inventory });
      if (known) return known.catch(() => undefined);
      const { result: text } = await this.#files.settle(({ read }) => read(path));
      // The document itself says why it cannot be checked.
      return text === undefined ? undefined : this.#singles.check({ path, text, host, inventory }).catch(() => undefined);
    };
    return inGroups(paths, check);
  }

  async #projectsOf({ entries, inventory }: Selected, host: string): Promise<readonly CheckedPart[]> {
    const joint = [...entries].filter(([, entry]) => !isAlone(entry));
    const parts: CheckedProject[] = [];
    for (const [entry, files] of grouped(joint, ([, one]) => one)) {
      const paths = files.map(([path]) => path);
      const format = await entry.load();
      const callers = entry.separate ? undefined : await this.#callers.callersBy(entry, format);
      const read = async (root: string): Promise<CheckedProject | undefined> =>
        this.#projects.compared({ entry, format, roots: [root], host, callers, inventory }).project.catch(() => undefined);
      if (!callers) {
        parts.push(...(await inGroups(paths, read)));
        continue;
      }
      const roots = new Set(paths.flatMap((path) => callers.rootsOf(folderOf(path))));
      const projects = await inGroups([...roots], read);
      const covered = new Set(projects.flatMap(({ parsed }) => parsed.sources.files.map(({ path }) => path)));
      // The text search found calls of these folders that are none.
      const others = new Set(paths.filter((path) => !covered.has(path)).map(folderOf));
      parts.push(
        ...projects,
        ...(await inGroups(
          [...others].filter((folder) => !roots.has(folder)),
          read,
        )),
      );
    }
    return parts;
  }
}

/** Calls a function on items, some at a time, and returns what there is. */
async function inGroups<T, R>(items: readonly T[], use: (item: T) => Promise<R | undefined>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE) {
    const group = await Promise.all(items.slice(from, from + AT_ONCE).map(use));
    for (const result of group) if (result !== undefined) results.push(result);
  }
  return results;
}

/** The files of a part with the VMs on machines, and with all VMs, without what was found in each VM; no files if there is no such VM. */
const comparedIn = onceFor(({ files }: CheckedPart) => {
  const described = files.map(({ path, hostedVms, described = [] }) => {
    return { path, diagnostics: [], skipped: [], hostedVms: hostedVms.filter(sharesMachine), described };
  });
  const hosted = described.map(({ described: _, ...file }) => file);
  return {
    hosted: hosted.some(({ hostedVms }) => hostedVms.length > 0) ? hosted : [],
    described: described.some((file) => file.described.length > 0) ? described : [],
    isDescribed: described.some((file) => file.described.some(isDescribed)),
  };
});

export const sharesMachine = ({ target }: LintedVm): boolean => target.machine !== undefined;

const COMPARING = rules.filter(({ over }) => over === "descriptions");

/** Whether differences to other descriptions of a VM are findings. */
export const isDescribed = ({ target }: LintedVm): boolean => COMPARING.some((rule) => !isSilent(rule, target));
