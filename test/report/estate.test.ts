import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { type EstateOptions, estate } from "../support/estate.ts";
import { folder } from "../support/folder.ts";
import { type Element, everything, hasClass, parseXml } from "../support/parse-xml.ts";
import { workbook } from "../support/write-workbook.ts";

/** The page without its document type and script is valid XML. */
const parsed = (page: string): readonly Element[] =>
  everything(parseXml(page.replace("<!doctype html>", "").replace(/<script>.*?<\/script>/s, "<script/>")));
const withClass = (elements: readonly Element[], name: string) => elements.filter((one) => hasClass(one, name));

const run = async (options: EstateOptions = {}) => {
  const cwd = folder({ "estate.xlsx": workbook(estate(options)) });
  const { out } = await vmlint(cwd, ["estate.xlsx", "--format", "html"]);
  return out;
};

test("clusters, hosts, kinds of hosts and all VMs", async () => {
  const page = await run();
  const elements = parsed(page);
  const words = (element: Element | undefined) =>
    element
      ? everything(element)
          .map(({ text }) => text)
          .join("")
      : "";
  const clusters = withClass(elements, "load")
    .filter(({ name }) => name === "summary")
    .map(words);
  expect(clusters.map((text) => text.replace(/\(.*\)/, ""))).toEqual([
    expect.stringMatching(/^prod6 hosts, \d+ VMs , [\d.]+ vCPUs per core/),
    expect.stringMatching(/^dev3 hosts, \d+ VMs , [\d.]+ vCPUs per core/),
  ]);
  // The host without VMs is one of nine.
  expect(withClass(elements, "load").filter(({ name }) => name === "div")).toHaveLength(9);
  expect(words(withClass(elements, "start")[0])).toMatch(/^Errors or warnings on \d+ of 140 VMs\. Start with /);
  const shapes = withClass(elements, "shape")
    .map(words)
    .filter((text) => text.includes(" x "));
  expect(shapes.some((text) => /40 vCPUs.*exceeds the host/.test(text))).toBe(true);
  const drawn = shapes.reduce((sum, text) => sum + Number(text.split(" x ")[0]), 0);
  const table = elements.find((one) => hasClass(one, "vms"));
  expect(table && everything(table).filter(({ name }) => name === "tr")).toHaveLength(141);
  // VMs that ESXi refuses to start, and templates, have no layout.
  expect(drawn).toBeGreaterThan(100);
});

test("a finding about a host has the name of the host in the list of rules", async () => {
  expect(await run()).toMatch(/<li><a href="#vm-\d+"><bdi>esx04\.corp\.example<\/bdi><\/a> <code class="place">[^<]*vHost!A5<\/code>/);
});

test("each drawing names every VM of its kind of host once", async () => {
  const kinds = withClass(parsed(await run()), "kind");
  expect(kinds.length).toBeGreaterThan(1);
  const names = kinds.flatMap((kind) => {
    const inside = everything(kind);
    const named = withClass(inside, "names").flatMap((one) => everything(one).filter(({ name }) => name === "bdi"));
    const [count] = withClass(inside, "shape")
      .flatMap(everything)
      .flatMap(({ text }) => /^(\d+) VMs?$/.exec(text)?.[1] ?? []);
    expect(named).toHaveLength(Number(count));
    return named.map(({ text }) => text);
  });
  expect(new Set(names).size).toBe(names.length);
});

test.each(["html", "md", "text"])("a report as %s says how to turn a note off", async (format) => {
  const { out } = await vmlint(folder({ "estate.xlsx": workbook(estate()) }), ["estate.xlsx", "--format", format]);
  expect(out.split("rules: { RULE: off } in vmlint.yaml turns one off")).toHaveLength(2);
});

test("clusters of one name in two vCenters have a bar each", async () => {
  const merged = Object.fromEntries(
    Object.entries(estate()).map(([sheet, [head = [], ...rows]]) => [
      sheet,
      [head, ...rows, ...rows.map((row) => row.map((value) => (value === "vc01.example" ? "vc02.example" : value)))],
    ]),
  );
  const { out } = await vmlint(folder({ "estate.xlsx": workbook(merged) }), ["estate.xlsx", "--format", "html"]);
  for (const server of ["vc01.example", "vc02.example"]) expect(out).toContain(`<bdi>prod (${server})</bdi>`);
});

test("a layout that is unknown has its reason", async () => {
  const { vHost: _, ...others } = estate();
  const { out } = await vmlint(folder({ "estate.xlsx": workbook(others) }), ["estate.xlsx", "--format", "html"]);
  expect(out).toMatch(/Layout unknown\. \d+ VMs: the inventory lacks host esx0\d\.corp\.example; /);
  expect(await run()).toMatch(/Layout unknown\. \d+ VMs: its values keep it from starting, as a finding says/);
});

test("the page folds what is beyond ten, and an estate of 3,000 VMs keeps its size", async () => {
  const page = await run({ vms: 3000, hosts: 60 });
  expect(page.length).toBeLessThan(15_000_000);
  expect(page).toContain("more hosts</summary>");
  expect(page).toContain("The table has 2000 of 3000 VMs.");
});
