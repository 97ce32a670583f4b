import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../support/checkout.ts";

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const workflows = readdirSync(join(ROOT, ".github/workflows"));

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

describe.each(workflows)("the workflow %s", (name) => {
  const { permissions, jobs } = parse(read(`.github/workflows/${name}`));
  const steps: readonly Step[] = Object.values(jobs as Record<string, { readonly steps: readonly Step[] }>).flatMap((job) => job.steps);

  test("may read alone, unless a job says more", () => {
    expect(permissions.contents).toBe("read");
  });

  test("runs scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const called = steps.flatMap(({ run = "" }) => [...run.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script));
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(called));
  });

  test("pins actions by commit, which cannot be moved", () => {
    const moving = steps.flatMap(({ uses }) => uses ?? []).filter((uses) => !uses.startsWith("./") && !/@[0-9a-f]{40}$/.test(uses));
    expect(moving).toEqual([]);
  });
});

test("every tool that a workflow fetches has an exact version", () => {
  const runs = workflows.flatMap((name) => read(`.github/workflows/${name}`).match(/\b(?:npx --yes|pipx run) .*/g) ?? []);
  expect(runs.length).toBeGreaterThan(0);
  for (const run of runs) expect(run).toMatch(/^(?:npx --yes (?:@[\w-]+\/)?[\w-]+@|pipx run --spec [\w-]+==)\d+\.\d+\.\d+ /);
});

test("each issue form asks for something, in fields of their own names", () => {
  const forms = readdirSync(join(ROOT, ".github/ISSUE_TEMPLATE")).filter((name) => name !== "config.yml");
  expect(forms.length).toBeGreaterThan(0);
  for (const name of forms) {
    const { name: title, description, body } = parse(read(`.github/ISSUE_TEMPLATE/${name}`));
    expect([title, description], name).toEqual([expect.any(String), expect.any(String)]);
    const ids = body.map(({ id }: { readonly id: string }) => id);
    expect(new Set(ids).size, name).toBe(ids.length);
    for (const { type, attributes } of body)
      expect([type, attributes.label], name).toEqual([expect.stringMatching(/^(input|textarea)$/), expect.any(String)]);
  }
});
