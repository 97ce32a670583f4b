import type { LintedFile } from "../lint/lint-project.ts";
import type { Severity } from "../model/diagnostic.ts";
import { formatEsxi } from "../model/esxi.ts";
import type { Range, Setting } from "../model/source.ts";
import { LineIndex } from "../model/source.ts";
import type { KvmFacts, VmSpec } from "../model/spec.ts";
import type { GuestView } from "../model/topology.ts";
import { numberRuns } from "../model/words.ts";
import type { Topology } from "../platforms/esxi/derive.ts";
import { compareObserved } from "../platforms/esxi/observed.ts";
import { type PossibleTopologies, possibleTopologies } from "../platforms/esxi/possible.ts";
import { storedSize } from "../platforms/esxi/stored-size.ts";
import { answerFor, needsHost } from "../platforms/index.ts";
import type { Answer } from "../platforms/platform.ts";
import type { Rule } from "../rules/define.ts";
import { evidenceOf, pagesOf } from "../rules/page-of.ts";
import { byReason, checkedFiles, checkedVms, countBySeverity, subjectsFound } from "./counts.ts";
import { type FileResult, linesOf, type Tool } from "./result.ts";
import { unknownValues } from "./skipped.ts";
import { subjectOf } from "./subject.ts";

/** The version of all JSON outputs. It increases when a field is renamed or removed, not when one is added. */
export const SCHEMA_VERSION = 2;

/** A path that was skipped, fully or in part. */
export interface NotChecked {
  readonly path: string;
  /** Completes the sentence "it is not checked:". */
  readonly reason: string;
  /** A resource or module call without a VM, which is no failure of the run. */
  readonly makesNoVm?: true;
}

/** Facts about a run that machine-readable reports contain besides the results. */
export interface AboutRun {
  readonly tool: Tool;
  /** Existing files and folders that could not be read. */
  readonly unread?: readonly string[] | undefined;
  /** Every unchecked input: unreadable files, named files without a VM, and files with a failed rule. */
  readonly notChecked?: readonly NotChecked[] | undefined;
  /** Whether a plugin rule failed, or asynchronous code that it started. */
  readonly pluginsFailed?: boolean | undefined;
  /** All rules of the run, if some are not built in. */
  readonly rules?: readonly Rule[] | undefined;
}

/**
 * Returns the report of `vmlint --format json`: the findings of a run, and the unreadable files.
 *
 * @example
 * const { results } = await workspace.check();
 * console.log(JSON.stringify(lintJson(results, { tool: { name: "mine", version: "1.0.0" } })));
 */
export function lintJson(results: readonly FileResult[], { tool, unread = [], notChecked = [], pluginsFailed = false, rules }: AboutRun) {
  const page = pagesOf(rules);
  const linesIn = linesOf(results);
  const unknown = unknownValues(results);
  return {
    schemaVersion: SCHEMA_VERSION,
    tool,
    ...(unread.length > 0 && { unread }),
    ...(notChecked.length > 0 && { notChecked }),
    ...(pluginsFailed && { pluginsFailed }),
    diagnostics: results.flatMap(({ path, text, diagnostics }) => {
      if (diagnostics.length === 0) return [];
      const range = ranges(new LineIndex(text));
      const rangeIn = (other: string | undefined) => (other === undefined ? range : ranges(linesIn(other)));
      return diagnostics.map(({ among: _, docsUrl, ...d }) => ({
        ...d,
        evidence: evidenceOf(page(d.ruleId)),
        docsUrl,
        subject: subjectOf(d),
        path,
        range: range(d.range),
        related: d.related.map((r) => {
          return { path: r.path ?? path, range: rangeIn(r.path)(r.range), message: r.message, ...(r.cell && { cell: r.cell }) };
        }),
        fixes: d.fixes.map((fix) => ({
          title: fix.title,
          safety: fix.safety,
          edits: fix.edits.map((edit) => ({ path: edit.path ?? path, range: rangeIn(edit.path)(edit.range), newText: edit.newText })),
        })),
      }));
    }),
    // The order does not depend on the file order, so that reports can be compared.
    skipped: byReason(results)
      .map(({ ruleId, reason, count }) => ({ ruleId, reason, count }))
      .sort((a, b) => (`${a.ruleId} ${a.reason}` < `${b.ruleId} ${b.reason}` ? -1 : 1)),
    suppressed: results.flatMap(({ path, text, suppressed = [] }) => {
      const range = ranges(new LineIndex(text));
      return suppressed.map(({ diagnostic: { ruleId, messageId, severity, message, vm, vms, range: at, cell }, by, reason }) => {
        const place = range(at);
        return {
          ruleId,
          path,
          line: place.start.line,
          reason: reason ?? "",
          by,
          messageId,
          severity,
          message,
          vm,
          ...(vms && { vms }),
          ...(cell && { cell }),
          range: place,
        };
      });
    }),
    ...(unknown.length > 0 && { unknownValues: unknown }),
    summary: {
      files: checkedFiles(results),
      vms: checkedVms(results),
      ...countBySeverity(results),
      ...subjectsFound(results),
    } satisfies Record<Severity | "files" | "vms" | "vmsWithFindings" | "hostsWithFindings", number>,
  };
}

/**
 * Returns the report of `vmlint topology --format json`: the settings and the topology of each VM.
 *
 * @example
 * const { vms } = topologyJson(files, { name: "mine", version: "1.0.0" });
 */
export function topologyJson(results: readonly LintedFile[], tool: Tool) {
  const problems = results.flatMap(({ path, text, diagnostics, vms, foreign }) => {
    const range = ranges(new LineIndex(text));
    return [
      ...(foreign === undefined ? [] : [{ path, range: null, message: `This is not a VM definition: ${foreign}.` }]),
      ...diagnostics.map((d) => ({ path, range: range(d.range), message: d.message })),
      ...vms.flatMap(({ spec, target: { host, workload } }) => {
        const result = needsHost(spec) ? host && possibleTopologies(spec, host, workload) : answerFor(spec, host, workload);
        return !result || result.ok ? [] : result.reasons.map(({ text: message }) => ({ path, range: null, message }));
      }),
    ];
  });
  const vms = results.flatMap(({ path, vms: linted }) =>
    linted.map(({ spec, target: { host, workload, hostSource, cluster } }) => {
      const result = host && possibleTopologies(spec, host, workload);
      const { kvm: facts } = spec;
      return {
        path,
        name: spec.name,
        variant: spec.variant?.name ?? null,
        format: spec.format,
        platform: spec.platform,
        spec: specJson(spec),
        ...(spec.assumed && { assumed: Object.fromEntries(spec.assumed.origins) }),
        workload: workload ? { edition: null, version: null, licensing: null, ...workload } : null,
        host: host?.name ?? null,
        ...(hostSource && { hostSource, cluster: cluster ?? null }),
        ...(host?.assumed && { assumedOfHost: host.assumed }),
        ...(facts ? guestJson(facts, answerFor(spec, host, workload)) : { topology: result?.ok ? possibleFields(result) : null }),
        observed: result?.ok ? observedJson(spec, result) : null,
        storedSizeFits: host && result?.ok ? (storedSize(spec, host, result.cases[0].topology)?.fits ?? null) : null,
      };
    }),
  );
  return { schemaVersion: SCHEMA_VERSION, tool, vms, problems };
}

/** Returns the view of a guest whose definition decides it without a host. Nodes that only a host decides are null. */
function guestJson({ stack, refused }: KvmFacts, answer: Answer | undefined) {
  return {
    stack,
    topology: answer?.ok ? guestFields(answer.topology) : null,
    refused: refused ? { by: stack, message: refused.message } : null,
  };
}

function guestFields({ sets, vnumaNodes, reasons, coresPerSocket, threadsPerCore, ...view }: GuestView) {
  const knowsNodes = vnumaNodes.length > 0;
  return {
    ...view,
    possibleVcpus: sets?.possibleVcpus ?? null,
    coresPerSocket: sets?.cores === undefined ? coresPerSocket / threadsPerCore : sets.cores,
    threadsPerCore,
    vnumaNodes: knowsNodes ? vnumaNodes : null,
    nodes: knowsNodes
      ? (sets?.nodes ?? []).map(({ vcpus, memoryMiB, hostNodes = null }) => ({ vcpus: numberRuns(vcpus, ","), memoryMiB, hostNodes }))
      : null,
    sharedL3: sets?.sharedL3?.map((vcpus) => numberRuns(vcpus, ",")) ?? null,
    placement: sets?.placement ?? null,
    reasons: reasons.map(({ text, source }) => (source ? `${text} [${source.key}]` : text)),
    possible: [],
  };
}

/** Returns the topologies of a VM for reports. A fact that differs between the cases is null, and each case is listed. */
function possibleFields({ cases, certainty, certainties, isComplete }: PossibleTopologies) {
  const [{ topology }] = cases;
  const same = <T>(of: (topology: Topology) => T): T | null =>
    new Set(cases.map((possible) => JSON.stringify(of(possible.topology)))).size === 1 ? of(topology) : null;
  return {
    ...topologyFields(topology),
    sockets: same(({ sockets }) => sockets),
    coresPerSocket: same(({ coresPerSocket }) => coresPerSocket),
    vnumaNodes: same(({ vnumaNodes }) => vnumaNodes),
    numaClients: same(({ numaClients }) => numaClients),
    nodeCapacity: same(({ nodeCapacity }) => nodeCapacity),
    usableVcpus: same(({ usableVcpus }) => usableVcpus),
    guestUsableVcpus: same(({ guestUsableVcpus }) => guestUsableVcpus),
    certainty,
    certainties,
    possible: (cases.length > 1 ? cases : []).map(({ when, releases, topology: layout, source }) => ({
      when: { ...when, ...(releases.length > 0 && { esxi: releases.map(formatEsxi) }) },
      sockets: layout.sockets,
      coresPerSocket: layout.coresPerSocket,
      vnumaNodes: layout.vnumaNodes,
      numaClients: layout.numaClients,
      source: source?.key ?? null,
    })),
    isComplete,
  };
}

/** Returns the observed state of a running VM in the form of a topology; null without observations. */
function observedJson(spec: VmSpec, { cases: [first, ...others] }: PossibleTopologies) {
  const compared = others.length === 0 ? compareObserved(spec, first.topology) : undefined;
  if (!compared) return null;
  const { vnumaNodes, numaClients, source } = compared.observed.value;
  return { ...(vnumaNodes && { vnumaNodes }), ...(numaClients && { numaClients }), agrees: compared.agrees, source };
}

/** Returns a topology for reports. */
export function topologyFields(topology: Topology) {
  const { esxi, reasons, pinning, ...rest } = topology;
  return {
    esxi: formatEsxi(esxi),
    ...rest,
    pinning: pinning && {
      pcpus: pinning.pcpus,
      cores: pinning.cores,
      siblingPairs: pinning.siblingPairs,
      perNode: pinning.perNode,
      outOfRange: pinning.outOfRange,
    },
    reasons: reasons.map(({ text, source }) => (source ? `${text} [${source.key}]` : text)),
  };
}

/** Returns the settings: known values unchanged, absent values as `null`, unknown values with the reason. */
function specJson({ settings, scsiControllers, devices, advanced }: VmSpec) {
  const { otherControllers, disks, nics } = devices();
  const affinity = state(settings.cpuAffinity);
  const limit = state(settings.cpuLimitMHz);
  return {
    vcpus: state(settings.vcpus),
    coresPerSocket: state(settings.coresPerSocket),
    coresPerNumaNode: state(settings.coresPerNumaNode),
    threadsPerCore: state(settings.threadsPerCore),
    memoryMiB: state(settings.memoryMiB),
    hardwareVersion: state(settings.hardwareVersion),
    guestOs: state(settings.guestOs),
    cpuHotAdd: state(settings.cpuHotAdd),
    memoryHotAdd: state(settings.memoryHotAdd),
    latencySensitivity: state(settings.latencySensitivity),
    cpuAffinity: affinity === "all" ? null : affinity,
    numaNodeAffinity: state(settings.numaNodeAffinity),
    cpuReservationMHz: state(settings.cpuReservationMHz),
    cpuLimitMHz: limit === "unlimited" ? null : limit,
    memoryReservationMiB: state(settings.memoryReservationMiB),
    memoryReservationLocked: state(settings.memoryReservationLocked),
    scsiControllers: scsiControllers.map(({ bus, type }) => ({ bus, type: state(type) })),
    otherControllers: otherControllers.map(({ kind, bus }) => ({ kind, bus })),
    disks: disks.map(({ id }) => ({ bus: id })),
    nics: nics.map(({ index, type }) => ({ index, type: state(type) })),
    advanced: Object.fromEntries([...advanced()].map(([key, setting]) => [key, state(setting)])),
  };
}

function state<T>(setting: Setting<T>): T | null | { readonly unknown: string } {
  switch (setting.state) {
    case "known":
      return setting.value;
    case "absent":
      return null;
    case "unknown":
      return { unknown: setting.reason };
  }
}

/** Converts offsets to one-based lines and columns. */
function ranges(lines: LineIndex) {
  const position = (offset: number) => {
    const { line, column } = lines.at(offset);
    return { line: line + 1, column: column + 1, offset: (lines.start(line) ?? 0) + column };
  };
  return ([start, end]: Range) => ({ start: position(start), end: position(end) });
}
