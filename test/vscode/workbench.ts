import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { ROOT } from "../support/checkout.ts";
import { hasChromium, startChromium } from "../support/chromium.ts";

const run = promisify(execFile);
const EXTENSION = join(ROOT, "packages/vscode-ext");
const VSCE = join(ROOT, "node_modules/.bin/vsce");
const VSCODE = join(ROOT, ".vscode-server/code-server/lib/vscode");
const SERVER = join(VSCODE, "out/server-main.js");

/** Whether scripts/setup-vscode.sh has been run on this machine. */
export const isSetUp = existsSync(SERVER) && hasChromium;

/** Whether that machine could build what terminals need, which tasks run in. */
export const hasTerminal = existsSync(join(VSCODE, "node_modules/node-pty/build/Release/pty.node"));

/** Whether VS Code finds files by their names there, as it does before it starts an extension for them. */
export const hasSearch = existsSync(join(VSCODE, "node_modules/@vscode/ripgrep/bin/rg"));

/** Where the extension runs: `node` by its `main` entry, `web` in a worker of the browser by its `browser` entry. */
export type ExtensionHost = "node" | "web";

/** A running VS Code with the packaged extension installed. */
export interface Workbench {
  /** Size of the package in bytes. */
  readonly packageSize: number;
  /** Opens a new folder that holds `files`, in a fresh profile, with the first file in the editor. */
  readonly open: (files: Readonly<Record<string, string>>) => Promise<{ readonly page: Page; readonly folder: string }>;
  /**
   * Like `open`, with several folders in one window. The first part of a file's path is its folder; a path without folder is
   * outside of all folders. VS Code may miss changes on the disk. `settings` adds user settings.
   */
  readonly openFolders: (
    files: Readonly<Record<string, string>>,
    settings?: object,
  ) => Promise<{ readonly page: Page; readonly folder: string }>;
  /** Opens a file in a window that has no folder. */
  readonly openAlone: (name: string, text: string) => Promise<{ readonly page: Page }>;
  readonly stop: () => Promise<void>;
}

const USER_SETTINGS = "data/User/settings.json";

const SETTINGS = {
  "security.workspace.trust.enabled": false,
  "telemetry.telemetryLevel": "off",
  "workbench.startupEditor": "none",
  "workbench.enableExperiments": false,
  "workbench.tips.enabled": false,
  "extensions.autoCheckUpdates": false,
  "extensions.autoUpdate": false,
  "extensions.ignoreRecommendations": true,
  "editor.minimap.enabled": false,
  "files.autoSave": "off",
  "files.hotExit": "off",
  "git.enabled": false,
  "update.mode": "none",
  "window.confirmBeforeClose": "never",
};

/** Builds, packages and installs the extension, and starts VS Code with a profile of its own. */
export async function startWorkbench(host: ExtensionHost): Promise<Workbench> {
  const home = mkdtempSync(join(tmpdir(), "vmlint-vscode-"));
  const closers: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const close of closers.reverse()) await close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const vsix = await packageExtension(home, host);
    const { url, stop: stopServer } = await startServer(home, vsix);
    closers.push(stopServer);
    const browser = await startBrowser();
    closers.push(() => browser.close());
    let folders = 0;
    const write = (files: Readonly<Record<string, string>>): string => {
      const folder = join(home, `folder-${++folders}`);
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      return folder;
    };
    const show = async (
      files: Readonly<Record<string, string>>,
      folder: string,
      what: Readonly<Record<string, string>>,
      settings: object = {},
    ) => {
      for (const context of browser.contexts()) await context.close();
      writeFileSync(join(home, USER_SETTINGS), JSON.stringify({ ...SETTINGS, ...settings }));
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      const [first = ""] = Object.keys(files);
      const payload = JSON.stringify([["openFile", `vscode-remote://${new URL(url).host}${folder}/${first}`]]);
      await page.goto(`${url}/?${new URLSearchParams({ ...what, payload })}`);
      await page.locator(".monaco-editor .view-line").first().waitFor();
      return { page, folder };
    };
    return {
      packageSize: readFileSync(vsix).length,
      async open(files) {
        const folder = write(files);
        const shown = await show(files, folder, { folder });
        await untilWatched(shown.page, folder);
        return shown;
      },
      async openFolders(files, settings) {
        const names = [...new Set(Object.keys(files).flatMap((name) => /^(.+?)\//.exec(name)?.[1] ?? []))];
        const workspace = JSON.stringify({ folders: names.map((path) => ({ path })) });
        const folder = write({ ...files, "all.code-workspace": workspace });
        for (let i = 0; i < 5; i++) {
          const shown = await show(files, folder, { workspace: join(folder, "all.code-workspace") }, settings);
          if (await hasFolders(shown.page, names.length)) return shown;
        }
        throw new Error("VS Code does not open the folders of the workspace.");
      },
      async openAlone(name, text) {
        return show({ [name]: text }, write({ [name]: text }), { ew: "true" });
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** On a busy machine VS Code may open a workspace without its folders and never add them. */
const hasFolders = (page: Page, count: number): Promise<boolean> =>
  page
    .locator('.explorer-folders-view .monaco-list-row[aria-level="1"]')
    .nth(count - 1)
    .waitFor({ timeout: 10_000 })
    .then(
      () => true,
      () => false,
    );

/** The server begins to watch a folder only some time after it has opened it, and misses what changes before. */
async function untilWatched(page: Page, folder: string): Promise<void> {
  const probes = page.locator(".explorer-folders-view .monaco-list-row", { hasText: "probe-" });
  for (let i = 0; (await probes.count()) === 0; i++) {
    if (i > 300) throw new Error("VS Code does not notice new files.");
    writeFileSync(join(folder, `probe-${i}`), "");
    await sleep(100);
  }
}

async function packageExtension(home: string, host: ExtensionHost): Promise<string> {
  const source = join(home, "extension");
  const vsix = join(home, "vmlint.vsix");
  await run(process.execPath, ["build.mjs"], { cwd: EXTENSION });
  cpSync(EXTENSION, source, { recursive: true, filter: (path) => !path.includes("node_modules") });
  // A build that is broken on purpose: scripts/mutants-vscode.mjs.
  const { VMLINT_VSCODE_DIST: broken } = process.env;
  if (broken !== undefined) {
    rmSync(join(source, "dist"), { recursive: true });
    cpSync(broken, join(source, "dist"), { recursive: true });
  }
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  // VS Code prefers `main` if it has a Node host. A copy without `main` tests the web entry.
  const { main, scripts, ...web } = manifest;
  writeFileSync(join(source, "package.json"), JSON.stringify(host === "web" ? web : { ...web, main }));
  await run(VSCE, ["package", "--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--out", vsix], {
    cwd: source,
  });
  return vsix;
}

async function startServer(home: string, vsix: string): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const data = join(home, "data");
  mkdirSync(dirname(join(home, USER_SETTINGS)), { recursive: true });
  // VS Code creates its sockets in XDG_RUNTIME_DIR and leaves them behind when it is killed.
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home, XDG_RUNTIME_DIR: home };
  const folders = ["--extensions-dir", join(home, "extensions"), "--user-data-dir", data, "--server-data-dir", join(home, "server")];
  await run(process.execPath, [SERVER, "--install-extension", vsix, ...folders], { env });

  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const options = ["--host", "127.0.0.1", "--port", String(port), "--without-connection-token", "--accept-server-license-terms"];
  const server = spawn(process.execPath, [SERVER, ...options, "--telemetry-level", "off", ...folders], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  let errors = "";
  server.stderr.on("data", (chunk) => (errors += chunk));
  const gone = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const signal = (name: NodeJS.Signals) => {
    // Detached, it leads a process group: the minus sign ends the extension hosts it has forked as well.
    if (server.pid !== undefined && server.exitCode === null && server.signalCode === null) process.kill(-server.pid, name);
  };
  const stop = async () => {
    signal("SIGTERM");
    await Promise.race([gone, sleep(5000, undefined, { ref: false })]);
    signal("SIGKILL");
    await gone;
  };
  for (let attempt = 0; ; attempt++) {
    if (
      await fetch(`${url}/version`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { url, stop };
    if (server.exitCode !== null || attempt > 300) {
      await stop();
      throw new Error(`The VS Code server did not start.\n${errors}`);
    }
    await sleep(100);
  }
}

/** The resolver rule keeps the browser from every machine but this one. */
const startBrowser = (): Promise<Browser> =>
  startChromium("--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1");

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === "object" ? resolve(address.port) : reject(new Error("No port is free."))));
    });
  });
