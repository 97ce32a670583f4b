import type { HostModel } from "../../model/host.ts";
import { getOrInsert } from "../../model/maps.ts";
import type { SettingName } from "../../model/spec.ts";
import type { Read } from "./input.ts";

/** The answer for the values so far, or the setting to read next. */
type Step<T> = { readonly answer: T } | { readonly name: SettingName; readonly next: Steps<T> };

/** The next step for each value of a setting. */
type Steps<T> = Map<unknown, Step<T>>;

/** The most answers to keep for a host: an estate has about a hundred sizes of VMs, each with several guests and hardware versions. */
const MOST_KNOWN = 4000;

/**
 * Returns a function that computes an answer for a host once for equal values of the settings that it reads. `compute` reads settings only
 * with its argument, and `key` stands for all other facts about the VM.
 */
export function onceForReads<T>(): (host: HostModel, key: string, get: Read, compute: (get: Read) => T) => T {
  const byHost = new WeakMap<HostModel, { readonly first: Steps<T>; count: number }>();
  return (host, key, get, compute) => {
    const known = getOrInsert(byHost, host, () => ({ first: new Map(), count: 0 }));
    let [steps, value]: [Steps<T>, unknown] = [known.first, key];
    for (let step = steps.get(value); step; step = steps.get(value)) {
      if ("answer" in step) return step.answer;
      [steps, value] = [step.next, get(step.name)];
    }
    if (known.count >= MOST_KNOWN) return compute(get);
    known.count++;
    const seen = new Set<SettingName>();
    [steps, value] = [known.first, key];
    const answer = compute((name) => {
      const read = get(name);
      if (seen.has(name)) return read;
      seen.add(name);
      const step = getOrInsert(steps, value, () => ({ name, next: new Map() }));
      if ("next" in step) [steps, value] = [step.next, read];
      return read;
    });
    steps.set(value, { answer });
    return answer;
  };
}
