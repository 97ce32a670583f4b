import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import type { CheckThread, Editor } from "../../packages/vscode-ext/src/check-thread.ts";
import { connect, type OtherThread } from "../../packages/vscode-ext/src/thread-calls.ts";

/** Bundles VS Code's extension before the tests of a file. Returns a function that starts its thread, which finds `paths` by their endings. `preload`: the URL of a module to load first. */
export function checkThread(): (paths: readonly string[], preload?: string) => OtherThread<CheckThread> {
  const dist = mkdtempSync(join(tmpdir(), "vmlint-bundle-"));
  beforeAll(async () => {
    const { bundle } = await import(new URL("../../packages/vscode-ext/build.mjs", import.meta.url).href);
    await bundle([], dist);
  });
  afterAll(() => rmSync(dist, { recursive: true }));
  return (paths, preload) => {
    const worker = new Worker(join(dist, "node/thread.cjs"), preload === undefined ? {} : { execArgv: ["--import", preload] });
    onTestFinished(async () => void (await worker.terminate()));
    const search = async (endings: readonly string[]) => paths.filter((path) => endings.some((ending) => path.endsWith(ending)));
    return connect<CheckThread, Editor>(worker, { search });
  };
}
