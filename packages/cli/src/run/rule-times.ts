import type { Rule } from "@vmlint/core";
import { plural } from "@vmlint/core/program";

/** The slowest rules that --timing lists. */
const MOST = 10;

interface RuleTimes {
  /** The same rules, each with a stopwatch. */
  readonly rules: readonly Rule[];
  /** A line for each of the slowest rules. */
  readonly lines: () => readonly string[];
}

/** Measures the checks of rules. The topology of a VM is no part of it: all rules share one. */
export function timeRules(rules: readonly Rule[]): RuleTimes {
  const times = new Map<string, { milliseconds: number; runs: number }>();
  const timed = ({ id, ...rule }: Rule): Rule => {
    const time = { milliseconds: 0, runs: 0 };
    times.set(id, time);
    const measured =
      <Given, Found>(check: (facts: Given) => Iterable<Found>) =>
      (facts: Given): readonly Found[] => {
        const since = performance.now();
        try {
          return [...check(facts)];
        } finally {
          time.milliseconds += performance.now() - since;
          time.runs++;
        }
      };
    const { check, checkHost, checkDescriptions } = rule;
    return { id, ...rule, check: measured(check), checkHost: measured(checkHost), checkDescriptions: measured(checkDescriptions) };
  };
  return {
    rules: rules.map(timed),
    lines: () =>
      [...times]
        .filter(([, { runs }]) => runs > 0)
        .sort(([, a], [, b]) => b.milliseconds - a.milliseconds)
        .slice(0, MOST)
        .map(([id, { milliseconds, runs }]) => `vmlint: ${milliseconds.toFixed(1)} ms ${id}, ${plural(runs, "check")}.\n`),
  };
}
