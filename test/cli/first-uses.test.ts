import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../support/checkout.ts";
import { startChromium } from "../support/chromium.ts";
import { vmlint } from "../support/cli.ts";
import { estate } from "../support/estate.ts";
import { folder } from "../support/folder.ts";
import { onTerminal } from "../support/on-terminal.ts";
import { workbook } from "../support/write-workbook.ts";

interface FirstUse {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  /** The arguments of each command. */
  readonly steps: readonly (readonly string[])[];
  /** How the last step begins. */
  readonly first: string;
}

/** Files of people who try vmlint: there is no configuration, and no host. */
const FIRST_USES: Readonly<Record<string, FirstUse>> = {
  "a .vmx of a datastore": {
    files: {
      "sql01.vmx": `.encoding = "UTF-8"
config.version = "8"
virtualHW.version = "19"
displayName = "sql01"
guestOS = "windows2019srv-64"
numvcpus = "22"
cpuid.coresPerSocket = "11"
memSize = "262144"
scsi0.present = "TRUE"
scsi0.virtualDev = "lsisas1068"
ethernet0.present = "TRUE"
ethernet0.virtualDev = "e1000e"
`,
    },
    steps: [["."]],
    first: "info net/e1000 sql01.vmx:12:25  sql01",
  },
  "Terraform with an environment for each stage": {
    files: {
      "environments/prod/main.tf": `variable "cpus" { type = number }

module "db" {
  source = "../../modules/vm"
  name   = "db01"
  cpus   = var.cpus
  cores  = 4
  memory = 65536
}
`,
      "environments/prod/terraform.tfvars": `cpus = 22
`,
      "environments/test/main.tf": `variable "cpus" { type = number }

module "db" {
  source = "../../modules/vm"
  name   = "db01"
  cpus   = var.cpus
  cores  = 4
  memory = 65536
}
`,
      "environments/test/terraform.tfvars": `cpus = 4
`,
      "modules/vm/main.tf": `variable "name" { type = string }
variable "cpus" { type = number }
variable "memory" { type = number }
variable "cores" {
  type    = number
  default = 1
}

resource "vsphere_virtual_machine" "this" {
  name                 = var.name
  num_cpus             = var.cpus
  num_cores_per_socket = var.cores
  memory               = var.memory
  guest_id             = "windows2019srv_64Guest"
  resource_pool_id     = "resgroup-10"
  scsi_type            = "lsilogic-sas"
  network_interface {
    network_id   = "network-1"
    adapter_type = "e1000e"
  }
  disk {
    label = "disk0"
    size  = 100
  }
}
`,
    },
    steps: [["."]],
    first: "error cpu/cps-divides environments/prod/main.tf:7:12  module.db.vsphere_virtual_machine.this",
  },
  "a template of Packer": {
    files: {
      "windows.pkr.hcl": `packer {
  required_plugins {
    vsphere = { source = "github.com/hashicorp/vsphere", version = "~> 1" }
  }
}

source "vsphere-iso" "windows" {
  vcenter_server        = "vcenter.example.com"
  vm_name               = "windows-2022"
  guest_os_type         = "windows2019srvNext_64Guest"
  CPUs                  = 6
  cpu_cores             = 4
  RAM                   = 8192
  CPU_hot_plug          = true
  disk_controller_type  = ["lsilogic-sas"]
  network_adapters {
    network      = "VM Network"
    network_card = "e1000e"
  }
}

build { sources = ["source.vsphere-iso.windows"] }
`,
    },
    steps: [["."]],
    first: "error cpu/cps-divides windows.pkr.hcl:12:27  vsphere-iso.windows",
  },
  "a playbook": {
    files: {
      "site.yml": `- hosts: localhost
  tasks:
    - name: Database
      community.vmware.vmware_guest:
        hostname: vcenter.example.com
        datacenter: dc1
        name: db01
        state: poweredon
        guest_id: windows2019srv_64Guest
        hardware:
          num_cpus: 22
          num_cpu_cores_per_socket: 4
          memory_mb: 65536
          scsi: lsilogicsas
        networks:
          - name: VM Network
            device_type: e1000e
`,
    },
    steps: [["."]],
    first: "error cpu/cps-divides site.yml:12:37  db01",
  },
  "machines of Cluster API": {
    files: {
      "cluster.yaml": `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereMachineTemplate
metadata:
  name: workers
spec:
  template:
    spec:
      server: vcenter.example.com
      datacenter: dc1
      template: ubuntu-2204-kube-v1.30
      numCPUs: 22
      numCoresPerSocket: 4
      memoryMiB: 65536
      diskGiB: 40
      network:
        devices:
          - networkName: VM Network
            dhcp4: true
`,
    },
    steps: [["."]],
    first: "error cpu/cps-divides cluster.yaml:12:26  workers",
  },
  "a VM of KubeVirt": {
    files: {
      "vm.yaml": `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: sql01
spec:
  instancetype:
    kind: VirtualMachineClusterInstancetype
    name: u1.4xlarge
  preference:
    kind: VirtualMachineClusterPreference
    name: windows.2k22
  runStrategy: Always
  template:
    spec:
      domain:
        devices: {}
`,
    },
    steps: [["."]],
    first: "info mssql/standard-sockets vm.yaml:8:11  sql01",
  },
  "a domain of libvirt": {
    files: {
      "gaming.xml": `<domain type='kvm'>
  <name>gaming</name>
  <memory unit='GiB'>16</memory>
  <vcpu placement='static'>4</vcpu>
  <cputune>
    <vcpupin vcpu='0' cpuset='2'/>
    <vcpupin vcpu='1' cpuset='2'/>
    <vcpupin vcpu='2' cpuset='4'/>
    <vcpupin vcpu='3' cpuset='5'/>
  </cputune>
  <os><type arch='x86_64' machine='q35'>hvm</type></os>
  <cpu mode='host-passthrough'><topology sockets='1' dies='1' cores='2' threads='2'/></cpu>
  <devices/>
</domain>
`,
    },
    steps: [["."]],
    first: "error kvm/two-vcpus-one-cpu gaming.xml:7:31  gaming",
  },
  "a workbook of RVTools": {
    files: { "rvtools.xlsx": workbook(estate()) },
    steps: [["."]],
    first: "Errors or warnings on 41 of 140 VMs. ",
  },
  "an export of govc": {
    files: {
      "vms.json": `{
  "virtualMachines": [
    {
      "name": "sql01",
      "config": {
        "name": "sql01",
        "version": "vmx-19",
        "guestId": "windows2019srv_64Guest",
        "hardware": { "numCPU": 22, "numCoresPerSocket": 1, "memoryMB": 65536, "device": [] }
      }
    }
  ]
}
`,
    },
    steps: [["."]],
    first: "info mssql/standard-sockets vms.json:9:58  sql01",
  },
};

/** With a folder, a picture of each first use is put there: `VMLINT_SCREENSHOTS=DIR`. */
const { VMLINT_SCREENSHOTS: DIR } = process.env;
const browser = DIR === undefined ? undefined : await startChromium();
afterAll(() => browser?.close());

/** Puts a picture of a terminal with the output of a command into the folder. */
async function photograph(name: string, command: string, output: string): Promise<void> {
  const page = await browser?.newPage({ viewport: { width: 850, height: 620 } });
  await page?.setContent(
    '<pre style="font: 15px/1.35 monospace; background: #111; color: #ddd; margin: 0; padding: 12px; min-height: 100vh">',
  );
  await page?.locator("pre").evaluate((pre, text) => {
    pre.textContent = text;
  }, `$ ${command}\n${output}`);
  await page?.screenshot({ path: join(DIR ?? "", `first-${name.replaceAll(/[^a-zA-Z]+/g, "-")}.png`) });
  await page?.close();
}

test.each(Object.entries(FIRST_USES))("%s: the first line says what is wrong, and where", async (name, { files, steps, first }) => {
  const cwd = folder(files);
  const runs = steps.map((args) => vmlint(cwd, args));
  expect(runs.at(-1)?.out.slice(0, first.length)).toBe(first);
  await photograph(name, `vmlint ${steps.at(-1)?.join(" ")}`, DIR === undefined ? "" : await onTerminal(cwd, steps.at(-1) ?? [], 88));
});

const CORE = join(ROOT, "packages/core");

test.skipIf(!existsSync(join(CORE, "dist/index.js")))("a program that imports the library: three lines find the same", async () => {
  const program = `import { lint } from "@vmlint/core";
const { diagnostics } = lint('numvcpus = "22"\\ncpuid.coresPerSocket = "4"\\n');
for (const { ruleId, message } of diagnostics) console.log(\`\${ruleId}: \${message}\`);
`;
  const cwd = folder({ "check.mjs": program });
  mkdirSync(join(cwd, "node_modules/@vmlint"), { recursive: true });
  symlinkSync(CORE, join(cwd, "node_modules/@vmlint/core"), "junction");
  const { stdout } = spawnSync(process.execPath, ["check.mjs"], { cwd, encoding: "utf8" });
  expect(stdout).toMatch(/^cpu\/cps-divides: 22 vCPUs /);
  await photograph("a program", "node check.mjs", `${stdout}\n$ cat check.mjs\n${program}`);
});
