import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { REPOSITORY } from "../project.ts";
import { literalBraces, repositoryLinks } from "./links.ts";

interface Family {
  readonly title: string;
  readonly rules: readonly { readonly id: string }[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const { version, families }: { version: string; families: readonly Family[] } = JSON.parse(
  readFileSync(new URL("../.generated/rules.json", import.meta.url), "utf8"),
);
const ids = families.flatMap(({ rules }) => rules.map(({ id }) => id));

/** Pages that lie elsewhere in the repository, where they are read too: source -> page. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "docs/editors.md": "guide/editors.md",
  "packages/vscode-ext/README.md": "guide/vscode.md",
  ...Object.fromEntries(ids.map((id) => [`packages/core/docs/rules/${id}.md`, `rules/${id}.md`])),
};

/** Sections of the README that have a page here. */
const SECTIONS = { "#shape-a-vm-before-it-exists": "/guide/shape" };

/** Files that are pages already: the reference of the library, which a build has. */
const pages = fileURLToPath(new URL("../.generated/public", import.meta.url));
const api = existsSync(`${pages}/api/index.html`) ? [{ text: "API reference", link: "/api/index.html", target: "_self" }] : [];

const guide = (text: string, page: string) => ({ text, link: `/guide/${page}` });

/** Nothing is loaded from elsewhere or sent anywhere: the browser sees to it. VitePress writes scripts and styles into its pages. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

export default defineConfig({
  title: "vmlint",
  description: "The linter for virtual-machine topology: finds vSphere VMs that are shaped wrongly for the host they run on.",
  lang: "en",
  srcDir: "..",
  srcExclude: [
    "!(site|docs|packages)/**",
    "*.md",
    "docs/design.md",
    "packages/!(core|vscode-ext)/**",
    "packages/core/!(docs)/**",
    "packages/core/docs/rules.md",
  ],
  rewrites: { ...ELSEWHERE, "site/:path*": ":path*" },
  cleanUrls: true,
  metaChunk: true,
  head: [["link", { rel: "icon", href: "data:," }]],
  transformHead: () => [["meta", { "http-equiv": "Content-Security-Policy", content: POLICY }]],
  markdown: {
    // The usual ones fall short of 4.5:1 on the background of code.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    languageAlias: { vmx: "ini", ovf: "xml" },
    config(md) {
      repositoryLinks(md, root, ELSEWHERE, SECTIONS);
      literalBraces(md);
    },
  },
  vite: {
    publicDir: pages,
    resolve: { conditions: ["@vmlint/source"] },
    worker: { format: "es" },
    // Of the chunks above the limit one is all of core, which is loaded when the playground is opened, by its worker.
    build: { chunkSizeWarningLimit: 2000 },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    externalLinkIcon: false,
    nav: [
      { text: "Guide", link: "/guide/quick-start", activeMatch: "^/guide/" },
      { text: "How ESXi lays out a VM", link: "/topology" },
      { text: "Rules", link: "/rules/", activeMatch: "^/rules/" },
      { text: "Playground", link: "/playground" },
      ...(REPOSITORY ? [{ text: "Source", link: REPOSITORY }] : []),
    ],
    sidebar: {
      "/guide/": [
        {
          text: "Start",
          items: [guide("Quick start", "quick-start"), guide("What it reads", "formats"), guide("Reports and exit codes", "reports")],
        },
        {
          text: "Describe",
          items: [
            guide("Hosts", "hosts"),
            guide("Workloads and presets", "workloads"),
            guide("Configuration", "configuration"),
            guide("VMs that share a machine", "together"),
          ],
        },
        { text: "Findings", items: [guide("Fix", "fix"), guide("Suppress", "suppress"), guide("Baseline", "baseline")] },
        {
          text: "Where it runs",
          items: [guide("CI", "ci"), guide("pre-commit", "pre-commit"), guide("Editors", "editors"), guide("VS Code", "vscode")],
        },
        {
          text: "More",
          items: [
            guide("Terraform and Packer", "terraform"),
            guide("Shape a VM", "shape"),
            guide("Rules of your own", "plugins"),
            guide("As a library", "library"),
            ...api,
          ],
        },
      ],
      "/rules/": [
        { text: `${ids.length} rules`, link: "/rules/" },
        ...families.map(({ title, rules }) => ({
          text: title,
          collapsed: true,
          items: rules.map(({ id }) => ({ text: id, link: `/rules/${id}` })),
        })),
      ],
    },
    footer: { message: `vmlint ${version}, MIT licence. This site loads nothing from elsewhere and keeps no record of you.` },
  },
});
