import { readdirSync, readFileSync } from "node:fs";
import MiniSearch from "minisearch";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);

interface Section {
  readonly id: string;
  readonly title: string;
  readonly titles: readonly string[];
  readonly text: string;
}

/** The sections of a page, as VitePress cuts them for its local search: one for each heading. */
function sectionsOf(page: string): readonly Section[] {
  const titles: string[] = [];
  const text = readFileSync(new URL(page, root), "utf8").replace(/^---\n[\s\S]*?\n---\n/, "");
  const parts = text.replace(/^```[\s\S]*?^```/gm, (block) => block.replaceAll("\n#", "\n #")).split(/^(?=#{1,6} )/m);
  return parts.flatMap((part, i) => {
    const [, marks = "", title = ""] = /^(#{1,6}) (.*)/.exec(part) ?? [];
    if (marks === "") return [];
    titles.splice(marks.length - 1);
    titles[marks.length - 1] = title;
    return { id: `${page}#${i}`, title, titles: titles.slice(0, -1).filter(Boolean), text: part.slice(part.indexOf("\n") + 1) };
  });
}

const pagesBelow = (folder: string): readonly string[] =>
  readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);

const pages = [
  "site/topology.md",
  "docs/glossary.md",
  "CHANGELOG.md",
  "packages/vscode-ext/README.md",
  ...pagesBelow("docs/guide"),
  ...pagesBelow("packages/core/docs/rules"),
];

/** With the options of VitePress' local search. */
const index = new MiniSearch<Section>({
  fields: ["title", "titles", "text"],
  storeFields: ["title"],
  extractField: (section, field) => [section[field as keyof Section]].flat().join(" "),
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
});
index.addAll(pages.flatMap(sectionsOf));

test.each([
  ["pinning hyperthreads", "docs/guide/settings.md"],
  ["ignore a finding", "docs/guide/suppressing.md"],
  ["cores per socket", "docs/guide/settings.md"],
  ["declare my hosts", "docs/guide/hosts.md"],
  ["SQL Server license", "docs/guide/workloads.md|packages/core/docs/rules/mssql/"],
  ["why nothing reported", "docs/guide/troubleshooting.md"],
  ["GitHub Actions", "docs/guide/ci.md"],
  ["Terraform variables", "docs/guide/formats/terraform.md"],
  ["preferHT", "docs/guide/settings.md"],
  ["use as a library", "docs/guide/library.md"],
])("a search for %j finds the page that answers it first", (words, page) => {
  const found = index.search(words).slice(0, 5);
  expect(found[0]?.id, found.map(({ id, title, score }) => `${score.toFixed(1)} ${id} ${title}`).join("\n")).toMatch(
    new RegExp(`^(?:${page})`),
  );
});
