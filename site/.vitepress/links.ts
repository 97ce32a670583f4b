import { existsSync, statSync } from "node:fs";
import { dirname, join, posix, relative } from "node:path";
import type { MarkdownOptions } from "vitepress";
import { REPOSITORY } from "../project.ts";

/** The parts of markdown-it that are used here. */
type MarkdownIt = Parameters<NonNullable<MarkdownOptions["config"]>>[0];

/**
 * Pages say what lies where in the repository, whether they are read there, here, or in another page that includes them. This turns such a
 * link into one to the page that a file became, or to the file where the sources are published. `pages`: source -> page; `sections`:
 * headings of the README that are pages of their own here.
 */
export function repositoryLinks(
  md: MarkdownIt,
  root: string,
  pages: Readonly<Record<string, string>>,
  sections: Readonly<Record<string, string>>,
) {
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
    if (href.startsWith("#")) return sections[href] ?? href;
    if (/^(?:[a-z]+:|\/)/i.test(href)) return href;
    const [, path = "", hash = ""] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
    // What is included was written for the folder it comes from, which is the root.
    const file = [join(folder, path), join(root, path)].find((candidate) => existsSync(candidate));
    if (!file) return href;
    const source = relative(root, file).replaceAll("\\", "/");
    const page = pages[source];
    if (page !== undefined) return `/${page.replace(/(?:(^|\/)index)?\.md$/, "$1")}${hash}`;
    if (source.endsWith(".md") && source.startsWith("site/")) return `/${source.slice("site/".length).replace(/\.md$/, "")}${hash}`;
    if (REPOSITORY === undefined) return undefined;
    return `${REPOSITORY}/${statSync(file).isDirectory() ? "tree" : "blob"}/main/${posix.normalize(source)}${hash}`;
  }
}

/** What is code or text on a page stays so, also `{{ }}`, which would be a program of Vue's. */
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
