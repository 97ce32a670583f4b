import fc from "fast-check";
import { expect, test } from "vitest";
import { type Diagnostic, lintVm, openWorkspace, type Rule, rules } from "../../packages/core/src/index.ts";
import { joinConsequences } from "../../packages/core/src/lint/join-consequences.ts";
import { SEVERITIES } from "../../packages/core/src/model/diagnostic.ts";

const HIGH = `displayName = "sql01"
virtualHW.version = "20"
numvcpus = "4"
memSize = "4096"
sched.cpu.latencySensitivity = "high"
`;

/** Returns the findings about latency sensitivity. */
async function check(text: string, more: Partial<Parameters<typeof openWorkspace>[0]> = {}) {
  const { findings } = await openWorkspace({ files: { "a.vmx": text }, host: "r640", ...more }).check();
  return findings.filter(({ ruleId }) => ruleId.startsWith("latency/"));
}

test("High for an ordinary workload without its reservations is one finding, as severe as the worst, with one fix", async () => {
  const [found, ...others] = await check(HIGH);
  expect(others).toEqual([]);
  expect(found).toMatchObject({ ruleId: "latency/high", messageId: "throughput", severity: "error" });
  expect(found?.message).toBe(
    "Latency sensitivity High costs an ordinary workload throughput and takes an exclusive core for each vCPU. Set it to normal, or declare the workload as latency. Also, High needs 9600 MHz reserved (4 cores x 2400 MHz) to power on here, and has 0 MHz; High needs all 4096 MiB of memory reserved, and has 0 MiB.",
  );
  expect(found?.fixes.map(({ title }) => title)).toEqual(["Set latency sensitivity to normal"]);
});

test("for latency-critical work, the missing reservations are findings with their own fixes", async () => {
  const found = await check(HIGH, { workload: { kind: "latency" } });
  expect(found.map(({ ruleId, fixes }) => [ruleId, fixes[0]?.title])).toEqual([
    ["latency/high-needs-cpu-reservation", "Reserve 9600 MHz"],
    ["latency/high-needs-mem-reservation", "Reserve 4096 MiB"],
  ]);
});

test("a suppressed or disabled cause leaves the missing reservations", async () => {
  const missing = ["latency/high-needs-cpu-reservation", "latency/high-needs-mem-reservation"];
  const suppressed = await check(`# vmlint-disable-file latency/high -- measured\n${HIGH}`);
  expect(suppressed.map(({ ruleId }) => ruleId)).toEqual(missing);
  const files = { "a.vmx": HIGH, "vmlint.yaml": "host: r640\nrules:\n  latency/high: off\n" };
  const { findings } = await openWorkspace({ files }).check();
  expect(findings.map(({ ruleId }) => ruleId).filter((id) => id.startsWith("latency/"))).toEqual(missing);
});

test("a suppressed consequence is not in the message", async () => {
  const [found] = await check(`# vmlint-disable-file latency/high-needs-mem-reservation -- a test VM\n${HIGH}`);
  expect(found?.message).not.toContain("MiB");
});

test("a reservation that is too small is a related place", async () => {
  const [found] = await check(`${HIGH}sched.mem.min = "1024"\n`);
  expect(found?.related.map(({ message, range: [from] }) => [message, from > HIGH.length])).toEqual([
    ["latency/high-needs-mem-reservation is about this value", true],
  ]);
});

test("lintVm joins them, too", () => {
  const { findings } = lintVm({ name: "a", vcpus: 4, memoryMiB: 4096, latencySensitivity: "high" }, { host: "r640" });
  const found = findings.filter(({ ruleId }) => ruleId.startsWith("latency/"));
  expect(found.map(({ ruleId, severity }) => [ruleId, severity])).toEqual([["latency/high", "error"]]);
});

test("a limit below locked memory is one finding; without the rule about locks, the limit below the reservation is found", async () => {
  const text = `displayName = "a"\nvirtualHW.version = "20"\nnumvcpus = "2"\nmemSize = "4096"\nsched.mem.pin = "TRUE"\nsched.mem.min = "4096"\nsched.mem.max = "2048"\n`;
  const about = async (config: string) => {
    const { findings } = await openWorkspace({ files: { "a.vmx": text, "vmlint.yaml": config } }).check();
    return findings.filter(({ ruleId }) => ruleId.startsWith("mem/")).map(({ ruleId, message }) => [ruleId, message]);
  };
  expect(await about("host: r640\n")).toEqual([
    [
      "mem/reserve-all-conflict",
      "All 4096 MiB are locked, but the memory limit is 2048 MiB. Set the limit to unlimited, or remove the lock. Also, 4096 MiB are reserved, but the memory limit is 2048 MiB.",
    ],
  ]);
  expect((await about("host: r640\nrules:\n  mem/reserve-all-conflict: off\n")).map(([ruleId]) => ruleId)).toEqual([
    "mem/limit-lt-reservation",
  ]);
});

const plain = rules[0] as Rule;
const CONSEQUENCES: Readonly<Record<string, string>> = { first: "cause", second: "cause", third: "other" };
/** Two causes, and three rules with a cause. */
const CAUSED: readonly Rule[] = ["cause", "other", "first", "second", "third"].map((id) => {
  const of = CONSEQUENCES[id];
  return { ...plain, id, consequence: of === undefined ? undefined : { of, word: ({ data }) => `word ${data.n}` } };
});

const anyFinding = fc.record(
  {
    ruleId: fc.constantFrom(...CAUSED.map(({ id }) => id)),
    holds: fc.constantFrom(undefined, undefined, undefined, "in some cases" as const),
    vm: fc.constantFrom("a", "b"),
    host: fc.constantFrom("h", "i"),
    severity: fc.constantFrom(...SEVERITIES),
    range: fc.constantFrom([0, 1] as const, [2, 3] as const),
    guess: fc.constantFrom(
      undefined,
      { kind: "mssql" as const, evidence: ["name sql"] },
      { kind: "mssql" as const, evidence: ["disk sql"] },
    ),
  },
  { requiredKeys: ["ruleId", "vm", "host", "severity", "range"] },
);

test("a consequence is in the message of its cause, if the VM has one cause of it, and each guess is said once", () => {
  fc.assert(
    fc.property(fc.array(anyFinding, { maxLength: 9 }), (parts) => {
      const findings = parts.map(
        ({ holds, guess, ...one }, n): Diagnostic => ({
          ...one,
          ...(holds && { holds }),
          ...(guess && { guess }),
          messageId: "",
          message: `It is ${n}.`,
          data: { n },
          related: [],
          fixes: [],
          docsUrl: "",
        }),
      );
      const isOf = (a: Diagnostic, b: Diagnostic) => a.vm === b.vm && a.host === b.host && !a.holds && !b.holds;
      const causeOf = (one: Diagnostic): Diagnostic | undefined => {
        const [cause, ...more] = findings.filter((other) => other.ruleId === CONSEQUENCES[one.ruleId] && isOf(one, other));
        return more.length === 0 ? cause : undefined;
      };
      const told = new Set<string>();
      const expected = findings.flatMap((one) => {
        if (causeOf(one)) return [];
        const caused = findings.filter((other) => causeOf(other) === one);
        const words = caused.map(({ data }) => `word ${data.n}`).join("; ");
        const key = `${one.vm} ${one.guess?.evidence}`;
        const isFirst = one.guess && !told.has(key);
        if (one.guess) told.add(key);
        return {
          message: `${one.message}${words && ` Also, ${words}.`}${isFirst ? ` This is probably SQL Server (${one.guess?.evidence.join()}): declare workload: mssql, or workload: none.` : ""}`,
          severity: SEVERITIES.find((severity) => [one, ...caused].some((other) => other.severity === severity)),
          related: caused.flatMap(({ ruleId, range }) =>
            String(range) === String(one.range) ? [] : [{ message: `${ruleId} is about this value`, range }],
          ),
        };
      });
      const joined = joinConsequences(findings, [...CAUSED]);
      expect(joined.map(({ message, severity, related }) => ({ message, severity, related }))).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
