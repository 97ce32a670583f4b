import { deflateRawSync } from "node:zlib";
import { builtinHosts } from "@vmlint/core";
import { PRESETS } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { type Answer, check, type Question } from "../../site/playground/check.ts";
import { checkEstate } from "../../site/playground/estate.ts";
import { FILES, guess } from "../../site/playground/file-kinds.ts";
import { SAMPLES } from "../../site/playground/samples.ts";
import { fromFragment, type Shared, toFragment } from "../../site/playground/share.ts";
import { csvFiles, exportOf, workbook } from "../support/write-workbook.ts";

const NOTHING: Omit<Question, "text"> = { file: "", host: "", esxi: "", preset: "recommended", scheme: "light", today: "2026-01-01" };
const ask = (text: string, rest: Partial<Question> = {}): Promise<Answer> => check({ ...NOTHING, text, ...rest });
const found = ({ findings }: Answer) => findings.map(({ ruleId }) => ruleId);

test("a domain is drawn as the command draws it, with the CPU that two vCPUs share", async () => {
  const { text } = SAMPLES.find(({ title }) => title.startsWith("libvirt")) ?? { text: "" };
  const answer = await ask(text);
  expect(found(answer)).toContain("kvm/two-vcpus-one-cpu");
  const [{ picture = "", headline } = {}] = answer.vms;
  expect(headline).toBe("The guest sees 8 vCPUs, 1 socket x 4 cores x 2 threads, NUMA nodes of 4+4.");
  expect(picture).toContain("Marked as wrong: vCPUs 5 and 7 take turns on CPU 12.");
});

test("a finding of an export shows the row of its cell", async () => {
  const files = csvFiles(exportOf([{ name: "a", host: "esx01", cpus: 0 }], []));
  const { findings } = await ask(files["RVTools_tabvInfo.csv"] ?? "");
  const [{ row = [] } = {}] = findings;
  expect(row.slice(0, 5).map(({ title, value }) => [title, value])).toEqual([
    ["VM", "a"],
    ["Powerstate", "poweredOn"],
    ["Template", "False"],
    ["SRM Placeholder", "False"],
    ["CPUs", "0"],
  ]);
});

test("a configuration of Proxmox is not taken for YAML", async () => {
  const { format, vms } = await ask("cores: 4\nname: web01\nostype: l26\nsockets: 2\n");
  expect([format, vms[0]?.picture.includes("<svg")]).toEqual(["proxmox", true]);
});

describe("samples", () => {
  test.each(SAMPLES)("$title: is read, laid out, and has something to report", async ({ text, host, esxi, workload }) => {
    const declared = "kind" in workload ? (workload as unknown as NonNullable<Question["workload"]>) : undefined;
    const { findings, vms, problems } = await ask(text, { host, esxi, workload: declared });
    expect(findings.length).toBeGreaterThan(0);
    expect(problems).toEqual([]);
    expect(vms.filter(({ picture }) => picture.includes("<svg ")).length).toBeGreaterThan(0);
  });

  test("each is recognized by its text", () => {
    expect(SAMPLES.map(({ text }) => guess(text))).toEqual([
      "vm.vmx",
      "vm.vmx",
      "vm.vmx",
      "vm.tf",
      "vm.yaml",
      "vm.yaml",
      "vm.yaml",
      "vm.xml",
    ]);
  });
});

const WIDE = 'virtualHW.version = "10"\nnumvcpus = "64"\nmemsize = "1024"\n';

test.each<[string, Partial<Question>, readonly string[]]>([
  ["a host's name", { host: "dl580g7" }, ["cpu/exceeds-physical-cores", "numa/wide-uneven"]],
  ["its short form", { host: "4x16x2@7.0" }, []],
  ["its processors", { host: "2x EPYC 7763@8.0" }, []],
  ["its processors by their number", { host: "2x 7763", esxi: "8.0" }, []],
  ["hwloc's description", { host: "pack:4 numa:1 core:10 pu:2", esxi: "5.5" }, ["cpu/exceeds-physical-cores", "numa/wide-uneven"]],
  ["an older release", { host: "2x24x2@8.0", esxi: "5.5" }, ["cpu/exceeds-physical-cores", "numa/wide-uneven"]],
])("%s sets the host of a check", async (_, question, expected) => {
  expect(found(await ask(WIDE, question)).filter((id) => expected.includes(id) || id.startsWith("numa/"))).toEqual(expected);
});

test("a dump of a host is read; a truncated dump, a misspelt name and an impossible host are reported", async () => {
  const dump = "CPU Packages: 4\nCPU Cores: 40\nCPU Threads: 80\nHyperthreading Active: true\n";
  const whole = await ask(WIDE, { host: dump, esxi: "5.5" });
  expect(found(whole)).toContain("numa/wide-uneven");
  expect(whole.problems).toEqual([expect.stringMatching(/^Assumed of the host: 1 NUMA node per socket/)]);
  expect(whole.vms[0]?.headline).toContain("on pasted");
  const problemOf = async (host: string) => (await ask(WIDE, { host })).problems[0];
  expect(await problemOf("CPU Packages: 4\nCPU Cor")).toMatch(/^the host/);
  expect(await problemOf("2x Xeon Golt 6148")).toContain("Xeon Gold 6148");
  expect(await problemOf("2x3x2/4@8.0")).toContain("cannot exist");
  expect(await problemOf("2x24")).toContain("the threads per core are missing");
  expect(await problemOf("2 x 24 x 2")).toContain('Did you mean "2x24x2"?');
  expect((await ask(WIDE, { host: "nothing" })).vms[0]?.picture).toBe("");
});

test("a dump of one line is not a host's name", async () => {
  const lines = { "Socket(s):": "2", "Core(s) per socket:": "20", "Thread(s) per core:": "2", "NUMA node(s):": "2", "CPU(s):": "80" };
  const nodes = { "NUMA node0 CPU(s):": "0-39", "NUMA node1 CPU(s):": "40-79" };
  const lscpu = Object.entries({ ...lines, ...nodes }).map(([field, data]) => ({ field, data }));
  const { vms, problems } = await ask(WIDE, { host: JSON.stringify({ lscpu }), esxi: "8.0" });
  expect(problems.filter((problem) => !problem.startsWith("Assumed"))).toEqual([]);
  expect(vms[0]?.picture).toMatch(/^<div class="picture".*<svg /s);
});

const RESOURCE = { vsphere_virtual_machine: { a: { num_cpus: 8, num_cores_per_socket: 4, memory: 4096 } } };
const STATE = {
  version: 4,
  terraform_version: "1.9.0",
  serial: 1,
  lineage: "a",
  resources: [
    {
      mode: "managed",
      type: "vsphere_virtual_machine",
      name: "a",
      provider: 'provider["registry.terraform.io/hashicorp/vsphere"]',
      instances: [{ attributes: { name: "a", num_cpus: 8, num_cores_per_socket: 4, memory: 4096 } }],
    },
  ],
};

test.each<[string, string, string]>([
  ["the blocks inside of a resource", 'resource "vsphere_virtual_machine" "a" {\n  source {\n  }\n  build {\n  }\n}\n', "terraform"],
  ["what CDKTF writes", JSON.stringify({ "//": {}, resource: RESOURCE }), "terraform"],
  ["a raw state", JSON.stringify(STATE, undefined, 2), "plans"],
  ["a template of Packer that is indented", '  source "vsphere-iso" "a" {\n    CPUs = 6\n  }\n', "packer"],
  ["a template of Packer", 'packer {\n}\nsource "vsphere-iso" "a" {\n}\nbuild {\n  sources = []\n}\n', "packer"],
])("%s is recognized", async (_, text, format) => {
  const answer = await ask(text);
  expect([answer.format, answer.vms.length]).toEqual([format, 1]);
});

test("suppressed findings are hidden and counted, in a text of one file and of a project", async () => {
  const vmx = await ask(`${WIDE}# vmlint-disable-file -- a test\n`, { host: "dl580g7" });
  expect(found(vmx)).toEqual([]);
  expect(vmx.summary).toContain("2 findings hidden: 2 by comment.");
  const terraform = SAMPLES.find(({ title }) => title === "Terraform");
  const hidden = await ask(`${terraform?.text}\n# vmlint-disable-file -- a test\n`, { host: "2x20x2@8.0" });
  expect(found(hidden)).toEqual([]);
  expect(hidden.summary.join(" ")).toMatch(/findings? hidden/);
});

describe("an export", () => {
  const vms = [
    { name: "sql01", host: "esx01", cpus: 24 },
    { name: "<b>web01</b>", host: "esx02", cpus: 12, hotAdd: true },
    { name: "lost", host: "esx09", cpus: 2 },
  ];
  const sheets = exportOf(vms, [
    { name: "esx01", sockets: 2, cores: 16 },
    { name: "esx02", sockets: 4, cores: 8 },
  ]);
  const estateOf = (files: Readonly<Record<string, Uint8Array>>) =>
    checkEstate({
      files: Object.entries(files).map(([name, bytes]) => ({ name, bytes })),
      preset: "recommended",
      today: "2026-01-01",
    });
  const bytesOf = (files: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(files).map(([name, content]) => [name, new TextEncoder().encode(content)]));

  test("as a workbook or as files, is judged on its own hosts", async () => {
    const book = await estateOf({ "estate.xlsx": workbook(sheets, { prefix: "x:" }) });
    const files = await estateOf(bytesOf(csvFiles(sheets, ";")));
    for (const { vms: count, report, notes } of [book, files]) {
      expect(count).toBe(3);
      expect(report).toContain("numa/hidden-by-hotadd");
      expect(report).toContain("&lt;b&gt;web01&lt;/b&gt;");
      expect(notes.join(" ")).toContain("1 VM: the inventory lacks the host, so the hosts of the cluster count: c1 (1 VM).");
      expect(notes.join(" ")).toContain("assumed 1 NUMA node per socket");
    }
    expect(book.summary.slice(1)).toEqual(files.summary.slice(1));
  });

  test("with the demand of its VMs, has the sizes that the command prints, by cluster", async () => {
    const demand = `"Name","VM|CPU|Ready (%)|Max","vCPUs to Remove"\n"sql01","0.5","16"\n"gone","0","1"\n`;
    const {
      vms: count,
      report,
      summary,
      tables,
      notes,
    } = await estateOf({
      "estate.xlsx": workbook(sheets),
      ...bytesOf({ "demand.csv": demand }),
    });
    expect([count, summary]).toEqual([3, ["c1: 3 VMs: 1 shrink, 2 without a row", expect.stringMatching(/^ {2}16 vCPUs returned/)]]);
    expect(report).toContain("1 name of the exports matches no VM: gone (demand.csv, row 3).");
    const [titles, first] = tables?.csv.split("\r\n") ?? [];
    expect([titles, first]).toEqual([
      expect.stringMatching(/^vm,path,host,cluster,action,/),
      expect.stringMatching(/^sql01,.*,shrink,24,/),
    ]);
    expect(tables?.xlsx.slice(0, 2)).toEqual(new Uint8Array([0x50, 0x4b]));
    expect(notes.join(" ")).toContain("assumed 1 NUMA node per socket");
  });

  test("of demand alone, or with numbers in two forms, is refused with a sentence", async () => {
    const alone = await estateOf(bytesOf({ "demand.csv": "Name,vCPUs to Remove\nsql01,4\n" }));
    expect([alone.report, alone.notes]).toEqual([
      "",
      expect.arrayContaining([expect.stringContaining("open them together with an export")]),
    ]);
    const mixed = bytesOf({ "demand.csv": "Name;CPU|Demand (MHz)|Max\na;1.546,6\nb;1,546.6\n" });
    const { notes, tables } = await estateOf({ "estate.xlsx": workbook(sheets), ...mixed });
    expect([tables, notes[0]]).toEqual([
      undefined,
      expect.stringContaining("demand.csv is not read: it writes numbers as 1,546.6 and as 1.546,6"),
    ]);
  });

  test.each<[string, Readonly<Record<string, Uint8Array>>, RegExp]>([
    [
      "a workbook that is cut off",
      { "a.xlsx": workbook(sheets).subarray(0, 2000) },
      /^a\.xlsx is not read: its archive is damaged or cut off\.$/,
    ],
    ["another workbook", { "a.xlsx": workbook({ Sheet1: [["a"]] }) }, /^a\.xlsx is not checked: it has no table of VMs/],
    ["a table of something else", bytesOf({ "a.csv": "name,price\nx,1\n" }), /^a\.csv is not checked: /],
    ["an empty file with a strange name", bytesOf({ ["__proto__"]: "" }), /__proto__ is not checked|There is no VM/],
  ])("%s is refused with a sentence", async (_, files, sentence) => {
    const { vms: count, report, notes } = await estateOf(files);
    expect([count, report]).toEqual([0, ""]);
    expect(notes.join(" ")).toMatch(sentence);
  });
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

test("never throws for any text in any format, and every finding is in the text", { timeout: 120_000 }, async () => {
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

  test("hold the text and all choices", async () => {
    await fc.assert(
      fc.asyncProperty(shared, async (one) => {
        const fragment = (await toFragment(one)) ?? "";
        expect(fragment).toMatch(/^#v1=[\w-]+$/);
        expect(JSON.stringify(await fromFragment(fragment))).toBe(JSON.stringify(one));
      }),
      { numRuns: 50 },
    );
  });

  const sharing = (text: string): Shared => ({ text, file: "", host: "", esxi: "", preset: "", workload: {} });

  test("are created only if they can be opened again, and never too long", { timeout: 60_000 }, async () => {
    const long = sharing("a".repeat(1_999_000));
    expect((await fromFragment((await toFragment(long)) ?? ""))?.text).toBe(long.text);
    expect(await toFragment(sharing("a".repeat(2_000_000)))).toBeUndefined();
    // Noise hardly compresses.
    const noise = Array.from({ length: 1_990_000 }, (_, i) => String.fromCharCode(33 + ((Math.imul(i, 2654435761) >>> 8) % 93))).join("");
    const link = await toFragment(sharing(noise.replace(/["\\]/g, "a")));
    expect((link ?? "").length).toBeLessThanOrEqual(2_000_000);
  });

  test("comments of other VMs are ignored", async () => {
    for (const fragment of ["", "#why", "#v1=", "#v1=AAAA", "#v1=%", `#v1=${btoa("{}")}`])
      expect(await fromFragment(fragment)).toBeUndefined();
    const huge = deflateRawSync(JSON.stringify(sharing("a".repeat(2_500_000)))).toString("base64url");
    expect(await fromFragment(`#v1=${huge}`)).toBeUndefined();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (words) => {
        expect(await fromFragment(`#v1=${words}`)).toBeUndefined();
      }),
      { numRuns: 50 },
    );
  });
});

test("the newest request is answered, even if the worker hangs on an older one", async () => {
  // The types of the module need the library of a page.
  type Asker = (reply: (question: Question) => void) => { readonly ask: (question: Question) => void };
  const { asker } = await vi.importActual<{ readonly asker: Asker }>("../../site/playground/asker.ts");
  vi.useFakeTimers();
  const workers: { readonly asked: string[]; ended: boolean }[] = [];
  class Worker {
    readonly asked: string[] = [];
    ended = false;
    onmessage?: (event: { readonly data: unknown }) => void;
    constructor() {
      workers.push(this);
    }
    postMessage({ text }: Question): void {
      this.asked.push(text);
      if (text !== "endless") setTimeout(() => this.onmessage?.({ data: { bug: text } }), 1);
    }
    terminate(): void {
      this.ended = true;
    }
  }
  vi.stubGlobal("Worker", Worker);
  try {
    const replies: string[] = [];
    const checker = asker(({ text }) => replies.push(text));
    for (const text of ["endless", "a", "b"]) checker.ask({ ...NOTHING, text });
    vi.advanceTimersByTime(10_000);
    expect(workers.map(({ asked, ended }) => [asked, ended])).toEqual([
      [["endless"], true],
      [["b"], false],
    ]);
    checker.ask({ ...NOTHING, text: "c" });
    vi.advanceTimersByTime(10_000);
    expect(replies).toEqual(["b", "c"]);
  } finally {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  }
});
