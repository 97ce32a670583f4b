import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isSetUp } from "./workbench.ts";
import { eventually, runCommand, status, workbenchFor } from "./workbench-page.ts";

/** Where to: `VMLINT_MEASURE=FILE npx vitest run test/vscode/measure.test.ts` writes figures, and judges none. */
const { VMLINT_MEASURE: FILE } = process.env;

const WINDOWS = 5;

describe.skipIf(!isSetUp || FILE === undefined)("VS Code, measured", () => {
  const workbench = workbenchFor("node");

  test("the package's size, and the start time of the extension as VS Code reports it", { timeout: 300_000 }, async () => {
    const activations: number[] = [];
    for (let i = 0; i < WINDOWS; i++) {
      const { page } = await workbench().open({ "a.vmx": 'virtualHW.version = "19"\nnumvcpus = "4"\n', "vmlint.yaml": "host: r640\n" });
      await eventually(status(page)).toEqual(["vmlint: 0 on r640"]);
      await runCommand(page, "Developer: Show Running Extensions");
      const row = page.locator(".runtime-extensions-editor .monaco-list-row", { hasText: "vmlint" });
      await row.waitFor();
      activations.push(Number(/Activation: (\d+)ms/.exec((await row.textContent()) ?? "")?.[1]));
    }
    writeFileSync(FILE ?? "", `${JSON.stringify({ packageBytes: workbench().packageSize, activationMs: activations })}\n`);
    expect(activations.every((time) => time >= 0)).toBe(true);
  });
});
