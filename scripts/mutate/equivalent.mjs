/**
 * Mutants without an effect on results, each with its reason. A pattern matches `file: kind: line`, with «» around the replaced
 * part.
 */
const EQUIVALENT = [
  [/: left of && left out: .*«typeof \w+ === "number" && \w+ [<>][^&]*»/, "text and undefined are neither less nor more than a number"],
  [
    /: 1 to [02]: .*\(count = «1»\) => count (?:> (?:[2-9]|\d\d|[A-Z_]+)|>= [A-Z_]+)\b/,
    "a VM that states no vCPUs has 1, and 0 or 2 are no more than the limit either",
  ],
  [/: 1 to 0: .*\((\w+) = «1»\) => \1 > 1\b/, "a VM that states no vCPUs or threads has 1, and 0 is no more than 1 either"],
  [/limit-lt-reservation\.ts: 0 to -?1: .*Reservation\w+\?\.value \?\? «0»;/, "the next line returns where nothing is reserved"],
  [
    /^(?!.*possible\.ts).*: 0 to -1: (?!20: |const since ).*(?:esxi|release)\(\d+, «0»\)/,
    "no release is before the first of its number; that of version 20 is printed",
  ],
  [/^(?!.*possible\.ts).*: (?:5 to 4: .*(?:esxi|release)\([3-6], «5»\)|7 to 6: .*esxi\(6, «7»\))/, "there is no ESXi 3.4, 5.4, 6.4 or 6.6"],
  [/: 0 to -?1: .*\(mib = «0»\) => mib > (?:[A-Z]|\d\d|enough)/, "no limit of memory is 1 MiB or less"],
  [/exceeds-host\.ts: 0 to -?1: const reservedMiB.*«0»/, "a host has more memory than 1 MiB"],
  [
    /: (?:1 to [02]: .*\(count = «1»\) => (?:nodeTrouble|count > enough)|1 to 2: .*isSerial\(workload\.maxdop \?\? «1»\))/,
    "1, 2 and 0 vCPUs are all few, and MAXDOP 1 and 2 both serial",
  ],
  [/standard-sockets\.ts: 4 to [35]: const maxSockets.*«4»/, "every version of Standard edition has a limit of sockets"],
  [/standard-sockets\.ts: 0 to -?1: const maxSockets.*«0»/, "which is 4 in all of them so far, as where none is found"],
  [/cps-divides\.ts: (?:right of \|\| left out|0 to -?1): .*count === /, "instead of no vCPUs none are proposed, asked or not"],
  [/half-or-full-socket\.ts: [<>] to [<>]=: .*«size [<>] vcpus»/, "a size that is the count has returned above"],
  [/half-or-full-socket\.ts: 0 to -?1: const coresPerSocket = size === null.*«0»/, "without a size nothing is set"],
  [
    /half-socket-snc2\.ts: .*: (?:threadsPerCore: «2»|esxi: esxi\(.*«[80]».*),$/,
    "the host of the examples: neither its threads nor its release decide",
  ],
  [
    /: 0 to -?1: .*(?:hardwareVersion\?\.value \?\? «0»\)|\(version = «0»\) => version >= [A-Z])/,
    "what states no hardware version is taken for older than any, as 1 and -1 are",
  ],
  [/: 0 to -1: .*(?:\?\? «0»\)|\((size|mib) = «0»\) => \1) > 0/, "what nothing sets is no more than 0, and neither is -1"],
  [/: 0 to -?1: .*const \[size = «0»\] = (?:sizes|nodes);/, "a VM has a node and a client, so there is a first one"],
  [/unbalanced-mix\.ts: < to <=: .*«sizes\.length < nodes/, "as many clients as nodes divide evenly, which the next condition asks"],
  [
    /cps-defines-vnuma\.ts: > to >=: .*«coresPerSocket > nodeCapacity»/,
    "more sockets of a node's cores than the host has nodes are the nodes that one core per socket makes, too",
  ],
  [/vpd-spans-ppd\.ts: 0 to -1: const free = .*«0»/, "a size below 1 is none"],
  [/vpd-spans-ppd\.ts: 0 to -?1: const byHand = .*«0»/, "a first node that is larger than a physical one has more vCPUs than 1"],
  [/guest\/max-sockets\.ts: 64 to 63: const SERVER_SOCKETS/, "no guest uses 63 sockets"],
  [/soft-numa\.ts: < to <=: .*«size < node»/, "the size of the node is uneven, and none of the even ones"],
  [/soft-numa\.ts: 1 to 0: let \[below, above\].*«1»/, "the size itself is uneven, so that the search goes on from it"],
  [/contradiction\.ts: < to <=: .*«descriptions\.indexOf/, "no format is both what ESXi keeps and what VMs are made by"],
  [
    /cps-exceeds-pnode\.ts: <= to <: .*«coresPerSocket <= capacity/,
    "sockets of a node's capacity make clients that fit it, which the next line asks",
  ],
  [/: 1 to 0: .*threadsPerCore\?\.value \?\? «1»\) > 1\b/, "a VM that states no threads has 1, and 0 is no more than 1 either"],
  [/(?:cps-divides|max-cps-hw)\.ts: 0 to -1: .*coresPerNumaNode: «0»/, "nodes of -1 are none set by hand, as those of 0 are"],
  [/max-memory\.ts: 0 to -?1: const reserved = .*«0»/, "every Windows uses more than 1 MiB"],
  [/half-or-full-socket\.ts: 0 to -?1: const memoryMiB = .*«0»/, "half a socket owns more than 1 MiB"],
  [/half-or-full-socket\.ts: > to >=: .*«vcpus > coresOf\(host\)»/, "all cores of the host are whole sockets, which have returned above"],
  // The rule's `appliesTo` or trigger already checks these conditions.
  [
    /(?:enterprise-cal-20|mem-limit)\.ts: (?:right of \|\| left out: .*«.* <= (?:LIMIT|most \* 1024)»|<= to <: .*«vm\.\w+\.value <= |1024 to 1023: .*most \* «1024»)/,
    "the rule does not apply up to the limit, which is one in all releases and versions so far",
  ],
  [
    /affinity\/(?:cluster|with-\S+)\.ts: right of \|\| left out: .*«!vm\.cpuAffinity \|\| vm\.cpuAffinity\.value === "all"»/,
    "the rule does not apply to the list of all",
  ],
  [
    /(?:manual-cps-on-v8|many-single-core-sockets)\.ts: right of \|\| left out: .* (?:< AUTO_TOPOLOGY_HARDWARE|vcpus < LEAST_VCPUS)»/,
    "the rule does not apply below",
  ],
  [
    /(?:max-sockets|windows-client-sockets)\.ts: right of && left out: .* && (?:limited|client)»/,
    "where the guest is not known, the rule is skipped, whatever else applies",
  ],
  [
    /(?:max-sockets|single-node|mem-exceeds-node|node-socket-multiple|num-smt-multiple)\.ts: [01] to -?[012]: const \w+ = .*vm\.\w+\?\.value \?\? «[01]»/,
    "the next condition returns where the VM does not state it",
  ],
  [/max-disks\.ts: 1 to 0: const kind = .*\[«1»\]/, "the group is all that the pattern finds"],
  [/contradiction\.ts: right of \|\| left out: .* \|\| "none"»/, "no reader makes an empty list"],
  // Caches, bounds of work and readings on demand of platforms/esxi.
  [/known-answers\.ts: (?:4000 to |0 to -?1|(?:negated|>= to >): .*MOST_KNOWN)/, "a kept answer equals a computed one"],
  [/derive\.ts: (?:1024 to |0 to -?1: .*let tried|< to <=: .*MOST_ANSWERS)/, "how many answers are tried is a round number"],
  [/esxi-5\.0\.ts: 1 to [02]: .*=== "auto" \? «1»/, "before 8.0 ESXi chooses no sockets"],
  [
    /possible\.ts: (?:512 to |(?:> to >=|<= to <): .*MOST_TRIED|0 to -?1: let attempts)/,
    "how many combinations are tried is a round number",
  ],
  [/possible\.ts: left of && left out: .*open\.includes\(name\)»/, "the unknown settings are filled in in another order"],
  [/possible\.ts: 0 to -1: .*names\.length === «0»/, "a copy of a VM has the same results"],
  [/possible\.ts: 8 to 9: .*major \?\? «8»\)/, "9 is no less than 8 either"],
  [/stored-size\.ts: 0 to -?1: .*storedCookie: «0»/, "cookies of 0, 1 and -1 are of no VM"],
  [/esxi-6\.5\.ts: 1 to 0: .*coresPerSocket : «1»;/, "0 is no more than 1 either"],
  [
    /input\.ts: 0 to (?:-1: .*get\("(?:maxVcpusPerVnumaNode|coresPerNumaNode)"\) \?\? «0»|-?1: .*coresPerNumaNode : «0»)/,
    "each reader asks whether it is more than 0, and 1 divides all",
  ],
  [/power-on\.ts: 0 to -?1: .*(?:«0» : input\.coresPerNumaNode|get\("coresPerNumaNode"\) \?\? «0»)/, "1 divides all"],
  // Other conditions imply these.
  [
    /numa-64lp\.ts: <= to <: .*«nodes <= 2 \* Math\.ceil/,
    "where twice as many nodes as there must be divide the vCPUs, as many as there must be do too, and come first",
  ],
  [
    /any\.ts: right of \|\| left out: .*\|\| pinningFlaw\(pinning, vcpus, host\)»/,
    "a list of more cores than vCPUs has no flaw, and the next condition asks for one",
  ],
  [
    /overlap\.ts: (?:left of && left out: .*«group\.length > 1 &&|> to >=: .*«group\.length > 1»|1 to 0: .*group\.length > «1»)/,
    "where there is no other VM, there is none to name",
  ],
  [/disks\.ts: 1000 to (?:999|1001)/, "no unit has so high a number"],
  [
    /node-not-socket\.ts: (?:right of \|\| left out: .*nodesPerSocket <= 1»|<= to <: .*«nodesPerSocket <= 1»|1 to 0: .*nodesPerSocket <= «1»)/,
    "a node of one socket or more holds as many vCPUs as a socket has cores, unless a limit is set by hand",
  ],
  [
    /standard-sockets\.ts: (?:right of \|\| left out: .*sockets <= maxSockets(?: \|\| usable >= vcpus)?»|<= to <: .*«sockets <= maxSockets»|>= to >: .*«usable >= vcpus»)/,
    "few enough sockets are as many usable vCPUs as there are",
  ],
  [
    /cps-defines-vnuma\.ts: right of \|\| left out: .*«!vm\.coresPerSocket \|\| vm\.maxVcpusPerVnumaNode»/,
    "one core per socket changes no nodes whose size is set by hand",
  ],
  [
    /cps-misaligned\.ts: right of \|\| left out: .*\|\| vm\.maxVcpusPerVnumaNode»/,
    "clients of nodes set by hand are as uneven with one core per socket",
  ],
  [
    /cps-misaligned\.ts: right of \|\| left out: .*(?:vcpus % clients\.length !== 0|!isEven\(without\.numaClients\)|without\.numaClients\.length !== clients\.length)»/,
    "with one core per socket, as many clients as divide the vCPUs are even, and even ones divide them",
  ],
  [
    /maxpermachinenode\.ts: (?:right of \|\| left out: .*cap\.value >= capacity»|>= to >: .*«cap\.value >= capacity»)/,
    "a smaller limit makes no fewer clients, which the same line asks",
  ],
  [
    /maxpervnode-uneven\.ts: (?:right|left) of \|\| left out: .*«isEven\(vnumaNodes\) \|\| vnumaNodes\[0\] !== size»/,
    "only nodes of that size are uneven, and even ones of it divide the vCPUs",
  ],
  [/maxpervnode-with-cps\.ts: 0 to 1: .*vnumaNodes\[«0»\]/, "even nodes that are no whole sockets are two or more"],
  [
    /vcpu-min-hides\.ts: (?:left of \|\| left out: .*«vcpus >= min \|\| !numaManaged»|>= to >: .*«vcpus >= min»)/,
    "a VM that numa.vcpu.min does not hide has the same nodes with a smaller one",
  ],
  [/wide-uneven\.ts: left of && left out: .*«!isEven\(nodes\) && vcpus %/, "even nodes divide the vCPUs"],
  [/many-single-core-sockets\.ts: left of \|\| left out: .*«!runs\(esxi/, "what the host does not run makes no topology to propose"],
  // Runs on VMs.
  [/^lint\/equal-vms\.ts: (?:20000 to |>= to >: .*MOST_KINDS)/, "a kept result equals a computed one"],
  [/^lint\/check-across-vms\.ts: (?:> to >=: .*once\.length > 1|1 to 0: .*once\.length > «1»)/, "no rule compares one description"],
  [/^lint\/check-on-cluster\.ts: left of && left out: .*needs\.includes\("host"\) &&/, "a rule without a host finds the same on each one"],
  [/^lint\/check-on-cluster\.ts: left of \|\| left out: .*otherHosts \|\|/, "a host without others is the only kind"],
  [/^lint\/check-on-cluster\.ts: 0 to -?1: .*memoryGiB \?\? «0»/, "a host has more memory than 1 GiB"],
  [/^lint\/hosted-vms\.ts: 0 to -?1: .*«0»\) > MOST_VMS/, "a machine runs more than one VM"],
  [/^lint\/equal-vms\.ts: 0 to -?1: let last/, "the numbers only tell objects apart"],
  // Counts that no caller reads, and work that a check saves.
  [/check-(?:vm|guess)\.ts: 0 to -?1: .*(?:ran(?:: Ran)? = \{ count: «0» \}|\{ count: «0», leavesOut)/, "no caller reads this count"],
  [/check-vm\.ts: === to !==: .*failure === "no-power-on"/, "a VM that never starts has no layout in any case"],
  [/possible\.ts: 1 to 0: .*completions\.length === «1»/, "nothing decides a single completion"],
  [/without-host\.ts: (?:1000 to |>= to >: .*MOST_SHAPES)/, "a kept answer equals a computed one"],
  [/without-host\.ts: right of && left out: .*needs\.includes\("workload"\)/, "rules that need a workload are skipped on each class"],
  [/without-host\.ts: < to <=: .*«coresPerNode\(one\) < count»/, "the rules find nothing where the VM fits a node"],
  [/check-vm\.ts: 0 to -1: .*tried\.size === «0»/, "a second check skips the same"],
  [/check-vm\.ts: (?:0 to -1: .*found\.length === «0»\) \{|right of \|\| left out: .*leavesOut)/, "what finds nothing finds nothing again"],
];

const entryOf = ({ file, kind, context }) => EQUIVALENT.find(([pattern]) => pattern.test(`${file}: ${kind}: ${context}`));

/** Returns the reason if this mutant cannot change a result, otherwise `undefined`. */
export const reasonOf = (mutant) => entryOf(mutant)?.[1];

/** Returns the patterns that match no mutant, because their line changed or an earlier pattern matches first. */
export function excusingNone(mutants) {
  const used = new Set(mutants.map(entryOf));
  const isOfLint = (path) => path.startsWith("lint/");
  // A pattern that begins with the folder is for that folder only.
  const hasLint = mutants.some(({ file }) => isOfLint(file));
  return EQUIVALENT.flatMap((entry) => {
    const isAsked = hasLint || !isOfLint(entry[0].source.replace(/^\^|\\/g, ""));
    return isAsked && !used.has(entry) ? [String(entry[0])] : [];
  });
}
