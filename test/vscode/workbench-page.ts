import { basename } from "node:path";
import { rules } from "@vmlint/core";
import type { FrameLocator, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { axeViolations } from "../support/axe.ts";
import { type ExtensionHost, isSetUp, startWorkbench, type Workbench } from "./workbench.ts";

export const RULE = "affinity/ht-siblings";

/** Turns off all rules except `on`, so that a new rule does not affect the test. */
export function configFor(host: string, on: readonly string[] = [RULE]): string {
  const off = rules.filter(({ id }) => !on.includes(id));
  return `host: ${host}\nrules:\n${off.map(({ id }) => `  ${id}: off\n`).join("")}`;
}

/** The return type of expect.poll has no exported name. */
type Eventually = ReturnType<typeof expect.poll<unknown>>;

export const eventually = (read: () => Promise<unknown>): Eventually => expect.poll(read, { timeout: 30_000, interval: 100 });

/** Runs in the page, all at once: its elements are replaced while the editor draws. The editor's font is monospaced. */
const UNDERLINED = `[...document.querySelectorAll(".view-overlays [class*='squiggly-']")].flatMap((squiggle) => {
  const under = squiggle.getBoundingClientRect();
  return [...document.querySelectorAll(".view-line > span")].flatMap((row) => {
    const box = row.getBoundingClientRect();
    if (Math.abs(under.y - box.y) > box.height / 2) return [];
    const line = row.textContent.replaceAll("\u00a0", " ");
    const columnAt = (x) => Math.round(((x - box.x) / box.width) * line.length);
    return { line, text: line.slice(columnAt(under.left), columnAt(under.right)) };
  });
})`;

/** Returns the lines with squiggles, and the text above each squiggle as measured on the screen. */
export const underlined = (page: Page) => () => page.evaluate<readonly { line: string; text: string }[]>(UNDERLINED);

/** The same without their lines, which hold hints too. */
export const underlinedWords = (page: Page) => async () => (await underlined(page)()).map(({ text }) => text);

/** The entries of the Problems panel, files left out. */
export const problems = (page: Page) => async () => {
  const entries: string[] = [];
  for (const entry of await page.locator(".markers-panel .marker-message-details-container").all()) {
    const parts = await entry.locator(".marker-message, .marker-source, .marker-code, .marker-line").allTextContents();
    entries.push(parts.join(" | "));
  }
  return entries;
};

export const statusItem = (page: Page) => page.locator(".statusbar-item", { hasText: "vmlint:" });
export const status = (page: Page) => () => statusItem(page).allTextContents();
export const tab = (page: Page, name: string) => page.locator(".tab", { hasText: name });
export const explorerEntry = (page: Page, name: string) => page.locator(".explorer-folders-view .monaco-list-row", { hasText: name });

const paletteInput = (page: Page) => page.locator(".quick-input-widget:visible input");

/** Opens the palette with a text in it. A key that is pressed while the editor moves its focus may be lost. */
async function fillPalette(page: Page, text: string): Promise<void> {
  const input = paletteInput(page);
  const opened = async () => {
    await page.keyboard.press("F1");
    return input.waitFor({ timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  };
  await eventually(opened).toBe(true);
  await input.fill(text);
}

/** Opens a file by its path. */
export async function openFile(page: Page, path: string): Promise<void> {
  await fillPalette(page, path);
  await page
    .locator(".quick-input-list .monaco-list-row", { hasText: basename(path) })
    .first()
    .click();
}

/** Runs a command of the palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await fillPalette(page, `>${title}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().click();
}

/** Runs a command of the palette, and answers the list that it opens. */
export async function runAndPick(page: Page, title: string, entry: string): Promise<void> {
  await runCommand(page, title);
  await paletteInput(page).fill(entry);
  await page.locator(".quick-input-list .monaco-list-row .label-name", { hasText: entry }).first().click();
}

/** The page of the panel Topology. */
export const panelOf = (page: Page): FrameLocator => page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");

/** Opens the controls of the panel, which are folded below the picture. */
export const openControls = (panel: FrameLocator): Promise<void> => panel.locator("#controls > summary").click();

/** Returns the violations that axe finds in the panel. */
export async function axeViolationsOfPanel(page: Page): Promise<readonly string[]> {
  const frame = await (await panelOf(page).locator("body").elementHandle())?.ownerFrame();
  if (!frame) throw new Error("the panel is not open");
  return axeViolations(frame);
}

/** Starts a workbench before the tests of a `describe` and stops it after them. */
export function workbenchFor(host: ExtensionHost): () => Workbench {
  let workbench: Workbench | undefined;
  beforeAll(async () => {
    workbench = await startWorkbench(host);
  }, 180_000);
  afterAll(() => workbench?.stop(), 30_000);
  return () => {
    if (!workbench) throw new Error("The workbench did not start.");
    return workbench;
  };
}

export const needs = isSetUp ? "" : " (skipped: run scripts/setup-vscode.sh first)";
