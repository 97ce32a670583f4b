import { pageOrCommand } from "../../lint/finding.ts";
import { fixTitle } from "../../model/diagnostic.ts";
import { type PageById, pagesOf } from "../../rules/page-of.ts";
import type { NotChecked } from "../json-report.ts";
import type { FileResult } from "../result.ts";
import { type FindingAtPlace, fails, findingsAtPlaces, isFailure, lines, type Reporter, whereIs, whyUnchecked } from "./reporter.ts";
import { element, textElement, XML } from "./xml-element.ts";

/**
 * Writes a test suite per file and a test per finding, which fails if the finding makes the command fail. A clean file is one passed test,
 * an unreadable file one test with an error.
 */
export const junit: Reporter = (results, run) => {
  const page = pagesOf(run.rules);
  const suites = results.map((file) => ({
    file,
    cases: findingsAtPlaces(file).map((finding) => ({ found: finding, fails: fails(finding, run) })),
  }));
  const { notChecked = [] } = run;
  const failures = suites.reduce((count, { cases }) => count + cases.filter((item) => item.fails).length, 0);
  const tests = suites.reduce((count, { cases }) => count + Math.max(1, cases.length), notChecked.length);
  return lines([
    XML,
    ...element("testsuites", { name: "vmlint", tests, failures, errors: notChecked.filter(isFailure).length }, [
      ...suites.flatMap(({ file, cases }) => suite(file, cases, page)),
      ...notChecked.flatMap(uncheckedSuite),
    ]),
  ]);
};

interface Case {
  readonly found: FindingAtPlace;
  readonly fails: boolean;
}

function suite({ path }: FileResult, cases: readonly Case[], page: PageById): readonly string[] {
  const counts = { tests: Math.max(1, cases.length), failures: cases.filter((item) => item.fails).length, errors: 0, skipped: 0 };
  const tests =
    cases.length > 0 ? cases.flatMap((one) => testCase(one, page)) : element("testcase", { name: "no findings", classname: path });
  return element("testsuite", { name: path, ...counts }, tests);
}

const uncheckedSuite = (unchecked: NotChecked): readonly string[] =>
  element(
    "testsuite",
    { name: unchecked.path, tests: 1, failures: 0, errors: isFailure(unchecked) ? 1 : 0, skipped: isFailure(unchecked) ? 0 : 1 },
    [
      ...element(
        "testcase",
        { name: "not checked", classname: unchecked.path },
        isFailure(unchecked)
          ? element("error", { type: "unchecked", message: whyUnchecked(unchecked) })
          : element("skipped", { message: whyUnchecked(unchecked) }),
      ),
    ],
  );

function testCase({ found: finding, fails }: Case, page: PageById): readonly string[] {
  const { diagnostic, file, place, text: message } = finding;
  const { ruleId, severity, fixes, docsUrl } = diagnostic;
  const evidence = page(ruleId)?.evidence;
  const text = [
    whereIs(finding),
    message,
    ...(evidence ? [`why: ${evidence.figure}`] : []),
    ...(evidence?.against ? [`but: ${evidence.against}`] : []),
    ...fixes.map((fix) => `fix: ${fixTitle(fix)}`),
    pageOrCommand(ruleId, docsUrl),
  ].join("\n");
  const child = fails
    ? textElement("failure", { type: severity, message: message }, text)
    : textElement("system-out", {}, `${severity}: ${text}`);
  return element("testcase", { name: `${ruleId} (line ${place.line}, column ${place.column})`, classname: file.path }, [child]);
}
