import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const CHROMIUM = "/usr/bin/chromium";

/** Whether scripts/setup-vscode.sh has installed it on this machine. */
export const hasChromium = existsSync(CHROMIUM);

export const startChromium = (...more: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", ...more] });
