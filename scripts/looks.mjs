// Takes pictures of the HTML report, of the pictures of VMs and of the site, to look at: node scripts/looks.mjs FOLDER. Each theme, a phone and
// a desk, and a report of 500 VMs. The site needs `npm run docs` first. VMLINT_SCREENSHOTS=FOLDER npx vitest run test/vscode/screenshots.test.ts does the same for VS Code.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [folder = "looks"] = process.argv.slice(2);
const target = resolve(folder);
mkdirSync(target, { recursive: true });
const work = mkdtempSync(join(tmpdir(), "vmlint-looks-"));
const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(work, "dist");
execFileSync("node", ["scripts/build.mjs", dist], { cwd: root });

/** Findings make the command fail, which is no failure of this script. */
function vmlint(cwd, ...words) {
  try {
    execFileSync("node", [join(dist, "vmlint.cjs"), ...words], { cwd, stdio: "pipe" });
  } catch (error) {
    if (error.status !== 1) throw error;
  }
}

const THEMES = {
  light: { colorScheme: "light" },
  dark: { colorScheme: "dark" },
  "contrast-light": { colorScheme: "light", forcedColors: "active" },
  "contrast-dark": { colorScheme: "dark", forcedColors: "active" },
};
const WIDTHS = { narrow: 390, wide: 1280 };
const HEIGHT = 800;

/** Writes 500 VMs on 12 hosts, with flaws of many kinds, the same ones each time. */
function fleet(path) {
  const hosts = Array.from({ length: 12 }, (_, i) => `esx${String(i).padStart(2, "0")}`);
  const declared = hosts.map((host) => `  ${host}: { esxi: "8.0", cpu: 2x Xeon Gold 6148, memoryGiB: 768 }`);
  const overrides = hosts.map((host) => `  - { files: ["${host}/**"], host: ${host} }`);
  for (const host of hosts) mkdirSync(join(path, host), { recursive: true });
  writeFileSync(join(path, "vmlint.yaml"), ["hosts:", ...declared, "overrides:", ...overrides, ""].join("\n"));
  for (let i = 0; i < 500; i++) {
    const vcpus = [2, 4, 8, 12, 22, 24, 30, 44][(i * 7) % 8];
    const lines = [
      'virtualHW.version = "19"',
      `displayName = "ams-db-${String(i).padStart(3, "0")}"`,
      'guestOS = "windows2019srv-64"',
      `numvcpus = "${vcpus}"`,
      `memSize = "${[8, 64, 256, 500][(i * 3) % 4] * 1024}"`,
      ...(i % 2 === 0 ? [`cpuid.coresPerSocket = "${[1, 2, 4][i % 3]}"`] : []),
      ...(i % 5 === 0 ? [`sched.cpu.affinity = "0-${vcpus - 1}"`] : []),
      ...(i % 6 === 0 ? ['sched.cpu.latencySensitivity = "high"'] : []),
      ...(i % 11 === 0 ? ['vcpu.hotadd = "TRUE"'] : []),
    ];
    writeFileSync(join(path, hosts[i % hosts.length], `db${i}.vmx`), `${lines.join("\n")}\n`);
  }
}

const reports = {};
const many = join(work, "many");
fleet(many);
for (const [name, path] of [["many", many], ...["pinning", "wide"].map((name) => [name, join(root, "examples", name)])]) {
  reports[name] = join(work, `${name}.html`);
  vmlint(path, ".", "--format", `html:${reports[name]}`);
}

const SITE = join(root, "site/.vitepress/dist");
const TYPES = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const server = createServer(({ url }, response) => {
  const { pathname } = new URL(url, "http://localhost");
  const paths = [pathname, `${pathname}.html`, join(pathname, "index.html")].map((path) => join(SITE, path));
  const file = paths.find((path) => existsSync(path) && statSync(path).isFile());
  response.writeHead(file ? 200 : 404, { "content-type": TYPES[extname(file ?? "")] ?? "application/octet-stream" });
  response.end(file && readFileSync(file));
});
const pages = existsSync(SITE) ? ["/", "/guide/hosts", "/guide/cli", "/topology", "/rules/", "/rules/numa/wide-uneven", "/playground"] : [];
await new Promise((listens) => server.listen(0, "127.0.0.1", listens));

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
for (const [theme, options] of Object.entries(THEMES)) {
  for (const [size, width] of Object.entries(WIDTHS)) {
    const context = await browser.newContext({ ...options, viewport: { width, height: HEIGHT } });
    const page = await context.newPage();
    for (const [name, path] of Object.entries(reports)) {
      await page.goto(pathToFileURL(path).href);
      const screens = (await page.evaluate("document.documentElement.scrollHeight")) / HEIGHT;
      if (theme === "light") console.log(`${name}, ${size}: ${screens.toFixed(1)} screens`);
      await page.screenshot({ path: join(target, `report-${name}-${theme}-${size}.png`) });
      if (name === "many") continue;
      await page.evaluate(`for (const one of document.querySelectorAll(".vm details")) one.open = true`);
      await page
        .locator(".vm")
        .first()
        .screenshot({ path: join(target, `vm-${name}-${theme}-${size}.png`) });
    }
    for (const path of pages) {
      await page.goto(`http://127.0.0.1:${server.address().port}${path}`, { waitUntil: "networkidle" });
      await page.screenshot({ path: join(target, `site${path.replaceAll("/", "-")}-${theme}-${size}.png`) });
    }
    await context.close();
  }
}
await browser.close();
server.close();
rmSync(work, { recursive: true });
