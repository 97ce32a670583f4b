import type { Diagnostic as Finding, HostModel } from "@vmlint/core";
import type { UnusableConfig } from "@vmlint/core/editor";
import { type CheckResult, layoutLine, namesIn } from "@vmlint/core/editor";
import { addTo } from "@vmlint/core/program";
import { hostNeeds } from "./host-needs.ts";

/** The results of a checked file that views show: plain data, which threads can send. Ranges are offsets in `text`. */
export interface FileOverview {
  readonly text: string;
  readonly findings: readonly Finding[];
  /** Findings in other files, by path. */
  readonly otherFiles: ReadonlyMap<string, { readonly text: string; readonly diagnostics: readonly Finding[] }>;
  /** The texts of other files that findings lead to, by path. */
  readonly otherTexts: ReadonlyMap<string, string>;
  readonly vms: readonly VmOverview[];
  /** The name of the host of the first VM. */
  readonly host: string | undefined;
  /** The hosts that an inventory gives the VMs. */
  readonly listedHosts: readonly HostModel[];
  /** How many checks were skipped, and how many of their rules need a host. */
  readonly skipped: number;
  readonly needHost: number;
  /** See `CheckResult`. */
  readonly notCompared: string | undefined;
}

/** A VM of a file. VMs of one place with one layout, as of a `count`, are one. */
export interface VmOverview {
  readonly name: string;
  /** Its name in findings. */
  readonly fullName: string;
  /** The index of the first one in the file. */
  readonly index: number;
  readonly count: number;
  readonly place: readonly [number, number];
  readonly layout: string;
  readonly host: string | undefined;
  readonly cluster: string | undefined;
  readonly findings: readonly Finding[];
}

/** The error in a configuration, as plain data. */
export type UnreadableConfig = Pick<UnusableConfig, "file" | "text" | "problems">;

/** Checks files of a workspace, in any thread. */
export interface Overviews {
  /** Returns what is shown of a file, with unsaved edits; `undefined` for a file without VM, or an ignored one. */
  readonly overview: (path: string) => Promise<FileOverview | UnreadableConfig | undefined>;
  /** Call this when a file was edited, created, changed or deleted, with its text if it is open. Returns the files to check again. */
  readonly changed: (path: string, what: "text" | "name", open: OpenFile | undefined) => Promise<readonly string[]>;
  /** Whether a configuration, or a file that one named, is this one or in this folder. */
  readonly isRead: (path: string) => Promise<boolean>;
  /** Call this when a configuration, a setting or the workspace has changed. */
  readonly forget: () => void;
}

/** A file in an editor. */
export interface OpenFile {
  readonly text: string;
  /** Another name that selects the format, if its own does not: `.vmx`. */
  readonly alias: string;
  /** Whether it was never saved. */
  readonly isNowhere: boolean;
}

/** Returns what is shown of a checked file. */
export function overviewOf(open: CheckResult): FileOverview {
  const { text, result, otherFiles, textOf, notCompared } = open;
  const { vms, diagnostics, skipped } = result;
  const others = [...otherFiles].map(([path, found]) => [path, { text: found.text, diagnostics: found.diagnostics }] as const);
  const otherTexts = new Map<string, string>();
  let listed: readonly VmOverview[] | undefined;
  const add = (findings: readonly Finding[], textOf: (path: string) => string | undefined) => {
    for (const { path } of findings.flatMap(({ related }) => related)) {
      const other = path === undefined ? undefined : textOf(path);
      if (path !== undefined && other !== undefined) otherTexts.set(path, other);
    }
  };
  add(diagnostics, textOf);
  for (const found of otherFiles.values()) add(found.diagnostics, found.textOf);
  return {
    text,
    findings: diagnostics,
    otherFiles: new Map(others),
    otherTexts,
    // The layout of many VMs takes time, which a view that is not open does not need.
    get vms() {
      listed ??= vmsOf(open);
      return listed;
    },
    host: vms[0]?.target.host?.name,
    listedHosts: [...new Set(vms.flatMap(({ target: { host, hostSource } }) => (host && hostSource === "inventory" ? [host] : [])))],
    skipped: skipped.length,
    needHost: hostNeeds(skipped),
    notCompared,
  };
}

function vmsOf(open: CheckResult): readonly VmOverview[] {
  const overviews = new Map<string, VmOverview>();
  const { vms, diagnostics } = open.result;
  const byVm = new Map<string | null, Finding[]>();
  for (const finding of diagnostics) for (const name of new Set([finding.vm, ...(finding.vms ?? [])])) addTo(byVm, name, finding);
  for (const [index, vm] of vms.entries()) {
    const [place] = namesIn(open, vm);
    // A file with only a value of the VM does not list the VM.
    if (!place) continue;
    const { spec, target } = vm;
    const layout = layoutLine(vm);
    const key = JSON.stringify([place, layout]);
    const known = overviews.get(key);
    // In a file with one VM, all findings belong to that VM, including those without a VM name.
    const own = vms.length === 1 ? diagnostics : (byVm.get(spec.name) ?? []);
    const first = {
      name: spec.alias ?? spec.name,
      fullName: spec.name,
      index,
      place,
      layout,
      host: target.host?.name,
      cluster: target.cluster,
    };
    const findings = known ? [...new Map([...known.findings, ...own].map((one) => [`${one.range} ${one.message}`, one])).values()] : own;
    overviews.set(key, known ? { ...known, count: known.count + 1, findings } : { ...first, count: 1, findings });
  }
  return [...overviews.values()];
}
