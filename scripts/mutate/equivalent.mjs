/** Mutants that no test can notice: a pattern of `file: kind: what stood there, in: its line`, and why that is so. */
const EQUIVALENT = [
  [/: left of && left out: typeof \w+ === "number" && \w+ [<>]/, "text and undefined are neither less nor more than a number"],
  [
    /: 1 to [02]: 1, in: .*\(count = 1\) => count (?:> (?:[2-9]|\d\d|[A-Z_]+)|>= [A-Z_]+)\b/,
    "a VM that states no vCPUs has 1, and 0 or 2 are no more than the limit either",
  ],
  [/: 1 to 0: 1, in: .*\((\w+) = 1\) => \1 > 1\b/, "a VM that states no vCPUs or threads has 1, and 0 is no more than 1 either"],
  [/limit-lt-reservation\.ts: 0 to -?1: 0, in: .*Reservation\w+\?\.value \?\? 0;/, "the next line returns where nothing is reserved"],
  [/: 0 to -1: 0, in: .*esxi\(\d+, 0\)/, "no release is before the first of its number"],
  [/: (?:5 to 4: 5, in: .*esxi\([3-6], 5|7 to 6: 7, in: .*esxi\(6, 7)/, "there is no ESXi 3.4, 5.4, 6.4 or 6.6"],
  [/hardware\.ts: 0 to -?1: 0, in: HARDWARE\[hardwareVersion \?\? 0\]/, "the list has no hardware version 0, and neither 1 nor -1"],
  [/: 0 to -?1: 0, in: .*\(mib = 0\) => mib > (?:[A-Z]|\d\d|enough)/, "no limit of memory is 1 MiB or less"],
  [/exceeds-host\.ts: 0 to -?1: 0, in: const reservedMiB/, "a host has more memory than 1 MiB"],
  [
    /affinity\/.*: right of \|\| left out: !vm\.cpuAffinity \|\| vm\.cpuAffinity\.value === "all"/,
    "the rule does not apply to the list of all; for the compiler it is asked again",
  ],
  [
    /affinity\/overlap\.ts: (?:left|right) of && left out: pcpus !== undefined && pcpus !== "all"/,
    "a VM that is pinned nowhere meets no other: not to look at it only saves the work",
  ],
  [
    /: 1 to [02]: 1, in: .*(?:\(count = 1\) => (?:refusesNode|count > enough)|isSerial\(workload\.maxdop \?\? 1\))/,
    "1, 2 and 0 vCPUs are all few, and MAXDOP 1 and 2 both serial",
  ],
  [/standard-sockets\.ts: 4 to [35]: 4, in: const maxSockets/, "every version of Standard edition has a limit of sockets"],
  [/half-or-full-socket\.ts: [<>] to [<>]=: size [<>] vcpus/, "a size that is the count has returned above"],
  [/half-or-full-socket\.ts: 0 to -?1: 0, in: const coresPerSocket = size === null/, "without a size nothing is set"],
  [
    /half-socket-snc2\.ts: .*, in: (?:threadsPerCore: 2|esxi: esxi\(8, 0\)),$/,
    "the host of the examples: neither its threads nor its release decide",
  ],
  [
    /: 0 to -?1: 0, in: .*(?:hardwareVersion\?\.value \?\? 0\)|\(version = 0\) => version >= [A-Z])/,
    "what states no hardware version is taken for older than any, as 1 and -1 are",
  ],
  [/: 0 to -1: 0, in: .*(?:\?\? 0\)|\((size|mib) = 0\) => \1) > 0/, "what nothing sets is no more than 0, and neither is -1"],
  [/: 0 to -?1: 0, in: const \[size = 0\] = (?:sizes|nodes);/, "a VM has a node and a client, so there is a first one"],
  [/(?:unit-7|single-controller)\.ts: (?:0 to -1|> to >=): .*scsiControllers\.length > 0/, "without a controller there is no disk on one"],
  [/unbalanced-mix\.ts: < to <=: sizes\.length < nodes/, "as many clients as nodes divide evenly, which the next condition asks"],
  [
    /cps-defines-vnuma\.ts: > to >=: coresPerSocket > nodeCapacity/,
    "more sockets of a node's cores than the host has nodes are the nodes that one core per socket makes, too",
  ],
  [/maxpervnode-uneven\.ts: < to <=: other < size/, "a size that divides the vCPUs has returned above"],
  [/vpd-spans-ppd\.ts: 0 to -1: 0, in: const free = /, "a size below 1 is none"],
  [/vpd-spans-ppd\.ts: 0 to -?1: 0, in: const byHand = /, "a first node that is larger than a physical one has more vCPUs than 1"],
  [
    /wide-uneven\.ts: left of && left out: uneven && preferHt/,
    "an odd count that is even over its nodes lies on 3 or more, and two threads a core still make 2 of them",
  ],
  [/guest\/max-sockets\.ts: 64 to 63: 64, in: const SERVER_SOCKETS/, "no guest uses 63 sockets"],
  [
    /capped\.ts: (?:left|right) of \|\| left out: other\.sockets !== maxSockets \|\| other\.cores/,
    "the editions with both limits have the same ones in every version so far",
  ],
  [/soft-numa\.ts: 1 to 0: 1, in: let \[below, above\]/, "the size itself is uneven, so that the search goes on from it"],
  [/contradiction\.ts: < to <=: descriptions\.indexOf/, "no format is both what ESXi keeps and what VMs are made by"],
  [
    /cps-exceeds-pnode\.ts: <= to <: coresPerSocket <= capacity/,
    "sockets of a node's capacity make clients that fit it, which the next line asks",
  ],
];

const entryOf = ({ file, kind, was, context }) => {
  const words = `${file}: ${kind}: ${was}, in: ${context}`;
  return EQUIVALENT.find(([pattern]) => pattern.test(words));
};

/** Why a mutant changes nothing; `undefined` where it may. */
export const reasonOf = (mutant) => entryOf(mutant)?.[1];

/** The patterns that none of the mutants is excused by: their line was changed, or an earlier pattern has it. */
export function excusingNone(mutants) {
  const used = new Set(mutants.map(entryOf));
  return EQUIVALENT.flatMap((entry) => (used.has(entry) ? [] : [String(entry[0])]));
}
