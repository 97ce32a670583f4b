// npm run bench: what vmlint costs beyond Node itself and beyond reading the files, as ratios of paired runs. With --peers: beside other linters.
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { info, tf } from "./bench-files.mjs";
import { parseHcl } from "./hcl.mjs";

if (process.argv.includes("--peers")) {
  const { benchPeers } = await import("./bench-peers.mjs");
  benchPeers();
  process.exit();
}

const vmlint = fileURLToPath(new URL("../packages/cli/dist/vmlint.cjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vmlint-bench-"));

// Node 20 takes 30 ms to read extra certificates at every start; that is no part of what is measured.
const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;

/** CPU milliseconds (user + system, of the children) of `runs` runs, by the shell's own account; wall milliseconds. */
function measure(runs, ...command) {
  const loop = 'n=$1; shift; i=0; while [ "$i" -lt "$n" ]; do "$@" >/dev/null 2>&1; i=$((i+1)); done; times';
  const start = performance.now();
  const { stdout } = spawnSync("sh", ["-c", loop, "sh", String(runs), process.execPath, ...command], { env, encoding: "utf8" });
  const wall = performance.now() - start;
  const [user = 0, system = 0] = [...(stdout.trim().split("\n").at(-1) ?? "").matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, m, s]) => Number(m) * 60 + Number(s),
  );
  return { cpu: ((user + system) * 1000) / runs, wall: wall / runs };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Runs A and B in turn, so that a drift of the machine's speed meets both, and takes medians. */
function compare(rounds, runs, a, b) {
  measure(1, ...a);
  measure(1, ...b);
  const pairs = Array.from({ length: rounds }, () => [measure(runs, ...a), measure(runs, ...b)]);
  const of = (pick) => median(pairs.map(pick));
  return {
    cpu: { a: of(([x]) => x.cpu), b: of(([, y]) => y.cpu), more: of(([x, y]) => x.cpu - y.cpu), ratio: of(([x, y]) => x.cpu / y.cpu) },
    wall: { a: of(([x]) => x.wall), b: of(([, y]) => y.wall), ratio: of(([x, y]) => x.wall / y.wall) },
  };
}

/** About 90 lines and 3 kB, as ESXi writes them; every tenth has something to report. */
function vmx(i) {
  const vcpus = [1, 2, 4, 8, 16][i % 5];
  return [
    '.encoding = "UTF-8"',
    'config.version = "8"',
    'virtualHW.version = "17"',
    `displayName = "vm-${i}"`,
    'guestOS = "windows2019srv-64"',
    `numvcpus = "${vcpus}"`,
    `memSize = "${vcpus * 4096}"`,
    'sched.cpu.units = "mhz"',
    'sched.cpu.shares = "normal"',
    'sched.mem.shares = "normal"',
    ...(i % 10 === 0 ? ['sched.cpu.latencySensitivity = "high"'] : []),
    'scsi0.present = "TRUE"',
    'scsi0.virtualDev = "pvscsi"',
    ...[0, 1, 2].flatMap((unit) => [
      `scsi0:${unit}.present = "TRUE"`,
      `scsi0:${unit}.deviceType = "scsi-hardDisk"`,
      `scsi0:${unit}.fileName = "vm-${i}_${unit}.vmdk"`,
      `sched.scsi0:${unit}.shares = "normal"`,
      `sched.scsi0:${unit}.throughputCap = "off"`,
    ]),
    'ethernet0.present = "TRUE"',
    'ethernet0.virtualDev = "vmxnet3"',
    'ethernet0.networkName = "VM Network"',
    'ethernet0.addressType = "vpx"',
    `vc.uuid = "50 20 ca 5b 7a c1 5c 44-cf a1 9e 76 2e 2f ${String(i).padStart(5, "0")}"`,
    `sched.swap.derivedName = "/vmfs/volumes/datastore/vm-${i}/vm-${i}.vswp"`,
    ...Array.from(
      { length: 8 },
      (_, n) => `pciBridge${n}.present = "TRUE"\npciBridge${n}.virtualDev = "pcieRootPort"\npciBridge${n}.functions = "8"`,
    ),
    ...Array.from({ length: 25 }, (_, n) => `vmotion.svga.setting${n} = "${n * 7919}"`),
    "",
  ].join("\n");
}

/** About 3 kB as Kubernetes has them, of which vmlint reads none; every twentieth speaks of VMware. */
function manifest(i) {
  const container = (n) =>
    `      - name: container-${n}\n        image: registry.example.com/team/app-${i}:${n}\n        ports:\n        - containerPort: ${8000 + n}\n        env:\n        - name: LOG_LEVEL\n          value: "info"\n        resources:\n          requests: { cpu: 100m, memory: 128Mi }\n          limits: { cpu: 500m, memory: 512Mi }\n`;
  return `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-${i}\n  labels: { app: app-${i}, platform: ${i % 20 === 0 ? "vmware-vsphere" : "any"} }\nspec:\n  replicas: 3\n  selector: { matchLabels: { app: app-${i} } }\n  template:\n    metadata: { labels: { app: app-${i} } }\n    spec:\n      containers:\n${Array.from({ length: 9 }, (_, n) => container(n)).join("")}`;
}

/** Writes 10,000 files, a thousand in a folder. */
function fill(name, file) {
  const root = join(folder, name);
  for (let i = 0; i < 10_000; i++) {
    if (i % 1000 === 0) mkdirSync(join(root, String(i / 1000)), { recursive: true });
    const [path, text] = file(i);
    writeFileSync(join(root, String(Math.floor(i / 1000)), path), text);
  }
  return root;
}

function againstReading(what, root, ...options) {
  const { wall, cpu } = compare(7, 1, [vmlint, root, ...options], ["-e", READ, root]);
  console.log(`${what} against a process that only reads them (medians of 7 runs)`);
  console.log(`  wall ${wall.a.toFixed(0)} and ${wall.b.toFixed(0)} ms: x ${wall.ratio.toFixed(2)}`);
  console.log(`  CPU ${cpu.a.toFixed(0)} and ${cpu.b.toFixed(0)} ms: x ${cpu.ratio.toFixed(2)}`);
}

/** About 70 lines and 2 kB of Terraform, as terraform fmt lays them out. */
function terraform(i) {
  return [
    'terraform {\n  required_providers {\n    vsphere = {\n      source  = "vmware/vsphere"\n      version = "~> 2.13"\n    }\n  }\n}\n',
    ...["cpus", "memory", "datastore"].map(
      (name) => `variable "${name}" {\n  description = "The ${name} of the machine"\n  type        = string\n  default     = "${i}"\n}\n`,
    ),
    'data "vsphere_network" "network" {\n  name          = var.network\n  datacenter_id = data.vsphere_datacenter.dc.id\n}\n',
    `resource "vsphere_virtual_machine" "vm${i}" {`,
    `  name                 = "vm-\${var.environment}-${i}" # as in the inventory`,
    "  resource_pool_id     = data.vsphere_compute_cluster.cluster.resource_pool_id",
    `  num_cpus             = ${i % 64}`,
    "  num_cores_per_socket = var.large ? 16 : 8",
    `  memory               = ${i % 64} * 1024`,
    '  extra_config = {\n    "numa.vcpu.preferHT"  = "TRUE"\n    "guestinfo.userdata" = base64encode(local.user_data)\n  }',
    '  network_interface {\n    network_id   = data.vsphere_network.network.id\n    adapter_type = "vmxnet3"\n  }',
    ...[0, 1, 2].map(
      (unit) =>
        `  disk {\n    label       = "disk${unit}"\n    size        = lookup(var.disks, "disk${unit}", 40)\n    unit_number = ${unit}\n  }`,
    ),
    "  lifecycle {\n    ignore_changes = [clone[0].template_uuid, annotation]\n  }",
    "}\n",
    `output "ip${i}" {\n  value = vsphere_virtual_machine.vm${i}.default_ip_address\n}\n`,
  ].join("\n");
}

/** Prints how fast the HCL parser reads, warm: the median of many runs in this process. */
function benchHcl(what, files) {
  const runs = Array.from({ length: 30 }, () => {
    const start = performance.now();
    for (const file of files) parseHcl(file);
    return performance.now() - start;
  });
  const bytes = files.reduce((sum, file) => sum + Buffer.byteLength(file), 0);
  console.log(
    `HCL, ${what}: ${(bytes / 1000 / median(runs)).toFixed(0)} MB/s warm (median of 30 runs over ${(bytes / 1e6).toFixed(1)} MB)`,
  );
}

/** Prints how long an inventory of so many megabytes takes, and the most memory that the process has of the system at a time. */
function benchInventory(megabytes) {
  const path = join(folder, "inventory.json");
  writeFileSync(path, '{"virtualMachines":[');
  let vms = 0;
  for (let written = 0; written < megabytes * 1e6; ) {
    const some = Array.from({ length: 1000 }, (_, i) => JSON.stringify(info(vms + i)));
    const text = `${vms > 0 ? "," : ""}${some.join(",")}`;
    appendFileSync(path, text);
    vms += some.length;
    written += text.length;
  }
  appendFileSync(path, "]}");
  const tell = 'data:text/javascript,process.on("exit",()=>process.stderr.write("\\n"+process.resourceUsage().maxRSS))';
  const runs = Array.from({ length: 5 }, () => {
    const start = performance.now();
    const options = { env, encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] };
    const { stderr } = spawnSync(process.execPath, ["--import", tell, vmlint, path], options);
    return { wall: performance.now() - start, kilobytes: Number(stderr.trim().split("\n").at(-1)) };
  });
  const [wall, kilobytes] = [median(runs.map((run) => run.wall)), median(runs.map((run) => run.kilobytes))];
  console.log(`an inventory of ${megabytes} MB, ${vms} VMs (medians of 5 runs)`);
  console.log(`  ${(wall / 1000).toFixed(1)} s, ${(kilobytes / 1024).toFixed(0)} MiB of memory at most`);
  rmSync(path);
}

const READ = `const fs = require("fs"), path = require("path");
(function walk(folder) {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) walk(file); else fs.readFileSync(file, "utf8");
  }
})(process.argv[1]);`;

try {
  const one = join(folder, "one.vmx");
  writeFileSync(one, vmx(3));
  const small = compare(7, 20, [vmlint, one], ["-e", "0"]);
  console.log(`one .vmx against node -e 0 (Node ${process.versions.node}, medians of 7 x 20 runs)`);
  console.log(`  CPU ${small.cpu.a.toFixed(1)} and ${small.cpu.b.toFixed(1)} ms: ${small.cpu.more.toFixed(1)} ms more`);
  console.log(`  wall x ${small.wall.ratio.toFixed(2)}`);

  for (const count of [1000, 4000]) {
    const inOne = join(folder, `terraform-${count}`);
    const inMany = join(folder, `terraform-folders-${count}`);
    mkdirSync(inOne);
    for (let i = 0; i < count; i++) {
      writeFileSync(join(inOne, `vm-${i}.tf`), tf(i));
      mkdirSync(join(inMany, String(i)), { recursive: true });
      writeFileSync(join(inMany, String(i), "main.tf"), tf(i));
    }
    againstReading(`${count} Terraform files of one VM in one folder`, inOne);
    againstReading(`${count} Terraform files of one VM in as many folders`, inMany);
  }

  const many = fill("many", (i) => [`vm-${i}.vmx`, vmx(i)]);
  againstReading("10,000 .vmx", many);
  againstReading("10,000 .vmx that an earlier run has kept (--cache)", many, "--cache-location", join(folder, "cache"));
  rmSync(many, { recursive: true });
  againstReading(
    "10,000 YAML files of other programs",
    fill("others", (i) => [`app-${i}.yaml`, manifest(i)]),
  );

  const foreign = join(folder, "foreign");
  mkdirSync(foreign);
  for (let i = 0; i < 10_000; i++)
    writeFileSync(join(foreign, `${i}.json`), JSON.stringify({ name: `package-${i}`, files: many.repeat(200) }));
  const others = compare(7, 1, [vmlint, foreign], ["-e", READ, foreign]);
  console.log("10,000 .json that are no VMs against a process that only reads them (medians of 7 runs)");
  console.log(`  CPU ${others.cpu.a.toFixed(0)} and ${others.cpu.b.toFixed(0)} ms: x ${others.cpu.ratio.toFixed(2)}`);

  benchInventory(100);

  const machines = Array.from({ length: 1000 }, (_, i) => terraform(i));
  benchHcl("1,000 files", machines);
  benchHcl("one file of 100 machines", [machines.slice(0, 100).join("\n")]);
  benchHcl("one file of 1,000 machines", [machines.join("\n")]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
