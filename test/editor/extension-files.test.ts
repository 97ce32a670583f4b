import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

interface Output {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
}

type Bundle = (plugins: readonly unknown[], dist: string) => Promise<{ readonly outputs: Readonly<Record<string, Output>> }>;

/** Returns the sources in a bundled file and in its static imports. */
function sourcesOf(outputs: Readonly<Record<string, Output>>, entry: RegExp): readonly string[] {
  const files = new Set(Object.keys(outputs).filter((file) => entry.test(file)));
  // The loop also visits names that are added to the set during the loop.
  for (const file of files) {
    for (const { path, kind, external } of outputs[file]?.imports ?? []) if (kind === "import-statement" && !external) files.add(path);
  }
  return [...files].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
}

test("VS Code's extension starts without what checks VMs, and checks a .vmx without what reads other formats", async () => {
  const dist = mkdtempSync(join(tmpdir(), "vmlint-bundle-"));
  onTestFinished(() => rmSync(dist, { recursive: true }));
  const path = new URL("../../packages/vscode-ext/build.mjs", import.meta.url).href;
  const { bundle }: { readonly bundle: Bundle } = await import(path);
  const { outputs } = await bundle([], dist);
  const first = sourcesOf(outputs, /\/node\/extension\.cjs$/);
  expect(
    first.filter((source) => /core\/src\/(rules|esxi\/derive|config\/parse|lint)|editor\/checks|node_modules\/(yaml|zod)/.test(source)),
  ).toEqual([]);
  expect(first).toContainEqual(expect.stringContaining("vscode-ext/src/start.ts"));
  const started = sourcesOf(outputs, /\/node\/extension-[A-Z0-9]+\.cjs$/);
  expect(started).toContainEqual(expect.stringContaining("core/src/rules/index.ts"));
  expect(
    started.filter((source) =>
      /(syntax\/hcl|formats\/(ansible|kubernetes|ovf|vi-json))\/(?!recognise\.)|report\/(picture|reporters)\/[^f]|node_modules\/(yaml|zod|saxes)/.test(
        source,
      ),
    ),
  ).toEqual([]);
});
