import { applyEdits, lint, requireHost } from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import {
  acceptableAt,
  actionsAt,
  checkText,
  completionsAt,
  hintsOf,
  hoverAt,
  layoutTextOf,
  lensesOf,
  type OpenDocument,
  type OutlinePart,
  outlineOf,
  safeFixes,
  suppressionsAt,
} from "@vmlint/core/editor";
import { defaultFormat, EMPTY_CONFIG, type LintResult, possibleTopologies } from "@vmlint/core/program";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import { KEY_DOCS, keyDoc } from "../../packages/core/src/formats/vmx/key-docs.ts";
import { VMX_KEYS } from "../../packages/core/src/formats/vmx/keys.ts";
import { vmxLanguage } from "../../packages/core/src/formats/vmx/language.ts";
import { anyVmx } from "../support/arbitraries.ts";

const HOST = requireHost("dl580g7");
const open = (text: string, result: LintResult = lint(text, { target: { host: HOST } })): OpenDocument => ({
  text,
  result,
  comments: (of) => defaultFormat.comments?.(of, "") ?? [],
  edit: (vm, changes) => vm.edit?.(changes),
  language: vmxLanguage,
});
const VM = `virtualHW.version = "10"\ndisplayName = "app01"\nnumvcpus = "16"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "lsilogic"\n`;

describe("the table of keys", () => {
  test("contains every key of a setting, and each offered value is readable", () => {
    for (const [key, read] of Object.values(VMX_KEYS)) {
      const doc = keyDoc(key);
      expect(doc?.key, key).toBe(key);
      for (const value of doc?.values ?? []) expect([key, value, read(value, [0, value.length]).state]).toEqual([key, value, "known"]);
    }
  });

  test("has each key once", () => {
    const keys = KEY_DOCS.map(({ key }) => key.toLowerCase());
    expect(keys).toEqual([...new Set(keys)]);
  });

  test.each([
    ["SCSI0:11.Mode", "scsi<N>:<M>.mode"],
    ["sched.scsi0:1.shares", "sched.scsi<N>:<M>.shares"],
    ["sched.vcpu12.affinity", "sched.vcpu<N>.affinity"],
    ["pciPassthru.64bitMMIOSizeGB", "pciPassthru.64bitMMIOSizeGB"],
    ["scsi0:x.mode", undefined],
    ["numa.vcpu", undefined],
  ])("%s", (key, known) => expect(keyDoc(key)?.key).toBe(known));

  // "Hardware Features Available with Virtual Machine Compatibility Settings" of vSphere 6.7 and 8.0.
  test.each([
    ["sata0.present", 10],
    ["nvme0.present", 13],
    ["uefi.secureBoot.enabled", 13],
  ])("%s comes with hardware version %i", (key, since) => expect(keyDoc(key)?.since).toBe(since));

  test("numa.autosize follows the host (vSphere 6.0, Advanced Virtual NUMA Attributes)", () => {
    expect(keyDoc("numa.autosize")?.meaning).toContain("as large as the host's");
  });
});

describe("hover", () => {
  test("tells the key's meaning and the VM's layout", () => {
    const hover = hoverAt(open(VM), VM.indexOf("16"));
    expect(hover?.range).toEqual([VM.indexOf("16"), VM.indexOf("16") + 2]);
    expect(hover?.markdown).toBe(
      "**numvcpus**\n\nAll vCPUs of the VM, not its sockets.\n\nType: number · unit: vCPUs · when absent: 1\n\n" +
        "`16 vCPUs = 16 sockets x 1, 2 virtual NUMA nodes of 8+8, on dl580g7 (ESXi 5.5)` _(documented)_",
    );
  });

  test("gives the reason for an unknown value, and the missing facts for a layout", () => {
    const text = `virtualHW.version = "10"\nnumvcpus = "{{ cpus }}"\n`;
    expect(hoverAt(open(text), text.indexOf("cpus }}"))?.markdown).toContain("Not known: a template fills it in.");
    expect(hoverAt(open(text, lint(text)), 0)?.markdown).toContain("pass --host");
  });

  test("an unknown key, a comment and another program's file get none", () => {
    const text = `# comment\nvirtualHW.version = "10"\nmy.key = "1"\n`;
    expect([hoverAt(open(text), 3), hoverAt(open(text), text.indexOf("my.key"))]).toEqual([undefined, undefined]);
    expect(hoverAt(open(`numvcpu = "1"\n`), 2)).toBeUndefined();
  });

  test("a name cannot become markup", () => {
    const text = `displayName = "[x](command:y) <b>"\nnumvcpus = "4"\nvirtualHW.version = "10"\n`;
    expect(hoverAt(open(text), 2)?.markdown).not.toMatch(/(^|[^\\])[[<]/);
  });

  test.each(["E7-4870@8.0", "admin@esx.example"])("the host %s cannot become a link", (name) => {
    const text = `displayName = "www.example.org a@b.example"\nnumvcpus = "4"\nvirtualHW.version = "10"\n`;
    const target = { host: { ...HOST, name } };
    const hover = hoverAt(open(text, lint(text, { target })), text.indexOf("numvcpus"))?.markdown ?? "";
    expect(hover).toContain("@");
    expect(new MarkdownIt({ linkify: true }).render(hover)).not.toContain("<a ");
  });
});

describe("lenses and hints of a document", () => {
  test("a lens with the layout, a hint after the vCPUs", () => {
    expect(lensesOf(open(VM))).toEqual([
      { range: [40, 45], title: "16 vCPUs = 16 sockets x 1, 2 virtual NUMA nodes of 8+8, on dl580g7 (ESXi 5.5)", vm: 0 },
    ]);
    expect(hintsOf(open(VM))).toEqual([{ at: VM.indexOf("16") + 2, label: "16 x 1, 2 NUMA nodes" }]);
  });

  test("without a host, or if the VM does not start, the lens gives the reason and there is no hint", () => {
    expect(lensesOf(open(VM, lint(VM)))[0]?.title).toBe(
      "No host to check against. Fits one NUMA node from 16 cores; halves evenly on nodes of 8 to 15 cores (ESXi 6.5 and later).",
    );
    const impossible = `virtualHW.version = "10"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"\n`;
    expect(lensesOf(open(impossible))[0]?.title).toBe("It does not start: 6 vCPUs do not divide into sockets of 4");
    expect([hintsOf(open(VM, lint(VM))), hintsOf(open(impossible))]).toEqual([[], []]);
  });

  test("the outline groups related settings", () => {
    const names = (parts: readonly OutlinePart[]): unknown[] =>
      parts.map(({ name, parts }) => (parts.length > 0 ? [name, names(parts)] : name));
    expect(names(outlineOf(open(VM)))).toEqual([
      "virtualHW.version",
      "displayName",
      "numvcpus",
      ["scsi0", ["scsi0.present", "scsi0.virtualDev"]],
    ]);
    expect(outlineOf(open("<level/>\n"))).toEqual([]);
  });

  test("words are coloured by what they mean, and lines without effect as comments", () => {
    const text = 'numvcpus = "8"\nmine.key = "a b"\nmem.hotadd = "TRUE"\nnumvcpus = "4"\nnonsense\n';
    const words = vmxLanguage.tokens?.(text).map(({ range, kind }) => `${kind} ${text.slice(...range)}`);
    expect(words).toEqual([
      "property numvcpus",
      "number 8",
      "variable mine.key",
      "string a b",
      "property mem.hotadd",
      "keyword TRUE",
      'comment numvcpus = "4',
      "comment nonsense",
    ]);
  });
});

test("a layout in words says what its picture shows", () => {
  const [vm] = open(VM).result.vms;
  const result = vm && possibleTopologies(vm.spec, HOST);
  if (!result?.ok) throw new Error("No layout.");
  const words = layoutTextOf("app01", HOST, result);
  expect(words.headline).toBe("16 vCPUs = 16 sockets x 1, 2 virtual NUMA nodes of 8+8, on dl580g7 (ESXi 5.5)");
  expect(words.facts).toContain("2 NUMA clients: 8+8 vCPUs");
  expect(words.certainty).toBe(result.certainty);
  expect(words.reasons).toHaveLength(result.cases[0].topology.reasons.length);
  for (const { key } of words.sources) expect(words.reasons.join()).toContain(`[${key}`);
});

test("a layout that a setting leaves open lists each case", () => {
  const [vm] = open(`virtualHW.version = "10"\nnumvcpus = "16"\nvcpu.hotadd = "{{ x }}"\n`).result.vms;
  const result = vm && possibleTopologies(vm.spec, HOST);
  if (!result?.ok) throw new Error("No layout.");
  expect(layoutTextOf("app01", HOST, result)).toMatchObject({
    headline:
      "16 vCPUs, NUMA nodes: 2 of 8+8 or 1 (possible), clients: 2 of 8+8 (documented), sockets: 16 x 1 (documented), on dl580g7 (ESXi 5.5)",
    facts: expect.arrayContaining([
      "cpuHotAdd false: 16 sockets x 1, guest nodes 8+8, NUMA clients 8+8",
      "cpuHotAdd true: 16 sockets x 1, guest nodes 16, NUMA clients 8+8",
      "Set cpuHotAdd to decide between them.",
      "2 NUMA clients: 8+8 vCPUs",
    ]),
  });
});

describe("fixes", () => {
  const pinned = `virtualHW.version = "10"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"\nnumvcpus = "8"\n`;

  test("fixes for the findings in a selection; an unsafe fix names its effect", () => {
    const at = pinned.indexOf("0-7");
    const titles = actionsAt(open(pinned), [at, at]).map(({ title }) => title);
    expect(titles).toContain("Pin to 8 cores: 0,2,4,6,8,10,12,14 (changes how the VM runs)");
    expect(titles.filter((title) => !title.endsWith("(changes how the VM runs)"))).toEqual([]);
    expect(actionsAt(open(pinned), [0, 0])).toEqual([]);
  });

  test("all safe fixes at once", () => {
    expect(safeFixes(open(pinned)).map(({ title }) => title)).toEqual(["Remove the second numvcpus"]);
  });
});

describe("accepting a finding", () => {
  const pinned = `virtualHW.version = "10"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"`;
  const options = { format: defaultFormat, config: EMPTY_CONFIG, path: "a.vmx", host: "dl580g7", today: "2026-11-21" };
  const ids = (text: string, more = {}) => checkText(text, { ...options, ...more }).result.diagnostics.map(({ ruleId }) => ruleId);

  test("a comment on the line or in the file hides it, and causes no new finding", () => {
    expect(ids(pinned)).toEqual(["affinity/ht-siblings"]);
    const at = pinned.indexOf("0-7");
    const actions = suppressionsAt(open(pinned), [at, at]).filter(({ title }) => title.includes("ht-siblings"));
    expect(actions.map(({ title }) => title)).toEqual([
      "Accept affinity/ht-siblings on this line",
      "Accept affinity/ht-siblings in this file",
    ]);
    for (const { fix } of actions) expect(ids(applyEdits(pinned, fix.edits))).toEqual([]);
  });

  test("accepts all selected findings of a rule that reports several lines", () => {
    const text = 'virtualHW.version = "10"\nnumvcpus = "8"\nmemsize = "1"\nnumvcpus = "8"\nmemsize = "1"\n';
    const accept = (selection: readonly [number, number]) =>
      suppressionsAt(open(text), selection).find(({ title }) => title.startsWith("Accept vmx/duplicate-key on"));
    const [first, last] = [text.lastIndexOf("numvcpus"), text.lastIndexOf("memsize")];
    expect(accept([first, first])?.title).toBe("Accept vmx/duplicate-key on this line");
    const both = accept([first, last]);
    expect(both?.title).toBe("Accept vmx/duplicate-key on these 2 lines");
    expect(applyEdits(text, both?.fix.edits ?? []).match(/# vmlint-disable-line vmx\/duplicate-key$/gm)).toHaveLength(2);
  });

  test("in the configuration: by rule and VM, each once", () => {
    const named = `displayName = "app01"\n${pinned}\n`;
    const whole = [0, named.length] as const;
    expect(acceptableAt(open(named), whole, "vmlint.yaml").filter(({ rule }) => rule === "affinity/ht-siblings")).toEqual([
      { title: "Accept affinity/ht-siblings of app01 in vmlint.yaml, with a reason...", rule: "affinity/ht-siblings", vm: "app01" },
    ]);
    expect(acceptableAt(open(pinned), [pinned.length - 2, pinned.length - 2], "package.json")).toMatchObject([
      { title: "Accept affinity/ht-siblings in package.json, with a reason...", vm: undefined },
    ]);
    expect(acceptableAt(open(named), [0, 0], "vmlint.yaml")).toEqual([]);
  });

  test("one of the configuration hides it until its last day", () => {
    const config = parseConfig("suppress:\n  - { rule: affinity/ht-siblings, until: 2026-11-21 }\n", "vmlint.yaml");
    expect(ids(pinned, { config })).toEqual([]);
    expect(ids(pinned, { config, today: "2026-11-22" })).toEqual(["affinity/ht-siblings"]);
  });

  test("an unused suppression and an unknown host are reported", () => {
    expect(ids(`${pinned.replace("0-7", "all")} # vmlint-disable-line affinity/ht-siblings`)).toEqual(["suppression/unused"]);
    expect(checkText(pinned, { ...options, host: "dl580g8" }).badHost).toBe('There is no host "dl580g8". Did you mean "dl580g7"?');
  });
});

describe("completion", () => {
  const labels = (text: string, offset = text.length) => completionsAt(open(text), offset).map(({ label }) => label);

  test.each([
    ["a new line: keys and snippets", "", ["numvcpus", "vm", "pvscsi"], ["numa.autosize.cookie", "numa.memory.gransize"]],
    ["a key that has a value already", `virtualHW.version = "10"\nnumv = "4"`, ["numvcpus"], ["vm"]],
  ])("%s", (_, text, some, none) => {
    const offered = labels(text, text.includes("numv ") ? text.indexOf("numv") + 4 : 0);
    expect(offered).toEqual(expect.arrayContaining(some));
    for (const label of none) expect(offered).not.toContain(label);
  });

  test("values, in quotes where none stand", () => {
    const text = `virtualHW.version = "10"\nscsi0.virtualDev = `;
    const [first] = completionsAt(open(text), text.length);
    expect(first).toMatchObject({ label: "pvscsi", isBest: true, detail: "best: faster than LSI Logic; the guest needs its driver" });
    expect(first).toMatchObject({ snippet: '"pvscsi"', range: [text.length, text.length] });
    const quoted = `virtualHW.version = "10"\nscsi0.virtualDev = "lsi"`;
    const items = completionsAt(open(quoted), quoted.length - 1);
    expect(items[0]).toMatchObject({ label: "pvscsi", snippet: "pvscsi", range: [quoted.length - 4, quoted.length - 1] });
  });

  test.each([
    ["behind a closing quote", 'scsi0.virtualDev = ""|'],
    ["behind a value in quotes", 'scsi0.virtualDev = "lsilogic"|'],
    ["before a value in quotes", 'firmware = |"efi"'],
    ["behind a value without quotes", "firmware = efi |"],
    ["in a comment behind a value", 'firmware = "efi" # is it "|'],
    ["in a comment behind a value without quotes", "firmware = efi # is |"],
    ["in a comment", "# numvcpus. |set below"],
    ["behind a word that no equals sign follows", "numvcpus of |it"],
  ])("nothing %s", (_, line) => expect(labels(line.replace("|", ""), line.indexOf("|"))).toEqual([]));

  test.each([
    ["scsi1.|", "scsi1.virtualDev", 'scsi1.virtualDev = "'],
    ["SCSI1:2.|", "scsi1:2.mode", 'scsi1:2.mode = "'],
    ["scsi1|", "scsi1:<M>.mode", `scsi1:\${2:0}.mode = "`],
    ["sched.scsi3:1|", "sched.scsi3:1.shares", 'sched.scsi3:1.shares = "'],
    ["scsi1.|", "ethernet<N>.virtualDev", `ethernet\${1:0}.virtualDev = "`],
    ['ethernet2.virtual|Dev = "e1000"', "ethernet2.virtualDev", "ethernet2.virtualDev"],
  ])("the chosen device is written: %s", (line, label, snippet) => {
    const items = completionsAt(open(line.replace("|", "")), line.indexOf("|"));
    expect(items.find((item) => item.label === label)?.snippet.slice(0, snippet.length)).toBe(snippet);
  });

  test("cores per socket divide the vCPUs; hardware version 20 brings its own keys", () => {
    expect(labels(`virtualHW.version = "10"\nnumvcpus = "12"\ncpuid.coresPerSocket = "`)).toEqual(["1", "2", "3", "4", "6", "12"]);
    expect(labels(`virtualHW.version = "19"\n`)).not.toContain("cpuid.numSMT");
    expect(labels(`virtualHW.version = "20"\n`)).toContain("cpuid.numSMT");
  });
});

test("any text at any offset gives answers whose ranges lie inside it", () => {
  const inside = (text: string, [start, end]: readonly [number, number]) =>
    expect(0 <= start && start <= end && end <= text.length).toBe(true);
  const walk = (text: string, { range, nameRange, parts }: OutlinePart): void => {
    inside(text, range);
    inside(text, nameRange);
    for (const part of parts) walk(text, part);
  };
  fc.assert(
    fc.property(fc.oneof(anyVmx, fc.string({ unit: "binary" })), fc.nat(), (text, seed) => {
      const document = open(text);
      const offset = seed % (text.length + 1);
      const hover = hoverAt(document, offset);
      if (hover) inside(text, hover.range);
      for (const { range } of completionsAt(document, offset)) inside(text, range);
      for (const { range } of lensesOf(document)) inside(text, range);
      for (const { at } of hintsOf(document)) inside(text, [at, at]);
      for (const part of outlineOf(document)) walk(text, part);
    }),
  );
});
