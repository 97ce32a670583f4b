/** Mutants that no test can notice: a pattern of `file: kind: what stood there, in: its line`, and why that is so. */
const EQUIVALENT = [
  [/: left of && left out: typeof \w+ === "number" && \w+ [<>]/, "text and undefined are neither less nor more than a number"],
  [
    /: 1 to [02]: 1, in: .*\(count = 1\) => count > (?:[2-9]|\d\d|[A-Z_]+)\b/,
    "a VM that states no vCPUs has 1, and 0 or 2 are no more than the limit either",
  ],
  [/: 1 to 0: 1, in: .*\(count = 1\) => count > 1\b/, "a VM that states no vCPUs has 1, and 0 is no more than 1 either"],
  [/limit-lt-reservation\.ts: 0 to -?1: 0, in: .*Reservation\w+\?\.value \?\? 0;/, "the next line returns where nothing is reserved"],
  [/: 0 to -1: 0, in: .*esxi\(\d+, 0\)/, "no release is before the first of its number"],
  [/: 0 to -1: 0, in: .*\?\? 0\) >= /, "0 and -1 are both less than any version"],
  [
    /growth-beyond-node\.ts: <= to <: most\.value <= capacity/,
    "what grows to a node's capacity stays one client, which the next condition asks",
  ],
  [
    /cps-exceeds-pnode\.ts: <= to <: coresPerSocket <= capacity/,
    "sockets of a node's capacity make clients that fit it, which the next line asks",
  ],
];

/** Why a mutant changes nothing; `undefined` where it may. */
export const reasonOf = ({ file, kind, was, context }) =>
  EQUIVALENT.find(([pattern]) => pattern.test(`${file}: ${kind}: ${was}, in: ${context}`))?.[1];
