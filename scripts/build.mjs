// Bundles the command into packages/cli/dist, or into the folder that is named: one small entry, and a file for each part that most runs never load.

import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { copyPapers, noticesOf } from "./papers.mjs";
import { split } from "./split.mjs";

const cli = new URL("../packages/cli/", import.meta.url);
const path = (relative) => fileURLToPath(new URL(relative, cli));
const dist = resolve(process.argv[2] ?? path("dist"));

const absWorkingDir = path(".");
const target = "node20";
const { inputs } = await split({
  dist,
  name: "command",
  entry: path("src/bin.ts"),
  target,
  absWorkingDir,
  define: { "import.meta.url": "__filename" },
});
await build({
  entryPoints: [path("src/start.ts")],
  outfile: join(dist, "vmlint.cjs"),
  bundle: true,
  minify: true,
  platform: "node",
  target,
  format: "cjs",
  banner: { js: "#!/usr/bin/env node" },
});
chmodSync(join(dist, "vmlint.cjs"), 0o755);
writeFileSync(join(dist, "THIRD-PARTY.txt"), noticesOf(Object.keys(inputs).map(path)));
if (process.argv[2] === undefined) copyPapers(path("."));

// Nearly every run loads these files, so their code is compiled by V8 now and cached next to them.
const forms = readdirSync(dist).flatMap((name) => (/^(?!vmlint).*\.cjs$/.test(name) ? join(dist, name.replace(/cjs$/, "cache")) : []));
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
const folder = mkdtempSync(join(tmpdir(), "vmlint-build-"));
try {
  for (const form of forms) writeFileSync(form, "");
  for (const files of SMALL) {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const command = ["-e", record, "--", "vmlint", "--allow-empty", ...Object.keys(files)];
    execFileSync(process.execPath, command, { cwd: folder, stdio: "ignore" });
  }
} finally {
  rmSync(folder, { recursive: true });
}
for (const form of forms) if (statSync(form).size === 0) rmSync(form);
// Small files, and the catalogue of processors, which is data, start as fast without. Node loads such a file together with the files that it
// requires, and Node uses no compiled forms: a file that requires a compiled one keeps its form.
const startsWithout = (form) => {
  const code = readFileSync(form.replace(/cache$/, "cjs"), "utf8");
  const loaded = [...code.matchAll(/require\("\.\/([^"]+)cjs"\)/g)].map(([, name]) => join(dist, `${name}cache`));
  const isSmall = statSync(form).size < 40_000 && loaded.every((other) => other === join(dist, "command.cache") || !existsSync(other));
  return isSmall || code.includes("E5-2699 v4");
};
let dropped;
do {
  dropped = forms.filter((form) => existsSync(form) && startsWithout(form));
  for (const form of dropped) rmSync(form);
} while (dropped.length > 0);
