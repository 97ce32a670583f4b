/** The families of built-in rules, the part of an id before the slash, with their titles, in the order of the index. */
export const FAMILIES: Readonly<Record<string, string>> = {
  affinity: "Pinning to CPUs and nodes",
  numa: "NUMA nodes",
  topo: "Sockets and cores",
  cpu: "CPUs",
  smt: "Virtual hyper-threads",
  mem: "Memory",
  hotadd: "Hot add",
  latency: "Latency sensitivity",
  guest: "Guest operating systems",
  mssql: "SQL Server",
  oracle: "Oracle Database",
  hana: "SAP HANA",
  imdg: "In-memory data grids",
  exchange: "Exchange Server",
  kubelet: "Kubernetes nodes",
  kubevirt: "KubeVirt and OpenShift Virtualization",
  kvm: "Pins and NUMA cells on KVM",
  libvirt: "libvirt domains",
  proxmox: "Proxmox VE",
  openstack: "OpenStack flavors",
  migrate: "Imports to other platforms",
  ft: "Fault Tolerance",
  storage: "Storage",
  scsi: "SCSI controllers",
  nvme: "NVMe controllers",
  sata: "SATA controllers",
  net: "Network cards",
  passthrough: "Passthrough devices",
  "power-on": "Prerequisites of power-on",
  host: "VMs of one machine",
  tf: "Terraform",
  vmx: ".vmx files",
  spec: "VM specs and comments",
  suppression: "Suppressions",
  inventory: "Inventories and packages",
};

/** The part of a rule's id before the slash. */
export const familyOf = (id: string): string => id.slice(0, Math.max(0, id.indexOf("/")));

/** Whether an id has no family or that of a built-in rule, so that no plugin may use it. */
export const isBuiltInId = (id: string): boolean => !id.includes("/") || Object.hasOwn(FAMILIES, familyOf(id));
