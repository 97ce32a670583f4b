// Bundles the command into packages/cli/dist, or into the folder that is named: one small entry, and a file for each part that most runs never load.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "acorn";
import { build, transformSync } from "esbuild";
import { copyPapers, noticesOf } from "./papers.mjs";

const cli = new URL("../packages/cli/", import.meta.url);
const path = (relative) => fileURLToPath(new URL(relative, cli));
const dist = resolve(process.argv[2] ?? path("dist"));

/** What the entry loads only when asked: module name in the source -> file beside the entry. */
const LAZY = {
  "./commands.ts": "./commands.cjs",
  "./reports.ts": "./reports.cjs",
  "./commands/size.ts": "./size.cjs",
  "./fix.ts": "./fix.cjs",
  "./review.ts": "./review.cjs",
  "./plugins.ts": "./plugins.cjs",
  "./lsp/server.ts": "./lsp.cjs",
  "./mcp/server.ts": "./mcp.cjs",
  "@vmlint/core/config": "./config.cjs",
  "@vmlint/core/config-origins": "./config-origins.cjs",
  "@vmlint/core/config-schema": "./config-schema.cjs",
  "@vmlint/core/config-language": "./config-language.cjs",
  "@vmlint/core/hosts": "./hosts.cjs",
  "@vmlint/core/inventory": "./inventory.cjs",
  "@vmlint/core/cpus": "./cpus.cjs",
  "@vmlint/core/docs": "./docs.cjs",
  "@vmlint/core/rules": "./rules.cjs",
  "@vmlint/core/picture": "./picture.cjs",
  "@vmlint/core/output-schema": "./output-schema.cjs",
  "@vmlint/core/together": "./together.cjs",
  "@vmlint/core/spec-schema": "./spec-schema.cjs",
  "@vmlint/core/plans": "./plans.cjs",
  "@vmlint/core/packer": "./packer.cjs",
  "@vmlint/core/terraform": "./terraform.cjs",
  "@vmlint/core/vmx-language": "./vmx-language.cjs",
  "@vmlint/core/yaml": "./yaml.cjs",
  "@vmlint/core/yaml-language": "./yaml-language.cjs",
  "@vmlint/core/yaml-function": "./yaml-function.cjs",
  "@vmlint/core/govc": "./govc.cjs",
  "@vmlint/core/ovf": "./ovf.cjs",
  "@vmlint/core/rvtools": "./rvtools.cjs",
  "./cache.ts": "./cache.cjs",
  "./watch.ts": "./watch.cjs",
  "./failed.ts": "./failed.cjs",
  "./git.ts": "./git.cjs",
  "./gitignore.ts": "./gitignore.cjs",
  tinyglobby: "./glob.cjs",
};

const lazily = {
  name: "lazily",
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path: module, kind }) =>
      kind === "dynamic-import" && module in LAZY ? { path: LAZY[module], external: true } : undefined,
    );
  },
};

/** What only the page of a rule needs: a quarter of the entry, to be read at every start, if it were left in it. */
const OF_PAGES = new Set(["summary", "why", "whenNot", "bad", "good"]);

const withoutPages = {
  name: "without-pages",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]core[\\/]src[\\/]rules[\\/][^\\/]+[\\/][^\\/]+\.ts$/ }, ({ path: file }) => ({
      contents: cut(transformSync(readFileSync(file, "utf8"), { loader: "ts", format: "esm" }).code),
      loader: "js",
    }));
  },
};

/** A rule's module without those properties of what it hands to defineRule; any other module as it is. */
function cut(code) {
  const { body } = parse(code, { ecmaVersion: "latest", sourceType: "module" });
  const rule = body
    .flatMap(({ declaration, declarations }) => declaration?.declarations ?? declarations ?? [])
    .find(({ init }) => init?.callee?.name === "defineRule");
  const cuts = rule?.init.arguments[0].properties.filter(({ key }) => OF_PAGES.has(key?.name)) ?? [];
  return cuts.reduceRight((text, { start, end }) => text.slice(0, start) + text.slice(code[end] === "," ? end + 1 : end), code);
}

/** Parts that take the rules from the entry, which is there when they are loaded: theirs would be a second copy, and most of them. */
const WITHOUT_RULES = new Set([
  "@vmlint/core/config",
  "@vmlint/core/together",
  "./commands.ts",
  "./reports.ts",
  "./review.ts",
  "@vmlint/core/config-origins",
]);
const RULES = "../../core/src/rules/index.ts";

const rulesOfEntry = {
  name: "rules-of-entry",
  setup({ onResolve }) {
    onResolve({ filter: /rules\/index\.ts$/ }, () => ({ path: "./command.cjs", external: true }));
  },
};

rmSync(dist, { recursive: true, force: true });
const shared = {
  bundle: true,
  minify: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  conditions: ["@vmlint/source"],
  legalComments: "none",
  absWorkingDir: path("."),
  // The lazy parts are CommonJS: require() finds them without starting Node's ESM loader.
  supported: { "dynamic-import": false },
  logLevel: "warning",
  metafile: true,
};
const bundles = await Promise.all([
  build({
    ...shared,
    stdin: { contents: `export * from "./bin.ts"; export * from "${RULES}";`, resolveDir: path("src") },
    outfile: join(dist, "command.cjs"),
    plugins: [lazily, withoutPages],
  }),
  build({ ...shared, entryPoints: [path("src/start.ts")], outfile: join(dist, "vmlint.cjs"), banner: { js: "#!/usr/bin/env node" } }),
  ...Object.entries(LAZY).map(([module, file]) =>
    build({
      ...shared,
      stdin: { contents: `export * from "${module}";`, resolveDir: path("src") },
      outfile: join(dist, `${file}`),
      plugins: WITHOUT_RULES.has(module) ? [lazily, rulesOfEntry] : [lazily],
      // A plugin may be an ES module, and those Node's own import() alone can load in every release.
      ...(module === "./plugins.ts" && { supported: { "dynamic-import": true } }),
      define: { "import.meta.url": "__filename" },
    }),
  ),
]);
chmodSync(join(dist, "vmlint.cjs"), 0o755);
const inputs = bundles.flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(join(dist, "THIRD-PARTY.txt"), noticesOf(inputs.map((input) => path(input))));
if (process.argv[2] === undefined) copyPapers(path("."));
// Results that another build has kept (--cache) are not this one's.
const code = createHash("sha256");
for (const name of readdirSync(dist).sort()) code.update(name).update(readFileSync(join(dist, `${name}`)));
writeFileSync(join(dist, "build.id"), code.digest("hex"));

// What a run compiles over small files, such as people write, nearly every run needs: V8's form of it is kept for the next ones.
const KEPT = ["command", "config", "reports", "terraform", "yaml"].map((name) => join(dist, `${name}`));
const record = `
  const fs = require("node:fs");
  const { compiled } = require(${JSON.stringify(join(dist, "vmlint.cjs"))});
  process.on("exit", () => compiled().forEach((form, file) => fs.writeFileSync(file, form)));
`;
const SMALL = [
  { "vm.vmx": 'virtualHW.version = "19"\nguestOS = "other"\nnumvcpus = "4"\nscsi0.present = "TRUE"\nscsi0:0.present = "TRUE"\n' },
  {
    "main.tf": `variable "cpus" {
  type    = number
  default = 4
}

locals {
  memory = var.cpus * 4096
}

data "vsphere_virtual_machine" "template" {
  name = "linux"
}

resource "vsphere_virtual_machine" "vm" {
  name     = "vm-\${var.cpus}"
  num_cpus = var.cpus
  memory   = local.memory
  guest_id = data.vsphere_virtual_machine.template.guest_id

  network_interface {
    adapter_type = "vmxnet3"
  }

  dynamic "disk" {
    for_each = [60, 100]
    content {
      label       = "disk\${disk.key}"
      unit_number = disk.key
    }
  }

  clone {
    template_uuid = data.vsphere_virtual_machine.template.id
  }

  extra_config = {
    "guestinfo.userdata" = base64encode(templatefile("\${path.module}/user-data.yaml", {}))
  }
}
`,
  },
  {
    "vm.yaml": "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: vm }\nspec: { vcpus: 4, memoryMiB: 8192 }\n",
    "vmlint.yaml": 'host: lab\nhosts:\n  lab: { esxi: "8.0", sockets: 2, coresPerSocket: 8 }\n',
  },
];
const OPTIONS = [[], ["--format", "json"]];
const folder = mkdtempSync(join(tmpdir(), "vmlint-build-"));
try {
  for (const part of KEPT) writeFileSync(`${part}.cache`, "");
  for (const files of SMALL) {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    for (const options of OPTIONS)
      execFileSync(process.execPath, ["-e", record, "--", "vmlint", ...options, ...Object.keys(files)], { cwd: folder, stdio: "ignore" });
  }
} finally {
  rmSync(folder, { recursive: true });
}
for (const part of KEPT) if (statSync(`${part}.cache`).size === 0) throw new Error(`${part}.cjs was not loaded.`);
