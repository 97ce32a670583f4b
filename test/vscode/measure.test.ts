import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { COMMAND } from "../support/cli.ts";
import { isSetUp } from "./workbench.ts";
import { eventually, runCommand, status, workbenchFor } from "./workbench-page.ts";

/** Where to: `VMLINT_MEASURE=FILE npx vitest run test/vscode/measure.test.ts` appends figures, and judges none. */
const { VMLINT_MEASURE: FILE } = process.env;

const WINDOWS = 5;
const FILES = 500;

describe.skipIf(!isSetUp || FILE === undefined)("VS Code, measured", () => {
  const workbench = workbenchFor("node");

  test("the package's size, and the start time of the extension as VS Code reports it", { timeout: 300_000 }, async () => {
    const activations: number[] = [];
    for (let i = 0; i < WINDOWS; i++) {
      const { page } = await workbench().open({ "a.vmx": 'virtualHW.version = "19"\nnumvcpus = "4"\n', "vmlint.yaml": "host: r640\n" });
      await eventually(status(page)).toEqual(["vmlint: no findings on r640"]);
      await runCommand(page, "Developer: Show Running Extensions");
      const row = page.locator(".runtime-extensions-editor .monaco-list-row", { hasText: "vmlint" });
      await row.waitFor();
      activations.push(Number(/Activation: (\d+)ms/.exec((await row.textContent()) ?? "")?.[1]));
    }
    appendFileSync(FILE ?? "", `${JSON.stringify({ packageBytes: workbench().packageSize, activationMs: activations })}\n`);
    expect(activations.every((time) => time >= 0)).toBe(true);
  });

  test("Lint Workspace over many files, and the command over the same", { timeout: 300_000 }, async () => {
    const text = 'virtualHW.version = "19"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"\nmemSize = "8192"\n';
    const names = Array.from({ length: FILES }, (_, i) => (i === 0 ? "vm-0.vmx" : `folder-${i % 8}/vm-${i}.vmx`));
    const files = Object.fromEntries(names.map((name, i) => [name, `displayName = "vm-${i}"\n${text}`]));
    const { page, folder } = await workbench().open({ ...files, "vmlint.yaml": "host: r640\n" });
    await eventually(status(page)).toEqual(["vmlint: 1 warning on r640"]);
    const lintMs: number[] = [];
    const commandMs: number[] = [];
    for (let i = 0; i < WINDOWS; i++) {
      await runCommand(page, "vmlint: Lint Workspace");
      const start = performance.now();
      await page.locator(".statusbar-item", { hasText: `in ${FILES} files` }).waitFor({ timeout: 60_000 });
      lintMs.push(Math.round(performance.now() - start));
      await page.locator(".statusbar-item", { hasText: `in ${FILES} files` }).waitFor({ state: "hidden" });
      const before = performance.now();
      spawnSync(process.execPath, [COMMAND, "."], { cwd: folder });
      commandMs.push(Math.round(performance.now() - before));
    }
    appendFileSync(FILE ?? "", `${JSON.stringify({ lintMs, commandMs })}\n`);
  });
});
