// Fleets as they are found: about 100 lines a VM, and one in seven with a fault. VM number i is always the same.

/** The host that the shapes are made for. */
export const HOST = "2x12x2:512@8.0";

const SHAPES = [
  [1, 1],
  [2, 1],
  [2, 2],
  [4, 1],
  [4, 2],
  [4, 4],
  [6, 6],
  [8, 1],
  [8, 4],
  [8, 8],
  [10, 10],
  [12, 12],
  [16, 8],
  [20, 10],
  [24, 12],
];
const ROLES = ["sql", "app", "web", "ora", "mq", "file", "dc"];
const GUESTS = ["windows2019srv-64", "windows2019srvnext-64", "rhel8-64", "rhel9-64", "ubuntu-64", "sles15-64"];
const TERRAFORM_GUESTS = [
  "windows2019srv_64Guest",
  "windows2019srvNext_64Guest",
  "rhel8_64Guest",
  "rhel9_64Guest",
  "ubuntu64Guest",
  "sles15_64Guest",
];

const FAULTS = [
  { vcpus: 7, cores: 1 },
  { vcpus: 10, cores: 4 },
  { vcpus: 18, cores: 18 },
  { affinity: "0,1,2,3", vcpus: 4, cores: 4 },
  { latency: "high" },
  { controller: "lsilogic" },
  { vcpus: 16, cores: 8, hotAdd: true },
  { vcpus: 48, cores: 1 },
  { card: "e1000" },
  { memory: 192 },
];

/** The facts of one VM; the writers below only print them. */
function machine(i) {
  // Knuth's multiplicative hash spreads neighbours over the lists.
  const pick = (list, salt) => list[(Math.imul(i * 31 + salt, 2654435761) >>> 8) % list.length];
  const role = pick(ROLES, 1);
  const [vcpus, cores] = pick(SHAPES, 2);
  const guest = pick(Object.keys(GUESTS), 3);
  const isDatabase = role === "sql" || role === "ora";
  return {
    name: `${pick(["ams", "fra", "iad"], 4)}-${pick(["prd", "stg", "dev"], 5)}-${role}-${String(i).padStart(5, "0")}`,
    guest: GUESTS[guest],
    terraformGuest: TERRAFORM_GUESTS[guest],
    vcpus,
    cores,
    memory: isDatabase ? 64 : pick([2, 4, 8, 16, 32, 48], 6),
    reserved: isDatabase && pick([true, false], 7),
    disks: isDatabase ? 5 : pick([1, 1, 2, 3], 8),
    controllers: isDatabase ? 4 : 1,
    cards: pick([1, 1, 1, 2], 9),
    hardware: pick([13, 14, 15, 17, 19, 20, 21], 10),
    controller: "pvscsi",
    card: "vmxnet3",
    latency: "normal",
    hotAdd: false,
    ...(i % 7 === 0 && pick(FAULTS, 11)),
  };
}

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));

/** As ESXi writes one: controllers, disks, cards, the node size of the last power-on, and resource settings. */
export function vmx(i) {
  const vm = machine(i);
  const nodeSize = vm.vcpus <= 12 ? vm.vcpus : Math.ceil(vm.vcpus / 2);
  const pairs = [
    [".encoding", "UTF-8"],
    ["config.version", 8],
    ["virtualHW.version", vm.hardware],
    ["vmci0.present", "TRUE"],
    ["floppy0.present", "FALSE"],
    ["numvcpus", vm.vcpus],
    ["memSize", vm.memory * 1024],
    ["sched.cpu.units", "mhz"],
    ["sched.cpu.min", 0],
    ["sched.cpu.shares", "normal"],
    ["sched.mem.minSize", vm.reserved ? vm.memory * 1024 : 0],
    ["sched.mem.shares", "normal"],
    ["powerType.powerOff", "default"],
    ["powerType.suspend", "soft"],
    ["powerType.reset", "default"],
    ["tools.upgrade.policy", "manual"],
    ["tools.syncTime", "FALSE"],
    ["displayName", vm.name],
    ["guestOS", vm.guest],
    ["nvram", `${vm.name}.nvram`],
    ["extendedConfigFile", `${vm.name}.vmxf`],
    ["svga.autodetect", "TRUE"],
    ["hpet0.present", "TRUE"],
    ["RemoteDisplay.maxConnections", -1],
    ["uuid.bios", `56 4d 12 ab 7a c1 5c 44-cf a1 9e 76 2e ${i}`],
    ["vc.uuid", `50 20 ca 5b 7a c1 5c 44-cf a1 9e 76 2e ${i}`],
    ["toolScripts.afterPowerOn", "TRUE"],
    ["toolScripts.beforePowerOff", "TRUE"],
    ...(vm.cores > 1 ? [["cpuid.coresPerSocket", vm.cores]] : []),
    ["firmware", "efi"],
    ...(vm.hotAdd ? [["vcpu.hotadd", "TRUE"]] : []),
    ["pciBridge0.present", "TRUE"],
    ...[4, 5, 6, 7].flatMap((n) => [
      [`pciBridge${n}.present`, "TRUE"],
      [`pciBridge${n}.virtualDev`, "pcieRootPort"],
      [`pciBridge${n}.functions`, 8],
      [`pciBridge${n}.pciSlotNumber`, 17 + n],
    ]),
    ...times(vm.controllers, (n) => [
      [`scsi${n}.present`, "TRUE"],
      [`scsi${n}.virtualDev`, vm.controller],
      [`scsi${n}.pciSlotNumber`, 160 + 32 * n],
    ]).flat(),
    ...times(vm.disks, (n) => {
      const unit = `scsi${n % vm.controllers}:${Math.floor(n / vm.controllers)}`;
      return [
        [`${unit}.present`, "TRUE"],
        [`${unit}.deviceType`, "scsi-hardDisk"],
        [`${unit}.fileName`, `${vm.name}_${n}.vmdk`],
        [`sched.${unit}.shares`, "normal"],
        [`sched.${unit}.throughputCap`, "off"],
        [`${unit}.redo`, ""],
      ];
    }).flat(),
    ...times(vm.cards, (n) => [
      [`ethernet${n}.present`, "TRUE"],
      [`ethernet${n}.virtualDev`, vm.card],
      [`ethernet${n}.networkName`, `pg-prod-${100 + n}`],
      [`ethernet${n}.addressType`, "vpx"],
      [`ethernet${n}.uptCompatibility`, "TRUE"],
      [`ethernet${n}.pciSlotNumber`, 192 + 32 * n],
    ]).flat(),
    ["sata0.present", "TRUE"],
    ["sata0:0.present", "TRUE"],
    ["sata0:0.deviceType", "cdrom-raw"],
    ["sata0:0.startConnected", "FALSE"],
    ["numa.autosize.cookie", `${vm.vcpus}0${String(nodeSize).padStart(3, "0")}`],
    ["numa.autosize.vcpu.maxPerVirtualNode", nodeSize],
    ["sched.swap.derivedName", `/vmfs/volumes/5f3c1d2e-7a/${vm.name}/${vm.name}.vswp`],
    ["vmci0.id", i],
    ["monitor.phys_bits_used", 45],
    ["vmotion.checkpointFBSize", 4194304],
    ["vmotion.checkpointSVGAPrimarySize", 16777216],
    ["cleanShutdown", "TRUE"],
    ["softPowerOff", "FALSE"],
    ["migrate.hostLog", `./${vm.name}.hlog`],
    ...(vm.latency === "normal" ? [] : [["sched.cpu.latencySensitivity", vm.latency]]),
    ...(vm.affinity ? [["sched.cpu.affinity", vm.affinity]] : []),
  ];
  return pairs.map(([key, value]) => `${key} = "${value}"\n`).join("");
}

/** One Terraform resource of a VM, with the number of its CPUs in a local. */
export function terraform(i) {
  const vm = machine(i);
  const label = vm.name.replaceAll("-", "_");
  return `locals {
  ${label}_cpus = ${vm.vcpus}
}

resource "vsphere_virtual_machine" "${label}" {
  name                 = "${vm.name}"
  resource_pool_id     = data.vsphere_compute_cluster.cluster.resource_pool_id
  datastore_id         = data.vsphere_datastore.ds.id
  num_cpus             = local.${label}_cpus
  num_cores_per_socket = ${vm.cores}
  memory               = ${vm.memory} * local.mib
  guest_id             = "${vm.terraformGuest}"
  firmware             = "efi"
  scsi_type            = "${vm.controller}"
  scsi_controller_count = ${vm.controllers}
  latency_sensitivity  = "${vm.latency}"
  cpu_hot_add_enabled  = ${vm.hotAdd}
  hardware_version     = ${vm.hardware}
${times(
  vm.cards,
  (n) => `
  network_interface {
    network_id   = data.vsphere_network.net["pg-prod-${100 + n}"].id
    adapter_type = "${vm.card}"
  }
`,
).join("")}${times(
  vm.disks,
  (n) => `
  disk {
    label            = "disk${n}"
    size             = ${40 + 20 * n}
    unit_number      = ${n}
    thin_provisioned = true
  }
`,
).join("")}
  clone {
    template_uuid = data.vsphere_virtual_machine.template.id
    customize {
      dns_server_list = var.dns_servers
    }
  }
}
`;
}

/** VMs in one root module: as many as fit call a module with for_each over a map in terraform.tfvars, the rest are resources. */
const IN_ROOT = 50;
const IN_MAP = 30;

const MODULE = `variable "name" { type = string }
variable "vm" {
  type = object({ cpus = number, cores = number, memory = number, disks = optional(list(number), [60]) })
}

resource "vsphere_virtual_machine" "vm" {
  name                 = var.name
  resource_pool_id     = data.vsphere_compute_cluster.cluster.resource_pool_id
  num_cpus             = var.vm.cpus
  num_cores_per_socket = var.vm.cores
  memory               = var.vm.memory * 1024
  guest_id             = "rhel9_64Guest"
  scsi_type            = "pvscsi"

  dynamic "disk" {
    for_each = var.vm.disks
    content {
      label       = "disk\${disk.key}"
      size        = disk.value
      unit_number = disk.key
    }
  }

  network_interface {
    network_id   = data.vsphere_network.net.id
    adapter_type = "vmxnet3"
  }
}
`;

const ROOT = `variable "dns_servers" {
  type    = list(string)
  default = ["10.10.0.53", "10.20.0.53"]
}

variable "vms" {
  type = map(object({ cpus = number, cores = number, memory = number, disks = optional(list(number)) }))
}

locals {
  mib = 1024
}

module "fleet" {
  source   = "../modules/vm"
  for_each = var.vms
  name     = each.key
  vm       = each.value
}
`;

/** Returns the files of so many Terraform VMs: pairs of a path and its text. */
export function* terraformFleet(count) {
  yield ["modules/vm/main.tf", MODULE];
  for (let first = 0; first < count; first += IN_ROOT) {
    const vms = times(Math.min(IN_ROOT, count - first), (n) => first + n);
    const root = `root-${first / IN_ROOT}`;
    const entry = (i) => {
      const { name, vcpus, cores, memory, disks } = machine(i);
      return `  "${name}" = { cpus = ${vcpus}, cores = ${cores}, memory = ${memory}, disks = [${times(disks, (n) => 40 + 20 * n).join(", ")}] }\n`;
    };
    yield [`${root}/main.tf`, ROOT];
    yield [`${root}/terraform.tfvars`, `vms = {\n${vms.slice(0, IN_MAP).map(entry).join("")}}\n`];
    for (const i of vms.slice(IN_MAP)) yield [`${root}/vm-${i}.tf`, terraform(i)];
  }
}

/** A VM of Cluster API. */
export function manifest(i) {
  const vm = machine(i);
  return `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereMachineTemplate
metadata:
  name: ${vm.name}
  namespace: default
  labels: { team: platform, stage: prod }
spec:
  template:
    spec:
      cloneMode: linkedClone
      datacenter: dc1
      datastore: ds1
      diskGiB: 60
      folder: vms
      memoryMiB: ${vm.memory * 1024}
      numCPUs: ${vm.vcpus}
      numCoresPerSocket: ${vm.cores}
      hardwareVersion: vmx-${vm.hardware}
      network:
        devices:
${times(vm.cards, (n) => `          - dhcp4: true\n            networkName: pg-prod-${100 + n}\n`).join("")}      os: Linux
      resourcePool: "*/Resources"
      server: vcenter.example.com
      template: rhel9
      thumbprint: ""
`;
}

/** A VM of an export, as govc prints one, with its devices. */
export function info(i) {
  const vm = machine(i);
  const allocation = (reservation) => ({ reservation, expandableReservation: false, limit: -1, shares: { shares: 4000, level: "normal" } });
  const disk = (n) => ({
    key: 2000 + n,
    deviceInfo: { label: `Hard disk ${n + 1}`, summary: "41,943,040 KB" },
    controllerKey: 1000,
    unitNumber: n,
    capacityInKB: 41943040,
  });
  const nodeSize = vm.vcpus <= 12 ? vm.vcpus : Math.ceil(vm.vcpus / 2);
  return {
    self: { type: "VirtualMachine", value: `vm-${i}` },
    name: vm.name,
    config: {
      name: vm.name,
      version: `vmx-${vm.hardware}`,
      guestId: vm.terraformGuest,
      template: false,
      cpuHotAddEnabled: vm.hotAdd,
      cpuAllocation: allocation(0),
      memoryAllocation: allocation(vm.reserved ? vm.memory * 1024 : 0),
      latencySensitivity: { level: vm.latency },
      hardware: {
        numCPU: vm.vcpus,
        numCoresPerSocket: vm.cores,
        memoryMB: vm.memory * 1024,
        device: times(12 + vm.disks, disk),
      },
      extraConfig: [
        { key: "numa.autosize.vcpu.maxPerVirtualNode", value: String(nodeSize) },
        { key: "numa.autosize.cookie", value: `${vm.vcpus}0${String(nodeSize).padStart(3, "0")}` },
        ...times(20, (n) => ({ key: `pciBridge${n}.present`, value: "TRUE" })),
      ],
    },
  };
}
