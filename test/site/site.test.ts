import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { rules } from "@vmlint/core";
import { isIn } from "@vmlint/core/program";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { axeViolations } from "../support/axe.ts";
import { ROOT } from "../support/checkout.ts";
import { hasChromium, startChromium } from "../support/chromium.ts";
import { exportOf, workbook } from "../support/write-workbook.ts";

const DIST = join(ROOT, "site/.vitepress/dist");
const isReady = hasChromium && existsSync(join(ROOT, "site/node_modules/vitepress"));

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** A page answers when its worker has: with the machine to itself at once. */
const eventually = <T>(get: () => T) => expect.poll(get, { timeout: 30_000 });

/** The file that a server of static pages answers an address with. */
const fileOf = (path: string): string | undefined =>
  [path, `${path}.html`, join(path, "index.html")]
    .map((name) => join(DIST, name))
    .find((name) => existsSync(name) && statSync(name).isFile());

describe.skipIf(!isReady)("the site (scripts/setup-vscode.sh installs Chromium, npm ci --prefix site what builds it)", () => {
  let server: Server;
  let origin: string;
  let browser: Browser;

  beforeAll(async () => {
    await promisify(execFile)(process.execPath, [join(ROOT, "scripts/docs.mjs"), "build"], { cwd: ROOT });
    server = createServer((request, response) => {
      const file = fileOf(decodeURIComponent(new URL(request.url ?? "/", "http://localhost").pathname));
      response.writeHead(file ? 200 : 404, { "content-type": TYPES[extname(file ?? "")] ?? "application/octet-stream" });
      response.end(file && readFileSync(file));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await startChromium();
  }, 300_000);
  afterAll(async () => {
    await browser.close();
    server.close();
  });

  /** Opens a page, and records its requests to other hosts and its errors. */
  async function open(path: string, options: BrowserContextOptions = {}): Promise<{ page: Page; complaints: string[] }> {
    const page = await (await browser.newContext(options)).newPage();
    const complaints: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(`${origin}/`) && !/^(?:data|blob):/.test(request.url())) complaints.push(`asks for ${request.url()}`);
    });
    page.on("response", (response) => {
      if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(`${origin}${path}`);
    return { page, complaints };
  }

  test("no link inside the site is dead, and nothing is loaded from elsewhere", () => {
    const pages = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html"));
    // TypeDoc writes the pages of the reference, and does not document what they load.
    const isOurs = (name: string) => !/^api[\\/]/.test(name);
    expect(pages.filter(isOurs).length).toBeGreaterThan(rules.length + 15);
    const texts = new Map(pages.map((name) => [join(DIST, name), readFileSync(join(DIST, name), "utf8")]));
    const dead: string[] = [];
    for (const [file, text] of texts) {
      if (isOurs(file.slice(DIST.length + 1)) && !text.includes("default-src 'none'; script-src 'self' 'unsafe-inline';"))
        dead.push(`${file} may load what it likes`);
      const here = `/${file.slice(DIST.length + 1)}`.replace(/(?:index)?\.html$/, "");
      for (const [, tag, attribute, address = ""] of text.matchAll(/<(a|link|img|script|use)\b[^>]*?\s(href|src)="([^"]*)"/g)) {
        const url = new URL(address.replaceAll("&amp;", "&"), `http://site${here}`);
        if (tag !== "a" && url.host !== "site" && url.protocol !== "data:") dead.push(`${here} loads ${address}`);
        if (url.host !== "site" || url.protocol !== "http:") continue;
        const target = fileOf(decodeURIComponent(url.pathname));
        const anchor = decodeURIComponent(url.hash.slice(1));
        // The playground reads its text from the fragment.
        const isText = anchor.startsWith("v1=");
        const has = target && (anchor === "" || isText || (texts.get(target) ?? readFileSync(target, "utf8")).includes(` id="${anchor}"`));
        if (!has) dead.push(`${here}: ${tag} ${attribute}="${address}"`);
      }
    }
    expect(dead).toEqual([]);
  });

  test("included files appear as text", () => {
    for (const name of readdirSync(join(DIST, "guide"), { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".html"))) {
      const page = readFileSync(join(DIST, "guide", name), "utf8");
      expect([name, page.includes("@include"), page.includes("#region"), page.includes("&lt;&lt;&lt;")]).toEqual([
        name,
        false,
        false,
        false,
      ]);
    }
    expect(readFileSync(join(DIST, "guide/formats/vm-spec.html"), "utf8")).toMatch(/>\{\{ \}\}<\/code>/);
  });

  const KINDS = ["/", "/guide/hosts", "/topology", "/rules/", "/rules/numa/wide-uneven", "/playground"];
  test.each([
    ["light", 1280],
    ["dark", 390],
  ] as const)(
    "%s, %d pixels wide: pages have no errors, no requests to other hosts, no violation of axe, and fit the screen",
    async (colorScheme, width) => {
      for (const path of KINDS) {
        const { page, complaints } = await open(path, { colorScheme, viewport: { width, height: 800 } });
        await page.waitForLoadState("networkidle");
        expect([path, await page.locator("h1").count(), await page.evaluate("document.documentElement.scrollWidth")]).toEqual([
          path,
          1,
          width,
        ]);
        expect([path, complaints]).toEqual([path, []]);
        expect([path, await axeViolations(page)]).toEqual([path, []]);
        await page.context().close();
      }
    },
  );

  test("nothing is wider than its box: all pages at a desk, and on a phone all but tables, which scroll", async () => {
    const pages = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".html") && !/^api/.test(name));
    // Without scripts, a page is quick to lay out.
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    const wider: string[] = [];
    let blocks = 0;
    for (const name of pages) {
      await page.goto(`${origin}/${name.replaceAll("\\", "/")}`);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 });
        const found = await page.evaluate<readonly string[]>(`[...document.querySelectorAll("main *")].filter((one) => {
          const isBlock = one.clientWidth > 0 && !one.closest("svg") && getComputedStyle(one).overflowX !== "visible";
          return isBlock && one.scrollWidth > one.clientWidth + 1;
        }).map((one) => one.tagName + " " + one.textContent.trim().slice(0, 60))`);
        wider.push(...found.filter((one) => width === 1280 || !one.startsWith("TABLE")).map((one) => `${width} ${name}: ${one}`));
      }
      blocks += await page.locator("main pre").count();
    }
    expect(wider).toEqual([]);
    expect(blocks).toBeGreaterThan(1500);
    await page.context().close();
  }, 400_000);

  test("a rule whose examples draw a flaw shows its picture, and a phone shows a finding in the first screen", async () => {
    const { page, complaints } = await open("/rules/numa/wide-uneven");
    expect(await page.locator(".rule-picture img:visible").getAttribute("alt")).toContain("The NUMA nodes are");
    expect(complaints).toEqual([]);
    const viewport = { width: 390, height: 800 };
    for (const [path, selector] of [
      ["/", "pre"],
      ["/playground", ".finding .message"],
    ] as const) {
      const { page: phone } = await open(path, { viewport });
      const finding = phone.locator(selector).first();
      await finding.waitFor();
      expect([path, ((await finding.boundingBox())?.y ?? 800) < 600]).toEqual([path, true]);
      await phone.context().close();
    }
    await page.context().close();
  });

  test("pictures are drawn in the colours of the page", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const { page } = await open("/topology", { colorScheme });
      const first = page.locator("figure img:visible").first();
      await first.scrollIntoViewIfNeeded();
      expect(await page.locator("figure").count()).toBe(await page.locator("figure img:visible").count());
      expect(await first.getAttribute("src")).toContain(`-${colorScheme}.`);
      await eventually(() => first.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).toBeGreaterThan(0);
      await page.context().close();
    }
  });

  test("with forced colours, icons can still be seen", async () => {
    const { page } = await open("/topology", { forcedColors: "active", viewport: { width: 390, height: 800 } });
    const colour = (selector: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).backgroundColor`);
    const behind = await colour("body");
    for (const icon of [".VPNavBarHamburger .top", ".DocSearch-Search-Icon"])
      expect([icon, await colour(icon)]).not.toEqual([icon, behind]);
    await page.context().close();
  });

  test("search finds a rule", async () => {
    const { page, complaints } = await open("/");
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.getByRole("searchbox").fill("divide evenly NUMA");
    await page.locator(".VPLocalSearchBox a[href*='/rules/numa/wide-uneven']").first().click();
    await eventually(() => page.locator("h1").textContent()).toContain("vCPUs do not divide evenly");
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test("each link to the reference of the library leads to it", async () => {
    const { page } = await open("/guide/library");
    const links = page.locator("a[href='/api/index.html']:visible");
    const count = await links.count();
    expect(count).toBeGreaterThan(0);
    for (let i = 0; i < count; i++) {
      await links.nth(i).click();
      await eventually(() => page.title()).toBe("@vmlint/core");
      await page.goBack();
      await eventually(() => links.count()).toBe(count);
    }
    await page.context().close();
  });

  test("the table of rules has them all, and filters by family, severity, preset and words", async () => {
    const { page, complaints } = await open("/rules/");
    const shown = () => page.locator("main li .head a").allTextContents();
    expect((await shown()).toSorted()).toEqual(rules.map(({ id }) => id).toSorted());
    await page.getByLabel("Severity", { exact: true }).selectOption("error");
    await page.getByLabel("Preset", { exact: true }).selectOption("mssql");
    const errors = rules.filter((rule) => rule.severity === "error" && isIn(rule, "mssql")).map(({ id }) => id);
    expect((await shown()).toSorted()).toEqual(errors.toSorted());
    await page.getByLabel("Words", { exact: true }).fill("express");
    expect([await shown(), await page.locator("output").textContent()]).toEqual([["mssql/express"], `1 of ${rules.length} rules`]);
    await page.getByLabel("Severity", { exact: true }).selectOption("");
    await page.getByLabel("Preset", { exact: true }).selectOption("");
    await page.getByLabel("Words", { exact: true }).fill("");
    await page.getByLabel("Family", { exact: true }).selectOption("SAP HANA");
    expect(await shown()).toEqual(rules.map(({ id }) => id).filter((id) => id.startsWith("hana/")));
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  describe("playground", () => {
    const found = (page: Page) => page.locator(".finding").evaluateAll((all) => all.map((one) => one.getAttribute("data-rule")));
    const text = (page: Page) => page.getByLabel("Text of the VM definition");
    const host = (page: Page) => page.getByLabel("Host", { exact: true });

    test("shows the finding of the README's example; its fix removes it, and can be undone", async () => {
      const { page, complaints } = await open("/playground");
      await eventually(() => found(page)).toEqual(["mssql/standard-sockets"]);
      expect(await page.locator(".finding .message").textContent()).toBe(
        "Standard edition can use 4 of these 8 vCPUs: it sees 8 sockets. Set 8 cores per socket (1 socket), which lets it use all 8.",
      );
      expect(await page.locator("mark").allTextContents()).toEqual(["1"]);
      expect(await page.locator(".vm svg title").textContent()).toBe("Virtual topology of Standard 8 sockets x 1 core");
      expect(await page.locator(".finding a").first().getAttribute("href")).toBe("/rules/mssql/standard-sockets");

      await page.getByRole("button", { name: "line 8" }).click();
      expect(await text(page).evaluate((area: { selectionStart: number; value: string }) => area.value.slice(area.selectionStart))).toMatch(
        /^1"/,
      );

      await page.getByRole("button", { name: "Set 8 cores per socket" }).click();
      await eventually(() => found(page)).toEqual([]);
      expect(await text(page).inputValue()).toContain('cpuid.coresPerSocket = "8"');
      await page.getByRole("button", { name: "Undo the fix" }).click();
      await eventually(() => found(page)).toEqual(["mssql/standard-sockets"]);

      const whole = await text(page).inputValue();
      // Typed and clicked before the text is checked again.
      await page.evaluate(`{
        const area = document.querySelector("textarea[wrap=off]");
        area.value = "# more\\n" + area.value;
        area.dispatchEvent(new Event("input"));
        document.querySelector(".finding .fix button").click();
      }`);
      await eventually(() => page.getByRole("button", { name: "line 9" }).count()).toBe(1);
      expect(await text(page).inputValue()).toBe(`# more\n${whole}`);
      await page.getByRole("button", { name: "Set 8 cores per socket" }).click();
      await text(page).fill(`${await text(page).inputValue()}# and more\n`);
      expect(await page.getByRole("button", { name: "Undo the fix" }).count()).toBe(0);
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    test("with forced colours, the line below a finding can be seen, and its text is not written twice", async () => {
      const { page } = await open("/playground", { forcedColors: "active", colorScheme: "dark" });
      await eventually(() => found(page)).toEqual(["mssql/standard-sockets"]);
      const style = (selector: string, property: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector("${selector}")).${property}`);
      expect(await style("mark", "color")).toBe("rgba(0, 0, 0, 0)");
      expect(await style("mark", "textDecorationColor")).toBe(await style("textarea", "color"));
      await page.context().close();
    });

    test("another host, release, workload and preset change what is found", async () => {
      const { page, complaints } = await open("/playground");
      await page.getByLabel("Sample", { exact: true }).selectOption(".vmx: 64 vCPUs");
      await eventually(() => found(page)).toContain("numa/wide-uneven");
      await page.getByRole("button", { name: "Choose a host..." }).click();
      await page.getByRole("searchbox", { name: "Type a processor" }).fill("7763");
      await page.getByRole("button", { name: /^EPYC 7763 / }).click();
      await page.getByRole("button", { name: /^Use 2x EPYC 7763/ }).click();
      expect(await host(page).inputValue()).toBe("2x EPYC 7763@8.0");
      await eventually(() => found(page)).not.toContain("numa/wide-uneven");
      await page.getByRole("button", { name: "Choose a host..." }).click();
      expect(await page.locator("dialog .answer").first().innerText()).toContain("2x EPYC 7763@8.0");
      await page.keyboard.press("Escape");
      await host(page).fill("4x10x2@5.5");
      await eventually(() => found(page)).toContain("numa/wide-uneven");
      await page.getByLabel("ESXi", { exact: true }).selectOption("7.0");
      await eventually(() => page.locator(".vm svg desc").textContent()).toContain("16+16+16+16");
      await page.getByLabel("licensing", { exact: true }).selectOption("server-cal");
      await eventually(() => found(page)).toContain("mssql/enterprise-cal-20");
      await page.getByLabel("Workload", { exact: true }).selectOption("");
      await eventually(() => found(page)).not.toContain("mssql/enterprise-cal-20");
      await text(page).fill('virtualHW.version = "20"\nmemsize = "4096"\nnumvcpus = "8"\ncpuid.coresPerSocket = "2"\n');
      await host(page).fill("2x24x2@8.0");
      await page.getByLabel("ESXi", { exact: true }).selectOption("");
      await eventually(() => found(page)).toEqual([]);
      await page.getByLabel("Rules", { exact: true }).selectOption("all");
      await eventually(() => found(page)).toEqual(["topo/manual-cps-on-v8"]);
      await host(page).fill("4x10x");
      await eventually(() => page.locator(".problem").allTextContents()).not.toEqual([]);
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    test("a link holds the text and the choices", async () => {
      const { page } = await open("/playground");
      await page.getByLabel("Sample", { exact: true }).selectOption("Terraform");
      await eventually(() => found(page)).toContain("mssql/standard-sockets");
      await text(page).fill(`${await text(page).inputValue()}# 日本\n`);
      await page.getByLabel("ESXi", { exact: true }).selectOption("7.0");
      await page.getByRole("button", { name: "Copy a link to this" }).click();
      await eventually(() => page.url()).toContain("#v1=");
      const { page: other, complaints } = await open(page.url().slice(origin.length));
      await eventually(() => found(other)).toContain("mssql/standard-sockets");
      expect(await text(other).inputValue()).toBe(await text(page).inputValue());
      expect(await other.getByLabel("ESXi", { exact: true }).inputValue()).toBe("7.0");
      expect(complaints).toEqual([]);
      await page.context().close();
      await other.context().close();
    });

    test("an export is judged on its own hosts, and no request leaves the page", async () => {
      const { page, complaints } = await open("/playground");
      await eventually(() => found(page)).toEqual(["mssql/standard-sockets"]);
      const vms = [
        { name: "web01", host: "esx02", cpus: 12, hotAdd: true },
        { name: "app01", host: "esx01", cpus: 12, hotAdd: true },
      ];
      const hosts = [
        { name: "esx01", sockets: 4, cores: 8 },
        { name: "esx02", sockets: 4, cores: 8 },
      ];
      const buffer = Buffer.from(workbook(exportOf(vms, hosts)));
      const mimeType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
      await page.getByLabel("Open an export").setInputFiles({ name: "estate.xlsx", mimeType, buffer });
      const report = page.frameLocator("iframe.report");
      await eventually(() => report.locator(".finding").count()).toBeGreaterThan(0);
      const named = await report.locator("details.row .name", { hasText: /^esx0[12]$/ }).allTextContents();
      expect([...new Set(named)]).toEqual(["esx01", "esx02"]);
      // The script of the report shows its filters.
      expect(await report.locator("form.filters").isVisible()).toBe(true);
      expect(await page.locator(".problem").allTextContents()).toEqual([expect.stringContaining("assumed 1 NUMA node per socket")]);
      const saved = page.waitForEvent("download");
      await page.getByRole("link", { name: "Save the report" }).click();
      expect((await saved).suggestedFilename()).toBe("vmlint.html");
      await page.getByRole("button", { name: "Close the export" }).click();
      await eventually(() => found(page)).toEqual(["mssql/standard-sockets"]);
      const dropped = await page.evaluateHandle(`{
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array([${buffer.subarray(0, 900).join()}])], "estate.xlsx"));
        transfer;
      }`);
      await page.dispatchEvent(".playground", "drop", { dataTransfer: dropped });
      await eventually(() => page.locator(".problem").allTextContents()).toEqual([expect.stringContaining("its archive is damaged")]);
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    test("an export with the demand of its VMs shows their sizes, and saves them as tables", async () => {
      const { page, complaints } = await open("/playground", { acceptDownloads: true });
      const sheets = exportOf([{ name: "app01", host: "esx01", cpus: 12 }], [{ name: "esx01", sockets: 2, cores: 8 }]);
      await page.getByLabel("Open an export").setInputFiles([
        { name: "estate.xlsx", mimeType: "application/octet-stream", buffer: Buffer.from(workbook(sheets)) },
        { name: "demand.csv", mimeType: "text/csv", buffer: Buffer.from("Name,vCPUs to Remove\napp01,8\n") },
      ]);
      const report = page.frameLocator("iframe.report");
      await eventually(() => report.locator("details.vm h3").allTextContents()).toEqual(["app01"]);
      expect(await page.locator(".summary p").first().textContent()).toContain("1 VM: 1 shrink");
      for (const [title, name, beginning] of [
        ["Save the report", "vmlint.html", "<!doctype html>"],
        ["Save as CSV", "vmlint.csv", "vm,path,host,"],
        ["Save as .xlsx", "vmlint.xlsx", "PK"],
      ] as const) {
        const saved = page.waitForEvent("download");
        await page.getByRole("link", { name: title }).click();
        const download = await saved;
        expect(download.suggestedFilename()).toBe(name);
        expect(readFileSync(await download.path(), "latin1").startsWith(beginning)).toBe(true);
      }
      expect(complaints).toEqual([]);
      await page.context().close();
    });

    test("no paste is markup or breaks it, and a long one does not stop the typing", async () => {
      const { page, complaints } = await open("/playground");
      await eventually(() => found(page)).toEqual(["mssql/standard-sockets"]);
      for (const pasted of [
        'displayName = "<img src=x onerror=alert(1)>"\nnumvcpus = "x"\n',
        "\u0000\ud800{{ }}",
        "<a>",
        "[",
        'resource "a" {',
        "",
      ]) {
        await text(page).fill(pasted);
        await eventually(() => page.locator(".output").textContent()).not.toBe("");
      }
      await eventually(() => page.locator(".problem").allTextContents()).toEqual(["Paste a VM definition, or choose a sample."]);
      const long = `virtualHW.version = "10"\nnumvcpus = "64"\n${Array.from({ length: 20_000 }, (_, i) => `guestinfo.n${i} = "${i}"`).join("\n")}\n`;
      // As a paste does it: Playwright's own fill() takes a minute for so many lines, in any text area.
      await text(page).evaluate((area: { value: string; dispatchEvent: (event: Event) => void }, words) => {
        area.value = words;
        area.dispatchEvent(new Event("input"));
      }, long);
      await eventually(() => page.locator(".vm .picture").count()).toBe(1);
      expect(complaints).toEqual([]);
      await page.context().close();
    });
  });
});
