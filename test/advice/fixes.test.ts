import { applyEdits, type Diagnostic, lint, requireHost, SEVERITIES, type Workload } from "@vmlint/core";
import fc from "fast-check";
import { expect, test } from "vitest";

const HOSTS = [
  "dl580g7",
  "4x10x2:1024@5.5",
  "2x10x2:512@6.0",
  "2x10x2:256@6.5",
  "4x10x2:1024@7.0",
  "2x20x2:512@8.0",
  "2x20x2:512@7.0",
  "1x24x2/4:512@6.5",
  "2x24x2/2:768@8.0",
  "2x16x2:512@8.0",
  "2x6x2:192@7.0",
  "1x16x2:256@9.0",
  "2x64x2/4:1024@8.0",
  "dual-epyc-7763",
];

const HANA: Workload = { kind: "hana", environment: "production" };
const EDITIONS = ["standard", "web", "express", "bi", "enterprise", "developer"] as const;
const workloads: fc.Arbitrary<Workload | undefined> = fc.oneof(
  fc.constant(undefined),
  fc
    .record({
      edition: fc.constantFrom(...EDITIONS, undefined),
      version: fc.constantFrom("2012", "2014", "2016", "2019", "2022", "2025", undefined),
      licensing: fc.constantFrom("core", "server-cal", undefined),
      profile: fc.constantFrom("oltp", "warehouse", undefined),
      concurrency: fc.constantFrom(2, 8, 64, undefined),
      maxdop: fc.constantFrom(1, 8, undefined),
    })
    .map((fields) => ({ kind: "mssql", ...defined(fields) }) as Workload),
  fc.constantFrom<Workload>(
    HANA,
    { kind: "hana" },
    { kind: "imdg" },
    { kind: "latency" },
    { kind: "oracle" },
    { kind: "vdi" },
    { kind: "ft" },
    { kind: "general" },
  ),
);

function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

const counts = fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 160 }));
const vms = counts.chain((vcpus) => {
  const divisors = Array.from({ length: vcpus }, (_, i) => i + 1).filter((size) => vcpus % size === 0);
  const rare = [
    ...divisors.map((size) => `numa.vcpu.coresPerNode = "${size}"`),
    ...[...divisors, 4, 6, 8].map((size) => `numa.vcpu.maxPerVirtualNode = "${size}"`),
    ...divisors.map((size) => `numa.autosize.cookie = "${vcpus}0012"\nnuma.autosize.vcpu.maxPerVirtualNode = "${size}"`),
    ...["0-7", "0,2,4,6", "0-31", "70-90"].map((list) => `sched.cpu.affinity = "${list}"`),
    ...[4, 8, 12].map((min) => `numa.vcpu.min = "${min}"`),
    ...["0", "0,1"].map((list) => `numa.nodeAffinity = "${list}"`),
    'numa.vcpu.followcorespersocket = "1"',
    'numa.vcpu.preferHT = "TRUE"',
    'numa.consolidate = "FALSE"',
    'numa.vcpu.maxPerMachineNode = "4"',
    'sched.cpu.min = "4000"',
    'sched.mem.pin = "TRUE"',
    'sched.cpu.latencySensitivity = "high"',
    'cpuid.numSMT = "2"',
    'sched.mem.max = "4096"',
    'sched.mem.min = "2048"',
  ];
  const others = fc.oneof(
    { weight: 2, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...rare), { maxLength: 2, selector: (line) => line.split("=")[0] }) },
  );
  return fc
    .tuple(
      fc.constantFrom("", ...divisors.map((size) => `cpuid.coresPerSocket = "${size}"`)),
      fc.constantFrom(8, 10, 13, 17, 19, 20, 21).map((version) => `virtualHW.version = "${version}"`),
      fc.constantFrom(0, 4, 16, 64, 128, 300, 500).map((gib) => (gib === 0 ? "" : `memSize = "${gib * 1024}"`)),
      fc.constantFrom("", 'guestOS = "windows2019srv-64"', 'guestOS = "windows9-64"', 'guestOS = "rhel8-64"'),
      fc.constantFrom("", "", 'vcpu.hotadd = "TRUE"'),
      others,
    )
    .map(([cps, hw, mem, guest, hotadd, more]) =>
      [`numvcpus = "${vcpus}"`, cps, hw, mem, guest, hotadd, ...more].filter((line) => line !== "").join("\n"),
    );
});
const hosts = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<string | undefined>(...HOSTS) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

/** More in a full run. */
const RUNS = Number(process.env.VMLINT_RUNS ?? 300);
const rank = ({ severity }: Diagnostic): number => SEVERITIES.indexOf(severity);

/** The values that a finding names for each setting: in its fixes, and after the fact in its message. */
function namedBy({ fixes, message }: Diagnostic): ReadonlyMap<string, string> {
  const named = new Map<string, Set<unknown>>();
  const put = (setting: string, value: unknown) => named.set(setting, (named.get(setting) ?? new Set()).add(value));
  for (const { changes = [] } of fixes) for (const { setting, value } of changes) put(setting, String(value));
  const [advice = ""] = /(?<=[.:] )(?:Set|Use|Give) .*$/.exec(message) ?? [];
  for (const [, ...counts] of advice.matchAll(
    /(?:^|[.:;,] |or )[Uu]se (\d+)(?: or (\d+))?(?: vCPUs?)?(?=[ ,.])(?! cores?| MiB| GiB| MHz| sockets?)/g,
  ))
    for (const count of counts) if (count !== undefined) put("vcpus", count);
  for (const [, cores] of advice.matchAll(/(\d+) cores? per socket/g)) put("coresPerSocket", cores);
  return new Map([...named].map(([setting, values]) => [setting, [...values].sort().join()]));
}

test("no fix raises a finding that is at least as grave, and no two findings name different values for a setting", () => {
  let tried = 0;
  fc.assert(
    fc.property(vms, hosts, workloads, (text, host, workload) => {
      const target = { ...(host && { host: requireHost(host) }), ...(workload && { workload }) };
      const before = lint(text, { target }).diagnostics;
      const isNew = (one: Diagnostic) => !before.some((other) => other.ruleId === one.ruleId && rank(other) <= rank(one));
      for (const finding of before) {
        for (const { title, edits } of finding.fixes) {
          tried++;
          const raised = lint(applyEdits(text, edits), { target }).diagnostics.filter((one) => rank(one) <= rank(finding) && isNew(one));
          expect(
            raised.map(({ ruleId, message }) => `${ruleId}: ${message}`),
            `${finding.ruleId}: ${title}`,
          ).toEqual([]);
        }
      }
      for (const [i, finding] of before.entries()) {
        const named = namedBy(finding);
        for (const other of before.slice(i + 1))
          for (const [setting, values] of namedBy(other))
            expect(named.get(setting) ?? values, `${setting}\n${finding.message}\n${other.message}`).toBe(values);
      }
    }),
    {
      numRuns: RUNS,
      examples: [
        // A number in a message alone, and one of two fixes of a finding for another.
        ['numvcpus = "56"\ncpuid.coresPerSocket = "4"\nvirtualHW.version = "20"\nvcpu.hotadd = "TRUE"', "2x64x2/4:1024@8.0", HANA],
        ['numvcpus = "21"\ncpuid.coresPerSocket = "21"\nvirtualHW.version = "17"\nsched.cpu.affinity = "0-31"', "2x16x2:512@8.0", HANA],
      ],
    },
  );
  expect(tried).toBeGreaterThan(RUNS / 4);
});

test("no advice repeats what the VM says", () => {
  const present = (text: string, key: string): string | undefined => new RegExp(`^${key} = "(\\d+)"`, "m").exec(text)?.[1];
  let tried = 0;
  fc.assert(
    fc.property(vms, hosts, workloads, (text, host, workload) => {
      const target = { ...(host && { host: requireHost(host) }), ...(workload && { workload }) };
      const stated = new Map([
        ["vcpus", present(text, "numvcpus")],
        ["coresPerSocket", present(text, "cpuid.coresPerSocket")],
      ]);
      for (const finding of lint(text, { target }).diagnostics) {
        for (const { edits } of finding.fixes) expect(applyEdits(text, edits), finding.message).not.toBe(text);
        const named = [...namedBy(finding)];
        tried += named.length;
        if (named.length > 0)
          expect(
            named.some(([setting, value]) => stated.get(setting) !== value),
            finding.message,
          ).toBe(true);
      }
    }),
    { numRuns: RUNS },
  );
  expect(tried).toBeGreaterThan(RUNS / 4);
});
