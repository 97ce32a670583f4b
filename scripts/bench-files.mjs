// Files for measurements: of one machine each, and of none.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes `count` files, each with the path and text from `file`, and returns their folder. */
export function fill(folder, count, file) {
  for (let i = 0; i < count; i++) {
    const [path, text] = file(i);
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** About 40 lines, as people write them, with a variable and a local each. */
export const tf = (i) => `variable "vm_${i}_cpus" {
  type    = number
  default = ${[1, 2, 4, 8, 16][i % 5]}
}

locals {
  vm_${i}_memory = var.vm_${i}_cpus * 4096
}

resource "vsphere_virtual_machine" "vm_${i}" {
  name                 = "vm-${i}"
  resource_pool_id     = data.vsphere_resource_pool.pool.id
  datastore_id         = data.vsphere_datastore.ds.id
  num_cpus             = var.vm_${i}_cpus
  num_cores_per_socket = var.vm_${i}_cpus
  memory               = local.vm_${i}_memory
  guest_id             = "windows2019srv_64Guest"
  scsi_type            = "pvscsi"
  latency_sensitivity  = "${i % 10 === 0 ? "high" : "normal"}"

  network_interface {
    network_id   = data.vsphere_network.net.id
    adapter_type = "vmxnet3"
  }

  dynamic "disk" {
    for_each = [60, 100, 200]
    content {
      label       = "disk\${disk.key}"
      size        = disk.value
      unit_number = disk.key
    }
  }

  clone {
    template_uuid = data.vsphere_virtual_machine.template.id
  }

  extra_config = {
    "guestinfo.metadata" = base64encode(templatefile("\${path.module}/metadata.yaml", {}))
  }
}
`;

/** As govc prints one of an inventory, with 30 devices, in about 5 kB; every tenth has something to report. */
export const info = (i) => ({
  self: { type: "VirtualMachine", value: `vm-${i}` },
  name: `vm-${i}`,
  config: {
    name: `vm-${i}`,
    version: "vmx-20",
    guestId: "windows2019srv_64Guest",
    template: false,
    cpuHotAddEnabled: false,
    cpuAllocation: { reservation: 0, expandableReservation: false, limit: -1, shares: { shares: 4000, level: "normal" } },
    memoryAllocation: { reservation: 0, expandableReservation: false, limit: -1, shares: { shares: 40960, level: "normal" } },
    latencySensitivity: { level: i % 10 === 0 ? "high" : "normal" },
    hardware: {
      numCPU: [1, 2, 4, 8, 16][i % 5],
      numCoresPerSocket: 1,
      memoryMB: 4096 * [1, 2, 4, 8, 16][i % 5],
      device: Array.from({ length: 30 }, (_, unit) => ({
        key: 2000 + unit,
        deviceInfo: { label: `Hard disk ${unit}`, summary: "41,943,040 KB" },
        controllerKey: 1000,
        unitNumber: unit,
        capacityInKB: 41943040,
      })),
    },
    extraConfig: Array.from({ length: 20 }, (_, bridge) => ({ key: `pciBridge${bridge}.present`, value: "TRUE" })),
  },
});

/** A playbook that makes one machine. */
export const playbook = (i) => `---
- name: Make vm-${i}
  hosts: localhost
  gather_facts: false
  vars:
    cpus: ${[1, 2, 4, 8, 16][i % 5]}
  tasks:
    - name: Make the machine
      community.vmware.vmware_guest:
        hostname: "{{ vcenter }}"
        validate_certs: true
        datacenter: dc1
        cluster: prod
        folder: /dc1/vm
        name: vm-${i}
        state: poweredon
        template: windows2019
        hardware:
          num_cpus: "{{ cpus }}"
          num_cpu_cores_per_socket: 1
          memory_mb: 16384
          scsi: paravirtual
          version: 17
        networks:
          - name: VM Network
            device_type: vmxnet3
      delegate_to: localhost
`;

/** A machine of Cluster API. */
export const spec = (i) => `apiVersion: vmlint.dev/v1
kind: VirtualMachine
metadata:
  name: vm-${i}
  labels: { team: platform, stage: prod }
workload:
  kind: general
spec:
  vcpus: ${[1, 2, 4, 8, 16][i % 5]}
  coresPerSocket: 1
  memoryMiB: 16384
  hardwareVersion: 19
  guestOs: windows2019srv-64
  cpuHotAdd: ${i % 3 === 0}
`;

export const manifest = (i) => `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereMachineTemplate
metadata:
  name: vm-${i}
  namespace: default
spec:
  template:
    spec:
      cloneMode: linkedClone
      datacenter: dc1
      datastore: ds1
      diskGiB: 60
      folder: vms
      memoryMiB: 16384
      numCPUs: ${[1, 2, 4, 8, 16][i % 5]}
      numCoresPerSocket: 1
      network:
        devices:
          - dhcp4: true
            networkName: VM Network
      os: Windows
      server: vcenter.example.com
      template: windows2019
      thumbprint: ""
`;

/** About 90 lines and 3 kB, as ESXi writes them; every tenth has something to report. */
export function vmx(i) {
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

/** Returns a Kubernetes file of about 3 kB, which vmlint skips. Every twentieth mentions VMware. */
export function deployment(i) {
  const container = (n) =>
    `      - name: container-${n}\n        image: registry.example.com/team/app-${i}:${n}\n        ports:\n        - containerPort: ${8000 + n}\n        env:\n        - name: LOG_LEVEL\n          value: "info"\n        resources:\n          requests: { cpu: 100m, memory: 128Mi }\n          limits: { cpu: 500m, memory: 512Mi }\n`;
  return `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-${i}\n  labels: { app: app-${i}, platform: ${i % 20 === 0 ? "vmware-vsphere" : "any"} }\nspec:\n  replicas: 3\n  selector: { matchLabels: { app: app-${i} } }\n  template:\n    metadata: { labels: { app: app-${i} } }\n    spec:\n      containers:\n${Array.from({ length: 9 }, (_, n) => container(n)).join("")}`;
}

/** About 6 kB of another program. */
export const packageJson = (i) => JSON.stringify({ name: `package-${i}`, files: "lib/index.js ".repeat(450) });
