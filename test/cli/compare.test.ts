import { type HostModel, lint } from "@vmlint/core";
import { compareText } from "@vmlint/core/program";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyHost, anyVmx } from "../support/arbitraries.ts";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { parseXml } from "../support/parse-xml.ts";

const vmx = (lines: string) => `virtualHW.version = "17"\ndisplayName = "sql01"\n${lines}\n`;
/** Denneman 2022: first started on 2 x 20 cores. */
const MOVED = vmx(
  `numvcpus = "36"\ncpuid.coresPerSocket = "2"\nnuma.autosize.cookie = "360022"\nnuma.autosize.vcpu.maxPerVirtualNode = "18"`,
);
const hosts = (...words: string[]) => words.flatMap((word) => ["--host", word]);
const run = (text: string, words: readonly string[], ...more: string[]) =>
  vmlint(folder({ "a.vmx": text }), ["topology", "a.vmx", ...hosts(...words), ...more]);

describe("vmlint topology with several hosts", () => {
  test("a name with characters of two columns does not shift the table", () => {
    const config = `hosts:\n  日本東京: { sockets: 2, coresPerSocket: 20, threadsPerCore: 2, esxi: "7.0" }\n`;
    const { out } = vmlint(folder({ "a.vmx": MOVED, "vmlint.yaml": config }), ["topology", "a.vmx", ...hosts("日本東京", "4x14x2@7.0")]);
    expect(out).toContain("                     日本東京    4x14x2@7.0\n    sockets x cores  18 x 2      18 x 2\n");
  });

  test("three hosts: a column each, the rows that differ marked, a sentence for what matters", () => {
    const { code, out, err } = run(MOVED, ["2x20x2@7.0", "4x14x2@7.0", "2x18x2@7.0"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toBe(
      `a.vmx  sql01

                     2x20x2@7.0  4x14x2@7.0  2x18x2@7.0
    sockets x cores  18 x 2      18 x 2      18 x 2
    vNUMA nodes      18+18       18+18       18+18
  * NUMA clients     18+18       12+12+12    18+18
  * node capacity    20          14          18
    usable vCPUs     36          36          36
    certainty        documented  documented  documented

  * differs between the hosts

  4x14x2@7.0: the stored size 18 no longer fits: the guest keeps 18+18 on 3 NUMA clients (12+12+12), and would get 12+12+12 anew [denneman-2022-03]. To end it, remove numa.autosize.cookie and numa.autosize.vcpu.maxPerVirtualNode while the VM is off, or set numa.autosize.once = FALSE, which sizes it anew at each power-on [vsphere-6.7-vnuma-controls].
  4x14x2@7.0 is the odd one out: NUMA clients 12+12+12 (18+18 on the other hosts).
`,
    );
  });

  test("the advice against a stale size removes it", () => {
    const sizes = ["numa.autosize.once", "numa.autosize"].map(
      (key) => run(`${MOVED}${key} = "${key.endsWith("once") ? "FALSE" : "TRUE"}"\n`, ["2x20x2@7.0", "4x14x2@7.0"]).out,
    );
    for (const out of sizes) {
      expect(out).toContain("* vNUMA nodes      18+18       12+12+12");
      expect(out).not.toContain("stored");
    }
  });

  test("a single node is not a number of nodes", () => {
    expect(run(`virtualHW.version = "17"\nnumvcpus = "8"\n`, ["2x20x2@7.0", "4x14x2@7.0"]).out).toContain(
      "    vNUMA nodes      one of 8    one of 8\n",
    );
  });

  test("a host the VM does not start on has an empty column and a sentence, and marks nothing", () => {
    const { out } = run(MOVED, ["2x20x2@7.0", "2x20x2@6.0", "2x20x2"]);
    expect(out).toContain("    vNUMA nodes      18+18       -           -\n");
    expect(out).toContain("2x20x2@6.0: It does not start: hardware version 17 is newer than ESXi 6.0 supports.");
    expect(out).toContain("2x20x2: The layout cannot be computed: host 2x20x2 does not state its ESXi version.");
    expect(out).not.toContain("*");
  });

  test("prints that all hosts are equal, a second table for many hosts, and a count for many nodes", () => {
    const small = vmx(`numvcpus = "4"`);
    expect(run(small, ["2x20x2@7.0", "2x20x1@7.0"]).out).toContain("The layout is the same on 2x20x2@7.0, 2x20x1@7.0.");
    const many = run(
      small,
      Array.from({ length: 12 }, (_, i) => `2x${i + 20}x2@7.0`),
    ).out;
    expect(many.match(/vNUMA nodes/g)).toHaveLength(2);
    expect(
      Math.max(
        ...many
          .split("\n")
          .slice(0, 18)
          .map((line) => line.length),
      ),
    ).toBeLessThanOrEqual(120);
    expect(run(`virtualHW.version = "10"\nnumvcpus = "64"\n`, ["dl580g7", "r720"]).out).toContain("6x10+1x4");
  });

  test("json: an entry for each VM and host in the order asked, by the schema, and whether the stored size fits", () => {
    const cwd = folder({ "a.vmx": MOVED, "b.vmx": vmx(`numvcpus = "4"`) });
    const words = ["4x14x2@7.0", "2x20x2@7.0", "2x20x2"];
    const document = JSON.parse(vmlint(cwd, ["topology", ...hosts(...words), "--format", "json"]).out);
    const validate = new Ajv2020({ strict: false }).compile(JSON.parse(vmlint(cwd, ["schema", "output"]).out));
    validate(document);
    expect(validate.errors).toBeNull();
    expect(
      document.vms.map((v: { path: string; host: string; storedSizeFits: boolean | null }) => [v.path, v.host, v.storedSizeFits]),
    ).toEqual([
      ["a.vmx", "4x14x2@7.0", false],
      ["a.vmx", "2x20x2@7.0", true],
      ["a.vmx", "2x20x2", null],
      ["b.vmx", "4x14x2@7.0", null],
      ["b.vmx", "2x20x2@7.0", null],
      ["b.vmx", "2x20x2", null],
    ]);
  });

  test("svg: a picture for each host, in the order asked, that says where the stored size no longer fits", () => {
    const { out } = run(MOVED, ["2x20x2@7.0", "4x14x2@7.0"], "--format", "svg");
    const desc = parseXml(out).children.find(({ name }) => name === "desc")?.text ?? "";
    expect(desc.indexOf("on 4x14x2@7.0")).toBeGreaterThan(desc.indexOf("on 2x20x2@7.0"));
    expect(desc.match(/the stored size 18 no longer fits/g)).toHaveLength(1);
  });

  test("one host: above the maps; a client alone is one client", () => {
    const { out } = run(MOVED, ["2x40x2@7.0"]);
    const note = "  2x40x2@7.0: the stored size 18 no longer fits: the guest keeps 18+18 on 1 NUMA client (36), and would get 36 anew";
    expect(out.split("\n")[3]?.slice(0, note.length)).toBe(note);
  });

  test.each([
    ["one host", ["2x20x2@8.0"], "text"],
    ["one host", ["2x20x2@8.0"], "svg"],
    ["one host that it does not start on", ["2x20x2@4.0"], "svg"],
    ["several hosts", ["2x20x2@8.0", "2x20x2@4.0"], "text"],
  ])("a VM of Workstation on %s: %j is shown as %s", (_, words, format) => {
    const out = run(
      `virtualHW.version = "20"\nnumvcpus = "4"\nvirtualHW.productCompatibility = "hosted"\nsound.present = "TRUE"\n`,
      words,
      "--format",
      format,
    ).out;
    expect(out).toContain("Written for Workstation or Fusion");
  });

  test("a file without a VM is reported once on stderr and in the report", () => {
    const { code, out, err } = vmlint(folder({ "level.vmx": "<level/>\n" }), ["topology", "level.vmx", ...hosts("dl580g7", "r640")]);
    expect([code, err.match(/is not checked/g)?.length, out.match(/This is not a VM definition/g)?.length]).toEqual([2, 1, 1]);
  });

  test("checking takes one host", () => {
    const { code, out, err } = vmlint(folder({ "a.vmx": MOVED }), hosts("dl580g7", "r640"));
    expect([code, out, err]).toEqual([2, "", "vmlint: Checking takes one --host; vmlint topology compares hosts.\n"]);
  });
});

test("comparing a host with itself marks nothing and finds no odd one, and no host or VM makes it throw", () => {
  const on = (text: string, host: HostModel) => [{ ...lint(text, { target: { host }, rules: [] }), path: "a.vmx", text }];
  fc.assert(
    fc.property(anyVmx, anyHost, anyHost, (text, host, other) => {
      const same = compareText([on(text, host), on(text, { ...host }), on(text, host)]);
      expect(same).not.toMatch(/^ {2}\*|odd one out/m);
      expect(compareText([on(text, host), on(text, other)])).toContain("vNUMA nodes");
    }),
    { numRuns: 500 },
  );
});
