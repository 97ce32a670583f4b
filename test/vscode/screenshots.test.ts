import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isSetUp } from "./workbench.ts";
import { eventually, panelOf, runCommand, status, statusItem, workbenchFor } from "./workbench-page.ts";

/** Where to: `VMLINT_SCREENSHOTS=DIR npx vitest run test/vscode/screenshots.test.ts` photographs every surface in every kind of theme. */
const { VMLINT_SCREENSHOTS: DIR } = process.env;

const THEMES = {
  light: "Default Light Modern",
  dark: "Default Dark Modern",
  "contrast-dark": "Default High Contrast",
  "contrast-light": "Default High Contrast Light",
};

const WIDE = `virtualHW.version = "14"
displayName = "sql01"
guestOS = "windows2019srv-64"
# vmlint: workload=mssql edition=standard version=2019
numvcpus = "22"
cpuid.coresPerSocket = "1"
memSize = "262144"
sched.cpu.affinity = "0-21"
scsi0.present = "TRUE"
scsi0.virtualDev = "lsilogic"
`;

const CONFIG = `host: lab
hosts:
  lab: { esxi: "8.0", cpu: 2x Xeon Gold 6148, memoryGiB: 768 }
rules:
  `;

describe.skipIf(!isSetUp || DIR === undefined)("VS Code, photographed", () => {
  const workbench = workbenchFor("node");

  test.each(Object.entries(THEMES))("%s", async (name, theme) => {
    const folder = DIR ?? "";
    mkdirSync(folder, { recursive: true });
    const settings = JSON.stringify({ "workbench.colorTheme": theme, "editor.fontSize": 13 });
    const files = {
      "sql01.vmx": WIDE,
      "vmlint.yaml": CONFIG.trimEnd().replace("rules:", "baseline: known.json"),
      ".vscode/settings.json": settings,
    };
    const { page } = await workbench().open(files);
    await eventually(status(page)).toEqual([expect.stringMatching(/vmlint: .* on lab/)]);
    await statusItem(page).click();
    await page.locator(".markers-panel .marker-message").first().waitFor();
    await page.locator(".activitybar .action-item a[aria-label='vmlint']").click();
    await page.locator(".view-line span", { hasText: "cpuid.coresPerSocket" }).last().hover();
    await page.locator(".monaco-hover:visible").first().waitFor();
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(folder, `editor-${name}.png`) });

    await page.mouse.move(5, 790);
    await page.keyboard.press("Control+j");
    await page.keyboard.press("Control+b");
    await page.locator(".codelens-decoration a").first().click();
    const panel = page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
    await panel.locator("#picture svg[role=img]:visible").waitFor();
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(folder, `panel-${name}.png`) });
    await page.mouse.move(640, 790);
    await page.keyboard.press("Control+b");
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(folder, `window-${name}.png`) });
    await page.keyboard.press("Control+b");
    await panel.locator("#words summary").click();
    await panel.locator("#sources").scrollIntoViewIfNeeded();
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(folder, `words-${name}.png`) });

    const config = await workbench().open({ "vmlint.yaml": CONFIG, ".vscode/settings.json": settings });
    await config.page.keyboard.press("Control+b");
    await config.page.locator(".monaco-editor .view-line").last().click();
    await config.page.keyboard.press("Control+End");
    await config.page.keyboard.type("nu", { delay: 50 });
    await config.page.locator(".suggest-widget.visible .monaco-list-row").first().waitFor();
    await config.page.keyboard.press("Control+Space");
    await config.page.waitForTimeout(1000);
    await config.page.screenshot({ path: join(folder, `completion-${name}.png`) });
  });

  test("the walkthrough, the view of 500 VMs, and a narrow panel", async () => {
    const folder = DIR ?? "";
    mkdirSync(folder, { recursive: true });
    const vms = Array.from({ length: 500 }, (_, i) => {
      const name = `ams-db-${String(i).padStart(3, "0")}`;
      const text = WIDE.replace("sql01", name).replace('"22"', `"${[2, 4, 8, 22, 44][i % 5]}"`);
      return [`vms/${name}.vmx`, text.replace(/^sched.*\n/m, i % 3 === 0 ? "$&" : "")] as const;
    });
    const { page } = await workbench().open({
      "sql01.vmx": WIDE,
      "vmlint.yaml": CONFIG.split("rules:")[0] ?? "",
      ...Object.fromEntries(vms),
    });
    await eventually(status(page)).toEqual([expect.stringMatching(/vmlint: .* on lab/)]);
    await page.locator(".codelens-decoration a").first().click();
    await panelOf(page).locator("#picture svg[role=img]:visible").waitFor();
    await page.setViewportSize({ width: 660, height: 1400 });
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(folder, "panel-narrow.png") });
    await page.setViewportSize({ width: 1280, height: 800 });

    await runCommand(page, "vmlint: Lint Workspace");
    await page.locator(".activitybar .action-item a[aria-label='vmlint']").click();
    await page.locator(".sidebar .monaco-list-row", { hasText: "ams-db" }).first().waitFor();
    await page.waitForTimeout(8000);
    await page.screenshot({ path: join(folder, "tree-many.png") });
    await page.locator(".sidebar .monaco-list-row", { hasText: "ams-db" }).first().click();
    await page.waitForTimeout(1000);
    await page.screenshot({ path: join(folder, "tree-many-open.png") });

    await runCommand(page, "Welcome: Open Walkthrough...");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "vmlint" }).first().click();
    await page.locator(".gettingStartedContainer .step-list-container").waitFor();
    await page.waitForTimeout(1500);
    await page.screenshot({ path: join(folder, "walkthrough.png") });
  });

  /** For packages/vscode-ext/images, after fewer colours make them smaller. */
  test("the pictures of the extension's page and walkthrough", async () => {
    const folder = DIR ?? "";
    const settings = JSON.stringify({ "workbench.colorTheme": THEMES.light, "editor.fontSize": 13 });
    const { page } = await workbench().open({
      "sql01.vmx": WIDE,
      "vmlint.yaml": CONFIG.split("rules:")[0] ?? "",
      ".vscode/settings.json": settings,
    });
    const shoot = async (name: string, height: number) => {
      // Where no tooltip opens.
      await page.mouse.move(900, height - 5);
      await page.waitForTimeout(1000);
      await page.screenshot({ path: join(folder, `${name}.png`), clip: { x: 0, y: 0, width: 1280, height } });
    };
    await eventually(status(page)).toEqual([expect.stringMatching(/vmlint: .* on lab/)]);
    await statusItem(page).click();
    await page.locator(".markers-panel .marker-message").first().waitFor();
    await page.locator(".activitybar .action-item a[aria-label='vmlint']").click();
    await page.locator(".monaco-list-row", { hasText: "22 vCPUs" }).first().waitFor();
    await shoot("findings", 720);

    await page.locator(".view-line span", { hasText: "sched.cpu.affinity" }).last().click();
    await page.keyboard.press("End");
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget:visible").waitFor();
    await shoot("fixes", 720);
    await page.keyboard.press("Escape");

    await runCommand(page, "vmlint: Choose Host");
    await page.locator(".quick-input-list .monaco-list-row").first().waitFor();
    await page.keyboard.type("6148", { delay: 50 });
    await shoot("host", 440);
    await page.keyboard.press("Escape");

    await page.keyboard.press("Control+j");
    await page.keyboard.press("Control+b");
    await page.locator(".codelens-decoration a").first().click();
    await panelOf(page).locator("#picture svg[role=img]:visible").waitFor();
    await page.setViewportSize({ width: 1280, height: 960 });
    await shoot("topology", 938);
  });
});
