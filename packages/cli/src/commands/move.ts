import type { Diagnostic } from "@vmlint/core";
import type { ComparedVm, Comparison } from "@vmlint/core/migrate";
import {
  deriveTopology,
  foundAtLeast,
  groupText,
  isNotIn,
  joinConsequences,
  type LintedVm,
  plural,
  rules,
  SEVERITIES,
} from "@vmlint/core/program";
import { jsonAnswer, usage } from "../args/command-output.ts";
import { type Flags, inputOf, thresholdOf } from "../args/options.ts";
import type { Io } from "../io.ts";
import { comparisonPrinter } from "../report/answer-printer.ts";
import { lintFiles } from "../run/lint-files.ts";
import { reviewer } from "../run/reviewer.ts";

/** A VM on one host, with its findings there. */
interface Placed {
  readonly host: string | null;
  /** vCPUs by NUMA client; `null` if the layout is unknown. */
  readonly layout: readonly number[] | null;
  readonly findings: readonly Diagnostic[];
}

interface PlacedVm {
  readonly path: string;
  readonly vm: string;
  readonly placed: Placed;
}

interface Move {
  readonly path: string;
  readonly vm: string;
  readonly from: Placed;
  readonly to: Placed;
}

/** Compares each VM on its host with the same VM on another host or cluster. Exits with 1 if the move adds a finding. */
export async function move(patterns: readonly string[], flags: Flags, io: Io): Promise<number> {
  const { to } = flags;
  if (to === undefined) throw usage("vmlint move needs a host or a cluster: vmlint move --to esx09 estate.xlsx.");
  if (patterns.includes("-")) throw usage("vmlint move reads its files twice: name files or folders, not the standard input.");
  const [from, ...others] = flags.host ?? [];
  if (others.length > 0) throw usage("vmlint move takes one --host: the host that the VMs are on now.");
  const threshold = thresholdOf(flags);
  const print = comparisonPrinter(flags.format, io);
  const before = await placedOn(from, patterns, flags, io);
  // Both runs would print the same notes.
  const after = await placedOn(to, patterns, flags, { ...io, err: () => {} });
  const all = [...before].flatMap(([key, { path, vm, placed }]): readonly Move[] => {
    const there = after.get(key)?.placed;
    return there ? [{ path, vm, from: placed, to: there }] : [];
  });
  const changed = all.filter(isChange);
  const shown = changed.map(withoutCommon);
  print(moveComparison(to, shown, all.length), () => moveJson(to, shown, all.length));
  if (before.size === 0) {
    io.err("vmlint: no VM of ESXi was found.\n");
    return 2;
  }
  const added = changed.map((one) => ({ diagnostics: one.to.findings.filter(isNotIn(one.from.findings)) }));
  return threshold !== "never" && foundAtLeast(added, threshold) ? 1 : 0;
}

/** Checks the files with all VMs on a host, or each VM on its own host. */
async function placedOn(
  host: string | undefined,
  patterns: readonly string[],
  flags: Flags,
  io: Io,
): Promise<ReadonlyMap<string, PlacedVm>> {
  // A move within ESXi imports no VM.
  const within = (flags.plugins?.allRules ?? rules).filter(({ over }) => over !== "import");
  const run = await lintFiles({ patterns, host, config: flags.config, rules: within, ...inputOf(flags) }, io);
  const { openFindings } = reviewer(run, { baseline: undefined, write: undefined, patterns, partial: true }, io);
  const vms = new Map<string, PlacedVm>();
  for (const file of run.files()) {
    const { path } = file;
    const hidden = run.suppressions.get(path);
    const findings = hidden ? openFindings(path, hidden, file.diagnostics) : file.diagnostics;
    for (const vm of file.vms) {
      // The layouts of other platforms do not come from a host of ESXi.
      if (isForeign(vm)) continue;
      const { name, range } = vm.spec;
      const own = joinConsequences(findings, within).filter((finding) => finding.vm === name);
      vms.set(`${path}\n${name}\n${range[0]}`, { path, vm: name, placed: { ...hostAndLayout(vm), findings: own } });
    }
  }
  return vms;
}

const isForeign = ({ spec: { platform } }: LintedVm): boolean => platform === "kvm" || platform === "other";

function hostAndLayout({ spec, target: { host, workload } }: LintedVm): Pick<Placed, "host" | "layout"> {
  const result = host && deriveTopology(spec, host, workload);
  return { host: host?.name ?? null, layout: result?.ok ? result.topology.numaClients : null };
}

const isChange = ({ from, to }: Move): boolean =>
  String(from.layout) !== String(to.layout) || from.findings.some(isNotIn(to.findings)) || to.findings.some(isNotIn(from.findings));

/** Leaves out findings with the same words on both hosts. */
function withoutCommon(one: Move): Move {
  const differing = (findings: readonly Diagnostic[], others: readonly Diagnostic[]) =>
    findings.filter(({ ruleId, message }) => !others.some((other) => other.ruleId === ruleId && other.message === message));
  const { from, to } = one;
  return {
    ...one,
    from: { ...from, findings: differing(from.findings, to.findings) },
    to: { ...to, findings: differing(to.findings, from.findings) },
  };
}

const moveJson = (to: string, moves: readonly Move[], vms: number): string =>
  jsonAnswer({
    to,
    vms: moves.map(({ path, vm, from, to }) => ({ path, vm, from: placedJson(from), to: placedJson(to) })),
    unchanged: vms - moves.length,
  });

const placedJson = ({ host, layout, findings }: Placed) => ({
  host,
  layout,
  findings: findings.map(({ ruleId, severity, message, fixes }) => ({ ruleId, severity, message, fixes: fixes.map(({ title }) => title) })),
});

/** Returns the table of a move: the VMs that change. */
const moveComparison = (to: string, moves: readonly Move[], vms: number): Comparison => ({
  headline: `${plural(moves.length, "VM")} of ${vms} ${moves.length === 1 ? "changes" : "change"} by a move to ${to}.`,
  sums: [],
  before: "now",
  after: "after the move",
  vms: moves.map(comparedVm),
  notes: [],
  sources: [],
});

function comparedVm({ vm, path, from, to }: Move): ComparedVm {
  const placed = ({ host, layout }: Placed): string => `${layout ? groupText(layout) : "layout unknown"} on ${host ?? "no known host"}`;
  const change = ({ ruleId: id, severity, message }: Diagnostic, ends: boolean) => ({ id, severity, message, ends });
  const gravest = to.findings.map(({ severity }) => severity).sort((a, b) => SEVERITIES.indexOf(a) - SEVERITIES.indexOf(b))[0];
  const fixes = [...new Set(to.findings.flatMap(({ fixes }) => fixes.map(({ title }) => title)))];
  return {
    ...{ vm, path, host: from.host, before: placed(from), after: [placed(to)] },
    ...{ worst: gravest ?? null, possible: null, differs: true, misses: [], keeps: fixes, shownKeeps: fixes },
    changes: [...from.findings.map((one) => change(one, true)), ...to.findings.map((one) => change(one, false))],
  };
}
