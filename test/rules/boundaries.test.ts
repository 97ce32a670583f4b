import { fileURLToPath } from "node:url";
import { applyEdits, lint, type Rule, requireHost, rules, type SettingName, type Target, type Workload } from "@vmlint/core";
import { pageOf, type RulePage } from "@vmlint/core/docs";
import { parseVmx } from "@vmlint/core/program";
import { expect, test } from "vitest";
import { appliesTo } from "../../packages/core/src/rules/define.ts";
import { examplesOf } from "../support/rule-pages.ts";

/**
 * The thresholds at which each rule fires. From every example the test varies a setting, the host or a fact of the workload. The
 * tables in `boundaries` list the outcome for each value: a message with the number of its fixes, `silent` for no finding, `not
 * asked` for a rule that does not apply and is not listed as skipped, or the reason for skipping.
 */
const COUNTS = [...range(1, 41), ...around(48, 56, 64, 72, 80, 96, 112, 128, 192, 256, 576, 768, 960)];
const HOSTS = [
  "1x8x1:64@6.7",
  "1x16x2:256@8.0",
  "2x8x2:128@5.0",
  "2x10x2:256@6.0",
  "2x20x2:512@6.5",
  "2x24x2:768@7.0",
  "2x24x2/2:768@8.0",
  "4x10x2:1024@5.5",
  "4x28x2:6144@8.0 U2",
  "2x64x2:2048@9.0",
  "2x20x2",
];
const WORDS = { latencySensitivity: ["low", "normal", "medium", "high"] } as const;
const RANGES: { readonly [K in SettingName]?: readonly number[] } = { threadsPerCore: range(1, 9), hardwareVersion: range(4, 22) };
const FLAGS = [
  "cpuHotAdd",
  "memoryHotAdd",
  "memoryReservationLocked",
  "preferHt",
  "followCoresPerSocket",
  "numaConsolidate",
  "numaAutosize",
  "numaAutosizeOnce",
  "exposeVnumaOnHotAdd",
];
const AMOUNTS = ["memoryMiB", "cpuReservationMHz", "cpuLimitMHz", "memoryReservationMiB", "memoryLimitMiB", "storedCookie"];
const LISTS: { readonly [K in SettingName]?: readonly unknown[] } = {
  cpuAffinity: [
    "all",
    [0],
    [0, 1],
    range(0, 7),
    [0, 2, 4, 6, 8, 10, 12, 14],
    range(0, 9),
    range(0, 15),
    range(0, 19),
    range(10, 25),
    [0, 79],
    [0, 80],
    [400],
  ],
  memoryAffinity: ["all", [0], [0, 1], [3], [4]],
  numaNodeAffinity: [[0], [1], [0, 1], [2], [0, 3], [4]],
  guestOs: [
    "windows7-64",
    "windows9-64",
    "windows11-64",
    "windows8srv-64",
    "windows2019srv-64",
    "windows2019srvnext-64",
    "rhel9-64",
    "ubuntu-64",
    "dos",
  ],
};

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

function around(...values: readonly number[]): readonly number[] {
  return [...new Set(values.flatMap((value) => [value - 1, value, value + 1]))].sort((a, b) => a - b);
}

type Example = RulePage["good"][number];

const FACTS: { readonly [K in keyof Workload]?: readonly Workload[K][] } = {
  kind: ["mssql", "oracle", "hana", "postgresql", "database", "latency", "imdg", "exchange", "vdi", "ft", "general"],
  edition: ["enterprise", "standard", "web", "express", "bi", "developer"],
  version: ["2008r2", "2012", "2014", "2016", "2017", "2019", "2022", "2025"],
  licensing: ["core", "server-cal"],
  maxdop: [0, 1, 2, 4, 7, 8, 9, 16, 17],
  costThreshold: [0, 5, 6, 49, 50],
  concurrency: [1, 3, 4, 5, 8, 16, 31, 32, 33],
  profile: ["oltp", "warehouse"],
  environment: ["tier-1", "production", "test"],
  faultTolerance: [true, false],
};

function outcome(rule: Rule, text: string, target: Target): string {
  const { vms, diagnostics, skipped } = lint(text, { rules: [rule], target });
  const [vm] = vms;
  if (!vm || appliesTo(rule, vm.spec, target.workload) === false) {
    expect(diagnostics).toEqual([]);
    // Even a rule that does not apply must not fail on an absent setting.
    lint(text, { rules: [{ ...rule, applies: () => true }], target });
    return "not asked";
  }
  const said = [
    ...diagnostics.map(({ messageId, fixes, related }) => {
      const besides = [fixes.length > 0 && plural(fixes.length, "fix"), related.length > 0 && plural(related.length, "place")];
      return [messageId, ...(besides.some(Boolean) ? [`(${besides.filter(Boolean).join(", ")})`] : [])].join(" ");
    }),
    ...skipped.map(({ reason }) => `? ${reason}`),
  ];
  return said.join(" and ") || "silent";
}

const plural = (count: number, word: "fix" | "place"): string => `${count} ${word}${count === 1 ? "" : word === "fix" ? "es" : "s"}`;

const targetOf = (rule: Rule, { host, workload, otherHosts }: Example): Target => ({
  host: typeof host === "string" ? requireHost(host) : host,
  workload,
  selects: () => true,
  ...(rule.optIn && { severities: { [rule.id]: rule.severity } }),
  ...(otherHosts && { otherHosts: otherHosts.map((name) => requireHost(name)) }),
});

/** Returns one line: the values of one thing grouped by outcome, in order of first occurrence. */
function row(name: string, values: readonly unknown[], outcomeOf: (value: never) => string | undefined): string {
  const answers = new Map<string, unknown[][]>();
  let last: string | undefined;
  for (const value of values) {
    const answer = outcomeOf(value as never);
    if (answer === undefined) continue;
    const runs = answers.get(answer) ?? [];
    answers.set(answer, runs);
    const run = runs.at(-1);
    if (answer === last && run && typeof value === "number") run.push(value);
    else runs.push([value]);
    last = answer;
  }
  const words = (run: readonly unknown[]) => {
    const [first] = run;
    return run.length > 1
      ? `${first}-${run.at(-1)}`
      : Array.isArray(first)
        ? `[${first.length > 3 ? `${first[0]}..${first.at(-1)}` : first}]`
        : String(first);
  };
  return `  ${name}: ${[...answers].map(([answer, runs]) => `${answer} ${runs.map(words).join(",")}`).join("; ")}`;
}

/** Amounts on both sides of each place where the answer changes, found by halving what lies between two powers. */
function amounts(start: number, outcomeOf: (value: number) => string | undefined): readonly number[] {
  const coarse = [...new Set([0, 1, ...range(2, 24).flatMap((power) => [2 ** power, 1.5 * 2 ** power]), start])].sort((a, b) => a - b);
  const found = new Set(coarse);
  for (const [i, high] of coarse.entries()) {
    let [low, up] = [coarse[i - 1] ?? high, high];
    const before = outcomeOf(low);
    if (before === outcomeOf(up)) continue;
    while (up - low > 1) {
      const middle = (low + up) >> 1;
      if (outcomeOf(middle) === before) low = middle;
      else up = middle;
    }
    found.add(low).add(up);
  }
  return [...found].sort((a, b) => a - b);
}

function rowsOf(rule: Rule, example: Example): readonly string[] {
  // This line keeps the text a VM when all other lines are removed.
  const text = `config.version = "8"\n${example.vmx}`;
  const target = targetOf(rule, example);
  const [vm] = parseVmx(text).vms;
  if (!vm) return [];
  const withValue = (setting: SettingName, value: unknown): string | undefined => {
    const edits = vm.edit?.([{ setting, value } as never]);
    return edits && outcome(rule, applyEdits(text, edits), target);
  };
  /** Returns the lines without the line of this setting. */
  const without = (setting: SettingName): readonly string[] => {
    const said = vm.settings[setting];
    if (said.state !== "known") return [];
    const start = text.lastIndexOf("\n", said.range[0]) + 1;
    const end = text.indexOf("\n", said.range[1]);
    return [`absent ${outcome(rule, text.slice(0, start) + (end < 0 ? "" : text.slice(end + 1)), target)}`];
  };
  const settings = rule.reads.flatMap((setting) => {
    const said = vm.settings[setting];
    const of = (value: unknown) => withValue(setting, value);
    const start = said.state === "known" && typeof said.value === "number" ? said.value : 0;
    const words = WORDS[setting as keyof typeof WORDS] ?? LISTS[setting] ?? (FLAGS.includes(setting) ? [false, true] : undefined);
    const values = words ?? (AMOUNTS.includes(setting) ? amounts(start, of) : (RANGES[setting] ?? COUNTS));
    return [row(setting, values, of), ...without(setting).map((words) => `  ${setting}: ${words}`)];
  });
  const onHost = (host: string) => outcome(rule, text, { ...target, host: requireHost(host) });
  const { workload } = example;
  const facts = Object.entries(FACTS).flatMap(([fact, values]) => {
    const of = (value: unknown) => outcome(rule, text, { ...target, workload: { ...workload, [fact]: value } as Workload });
    const words = workload && rule.needs.includes("workload") ? row(fact, values, of) : "";
    // A fact with a single outcome does not matter to the rule.
    return words.includes("; ") ? [words] : [];
  });
  const none = (fact: keyof Workload) => {
    const { [fact]: _, ...rest } = workload ?? {};
    return workload?.[fact] === undefined || fact === "kind"
      ? []
      : [`${fact} ${outcome(rule, text, { ...target, workload: rest as Workload })}`];
  };
  return [
    ...settings,
    ...(rule.needs.includes("host") || rule.needs.includes("topology") ? [row("host", HOSTS, onHost)] : []),
    ...facts,
    `  without host: ${outcome(rule, text, { ...target, host: undefined })}; without workload: ${outcome(rule, text, { ...target, workload: undefined })}`,
    ...(workload ? [`  without: ${(Object.keys(workload) as (keyof Workload)[]).flatMap(none).join("; ")}`] : []),
  ].filter((line) => !/: $/.test(line));
}

const headOf = ({ title, host, workload }: Example): string =>
  [title, ...(host ? [typeof host === "string" ? host : host.name] : []), ...Object.values(workload ?? {})].join(", ");

// Rules about the text of a file have their own tests.
const checking = rules.filter(
  (rule) => rule.over === "vm" && !/^(vmx|tf)\//.test(rule.id) && pageOf(rule).bad.some(({ vmx }) => typeof vmx === "string"),
);

test.each(checking)("$id: the thresholds at which it fires (npm run gen, and read what changed)", async (rule) => {
  const blocks = examplesOf(rule).flatMap((example) => {
    if (typeof example.vmx !== "string") return [];
    const rows = rowsOf(rule, example);
    // A good example lists only the values with a finding.
    const shown = "expect" in example ? rows : rows.filter((line) => rule.messageIds.some((id) => new RegExp(`[:;] ${id}\\b`).test(line)));
    return shown.length > 0 ? [`${headOf(example)}\n${shown.join("\n")}\n`] : [];
  });
  const path = fileURLToPath(new URL(`boundaries/${rule.id}.txt`, import.meta.url));
  await expect(blocks.join("\n")).toMatchFileSnapshot(path);
});

test.each(checking)("$id: does not fail on a VM without one line or with only one line, and does not fire on an empty VM", (rule) => {
  for (const example of examplesOf(rule)) {
    if (typeof example.vmx !== "string") continue;
    const target = targetOf(rule, example);
    const lines = ['config.version = "8"', ...example.vmx.split("\n")];
    for (const [i, line] of lines.entries()) {
      outcome(rule, lines.toSpliced(i, 1).join("\n"), target);
      outcome(rule, line, target);
    }
  }
  const { diagnostics } = lint('config.version = "8"', { rules: [rule], target: { host: requireHost("r640"), selects: () => true } });
  expect(diagnostics).toEqual([]);
});
