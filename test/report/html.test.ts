import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type FileResult, requireHost } from "@vmlint/core";
import { reporters } from "@vmlint/core/reporters";
import fc from "fast-check";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { axeViolations } from "../support/axe.ts";
import { hasChromium, startChromium } from "../support/chromium.ts";
import { folder } from "../support/folder.ts";
import { type Element, everything, hasClass, parseXml } from "../support/parse-xml.ts";
import { linted, RUN, results, sample } from "./results.ts";

const html = (files: readonly FileResult[]): string => reporters.html(files, RUN);
const SCRIPT = /<script>(.*?)<\/script>/s;
/** The page without its document type and script is valid XML. */
const parsed = (page: string): readonly Element[] => everything(parseXml(page.replace("<!doctype html>", "").replace(SCRIPT, "<script/>")));
const withClass = (elements: readonly Element[], name: string) => elements.filter((one) => hasClass(one, name));

test("the only script that the page's policy lets run is its own", () => {
  const page = html(sample());
  const [, script = ""] = SCRIPT.exec(page) ?? [];
  const hash = `sha256-${createHash("sha256").update(script).digest("base64")}`;
  const policy = parsed(page).find(({ attributes }) => attributes["http-equiv"] === "Content-Security-Policy")?.attributes.content;
  expect(policy).toBe(
    `default-src 'none'; style-src 'unsafe-inline'; script-src '${hash}'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
});

test("each finding appears once under its VM, with the layout of the VM of that name", () => {
  const files = sample();
  const elements = parsed(html(files));
  const named = (section: Element) => everything(section).find(({ name }) => name === "bdi")?.text;
  const sections = withClass(elements, "vm");
  // The VM with the worst findings comes first.
  expect(sections.map(named)).toEqual(["sql02", "test/c.vmx", "sql01"]);
  expect(sections.map((section) => withClass(everything(section), "finding").length)).toEqual([3, 1, 1]);
  const titles = elements.filter(({ name, text }) => name === "title" && text.startsWith("Virtual topology")).map(({ text }) => text);
  expect(titles).toEqual([
    "Virtual topology of sql02",
    // After the best fix.
    "Virtual topology of sql02",
    "Virtual topology of VM",
    "Virtual topology of sql01",
  ]);
  expect(elements.filter(({ name }) => name === "mark").map(({ text }) => text)).toEqual(["0-7", "0-7", "high", "numvcpus", "high"]);
  expect(html(files)).toContain("until the host is replaced");
});

test("the header names the day, the checked paths and the hosts", () => {
  const page = reporters.html(sample(), { ...RUN, date: "2026-11-26", inputs: ["prod", "test/c.vmx"] });
  const header = parsed(page).find(({ name }) => name === "header");
  const facts = header ? everything(header).filter(({ name }) => name === "dd") : [];
  const words = (element: Element) => everything(element).map(({ text }) => text);
  expect(facts.map((fact) => words(fact).at(-1))).toEqual(["2026-11-26", "test/c.vmx", "dl580g7", "vmlint 1.2.3"]);
  expect(page).toContain("<title>vmlint: 2 errors in 4 VMs (4 files)</title>");
});

test("each rule lists its findings, and each fix the lines that it changes", () => {
  const elements = parsed(html(sample()));
  const rules = withClass(elements, "row").map((row) => withClass(everything(row), "name")[0]?.text);
  expect(rules).toEqual(["affinity/ht-siblings", "vmx/duplicate-key", "affinity/overlap", "latency/high"]);
  const targets = new Set(elements.map(({ attributes }) => attributes.id));
  for (const { attributes } of elements.filter(({ name }) => name === "a"))
    if (attributes.href?.startsWith("#")) expect(targets).toContain(attributes.href.slice(1));
  const page = html(sample());
  expect(page).toContain(`<del><span class="number">4</span> - sched.cpu.affinity = &quot;0-7&quot;</del>`);
  expect(page).toContain(`<ins><span class="number">4</span> + sched.cpu.affinity = &quot;0,2,4,6,8,10,12,14&quot;</ins>`);
});

test("with more than 10 VMs the page shows each in one line, and those after 50 when the rest is opened", () => {
  const open = (count: number) =>
    withClass(parsed(html(Array.from({ length: count }, sample).flat())), "vm").map((vm) => vm.attributes.open);
  expect([open(3).includes(undefined), new Set(open(4))]).toEqual([false, new Set([undefined])]);
  const many = Array.from({ length: 40 }, sample).flat();
  const elements = parsed(html(many));
  const sections = withClass(elements, "vm");
  expect(sections).toHaveLength(120);
  expect(sections.filter(({ attributes }) => attributes.open !== undefined)).toEqual([]);
  const rest = withClass(elements, "rest").at(-1);
  expect(rest && withClass(everything(rest), "vm")).toHaveLength(70);
});

test("a run without findings is a page without filters and script", () => {
  const page = html(sample().map((file) => ({ ...file, diagnostics: [], suppressed: [] })));
  expect(parsed(page).map(({ name }) => name)).not.toContain("form");
  expect(page).not.toMatch(/<script/);
  expect(page).toContain("<b>0</b> findings");
});

test("names of files, VMs and hosts are never markup", () => {
  const hostile = fc.array(
    fc.oneof(
      fc.constantFrom("</script>", "<script>alert(1)</script>", '"', "'", "<", "&", "-->", "]]>", "\u0000"),
      fc.string({ unit: "binary" }),
    ),
    { minLength: 1, maxLength: 5 },
  );
  // How many lines a picture breaks a name into is its own affair.
  const tally = (page: string) => {
    const count = new Map<string, number>();
    for (const { name } of parsed(page)) if (name !== "text") count.set(name, (count.get(name) ?? 0) + 1);
    return [...count];
  };
  const file = (path: string, name: string) => {
    const value = `${name.replace(/["\r\n|]/g, "").replaceAll("\u0000", "")}x`;
    return results([linted(path, `displayName = "${value}"\nvirtualHW.version = "10"\nnumvcpus = "${value}"\n`)]);
  };
  const usual = tally(html(file("a.vmx", "a")));
  fc.assert(
    fc.property(hostile, hostile, (path, name) => {
      expect(tally(html(file(path.join(""), name.join(""))))).toEqual(usual);
    }),
    { numRuns: 60 },
  );
});

test("two VMs of a name on one file are both drawn, and no more than a page can hold", () => {
  const [file] = results([linted("a.vmx", 'displayName = "a"\nvirtualHW.version = "10"\nnumvcpus = "9"\nmemsize = "x"\n')]);
  const [vm] = file?.hostedVms ?? [];
  if (!file || !vm) throw new Error("nothing placed");
  const other = { ...vm, target: { ...vm.target, host: requireHost("2x24x2@8.0") } };
  const drawn = (hostedVms: FileResult["hostedVms"]) =>
    parsed(html([{ ...file, hostedVms }])).filter((e) => e.name === "svg" && hasClass(e, "wide")).length;
  expect(drawn([vm, vm])).toBe(2);
  expect(drawn([vm, other])).toBe(1);
  expect(drawn(Array.from({ length: 103 }, () => vm))).toBe(100);
});

describe.skipIf(!hasChromium)("in Chromium (scripts/setup-vscode.sh installs it)", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser.close());

  /** Opens a report, that of the sample if no other is named, and notes what the page asks for or complains of. */
  async function open(
    options: BrowserContextOptions = {},
    files: readonly FileResult[] = sample(),
  ): Promise<{ page: Page; requests: string[]; complaints: string[] }> {
    const path = join(folder({}), "report.html");
    writeFileSync(path, html(files));
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(pathToFileURL(path).href);
    expect(requests.shift()).toBe(pathToFileURL(path).href);
    return { page, requests, complaints };
  }

  const shown = (page: Page) => page.locator(".finding:visible").evaluateAll((all) => all.map((one) => one.getAttribute("data-rule")));
  const vms = (page: Page) => page.locator(".vm:visible h3").allTextContents();
  const EVERY = ["affinity/ht-siblings", "affinity/overlap", "latency/high", "vmx/duplicate-key", "latency/high"];

  test.each<BrowserContextOptions>([{ colorScheme: "light" }, { colorScheme: "dark", viewport: { width: 390, height: 800 } }])(
    "axe finds nothing wrong, folded or open: %j",
    async (options) => {
      const { page } = await open(options);
      expect(await axeViolations(page)).toEqual([]);
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
      expect(await axeViolations(page)).toEqual([]);
      await page.context().close();
    },
  );

  test("the filters work together, and hide VMs without visible findings", async () => {
    const { page, complaints } = await open();
    const output = page.locator("output");
    expect([await shown(page), await output.textContent()]).toEqual([EVERY, "5 of 5 shown"]);

    await page.getByLabel("errors").uncheck();
    expect(await shown(page)).toEqual(["affinity/overlap", "latency/high", "latency/high"]);
    expect(await vms(page)).toEqual(["sql02", "sql01"]);

    await page.getByLabel("Rule", { exact: true }).selectOption("latency/high");
    expect(await shown(page)).toEqual(["latency/high", "latency/high"]);
    await page.getByLabel("VM, file, host or words").fill("SQL02 marked");
    expect([await shown(page), await vms(page), await output.textContent()]).toEqual([["latency/high"], ["sql02"], "1 of 5 shown"]);

    await page.getByLabel("VM, file, host or words").fill("nothing has this");
    expect([await shown(page), await vms(page), await output.textContent()]).toEqual([[], [], "0 of 5 shown"]);

    await page.getByLabel("errors").check();
    await page.getByLabel("Rule", { exact: true }).selectOption("");
    await page.getByLabel("VM, file, host or words").fill("");
    await page.getByLabel("VM, file, host or words").press("Enter");
    expect([await shown(page), complaints]).toEqual([EVERY, []]);
  });

  test("no request leaves the page, also while it is used", async () => {
    const { page, requests, complaints } = await open();
    await page.evaluate(`for (const one of document.querySelectorAll("details")) one.open = true`);
    await page.getByLabel("VM, file, host or words").fill("sql");
    expect(await page.locator("svg:visible").count()).toBe(3);
    expect([requests, complaints]).toEqual([[], []]);
  });

  test("without JavaScript all findings and layouts are there, and no filter that would not work", async () => {
    const { page } = await open({ javaScriptEnabled: false });
    expect(await page.locator(".finding:visible").count()).toBe(5);
    expect(await page.locator("form").isVisible()).toBe(false);
    await page.locator("details.layout summary").first().click();
    expect(await page.locator(".picture svg:visible").count()).toBeGreaterThan(0);
  });

  /** WCAG 2.2: the contrast ratio of an element's text and its background. */
  const contrasts = (page: Page): Promise<readonly (readonly [string, number])[]> =>
    page.evaluate(`(() => {
      const channel = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
      const luminance = (rgb) => { const [r, g, b] = rgb.match(/[\\d.]+/g).map(Number); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
      const behind = (e) => { const c = getComputedStyle(e).backgroundColor; return c === "rgba(0, 0, 0, 0)" ? behind(e.parentElement) : c; };
      const texts = [...document.querySelectorAll("body *:not(svg *, script, option)")].filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()));
      return texts.map((e) => {
        const [low, high] = [luminance(getComputedStyle(e).color), luminance(behind(e))].sort((a, b) => a - b);
        return [e.tagName + "." + e.className + " " + e.textContent.slice(0, 30), (high + 0.05) / (low + 0.05)];
      });
    })()`);

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
    ["dark", 390],
  ] as const)(
    "%s, %d pixels wide: every text reaches 4.5:1, and nothing but pictures and code is wider than the screen",
    async (colorScheme, width) => {
      const { page } = await open({ colorScheme, viewport: { width, height: 800 } });
      for (const details of await page.locator("details.layout").all()) await details.evaluate((one) => one.setAttribute("open", ""));
      const ratios = await contrasts(page);
      expect(ratios.length).toBeGreaterThan(30);
      expect(ratios.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
      const paper = await page.evaluate(`getComputedStyle(document.body).backgroundColor`);
      expect(paper).toBe(colorScheme === "light" ? "rgb(255, 255, 255)" : "rgb(17, 22, 29)");
    },
  );

  test("in forced colours what a finding points at has a ground of its own, as its text has the colour for that", async () => {
    const { page } = await open({ colorScheme: "dark", forcedColors: "active" });
    const grounds = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll("mark")].map((one) => getComputedStyle(one).backgroundColor)`,
    );
    expect(grounds).toEqual(Array(5).fill(expect.stringMatching(/^rgb\(/)));
  });

  test("on paper, long lines and wide pictures are complete", async () => {
    const long = linted("a.vmx", `virtualHW.version = "10"\nnumvcpus = "8"\nmemsize = "${"9".repeat(70)} ${"x".repeat(70)}"\n`);
    const reason = `https://tickets.example/${"x".repeat(190)}`;
    const accepted = sample().map((file) => ({ ...file, suppressed: file.suppressed?.map((one) => ({ ...one, reason })) ?? [] }));
    const { page } = await open({ viewport: { width: 700, height: 900 } }, [...accepted, ...results([long])]);
    expect(await page.content()).toContain(reason);
    await page.emulateMedia({ media: "print" });
    for (const details of await page.locator("details").all()) await details.evaluate((one) => one.setAttribute("open", ""));
    const cut = await page.evaluate(
      `[...document.querySelectorAll("pre, figure, .scroll")].filter((e) => e.scrollWidth > e.clientWidth || getComputedStyle(e).overflowX !== "visible").length`,
    );
    expect(cut).toBe(0);
  });

  test("VMs far below the screen are laid out only after scrolling", async () => {
    const { page } = await open({}, Array.from({ length: 3 }, sample).flat());
    const isRendered = (which: "first" | "last") =>
      page
        .locator(".finding")
        [which]()
        .evaluate((one) => (one as Element & { checkVisibility(o: object): boolean }).checkVisibility({ contentVisibilityAuto: true }));
    expect([await isRendered("first"), await isRendered("last")]).toEqual([true, false]);
    await page.locator(".finding").last().scrollIntoViewIfNeeded();
    await expect.poll(() => isRendered("last")).toBe(true);
  });
});
