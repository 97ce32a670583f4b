import { builtinHosts, PRESETS } from "@vmlint/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Answer, check, type Question } from "../../site/playground/check.ts";
import { FILES, guess } from "../../site/playground/files.ts";
import { SAMPLES } from "../../site/playground/samples.ts";
import { fromFragment, type Shared, toFragment } from "../../site/playground/share.ts";

const NOTHING: Omit<Question, "text"> = { file: "", host: "", esxi: "", preset: "recommended", scheme: "light", today: "2026-01-01" };
const ask = (text: string, rest: Partial<Question> = {}): Promise<Answer> => check({ ...NOTHING, text, ...rest });
const found = ({ findings }: Answer) => findings.map(({ ruleId }) => ruleId);

describe("samples", () => {
  test.each(SAMPLES)("$title: is read, laid out, and has something to report", async ({ text, host, esxi, workload }) => {
    const declared = "kind" in workload ? (workload as unknown as NonNullable<Question["workload"]>) : undefined;
    const { findings, vms, problems } = await ask(text, { host, esxi, workload: declared });
    expect(findings.length).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    expect(vms.filter(({ svg }) => svg.startsWith("<svg ")).length).toBeGreaterThan(0);
  });

  test("each is told by its text", () => {
    expect(SAMPLES.map(({ text }) => guess(text))).toEqual(["vm.vmx", "vm.vmx", "vm.vmx", "vm.tf", "vm.yaml", "vm.yaml"]);
  });
});

const WIDE = 'virtualHW.version = "10"\nnumvcpus = "64"\nmemsize = "1024"\n';

test.each<[string, Partial<Question>, readonly string[]]>([
  ["a host's name", { host: "dl580g7" }, ["cpu/exceeds-physical-cores", "numa/wide-uneven"]],
  ["its short form", { host: "4x16x2@7.0" }, []],
  ["its processors", { host: "2x EPYC 7763@8.0" }, []],
  ["an older release", { host: "2x24x2@8.0", esxi: "5.5" }, ["cpu/exceeds-physical-cores", "numa/wide-uneven"]],
])("%s says what a VM is checked against", async (_, question, expected) => {
  expect(found(await ask(WIDE, question)).filter((id) => expected.includes(id) || id.startsWith("numa/"))).toEqual(expected);
});

test("a dump of a host is read; one that is cut off, a misspelt name and an impossible host are named", async () => {
  const dump = "CPU Packages: 4\nCPU Cores: 40\nCPU Threads: 80\nHyperthreading Active: true\n";
  const whole = await ask(WIDE, { host: dump, esxi: "5.5" });
  expect(found(whole)).toContain("numa/wide-uneven");
  expect(whole.problems).toEqual([expect.stringMatching(/^Assumed of the host: 1 NUMA node per socket/)]);
  const problemOf = async (host: string) => (await ask(WIDE, { host })).problems[0];
  expect(await problemOf("CPU Packages: 4\nCPU Cor")).toMatch(/^the host/);
  expect(await problemOf("2x Xeon Golt 6148")).toContain("Xeon Gold 6148");
  expect(await problemOf("2x3x2/4@8.0")).toContain("cannot exist");
  expect((await ask(WIDE, { host: "nothing" })).vms[0]?.svg).toBe("");
});

test("suppressed findings are hidden and counted, in a text of one file and of a project", async () => {
  const vmx = await ask(`${WIDE}# vmlint-disable-file -- a test\n`, { host: "dl580g7" });
  expect([found(vmx), vmx.summary.at(1)]).toEqual([[], "2 findings hidden: 2 by comment."]);
  const terraform = SAMPLES.find(({ title }) => title === "Terraform");
  const hidden = await ask(`${terraform?.text}\n# vmlint-disable-file -- a test\n`, { host: "2x20x2@8.0" });
  expect(found(hidden)).toEqual([]);
  expect(hidden.summary.join(" ")).toMatch(/findings? hidden/);
});

const text = fc.oneof(
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 200 }) },
  // A sample, cut off and with something put into it.
  fc
    .tuple(fc.constantFrom(...SAMPLES.map((sample) => sample.text)), fc.nat(), fc.nat(), fc.string({ unit: "binary", maxLength: 10 }))
    .map(([sample, end, at, words]) => {
      const cut = sample.slice(0, end % (sample.length + 1));
      return cut.slice(0, at % (cut.length + 1)) + words + cut.slice(at % (cut.length + 1));
    }),
);
const host = fc.oneof(
  fc.constantFrom("", ...builtinHosts.map(({ name }) => name), "2x20x2@8.0", "2x Xeon Gold 6148", "CPU Packages: 2\nCPU Cores: 40"),
  fc.string({ unit: "binary", maxLength: 60 }),
);

test("never throws, whatever is pasted as whatever, and every finding lies in the text", { timeout: 120_000 }, async () => {
  const file = fc.constantFrom("", ...FILES.map(({ name }) => name));
  await fc.assert(
    fc.asyncProperty(text, host, file, fc.constantFrom(...PRESETS), async (pasted, on, kind, preset) => {
      const { findings } = await ask(pasted, { host: on, file: kind, preset });
      for (const { range, line } of findings) {
        expect(0 <= range[0] && range[0] <= range[1] && range[1] <= pasted.length && line >= 1).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

describe("links", () => {
  const shared: fc.Arbitrary<Shared> = fc.record({
    text: fc.string({ unit: "binary" }),
    file: fc.string(),
    host: fc.string(),
    esxi: fc.string(),
    preset: fc.string(),
    workload: fc.dictionary(
      fc.string().filter((key) => key !== "__proto__"),
      fc.string(),
    ),
  });

  test("hold all that was chosen", async () => {
    await fc.assert(
      fc.asyncProperty(shared, async (one) => {
        const fragment = await toFragment(one);
        expect(fragment).toMatch(/^#v1=[\w-]+$/);
        expect(JSON.stringify(await fromFragment(fragment))).toBe(JSON.stringify(one));
      }),
      { numRuns: 50 },
    );
  });

  test("that are none of ours are nothing", async () => {
    for (const fragment of ["", "#why", "#v1=", "#v1=AAAA", "#v1=%", `#v1=${btoa("{}")}`])
      expect(await fromFragment(fragment)).toBeUndefined();
    const huge = await toFragment({ text: "a".repeat(2_500_000), file: "", host: "", esxi: "", preset: "", workload: {} });
    expect(await fromFragment(huge)).toBeUndefined();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (words) => {
        expect(await fromFragment(`#v1=${words}`)).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });
});
