import { existsSync, statSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import type { MarkdownOptions } from "vitepress";
import { REPOSITORY } from "../repository.ts";

/** The parts of markdown-it that are used here. */
type MarkdownIt = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/**
 * Turns a relative link between files of the repository into a link to the page of the site, or to the published source.
 * `pages`: source -> page, for pages outside of `site/` and `docs/guide/`.
 */
export function repositoryLinks(md: MarkdownIt, root: string, pages: Readonly<Record<string, string>>) {
  md.core.ruler.push("repository-links", ({ tokens, env }) => {
    const path: string | undefined = env?.realPath ?? env?.path;
    if (path === undefined) return;
    const folder = dirname(path);
    const links = tokens.flatMap(({ children }) => children ?? []).filter(({ type }) => type.startsWith("link_"));
    for (const [i, link] of links.entries()) {
      if (link.type !== "link_open") continue;
      const href = target(link.attrGet("href") ?? "", folder);
      if (href !== undefined) link.attrSet("href", href);
      else for (const side of [link, links[i + 1]]) if (side) Object.assign(side, { tag: "span", attrs: null });
    }
  });

  /** Undefined for a file of the repository while its address is not known. */
  function target(href: string, folder: string): string | undefined {
    if (/^(?:[a-z]+:|\/|#)/i.test(href)) return href;
    const [, path = "", hash = ""] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
    const file = join(folder, path);
    if (!existsSync(file)) return href;
    const source = posix.normalize(relative(root, file).replaceAll("\\", "/"));
    const page = pages[source] ?? /^(?:site|docs(?=\/guide))\/(.*\.md)$/.exec(source)?.[1];
    if (page !== undefined) return `/${page.replace(/(?:(^|\/)index)?\.md$/, "$1")}${hash}`;
    if (REPOSITORY === undefined) return undefined;
    return `${REPOSITORY}/${statSync(file).isDirectory() ? "tree" : "blob"}/main/${source}${hash}`;
  }
}

/** Keeps `{{ }}` in code and text as text; VitePress would run it as a program of Vue. */
export function literalBraces(md: MarkdownIt): void {
  md.core.ruler.push("literal-braces", ({ tokens, Token }) => {
    for (const inline of tokens) {
      for (const child of inline.children ?? []) if (child.type === "code_inline") child.attrSet("v-pre", "");
      inline.children =
        inline.children?.map((child) => {
          if (child.type !== "text" || !child.content.includes("{{")) return child;
          const literal = new Token("html_inline", "", 0);
          literal.content = `<span v-pre>${md.utils.escapeHtml(child.content)}</span>`;
          return literal;
        }) ?? null;
    }
  });
}

/** A picture of a rule: its words, and the sizes for pages and for phones. */
export interface RulePicture {
  readonly alt: string;
  readonly wide: Readonly<Record<"width" | "height", number>>;
  readonly narrow: Readonly<Record<"width" | "height", number>>;
}

/** Puts the picture of a rule before the reason on its page. */
export function rulePictures(md: MarkdownIt, pictures: Readonly<Record<string, RulePicture>>): void {
  md.core.ruler.push("rule-pictures", ({ tokens, Token, env }) => {
    const [, id = ""] = /^rules\/(.+)\.md$/.exec(env.relativePath ?? "") ?? [];
    const picture = pictures[id];
    const at = tokens.findIndex(({ type }, i) => type === "heading_open" && tokens[i + 1]?.content === "Why");
    if (!picture || at < 0) return;
    const { alt, wide, narrow } = picture;
    const file = `/pictures/${id.replace("/", "-")}`;
    const size = ({ width, height }: RulePicture["wide"]) => `width="${width}" height="${height}"`;
    const words = md.utils.escapeHtml(alt);
    const drawn = ["light", "dark"].map(
      (scheme) =>
        `<picture><source media="(max-width: 660px)" srcset="${file}-${scheme}-narrow.svg" ${size(narrow)}>` +
        `<img class="in-${scheme}" src="${file}-${scheme}.svg" alt="${words}" ${size(wide)} loading="lazy"></picture>`,
    );
    const token = new Token("html_block", "", 0);
    token.content = `<figure class="rule-picture" v-pre>${drawn.join("")}</figure>\n`;
    tokens.splice(at, 0, token);
  });
}
