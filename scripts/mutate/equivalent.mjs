/** Mutants that no test can notice: a pattern of `file: kind: what stood there`, and why that is so. */
const EQUIVALENT = [
  [/: left of && left out: typeof \w+ === "number" && \w+ [<>]/, "text and undefined are neither less nor more than a number"],
];

/** Why a mutant changes nothing; `undefined` where it may. */
export const reasonOf = ({ file, kind, was }) => EQUIVALENT.find(([pattern]) => pattern.test(`${file}: ${kind}: ${was}`))?.[1];
