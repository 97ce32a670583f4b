import { closestMatch } from "leven";

/** The nearest of `names` to a misspelt one, in capitals too; `undefined` when none is close. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  return nearestAsWritten(name, names) ?? (lower === name ? undefined : nearestAsWritten(lower, names));
}

function nearestAsWritten(name: string, names: readonly string[]): string | undefined {
  const begun = name.length > 2 ? names.find((candidate) => candidate.startsWith(name)) : undefined;
  // Half of its letters may be wrong, and never all: "cpu" is near "vcpus", and neither is "disk" near "size" nor "x" near "a".
  const { length } = name;
  return begun ?? closestMatch(name, [...names], { maxDistance: Math.min(Math.ceil(length / 2), length - 1) });
}

/** Returns ` Did you mean "vcpus"?` if one of the names is near. */
export const hint = (name: string, names: readonly string[]): string => {
  const suggestion = nearest(name, names);
  return suggestion ? ` Did you mean "${suggestion}"?` : "";
};
