import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Diagnostic, type FileResult, rules, SEVERITIES } from "@vmlint/core";
import { pageOf } from "@vmlint/core/docs";
import { printable } from "@vmlint/core/program";
import { REPORT_FORMATS, type ReportFormat, reporters, type TextFormat } from "@vmlint/core/reporters";
import AjvDraft4 from "ajv-draft-04";
import addFormats from "ajv-formats";
import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { describe, expect, test } from "vitest";
import { lineHashes } from "../../packages/core/src/report/reporters/fingerprint.ts";
import { folder } from "../support/folder.ts";
import { everything, parseXml } from "../support/parse-xml.ts";
import { linted, RUN, results, sample } from "./results.ts";

const write = (format: TextFormat, files: readonly FileResult[]): string => reporters[format](files, { ...RUN, rules: RULES });
const TEXTS = (Object.keys(REPORT_FORMATS) as ReportFormat[]).filter((format): format is TextFormat => format !== "xlsx");
const all = (files: readonly FileResult[]): readonly Diagnostic[] => files.flatMap(({ diagnostics }) => diagnostics);
/** The text of each finding in formats without a field for the VM. */
const said = (files: readonly FileResult[]): readonly string[] =>
  files.flatMap(({ diagnostics }) => {
    const areSeveral = new Set(diagnostics.map(({ vm }) => vm)).size > 1;
    return diagnostics.map(({ vm, message }) => (areSeveral && vm ? `${vm}: ${message}` : message));
  });
const pathsOf = (files: readonly FileResult[]): readonly string[] => files.flatMap(({ path, diagnostics }) => diagnostics.map(() => path));

/** Texts that break out of a careless report. */
const HOSTILE = [
  "\n::error::x",
  "::set-output name=x::y",
  "%0A%25%AZP25%3B",
  "\r",
  "##vso[task.setvariable variable=x]y",
  "##[error]",
  "###vso[task.complete]x",
  ";code=x;]",
  ",line=9::",
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "&amp;&#0;",
  "]]>",
  "\u0000\u0008\u001b[31m\u007f\u0085\ufffe\ud800",
  '" onmouseover="alert(1)',
  "'",
  "\u2028\u2029",
  "\u202eturned\u2066",
  "[x](http://evil.example)",
  "![x](http://evil.example/x.png)",
  "| a | b |",
  "`code` **bold** ~~x~~ $x$",
  "@somebody #1 https://evil.example www.evil.example",
  "\\",
  "{0} {{",
  "日本 \u{1f600}",
];
const anyName = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary" }), fc.string()), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(""));
const lines = (report: string): readonly string[] => report.split("\n").slice(0, -1);

const SAMPLE = sample();

/** The rules as a plugin may word them. */
const RULES = rules.map((rule) => {
  const hostile = HOSTILE.join(" ");
  const evidence = { figure: hostile, source: { key: hostile, title: hostile }, against: hostile };
  return { ...rule, page: { ...pageOf(rule), summary: hostile, evidence } };
});

/** The sample, with names for all texts that a file or its user chooses, in turn. */
function renamed(names: readonly string[]): readonly FileResult[] {
  let turn = 0;
  const next = (): string => names[turn++ % names.length] ?? "";
  const rename = (d: Diagnostic): Diagnostic => ({
    ...d,
    message: next(),
    vm: next(),
    host: next(),
    related: d.related.map(({ range }) => ({ message: next(), range })),
    fixes: d.fixes.map((fix) => ({ ...fix, title: next(), edits: fix.edits.map((edit) => ({ ...edit, newText: next() })) })),
    data: { value: next() },
  });
  return SAMPLE.map((file) => {
    const suppressed = file.suppressed?.map((one) => ({ ...one, diagnostic: rename(one.diagnostic), reason: next() }));
    return { ...file, path: next(), diagnostics: file.diagnostics.map(rename), ...(suppressed && { suppressed }) };
  });
}

const anyNames = fc.array(anyName, { minLength: 1, maxLength: 70, size: "max" });
const holds = (check: (files: readonly FileResult[]) => unknown): void =>
  fc.assert(
    fc.property(anyNames, (names) => {
      check(renamed(names));
    }),
  );

/** As the two forms for logs write a text: without control characters. */
const visible = (text: string): string => text.replace(/[^\t\n\r]+/g, printable);

const unreadPaths = (paths: readonly string[]) => paths.map((path) => ({ path, reason: "it could not be read" }));

test("the table, the reporters and the guide name the same forms", () => {
  expect(Object.keys(reporters)).toEqual(Object.keys(REPORT_FORMATS));
  const guide = readFileSync(new URL("../../docs/guide/reports.md", import.meta.url), "utf8");
  expect([...guide.matchAll(/^\| `(\w+)` \| /gm)].map(([, name]) => name)).toEqual(Object.keys(REPORT_FORMATS));
});

test.each(TEXTS)("%s: any name and an empty report are written without an exception", (format) => {
  expect(write(format, [])).not.toContain("undefined");
  holds((files) => expect(write(format, files)).not.toBe(""));
});

describe("JSON of all kinds", () => {
  test("sarif keeps the 25,000 most severe findings that code scanning takes, and says how many it omits", () => {
    const [file] = sample();
    const [finding] = file?.diagnostics ?? [];
    if (!file || !finding) throw new Error("the sample has no finding");
    const many = Array.from({ length: 25_010 }, (_, i) => ({ ...finding, severity: i < 20 ? ("hint" as const) : ("warning" as const) }));
    const [run] = JSON.parse(write("sarif", [{ ...file, diagnostics: many }])).runs;
    const levels = run.results.map(({ properties }: { properties: { severity: string } }) => properties.severity);
    expect([levels.length, levels.indexOf("warning"), levels.lastIndexOf("hint")]).toEqual([25_000, 10, 9]);
    const [{ level, message }] = run.invocations[0].toolExecutionNotifications;
    expect([level, message.text]).toEqual(["warning", "The report omits the 11 least severe findings, because code scanning takes 25000."]);
    expect(run.invocations[0].executionSuccessful).toBe(true);
  });

  test.each(["json", "sarif", "gitlab"] as const)("%s parses", (format) => holds((files) => void JSON.parse(write(format, files))));

  test("ndjson: each line parses, and together they are the json form", () => {
    holds((files) => {
      const [run, ...rest] = lines(write("ndjson", files)).map((line) => JSON.parse(line));
      const of = (kind: string) => rest.filter(({ type }) => type === kind).map(({ type: _, ...value }) => value);
      const { schemaVersion, tool, diagnostics, skipped, suppressed, summary } = JSON.parse(write("json", files));
      expect(run).toEqual({ type: "run", schemaVersion, tool });
      expect([of("diagnostic"), of("skipped"), of("suppressed"), of("summary")]).toEqual([diagnostics, skipped, suppressed, [summary]]);
    });
  });
});

/** The runner's own parser splits a command at these places. */
const GITHUB = /^::(error|warning|notice) ([^\n]*?)::(.*)$/s;
const unescapeGithub = (text: string): string =>
  text.replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%0A", "\n").replaceAll("%0D", "\r").replaceAll("%25", "%");

test("github: one command a finding, and each name comes out as it went in", () => {
  holds((files) => {
    const commands = lines(write("github", files));
    const found = commands.map((line) => GITHUB.exec(line)).map((match) => [match?.[2] ?? "", match?.[3] ?? ""] as const);
    expect(found.map(([, message]) => unescapeGithub(message))).toEqual(
      said(files).map((message, i) => `${visible(message)}\nvmlint explain ${all(files)[i]?.ruleId}`),
    );
    const properties = found.map(([text]) => Object.fromEntries(text.split(",").map((pair) => pair.split("=").map(unescapeGithub))));
    expect(commands.every((line) => !/[\r\n]/.test(line))).toBe(true);
    expect(found.map(([text]) => unescapeGithub(text.slice("file=".length, text.indexOf(","))))).toEqual(pathsOf(files).map(visible));
    expect(properties.map(({ title }) => title)).toEqual(all(files).map(({ ruleId }) => ruleId));
  });
});

const unescapeAzure = (text: string): string =>
  text.replaceAll("%3B", ";").replaceAll("%5D", "]").replaceAll("%0A", "\n").replaceAll("%0D", "\r").replaceAll("%AZP25", "%");

test("azure: one command for each error or warning, none for notes, and names are unchanged", () => {
  holds((files) => {
    const written = lines(write("azure", files));
    expect(written).toHaveLength(all(files).length);
    all(files).forEach((d, i) => {
      const line = written[i] ?? "";
      const isIssue = d.severity === "error" || d.severity === "warning";
      expect(line.indexOf("##vso["), line).toBe(isIssue ? 0 : -1);
      expect(line).not.toMatch(/[\r\n]/);
      if (!isIssue) return;
      const end = line.indexOf("]");
      const properties = line.slice("##vso[task.logissue ".length, end).split(";").slice(0, -1);
      const [, path = ""] = properties;
      expect(properties).toHaveLength(5);
      expect(unescapeAzure(path)).toBe(`sourcepath=${visible(pathsOf(files)[i] ?? "")}`);
      expect(unescapeAzure(line.slice(end + 1))).toBe(visible(said(files)[i] ?? ""));
    });
  });
});

test("text: a value of several lines is printed in one, with blanks between them", () => {
  const [found] = all(SAMPLE);
  const diagnostics = found ? [{ ...found, message: 'not "four\r\nfive"' }] : [];
  const report = write("text", [{ path: "a", text: "", diagnostics, skipped: [], hostedVms: [], vmCount: 1 }]);
  expect(report).toContain('\n  not "four  five"\n');
});

describe("text: the marker is under its place, for characters of any width", () => {
  test.each([
    ["one each", "name: ", "four", "      ^^^^"],
    ["two for those of East Asia, before and in it", "名: ", "四core", "    ^^^^^^"],
    ["two for an emoji of two units", "\u{1f600}: ", "\u{1f600}", "    ^^"],
    ["two for a syllable of Hangul that is taken apart", "\u1112\u1161\u11ab: ", "\u1112\u1161\u11ab", "    ^^"],
    ["two for one of letters that only old texts have", "\u1112\ud7b0\ud7cb: ", "\u1112\ud7b0\ud7cb", "    ^^"],
    ["none for an accent that is put on a letter", "cafe\u0301: ", "e\u0301a", "      ^^"],
    ["none at all", "a", "\u0301", " ^"],
  ])("%s", (_, before, value, expected) => {
    const [found] = all(SAMPLE);
    const diagnostics = found ? [{ ...found, range: [before.length, before.length + value.length] as const }] : [];
    const report = write("text", [{ path: "a", text: `${before}${value} more`, diagnostics, skipped: [], hostedVms: [], vmCount: 1 }]);
    expect(report).toContain(`    1 | ${before}${value} more\n      | ${expected}\n`);
  });
});

test("compact: one line a finding, without a control character", () => {
  holds((files) => {
    const written = lines(write("compact", files));
    expect(written).toHaveLength(all(files).length);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    for (const line of written) expect(line).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
  });
});

test.each(["text", "compact", "junit", "checkstyle", "html", "md"] as const)(
  "%s: no name turns the order of the words around it",
  (format) => {
    holds((files) => expect(write(format, files)).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/));
  },
);

/** The characters of a text that XML allows. */
const legal = (text: string): string =>
  text.replace(
    /[^\t\n\r\u0020-\u007e\u00a0-\u061b\u061d-\u200d\u2010-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu,
    "\ufffd",
  );

describe("XML", () => {
  test("checkstyle is well-formed, and each name and message comes out as it went in", () => {
    holds((files) => {
      const root = parseXml(write("checkstyle", files));
      const withFindings = files.filter(({ diagnostics }) => diagnostics.length > 0);
      expect(root.children.map(({ attributes }) => attributes.name)).toEqual(withFindings.map(({ path }) => legal(path)));
      const errors = root.children.flatMap(({ children }) => children);
      expect(errors.map(({ attributes }) => attributes.message)).toEqual(said(files).map(legal));
    });
  });

  test("junit is well-formed, has a test for every finding and for every clean file, and its counts add up", () => {
    holds((files) => {
      const root = parseXml(write("junit", files));
      const elements = everything(root);
      const named = (name: string) => elements.filter((one) => one.name === name);
      expect(named("testsuite").map(({ attributes }) => attributes.name)).toEqual(files.map(({ path }) => legal(path)));
      expect(named("testcase")).toHaveLength(files.reduce((sum, { diagnostics }) => sum + Math.max(1, diagnostics.length), 0));
      const failing = said(files).filter((_, i) => ["error", "warning"].includes(all(files)[i]?.severity ?? ""));
      expect(named("failure").map(({ attributes }) => attributes.message)).toEqual(failing.map(legal));
      for (const attribute of ["tests", "failures"]) {
        const sum = named("testsuite").reduce((total, { attributes }) => total + Number(attributes[attribute]), 0);
        expect(root.attributes[attribute]).toBe(String(sum));
      }
    });
  });

  test.each([
    ["error", 2],
    ["warning", 3],
    ["hint", 5],
    ["never", 0],
  ] as const)("junit: with --fail-on %s %d tests fail", (failOn, expected) => {
    const root = parseXml(reporters.junit(sample(), { ...RUN, failOn }));
    expect(root.attributes.failures).toBe(String(expected));
  });

  const XSD = fileURLToPath(new URL("../../.report-tools/jenkins-junit.xsd", import.meta.url));
  const isSetUp = existsSync(XSD) && existsSync("/usr/bin/xmllint");

  test.skipIf(!isSetUp)(`junit keeps to Jenkins' schema${isSetUp ? "" : " (skipped: run scripts/setup-report-tools.sh first)"}`, () => {
    const unread = fc.sample(anyName, 20);
    const reports = [sample(), [], ...fc.sample(anyNames, 20).map(renamed)].flatMap((files) => [
      write("junit", files),
      reporters.junit(files, { ...RUN, notChecked: unreadPaths(unread) }),
    ]);
    const cwd = folder({});
    const paths = reports.map((report, i) => {
      writeFileSync(join(cwd, `${i}.xml`), report);
      return `${i}.xml`;
    });
    // Throws with xmllint's message if a report is invalid.
    execFileSync("/usr/bin/xmllint", ["--noout", "--schema", XSD, ...paths], { cwd, stdio: "pipe" });
  });
});

describe("unreadable files", () => {
  const unread = ["prod/lost.vmx", "prod/folder"];
  const report = (format: TextFormat, paths: readonly string[] = unread) =>
    reporters[format](sample().slice(2, 3), { ...RUN, notChecked: unreadPaths(paths) });

  test.each(["json", "ndjson", "sarif", "junit", "gitlab", "checkstyle", "html", "md"] as const)(
    "%s, a report that is read without the messages of the run, lists them",
    (format) => {
      for (const path of unread) expect(report(format)).toContain(path);
      expect(report(format, [])).toBe(write(format, sample().slice(2, 3)));
    },
  );

  test("in JUnit's counts it is an error, in SARIF the run has not succeeded", () => {
    const root = parseXml(report("junit"));
    const sum = (count: string) => root.children.reduce((total, { attributes }) => total + Number(attributes[count]), 0);
    expect([root.attributes.tests, sum("tests"), root.attributes.errors, sum("errors")]).toEqual(["3", 3, "2", 2]);
    const succeeded = [report("sarif"), report("sarif", [])].map((log) => JSON.parse(log).runs[0].invocations[0].executionSuccessful);
    expect(succeeded).toEqual([false, true]);
  });

  test("a comment names some of many paths and counts the rest", () => {
    const many = Array.from({ length: 60 }, (_, i) => `lost-${i}.vmx`);
    expect(report("md", many)).toContain("<code>lost-49.vmx</code> (it could not be read) and 10 more.");
  });
});

describe("a finding about several VMs that one place writes", () => {
  const VMS = ["web[0]", "web[1]", "web[2]", "web[3]", "web[4]"];
  const [, file] = SAMPLE;
  const [first, ...others] = file?.diagnostics ?? [];
  const files = file && first ? [{ ...file, diagnostics: [{ ...first, vm: "web[0]", vms: VMS }, ...others] }] : [];
  const some = "web[0], web[1], web[2], web[3] and 1 more";

  test("SARIF names each variant", () => {
    const [result, other] = JSON.parse(write("sarif", files)).runs[0].results;
    expect(result.locations[0].logicalLocations).toEqual(VMS.map((name) => ({ name, kind: "virtual machine" })));
    expect([result.properties.vms, other.properties.vms]).toEqual([VMS, undefined]);
  });

  test("Markdown and the page name as many as the text does, and the page's filter knows all", () => {
    const unescaped = (text: string) => text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
    expect(write("text", files)).toContain(some);
    expect(unescaped(write("md", files))).toContain(`</code> <code>${some}</code>`);
    const page = write("html", files);
    expect(page).toContain(`data-name="${VMS.join(" ")} prod/b.vmx dl580g7"`);
    expect(page).toContain(`<h3><bdi>${some}</bdi></h3>`);
  });

  test.each(["compact", "github", "azure", "gitlab", "checkstyle", "junit"] as const)(
    "%s says before each message whose it is",
    (format) => {
      const report = write(format, files).replaceAll("&apos;", "'");
      expect([
        report.includes(`${some}: ${first?.message.slice(0, 20)}`),
        report.includes(`sql02: ${others[0]?.message.slice(0, 20)}`),
      ]).toEqual([true, true]);
      expect(write(format, file ? [file] : [])).not.toContain("sql02: ");
    },
  );
});

describe("SARIF", () => {
  const path = "../../node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";
  const ajv = new AjvDraft4.default({ strict: false, unicodeRegExp: false });
  addFormats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")));
  const run = (files: readonly FileResult[]) => JSON.parse(write("sarif", files)).runs[0];

  test("any report keeps to the schema, URIs and all", () => {
    for (const files of [sample(), []]) expect(validate(JSON.parse(write("sarif", files))), ajv.errorsText(validate.errors)).toBe(true);
    holds((files) => {
      const unread = files.map(({ path }) => path);
      for (const report of [write("sarif", files), reporters.sarif([], { ...RUN, notChecked: unreadPaths(unread) })])
        expect(validate(JSON.parse(report)), ajv.errorsText(validate.errors)).toBe(true);
    });
  });

  test("a report without a version is invalid, which shows that the schema is checked", () => {
    expect(validate({ runs: [] })).toBe(false);
    expect(validate({ version: "2.1.0", runs: [{ tool: { driver: {} } }] })).toBe(false);
  });

  test("a URI stays inside its base folder for any name, and no message contains a link", () => {
    holds((files) => {
      for (const { locations, message } of run(files).results) {
        const { uri, uriBaseId } = locations[0].physicalLocation.artifactLocation;
        // A drive or a share of Windows is no name in the folder.
        const isElsewhere = uriBaseId === undefined && /^file:\/\//.test(uri);
        expect(uri).toMatch(isElsewhere ? /^file:\/\/(?:\/[A-Za-z]:)?[A-Za-z0-9\-_.!~*'()%/]*$/ : /^[A-Za-z0-9\-_.!~*'()%/]*$/);
        if (!isElsewhere) expect(uriBaseId).toBe("%SRCROOT%");
        expect(message.text).not.toMatch(/\]\(/);
      }
    });
  });

  test.each([
    ["D:/vms/a b.vmx", "file:///D:/vms/a%20b.vmx"],
    ["//server/share/a b.vmx", "file://server/share/a%20b.vmx"],
  ])("a path on another drive or share is absolute: %s", (path, uri) => {
    const [file] = results([linted(path, 'virtualHW.version = "10"\nnumvcpus = "x"\n')]);
    const { artifactLocation } = run(file ? [file] : []).results[0].locations[0].physicalLocation;
    expect(artifactLocation).toEqual({ uri });
  });

  const TEXT = 'virtualHW.version = "10"\nnumvcpus = "four"\nmemsize = "much"\n';
  const prints = (text: string, name = "a.vmx") =>
    run(results([linted(name, text)])).results.map((r: { partialFingerprints: Record<string, string> }) => r.partialFingerprints);
  const own = (text: string, name?: string) => prints(text, name).map((p: Record<string, string>) => p["vmlint/v1"]);

  test("fingerprints survive moved lines and other blanks, and tell files, settings and values apart", () => {
    expect(own(TEXT)).toHaveLength(2);
    expect(new Set(own(TEXT)).size).toBe(2);
    expect(prints(`# one\n\n# more\n${TEXT}`)).toEqual(prints(TEXT));
    expect(own(TEXT.replace(' = "four"', '   =   "four"'))).toEqual(own(TEXT));
    expect(own(TEXT, "b.vmx")).not.toEqual(own(TEXT));
    expect(own(TEXT.replace("four", "five"))[0]).not.toBe(own(TEXT)[0]);
  });

  test("fingerprints survive a change elsewhere in a file that is one line", () => {
    const [found] = all(SAMPLE);
    const print = (text: string, value: string) => {
      const start = text.indexOf(value);
      const diagnostics = found ? [{ ...found, range: [start, start + value.length] as const }] : [];
      return run([{ path: "a.json", text, diagnostics, skipped: [], hostedVms: [], vmCount: 1 }]).results[0].partialFingerprints[
        "vmlint/v1"
      ];
    };
    const before = print('{"memoryMB":4096,"numCPU":40}', "40}");
    expect(print('{"memoryMB":16384,"numCPU":40}', "40}")).toBe(before);
    expect(print('{"memoryMB":4096,"numCPU":41}', "41}")).not.toBe(before);
  });

  test("no two findings of a report have the same fingerprint, however much they are alike", () => {
    holds((files) => {
      const twice = files.flatMap((file) => [{ ...file, diagnostics: [...file.diagnostics, ...file.diagnostics] }]);
      const names = JSON.parse(write("gitlab", twice)).map(({ fingerprint }: { fingerprint: string }) => fingerprint);
      expect(new Set(names).size).toBe(names.length);
    });
  });

  test("suppressions have their justification, and an empty list marks a finding without any", () => {
    const suppressions = run(sample()).results.map((r: { suppressions: unknown }) => r.suppressions);
    expect(suppressions.filter((list: unknown[]) => list.length > 0)).toEqual([
      [{ kind: "inSource", justification: "until the host is replaced" }],
    ]);
    const none = sample().map(({ suppressed: _, ...file }) => file);
    for (const result of run(none).results) expect(result).not.toHaveProperty("suppressions");
  });

  test("a fix applied by its SARIF regions equals the fix applied by vmlint", () => {
    const [, file] = sample();
    if (!file) throw new Error("no file");
    const at = (text: string, line: number, column: number) =>
      text
        .split("\n")
        .slice(0, line - 1)
        .join("\n").length +
      (line > 1 ? 1 : 0) +
      column -
      1;
    for (const result of run([file]).results) {
      const fixes = file.diagnostics.find((d) => d.ruleId === result.ruleId)?.fixes ?? [];
      const written = (result.fixes ?? []).map(
        (fix: { artifactChanges: { replacements: unknown[] }[] }) => fix.artifactChanges[0]?.replacements,
      );
      expect(written).toHaveLength(fixes.length);
      fixes.forEach(({ edits }, i) => {
        const replaced = written[i].map(({ deletedRegion: r, insertedContent }: Record<string, Record<string, number & string>>) => ({
          range: [at(file.text, r?.startLine ?? 0, r?.startColumn ?? 0), at(file.text, r?.endLine ?? 0, r?.endColumn ?? 0)],
          newText: insertedContent?.text,
        }));
        expect(replaced).toEqual(edits);
      });
    }
  });
});

/** From the tests of github/codeql-action (src/fingerprints.test.ts). */
test.each([
  ["", ["c129715d7a2bc9a3:1"]],
  [" a\nb\n  \t\tc\n d", ["271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"]],
  [
    " hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n",
    [
      "e9496ae3ebfced30:1",
      "fb7c023a8b9ccb3f:1",
      "ce8ba1a563dcdaca:1",
      "e20e36e16fcb0cc8:1",
      "b3edc88f2938467e:1",
      "c8e28b0b4002a3a0:1",
      "c129715d7a2bc9a3:1",
    ],
  ],
  [
    "Lorem ipsum dolor sit amet.\n".repeat(10),
    [
      ...[1, 2, 3, 4, 5, 6].map((count) => `a7f2ff13bc495cf2:${count}`),
      "a7f2ff1481e87703:1",
      "a9cf91f7bbf1862b:1",
      "55ec222b86bcae53:1",
      "cc97dc7b1d7d8f7b:1",
      "c129715d7a2bc9a3:1",
    ],
  ],
])("the hashes of lines are those GitHub computes: %j", (text, expected) => {
  expect(lineHashes(text)).toEqual(expected);
});

describe("Markdown", () => {
  const markdown = new MarkdownIt({ html: true, linkify: true });
  // markdown-it allows characters of no width in a domain, GitHub does not (GFM 6.9). The next test searches for addresses.
  markdown.linkify.set({ fuzzyEmail: false });
  const tokens = (report: string) => markdown.parse(report, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  const ALLOWED = /^(<\/?(details|summary|code|sub)>|<br>)+$/;

  test("no name makes a link, a picture, an element, a cell or a mention", () => {
    holds((files) => {
      const report = write("md", files);
      expect(
        tokens(reporters.md([], { ...RUN, notChecked: unreadPaths(files.map(({ path }) => path)) })).map(({ type }) => type),
      ).not.toContain("link_open");
      const parsed = tokens(report);
      const links = parsed.filter(({ type }) => type === "link_open").map((token) => token.attrGet("href"));
      const worst = all(files).toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
      expect(links).toEqual([...new Set(worst.flatMap(({ docsUrl }) => docsUrl || []))]);
      const rules = new Set(all(files).map(({ ruleId }) => ruleId));
      const isItem = (level: number) => (token: (typeof parsed)[number]) => token.type === "list_item_open" && token.level === level;
      const list = parsed.findIndex(({ type }) => type === "html_block");
      expect(parsed.slice(0, list).filter(isItem(1))).toHaveLength(rules.size);
      // One for the counts, and one for the severity of each rule.
      expect(parsed.filter(({ type }) => type === "strong_open")).toHaveLength(rules.size + 1);
      expect(parsed.filter(({ type }) => /^(image|em_open|s_open|tr_open|code_inline|fence|code_block|h\d)$/.test(type))).toEqual([]);
      for (const { content } of parsed.filter(({ type }) => type === "html_inline")) expect(content).toMatch(ALLOWED);
      expect(report).not.toMatch(/@[\w.-]/);
      const outside = report.replace(/<code>.*?<\/code>/gs, "");
      expect(outside).not.toMatch(/[@#](?=\w)|(?<!\w)www\./);
    });
  });

  test("an address without a scheme is no link either", () => {
    const links = tokens(write("md", renamed(["//0.0"]))).filter(({ type }) => type === "link_open");
    expect(links.map((token) => String(token.attrGet("href")))).toEqual([]);
  });

  test("equal findings of a rule stand in one line, with some of their places", () => {
    const [file] = sample().slice(1);
    const many = Array.from({ length: 30 }, () => file).filter((one) => one !== undefined);
    const report = write("md", many);
    expect(report.match(/^- \*\*(error|warning|hint)\*\* \S+, 30 findings$/gm)).toHaveLength(3);
    expect(report.match(/^ {2}- [^<]*<br>.* and 25 more$/gm)).toHaveLength(3);
  });

  test("the comment has at most as many characters as GitHub takes, and counts all findings", () => {
    const long = renamed(["a".repeat(2_000)]);
    const many = Array.from({ length: 20 }, () => long).flat();
    const report = write("md", many);
    expect([report.length > 10_000, report.length <= 65_536]).toEqual([true, true]);
    const ruled = [...report.matchAll(/^- \*\*\w+\*\* \S+, (\d+) findings$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
    const [, left = 0] = /^(\d+) more findings not shown/m.exec(report) ?? [];
    expect(ruled + Number(left)).toBe(all(many).length);
  });
});

test("csv: no cell begins like a formula, and every row has the columns of the first", () => {
  holds((files) => {
    for (const row of write("csv", files).split("\r\n").slice(0, -1)) {
      const cells = [...`,${row}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
      expect(cells).toHaveLength(16);
      for (const text of cells) expect(text).not.toMatch(/^[=+@-]/);
    }
  });
});

test("tap: the plan counts the tests, and no hash of a message is a directive", () => {
  holds((files) => {
    const [version, plan, ...tests] = lines(write("tap", files));
    expect([version, plan]).toEqual(["TAP version 14", `1..${tests.length}`]);
    expect(tests).toHaveLength(files.reduce((count, { diagnostics }) => count + Math.max(1, diagnostics.length), 0));
    for (const one of tests) expect(one).toMatch(/^(not )?ok \d+ - ([^\\#]|\\[\\#])*$/);
  });
});
