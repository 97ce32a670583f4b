import { closestMatch } from "leven";

/** The nearest of `names` to a misspelt one, in capitals too; `undefined` when none is close. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  return nearestAsWritten(name, names) ?? (lower === name ? undefined : nearestAsWritten(lower, names));
}

function nearestAsWritten(name: string, names: readonly string[]): string | undefined {
  const begun = name.length > 2 ? names.find((candidate) => candidate.startsWith(name)) : undefined;
  if (begun !== undefined) return begun;
  const candidate = closestMatch(name, [...names]);
  if (candidate === undefined) return undefined;
  const shared = [...candidate].filter((c) => name.includes(c)).length;
  return shared * 2 >= Math.max(candidate.length, name.length) ? candidate : undefined;
}
