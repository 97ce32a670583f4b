import type { SeenMachine } from "../hosts/facts.ts";
import type { SeenGuest } from "../hosts/see-guest.ts";
import type { LintedVm } from "../lint/target.ts";
import type { Certainty, GuestView } from "../model/topology.ts";
import { list, numberRuns, plural } from "../model/words.ts";
import { possibleTopologies } from "../platforms/esxi/possible.ts";
import { answerFor, needsHost } from "../platforms/index.ts";
import { SCHEMA_VERSION } from "./json-report.ts";
import { type Palette, PLAIN } from "./palette.ts";
import { printable } from "./printable.ts";
import type { Tool } from "./result.ts";
import { failureOf, guestHeadline, NO_HOST, nodesOf, reasonLine, titleLine } from "./topology-text.ts";
import { wrapped } from "./wrap.ts";

/** A fact of a guest, as vmlint predicts it and as the guest shows it. */
interface ComparedFact {
  readonly fact: string;
  /** Null if vmlint does not predict it. */
  readonly predicted: string | null;
  /** Null if the dump does not show it. */
  readonly seen: string | null;
  /** Null if one of both is missing. */
  readonly same: boolean | null;
}

/** A VM with the dump of its guest. */
export interface CheckedGuest {
  readonly path: string;
  readonly vm: string;
  readonly host: string | null;
  /** The file of the dump. */
  readonly guest: string;
  readonly dumps: readonly string[];
  readonly facts: readonly ComparedFact[];
  /** Null if nothing could be compared. */
  readonly same: boolean | null;
  readonly certainty: Certainty | null;
  /** The predicted view in a line, or why there is none. */
  readonly prediction: string;
  /** The number of layouts that the VM may have; the one with the fewest differences is compared. */
  readonly layouts: number;
  readonly notes: readonly string[];
}

/** Compares the view that vmlint predicts for a VM with the view that its guest shows. */
export function checkGuest(vm: LintedVm, path: string, { dumps, machine }: SeenGuest, guest: string): CheckedGuest {
  const views = viewsOf(vm);
  const head = { path, vm: vm.spec.name, host: vm.target.host?.name ?? null, guest, dumps };
  if ("reason" in views) return { ...head, facts: [], same: null, certainty: null, prediction: views.reason, layouts: 0, notes: [] };
  const all = views.map((view) => ({ view, facts: factsOf(view, machine) }));
  const differences = ({ facts }: (typeof all)[number]): number => facts.filter(({ same }) => same === false).length;
  const [first = all[0]] = [...all].sort((a, b) => differences(a) - differences(b));
  const { view, facts } = first as (typeof all)[number];
  const same = facts.some((fact) => fact.same !== null) ? facts.every((fact) => fact.same !== false) : null;
  const notes = !same && machine.isBare ? [`${list(dumps, "and")} shows no hypervisor: was it taken inside the VM?`] : [];
  return { ...head, facts, same, certainty: view.certainty, prediction: guestHeadline(view), layouts: views.length, notes };
}

/** Returns the views that the guest may have, or why there is none. */
function viewsOf({ spec, target: { host, workload } }: LintedVm): readonly GuestView[] | { readonly reason: string } {
  if (!needsHost(spec)) {
    const answer = answerFor(spec, host, workload);
    return answer?.ok ? [answer.topology] : { reason: [failureOf(answer), ...(answer?.reasons ?? []).map(reasonLine)].join(" ") };
  }
  if (!host) return { reason: NO_HOST };
  const result = possibleTopologies(spec, host, workload);
  return result.ok
    ? result.cases.map(({ topology }) => topology)
    : { reason: [failureOf(result), ...result.reasons.map(reasonLine)].join(" ") };
}

function factsOf(view: GuestView, seen: SeenMachine): readonly ComparedFact[] {
  const { vcpus, sockets, coresPerSocket, threadsPerCore, sets } = view;
  const isEven = sets?.sockets === undefined ? vcpus % coresPerSocket === 0 : true;
  const cores = sets?.cores === undefined ? coresPerSocket / threadsPerCore : sets.cores;
  const nodes = guestNodes(view).filter((ids) => !seen.omitsEmptyNodes || ids.length > 0);
  const row = (fact: string, predicted: number | string | null, shown: number | string | undefined): ComparedFact => ({
    fact,
    predicted: predicted === null ? null : String(predicted),
    seen: shown === undefined ? null : String(shown),
    same: predicted === null || shown === undefined ? null : String(predicted) === String(shown),
  });
  return [
    row("vCPUs", vcpus, seen.cpus),
    row("sockets", Math.ceil(sockets), seen.sockets),
    row("cores per socket", isEven && cores !== null && Number.isInteger(cores) ? cores : null, seen.coresPerSocket),
    row("threads per core", threadsPerCore, seen.threadsPerCore),
    row("NUMA nodes", nodes.length > 0 ? nodeWords(nodes) : null, seen.nodes && nodeWords(seen.nodes)),
    row("L3 caches", sets?.sharedL3 && sets.sharedL3.length > 0 ? sets.sharedL3.length : null, seen.l3Caches),
  ];
}

/** Returns the nodes with the numbers that the guest gives its CPUs: absent vCPUs have none. */
function guestNodes(view: GuestView): readonly (readonly number[])[] {
  const nodes = nodesOf(view);
  const ranks = new Map([...nodes.flat()].sort((a, b) => a - b).map((id, i) => [id, i]));
  return nodes.map((ids) => ids.map((id) => ranks.get(id) ?? id).sort((a, b) => a - b));
}

const nodeWords = (nodes: readonly (readonly number[])[]): string =>
  nodes.map((ids) => (ids.length === 0 ? "none" : numberRuns(ids))).join(" | ");

/** Returns the comparisons for people. */
export const guestCheckText = (all: readonly CheckedGuest[], palette: Palette = PLAIN): string =>
  all.map((one) => blockOf(one, palette)).join("\n");

function blockOf({ path, vm, guest, dumps, facts, same, prediction, certainty, layouts, notes }: CheckedGuest, palette: Palette): string {
  const { width, bold, red, green, dim } = palette;
  const said = (text: string, paint: (text: string) => string): readonly string[] => wrapped(`  ${printable(text)}`, width, 4).map(paint);
  const different = facts.filter((fact) => fact.same === false);
  const names = (all: readonly ComparedFact[]): string => all.map(({ fact }) => fact).join(", ");
  const compared = facts.filter((fact) => fact.same !== null);
  const open = facts.filter((fact) => fact.same === null && (fact.predicted !== null || fact.seen !== null));
  const doubt = certainty === "documented" ? "" : ` The prediction is ${certainty}.`;
  const cases = layouts > 1 ? ` It is the nearest of ${layouts} possible layouts.` : "";
  const verdict =
    same === null
      ? "Nothing can be compared."
      : same
        ? `The guest shows the prediction in ${plural(compared.length, "fact")}.${doubt}${cases}`
        : `The guest differs from the prediction in ${different.length} of ${plural(compared.length, "fact")}.${doubt}${cases}`;
  return [
    `${titleLine(path, vm, palette)}`,
    ...said(`${guest}: ${dumps.join(", ")}`, dim),
    "",
    ...said(prediction, bold),
    ...said(verdict, same ? green : red),
    ...different.flatMap(({ fact, predicted, seen }) => said(`  ${fact}: predicted ${predicted}, the guest shows ${seen}`, (text) => text)),
    ...(compared.length > different.length ? said(`  same: ${names(compared.filter((fact) => fact.same))}`, (text) => text) : []),
    ...(open.length > 0 ? said(`  not compared: ${names(open)}`, dim) : []),
    ...notes.flatMap((note) => said(note, dim)),
    "",
  ].join("\n");
}

/** Returns the comparisons for programs. */
export const guestCheckJson = (guests: readonly CheckedGuest[], tool: Tool) => ({ schemaVersion: SCHEMA_VERSION, tool, guests });
