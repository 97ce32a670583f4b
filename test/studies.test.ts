import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { pageNamed } from "./support/rule-pages.ts";

/** A result of a study: the rules that carry it, a test or a table that does, or why nothing does. */
interface Row {
  readonly what: string;
  readonly figures?: readonly string[];
  readonly for?: readonly string[];
  readonly against?: readonly string[];
  readonly test?: string;
  readonly outOfScope?: string;
}

const root = new URL("../", import.meta.url);
const studies: readonly { readonly study: string; readonly rows: readonly Row[] }[] = JSON.parse(
  readFileSync(new URL("docs/studies.json", root), "utf8"),
);

describe.each(studies)("$study", ({ rows }) => {
  test.each(rows)("$what", ({ figures = [], for: supported = [], against = [], test: file, outOfScope }) => {
    const carriers = supported.length + against.length + (file ? 1 : 0);
    expect(outOfScope === undefined ? carriers : 1 - carriers, "a rule, a file or a reason, and no reason beside a rule").toBeGreaterThan(
      0,
    );
    if (file) expect(existsSync(new URL(file, root)), file).toBe(true);
    for (const id of [...supported, ...against]) {
      const { evidence } = pageNamed(id);
      const words = supported.includes(id) ? evidence?.figure : evidence?.against;
      expect(figures.length).toBeGreaterThan(0);
      for (const figure of supported.length > 0 && against.includes(id) ? figures.slice(0, 1) : figures)
        expect(words, id).toContain(figure);
    }
  });
});
