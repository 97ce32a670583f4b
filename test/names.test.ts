import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Words that do not name a thing. `known` (a setting with a value) and `once` are words of docs/glossary.md or of the language. */
const VAGUE =
  /^(?:all|alone|another|asked|beside|declared|elsewhere|found|given|held|here|kept|left|look|most|named|none|one|open|other|others|ours|part|place|placed|rest|said|same|seen|shown|some|taken|thing|told|users|wanted|way|what|where|which|whole|written)s?$/;

test.each(["core", "cli", "vscode-ext"])("no file and no export of packages/%s has a vague word as its name", (name) => {
  const src = new URL(`../packages/${name}/src/`, import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  const vague = files.flatMap((file) => {
    const text = readFileSync(new URL(file.replaceAll("\\", "/"), src), "utf8");
    const exported = text.matchAll(/^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm);
    const base = file.split(/[\\/]/).at(-1)?.slice(0, -3) ?? "";
    return [base, ...Array.from(exported, ([, word = ""]) => word)].filter((word) => VAGUE.test(word)).map((word) => `${file}: ${word}`);
  });
  expect(vague).toEqual([]);
});
