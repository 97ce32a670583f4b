import { applyEdits, type Diagnostic, type FileResult, lint, requireHost, type Target } from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import { type Declared, lintText } from "@vmlint/core/program";
import { type FileSuppressions, hideSuppressed, suppress } from "@vmlint/core/suppress";
import { yaml } from "@vmlint/core/yaml";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readComments } from "../../packages/core/src/suppress/comments.ts";
import { anySpecs } from "../support/arbitraries.ts";

const TODAY = "2026-06-15";
const vmx = (await import("@vmlint/core/program")).defaultFormat;

interface Options {
  readonly target?: Target;
  readonly today?: string;
  readonly config?: string;
  readonly whole?: boolean;
  readonly format?: typeof vmx;
}

/** Runs one file, and returns its visible findings, its hidden findings and the findings about suppressions. */
function run(text: string, { target = {}, today = TODAY, config, whole = true, format = vmx }: Options = {}) {
  const parsed = config === undefined ? undefined : parseConfig(config, "vmlint.yaml");
  const { vms, diagnostics, skipped } = lintText(text, { format, target: { severities: parsed?.rules ?? {}, ...target } });
  const file: FileResult = { path: "a.vmx", text, diagnostics, skipped, hostedVms: [], vmCount: vms.length };
  const silencers: FileSuppressions = {
    text,
    comments: format.comments?.(text, "a.vmx") ?? [],
    configEntries: parsed?.suppress?.entries ?? [],
    vms,
  };
  const results = suppress([file], {
    today,
    suppressions: new Map([["a.vmx", silencers]]),
    configs: parsed ? [parsed] : [],
    isWhole: () => whole,
  });
  const said = (found: readonly Diagnostic[], source: string) =>
    found.map(({ ruleId, range, messageId }) => `${ruleId} ${messageId} ${source.slice(...range)}`);
  return {
    shown: said(results[0]?.diagnostics ?? [], text),
    hidden: (results[0]?.suppressed ?? []).map(({ diagnostic, by, reason }) => [diagnostic.ruleId, by, reason]),
    inConfig: said(results[1]?.diagnostics ?? [], config ?? ""),
  };
}

const TYPE = "vmx/type type four";
const HIDDEN = [["vmx/type", "comment", null]];

describe("comments", () => {
  test.each([
    ["on the line", 'numvcpus = "four" # vmlint-disable-line vmx/type', HIDDEN],
    ["above the line", '# vmlint-disable-next-line vmx/type\nnumvcpus = "four"', HIDDEN],
    ["above other comments", '# vmlint-disable-next-line vmx/type\n# why\r\n# and how\r\nnumvcpus = "four"', HIDDEN],
    ["for the file, from anywhere in it", 'numvcpus = "four"\n# vmlint-disable-file vmx/type', HIDDEN],
    ["of every rule", 'numvcpus = "four" # vmlint-disable-line', HIDDEN],
    [
      "of several rules",
      '#vmlint-disable-file vmx/type, vmx/duplicate-key\nnumvcpus = "four"\nmemSize="4"\nmemSize="4"',
      [...HIDDEN, ["vmx/duplicate-key", "comment", null]],
    ],
    [
      "with a reason",
      'numvcpus = "four" # vmlint-disable-line vmx/type --  set -- by the lab  ',
      [["vmx/type", "comment", "set -- by the lab"]],
    ],
    ["with a reason that is still to be written", 'numvcpus = "four" # vmlint-disable-line vmx/type --', HIDDEN],
    ["until a day that is not over", `numvcpus = "four" # vmlint-disable-line vmx/type until=${TODAY}`, HIDDEN],
    [
      "with a reason in another comment",
      '# vmlint-disable-file vmx/type -- all templates\nnumvcpus = "four" # vmlint-disable-line vmx/type',
      [["vmx/type", "comment", "all templates"]],
    ],
  ])("%s", (_, text, hidden) => {
    expect(run(text)).toEqual({ shown: [], hidden, inConfig: [] });
  });

  test.each([
    ["another line", '# vmlint-disable-line vmx/type\nnumvcpus = "four"', [`suppression/unused rule vmx/type`, TYPE]],
    ["a line further on", '# vmlint-disable-next-line vmx/type\n\nnumvcpus = "four"', ["suppression/unused rule vmx/type", TYPE]],
    ["another rule", 'numvcpus = "four" # vmlint-disable-line vmx/duplicate-key', [TYPE, "suppression/unused rule vmx/duplicate-key"]],
    ["a rule that does not exist", 'numvcpus = "four" # vmlint-disable-line vmx/types', [TYPE, "suppression/unknown rule vmx/types"]],
    ["a word that does not exist", 'numvcpus = "four" # vmlint-disable vmx/type', [TYPE, "suppression/unknown word vmlint-disable"]],
    [
      "a date that does not exist",
      'numvcpus = "four" # vmlint-disable-line until=2026-06-31',
      [TYPE, "suppression/unknown date until=2026-06-31"],
    ],
    [
      "a day that is over",
      'numvcpus = "four" # vmlint-disable-line until=2026-06-14',
      [TYPE, "suppression/expired expired vmlint-disable-line until=2026-06-14"],
    ],
    ["words about it", 'numvcpus = "four" # see vmlint-disable-line vmx/type', [TYPE]],
    ["a value, which is no comment", 'annotation = "# vmlint-disable-file"\nnumvcpus = "four"', [TYPE]],
  ])("%s hides nothing", (_, text, shown) => {
    expect(run(text)).toEqual({ shown, hidden: [], inConfig: [] });
  });

  test("a misspelt rule has a fix, which changes nothing of the VM", () => {
    const text = 'numvcpus = "four" # vmlint-disable-line vmx/types';
    const unknown = lint(text).diagnostics.find(({ ruleId }) => ruleId === "suppression/unknown");
    expect(unknown?.fixes.map(({ title, safety, edits }) => [title, safety, applyEdits(text, edits)])).toEqual([
      ["Change it to vmx/type", "safe", 'numvcpus = "four" # vmlint-disable-line vmx/type'],
    ]);
  });

  describe("of HCL, on one line or over several", async () => {
    const { terraform } = await import("../../packages/core/src/formats/terraform/terraform.ts");
    const NEXT = "vmlint-disable-next-line";
    /** The lines that the comments suppress. */
    const covered = (text: string): readonly string[] => {
      const { suppressions } = readComments(text, terraform.comments?.(text, "a.tf") ?? []);
      const lines = text.split("\n").map((line, i, all) => ({ line, at: all.slice(0, i).join("\n").length + (i > 0 ? 1 : 0) }));
      return lines.flatMap(({ line, at }) => (suppressions.some(({ within }) => within[0] <= at && at < within[1]) ? line : []));
    };
    test.each<[string, string, readonly string[]]>([
      ["before a line with one at its beginning", `# ${NEXT}\n/* a */ a = 1\nb = 2`, ["/* a */ a = 1"]],
      ["before lines of nothing else", `# ${NEXT}\n/* a */ // b\n/*\n\n c */\n # d\na = 1\nb = 2`, ["a = 1"]],
      ["before one that ends where the line goes on", `# ${NEXT}\n/* a\n b */ a = 1\nb = 2`, [" b */ a = 1"]],
      ["before an empty line", `# ${NEXT}\n\na = 1`, [""]],
      ["over several lines", `/*\n ${NEXT} x\n -- y\n*/\na = 1\nb = 2`, ["a = 1"]],
      ["over several lines, with something behind", `/* ${NEXT} x\n*/ a = 1\nb = 2`, ["b = 2"]],
      ["of its own line, over several", `/* vmlint-disable-line x\n*/ a = 1\nb = 2`, ["/* vmlint-disable-line x", "*/ a = 1"]],
    ])("%s", (_, text, lines) => {
      expect(covered(text)).toEqual(lines);
    });
  });

  test("a finding about a suppression cannot be suppressed", () => {
    expect(run('# vmlint-disable-file suppression/unused vmx/type\nnumvcpus = "4"').shown).toEqual([
      "suppression/unused rule suppression/unused",
      "suppression/unused rule vmx/type",
    ]);
  });

  test("in YAML, where a # inside a value is none", () => {
    const head = "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata:\n  annotations:\n";
    const note = head.concat(
      "    note: |\n      # vmlint-disable-file\n    other: 'a # vmlint-disable-file'\n    plain: a#vmlint-disable-file\n",
    );
    const spec = (comment: string) => `${note}spec:\n  vcpu: 4 ${comment}\n`;
    expect(run(spec(""), { format: yaml }).shown).toEqual(["spec/unknown-key unknown vcpu"]);
    expect(run(spec("# vmlint-disable-line spec/unknown-key -- old"), { format: yaml }).hidden).toEqual([
      ["spec/unknown-key", "comment", "old"],
    ]);
  });

  test("the comments of any YAML begin with #, and the rest of the text has none", () => {
    fc.assert(
      fc.property(fc.oneof(anySpecs, fc.string(), fc.stringMatching(/^[ -\]a:#'"|>\n\r,{}[]*$/)), (text) => {
        for (const [start, end] of yaml.comments?.(text, "a.yaml") ?? []) expect(text.slice(start, end)).toMatch(/^#[^\n]*$/);
      }),
    );
    const text = `\ufeff# a\r\n%YAML 1.2\n--- # b\n"x # y": 'z # z' # c\n- ]\n# d\n...\n---\n? |\n  # e\n: >-\n  # f\n# g\n`;
    expect((yaml.comments?.(text, "a.yaml") ?? []).map(([start, end]) => text.slice(start, end).trim())).toEqual([
      "# a",
      "# b",
      "# c",
      "# d",
      "# g",
    ]);
  });
});

describe("an unused suppression is reported only if its rules ran", () => {
  const WIDE = "# vmlint-disable-file numa/wide-uneven\n";
  const CLEAN = `${WIDE}virtualHW.version = "19"\nnumvcpus = "8"\ncpuid.coresPerSocket = "4"\n`;
  const host = requireHost("r640");

  test.each<[string, string, Target, readonly string[]]>([
    ["it ran", CLEAN, { host }, ["suppression/unused rule numa/wide-uneven"]],
    ["no host", CLEAN, {}, []],
    ["an unknown value", CLEAN.replace('"8"', '"{{ cpus }}"'), { host }, []],
    ["switched off", CLEAN, { host, severities: { "numa/wide-uneven": "off" } }, []],
    ["about another workload", CLEAN.replace("numa/wide-uneven", "mssql/standard-cores"), { host, workload: { kind: "oracle" } }, []],
    ["about several VMs, which may be elsewhere", CLEAN.replace("numa/wide-uneven", "host/overcommit"), { host }, []],
    ["all rules, and one lacked something", CLEAN.replace(" numa/wide-uneven", ""), {}, []],
    ["itself switched off", CLEAN, { host, severities: { "suppression/unused": "off" } }, []],
  ])("%s", (_, text, target, shown) => {
    expect(run(text, { target }).shown).toEqual(shown);
  });
});

describe("a reason is required if the rule has a severity", () => {
  const text = 'numvcpus = "four" # vmlint-disable-line vmx/type';
  test("off unless asked", () => expect(run(text).shown).toEqual([]));
  test("asked", () => {
    const target = { severities: { "suppression/no-reason": "error" } } as const;
    expect(run(text, { target }).shown).toEqual(["suppression/no-reason missing vmlint-disable-line vmx/type"]);
    expect(run(`${text} -- lab`, { target }).shown).toEqual([]);
  });
});

describe("suppress: in the configuration", () => {
  const text = 'displayName = "sql-1"\nnumvcpus = "four"\n';
  const entry = (fields: string) => `suppress:\n  - { ${fields} }\n`;

  test.each([
    ["by rule", "rule: vmx/type"],
    ["by rules", "rules: [vmx/duplicate-key, vmx/type], vm: sql-1"],
    ["by VM", 'vm: "sql-*"'],
    ["by path", 'path: "*.vmx"'],
    ["until today", `rule: vmx/type, until: ${TODAY}`],
  ])("%s", (_, fields) => {
    const { shown, hidden } = run(text, { config: entry(`${fields}, reason: lab`) });
    expect([shown, hidden]).toEqual([[], [["vmx/type", "config", "lab"]]]);
  });

  test.each([
    ["another VM", 'rule: vmx/type, vm: "web-*"', "suppression/unused rule"],
    ["another rule", "rule: vmx/duplicate-key", "suppression/unused rule"],
    ["a VM that is clean", 'vm: "web-*"', "suppression/unused all"],
    ["a day that is over", "rule: vmx/type, until: 2026-06-14", "suppression/expired expired"],
  ])("%s hides nothing, and the configuration gets a finding", (_, fields, said) => {
    expect(run(text, { config: entry(fields) })).toEqual({ shown: [TYPE], hidden: [], inConfig: [`${said} { ${fields} }`] });
  });

  test("a partial run does not report unused entries", () => {
    expect(run(text, { config: entry('rule: vmx/type, vm: "web-*"'), whole: false }).inConfig).toEqual([]);
  });

  test("a reason is required there too", () => {
    const config = `rules: { suppression/no-reason: warning }\n${entry("rule: vmx/type")}`;
    expect(run(text, { config }).inConfig).toEqual(["suppression/no-reason missing { rule: vmx/type }"]);
  });

  test.each([
    ["- { rule: vmx/typ }", 'vmlint.yaml:2:13: There is no rule "vmx/typ". Did you mean "vmx/type"?'],
    ["- { rules: [vmx/type, vmx/typ] }", 'vmlint.yaml:2:25: There is no rule "vmx/typ". Did you mean "vmx/type"?'],
    ["- { reason: lab }", "vmlint.yaml:2:5: This would suppress every finding: name rules, a vm or a path."],
    ["- { rules: [], vm: a }", "vmlint.yaml:2:14: This list is empty: name rules, or remove rules: to mean all of them."],
    ["- { rule: vmx/type, rules: [vmx/type] }", "vmlint.yaml:2:23: Write rule or rules, not both."],
    ["- { rule: vmx/type, until: 2026-02-30 }", 'vmlint.yaml:2:30: "2026-02-30" is not a date: write 2026-12-31.'],
    ["- { rule: vmx/type, vms: [a] }", 'vmlint.yaml:2:23: There is no setting "suppress.0.vms". Did you mean "vm"?'],
    ["vmx/type", "vmlint.yaml:2:3: suppress must be a list."],
  ])("%s is refused", (line, message) => {
    expect(() => parseConfig(`suppress:\n  ${line}\n`, "vmlint.yaml")).toThrow(message);
  });
});

test("any number of comments in any place each suppress their own lines", async () => {
  const { terraform } = await import("../../packages/core/src/formats/terraform/terraform.ts");
  const words = ["-line r1", "-line r2 -- b", "-next-line", "-next-line r1 -- c", "-file r2"].map((word) => `vmlint-disable${word}`);
  const piece = fc.oneof(
    fc.constantFrom("a = 1\n", "\n", "b = 2 "),
    fc.constantFrom(...words).map((word) => `# ${word}\n`),
    fc.tuple(fc.constantFrom(...words), fc.constantFrom(" ", "\n", "\n\n")).map(([word, gap]) => `/* ${word} -- d${gap}*/${gap}`),
  );
  const [base] = lintText('numvcpus = "four"').diagnostics;
  const found = (ruleId: string, at: number): Diagnostic => ({ ...(base as Diagnostic), ruleId, range: [at, at] });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join("");
      const comments = terraform.comments?.(text, "a.tf") ?? [];
      const diagnostics = ["r1", "r2"].flatMap((id) => Array.from({ length: text.length + 1 }, (_, at) => found(id, at)));
      const { suppressions } = readComments(text, comments);
      const expected = diagnostics.flatMap((diagnostic) => {
        const [at] = diagnostic.range;
        const about = suppressions.filter(
          ({ rules, within }) =>
            within[0] <= at && at < within[1] && (rules.length === 0 || rules.some(({ value }) => value === diagnostic.ruleId)),
        );
        return about.length > 0 ? { diagnostic, reason: about.find(({ reason }) => reason)?.reason ?? null } : [];
      });
      const { suppressed } = hideSuppressed(diagnostics, { text, comments, configEntries: [], vms: [] }, TODAY);
      expect(suppressed.map(({ diagnostic, reason }) => ({ diagnostic, reason }))).toEqual(expected);
    }),
  );
});

test("for any comments, each finding is shown or hidden exactly once, without an exception", () => {
  const word = fc.constantFrom(
    "vmlint-disable-line",
    "vmlint-disable-next-line",
    "vmlint-disable-file",
    "vmlint-disable",
    "vmx/type",
    "until=2026-01-01",
    "--",
    ",",
    "x",
    "*/",
    "until=",
  );
  const comment = fc.array(word, { maxLength: 5 }).map((words) => `# ${words.join(" ")}`);
  const line = fc.oneof(
    comment,
    comment.map((text) => `numvcpus = "four" ${text}`),
    fc.constantFrom("", "nonsense", 'memSize = "1"'),
  );
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom("\n", "\r\n", "\r"), (lines, eol) => {
      const text = lines.join(eol);
      const { diagnostics, vms } = lintText(text);
      const configEntries: readonly Declared[] = [];
      const result = hideSuppressed(diagnostics, { text, comments: vmx.comments?.(text, "a.vmx") ?? [], configEntries, vms }, TODAY);
      const all = [...result.diagnostics, ...result.suppressed.map(({ diagnostic }) => diagnostic)];
      expect(new Set(all)).toEqual(new Set(diagnostics));
      expect(all).toHaveLength(diagnostics.length);
      for (const { range } of result.diagnostics) expect(range[1]).toBeLessThanOrEqual(text.length);
      run(text);
    }),
  );
});
