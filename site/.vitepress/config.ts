import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitepress";
import { REPOSITORY } from "../repository.ts";
import { searchable, searchOptions } from "../search.ts";
import { literalBraces, type RulePicture, repositoryLinks, rulePictures } from "./links.ts";

interface Family {
  readonly title: string;
  readonly rules: readonly { readonly id: string }[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const { version, families }: { version: string; families: readonly Family[] } = JSON.parse(
  readFileSync(new URL("../.generated/rules.json", import.meta.url), "utf8"),
);
const drawn: Readonly<Record<string, RulePicture>> = JSON.parse(
  readFileSync(new URL("../.generated/rule-pictures.json", import.meta.url), "utf8"),
);
const ids = families.flatMap(({ rules }) => rules.map(({ id }) => id));

/** Pages that lie elsewhere in the repository, where they are read too: source -> page. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  "docs/glossary.md": "guide/glossary.md",
  "CHANGELOG.md": "guide/changelog.md",
  "packages/vscode-ext/README.md": "guide/vscode.md",
  ...Object.fromEntries(ids.map((id) => [`packages/core/docs/rules/${id}.md`, `rules/${id}.md`])),
};

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
  // VitePress loads the pages of visible links ahead.
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The cores of a host, with a VM on two of them. */
const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect x="2" y="2" width="20" height="20" rx="4" fill="#1f5fbf"/>' +
    '<g fill="#fff"><rect x="5.5" y="5.5" width="5.5" height="5.5" rx="1"/><rect x="13" y="5.5" width="5.5" height="5.5" rx="1"/></g>' +
    '<g fill="#7fb0ff"><rect x="5.5" y="13" width="5.5" height="5.5" rx="1"/><rect x="13" y="13" width="5.5" height="5.5" rx="1"/></g></svg>',
)}`;

export default defineConfig({
  title: "vmlint",
  description: "The linter for virtual-machine topology: finds vSphere VMs that are shaped wrongly for the host they run on.",
  lang: "en",
  srcDir: "..",
  srcExclude: [
    "!(site|docs|packages|CHANGELOG.md)/**",
    "!(CHANGELOG).md",
    "docs/design.md",
    "packages/vscode-ext/CHANGELOG.md",
    "packages/!(core|vscode-ext)/**",
    "packages/core/!(docs)/**",
    "packages/core/docs/rules.md",
  ],
  rewrites: { ...ELSEWHERE, "docs/guide/:path*": "guide/:path*", "site/:path*": ":path*" },
  cleanUrls: true,
  metaChunk: true,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: LOGO }]],
  transformHead: () => [["meta", { "http-equiv": "Content-Security-Policy", content: POLICY }]],
  markdown: {
    // The usual ones fall short of 4.5:1 on the background of code.
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" },
    languageAlias: { vmx: "ini", ovf: "xml" },
    config(md) {
      repositoryLinks(md, root, ELSEWHERE);
      literalBraces(md);
      rulePictures(md, drawn);
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
    logo: LOGO,
    search: {
      provider: "local",
      options: {
        // The changelog names everything.
        _render: (source, env, md) => (env.relativePath === "guide/changelog.md" ? "" : md.render(searchable(source), env)),
        // Without functions: VitePress would make them of texts in the browser, which the policy forbids.
        miniSearch: { searchOptions },
      },
    },
    outline: [2, 3],
    externalLinkIcon: false,
    nav: [
      { text: "Guides", link: "/guide/", activeMatch: "^/guide/" },
      { text: "How ESXi lays out a VM", link: "/topology" },
      { text: "Rules", link: "/rules/", activeMatch: "^/rules/" },
      { text: "Studies", link: "/studies" },
      { text: "Playground", link: "/playground" },
      ...(REPOSITORY ? [{ text: "Source", link: REPOSITORY }] : []),
    ],
    sidebar: {
      "/guide/": [
        {
          text: "Start",
          items: [
            guide("Getting started", "getting-started"),
            guide("Installation", "installation"),
            guide("Formats", "formats"),
            guide("Other platforms", "platforms"),
            guide("Troubleshooting", "troubleshooting"),
          ],
        },
        {
          text: "Describe",
          items: [
            guide("Hosts", "hosts"),
            guide("Workloads and presets", "workloads"),
            guide("Configuration", "configuration"),
            guide("VMs that share a machine", "one-machine"),
          ],
        },
        {
          text: "Findings",
          items: [
            guide("Reports and exit codes", "reports"),
            guide("Fixing", "fixing"),
            guide("Suppressing", "suppressing"),
            guide("Baseline", "baseline"),
          ],
        },
        {
          text: "Where it runs",
          items: [guide("CI", "ci"), guide("pre-commit", "pre-commit"), guide("Editors", "editors"), guide("VS Code", "vscode")],
        },
        {
          text: "Formats",
          collapsed: true,
          items: [
            guide("vmx", "formats/vmx"),
            guide("vmware.log", "formats/vmware-log"),
            guide("OVF and OVA", "formats/ovf"),
            guide("Terraform", "formats/terraform"),
            guide("Plans and states", "formats/plans"),
            guide("Packer", "formats/packer"),
            guide("Ansible", "formats/ansible"),
            guide("Kubernetes", "formats/kubernetes"),
            guide("KubeVirt", "formats/kubevirt"),
            guide("libvirt", "formats/libvirt"),
            guide("Proxmox VE", "formats/proxmox"),
            guide("OpenStack", "formats/openstack"),
            guide("Pulumi", "formats/pulumi"),
            guide("Inventories", "formats/inventories"),
            guide("Keys and fields", "formats/keys"),
            guide("Generators", "formats/generators"),
            guide("VM specs", "formats/vm-spec"),
          ],
        },
        {
          text: "More",
          items: [
            guide("Command line", "cli"),
            guide("Settings", "settings"),
            guide("Size", "size"),
            guide("Migration", "migration"),
            guide("Library", "library"),
            guide("Plugins", "plugins"),
            guide("Performance", "performance"),
            guide("Comparison", "comparison"),
            guide("Guarantees", "guarantees"),
            guide("Glossary", "glossary"),
            guide("Changelog", "changelog"),
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
