/** A VM in terms that every format has. A missing property is absent in the VM. */
export interface AnyVm {
  readonly name: string;
  readonly vcpus: number;
  readonly memoryMiB: number;
  readonly hardwareVersion: number;
  readonly coresPerSocket?: number | undefined;
  readonly cpuHotAdd?: boolean | undefined;
  readonly threadsPerCore?: number | undefined;
  readonly latency?: string | undefined;
  readonly cpuReservation?: number | undefined;
  readonly memoryReservation?: number | undefined;
  readonly cpuLimit?: number | undefined;
  readonly advanced: Readonly<Record<string, string>>;
  /** Type of each controller, and how many disks it has. */
  readonly scsi: readonly (readonly [type: "pvscsi" | "lsilogic" | "lsisas1068" | "buslogic", disks: number])[];
  readonly nics: readonly ("vmxnet3" | "e1000" | "e1000e" | "vlance")[];
}

const given = <T>(value: T | undefined, write: (value: T) => string): string[] => (value === undefined ? [] : [write(value)]);

export function asVmx(vm: AnyVm): string {
  return [
    `displayName = "${vm.name}"`,
    `virtualHW.version = "${vm.hardwareVersion}"`,
    `numvcpus = "${vm.vcpus}"`,
    `memSize = "${vm.memoryMiB}"`,
    ...given(vm.coresPerSocket, (n) => `cpuid.coresPerSocket = "${n}"`),
    ...given(vm.cpuHotAdd, (on) => `vcpu.hotadd = "${String(on).toUpperCase()}"`),
    ...given(vm.threadsPerCore, (n) => `cpuid.numSMT = "${n}"`),
    ...given(vm.latency, (level) => `sched.cpu.latencySensitivity = "${level}"`),
    ...given(vm.cpuReservation, (n) => `sched.cpu.min = "${n}"`),
    ...given(vm.cpuLimit, (n) => `sched.cpu.max = "${n}"`),
    ...given(vm.memoryReservation, (n) => `sched.mem.min = "${n}"`),
    ...Object.entries(vm.advanced).map(([key, value]) => `${key} = "${value}"`),
    ...vm.scsi.flatMap(([type, disks], bus) => [
      `scsi${bus}.present = "TRUE"`,
      `scsi${bus}.virtualDev = "${type}"`,
      ...Array.from({ length: disks }, (_, unit) => `scsi${bus}:${unit}.present = "TRUE"`),
    ]),
    ...vm.nics.flatMap((type, i) => [`ethernet${i}.present = "TRUE"`, `ethernet${i}.virtualDev = "${type}"`]),
    "",
  ].join("\n");
}

const OVF_SCSI = { pvscsi: "VirtualSCSI", lsilogic: "lsilogic", lsisas1068: "lsilogicsas", buslogic: "buslogic" };
const OVF_NICS = { vmxnet3: "VmxNet3", e1000: "E1000", e1000e: "E1000e", vlance: "PCNet32" };

export function asOvf(vm: AnyVm): string {
  let id = 0;
  const item = (type: number, children: Readonly<Record<string, string | number | undefined>>, own = ++id) =>
    `<Item>${Object.entries({ ...children, InstanceID: own, ResourceType: type })
      .flatMap(([name, value]) =>
        given(value, (v) => (name.includes(":") ? `<${name}>${v}</${name}>` : `<rasd:${name}>${v}</rasd:${name}>`)),
      )
      .join("")}</Item>`;
  const config = (key: string, value: unknown) => `<vmw:Config ovf:required="false" vmw:key="${key}" vmw:value="${value}"/>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1" xmlns:vmw="http://www.vmware.com/schema/ovf" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vssd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_VirtualSystemSettingData">',
    `<VirtualSystem ovf:id="vm"><Info/><Name>${vm.name}</Name><VirtualHardwareSection><Info/>`,
    `<System><vssd:VirtualSystemType>vmx-${String(vm.hardwareVersion).padStart(2, "0")}</vssd:VirtualSystemType></System>`,
    item(3, {
      AllocationUnits: "hertz * 10^6",
      VirtualQuantity: vm.vcpus,
      Reservation: vm.cpuReservation,
      Limit: vm.cpuLimit,
      "vmw:CoresPerSocket": vm.coresPerSocket,
    }),
    item(4, { AllocationUnits: "byte * 2^20", VirtualQuantity: vm.memoryMiB, Reservation: vm.memoryReservation }),
    ...vm.scsi.flatMap(([type, disks], bus) => {
      const controller = ++id;
      return [
        item(6, { Address: bus, ResourceSubType: OVF_SCSI[type] }, controller),
        ...Array.from({ length: disks }, (_, unit) => item(17, { Parent: controller, AddressOnParent: unit })),
      ];
    }),
    ...vm.nics.map((type) => item(10, { ResourceSubType: OVF_NICS[type] })),
    ...given(vm.cpuHotAdd, (on) => config("cpuHotAddEnabled", on)),
    ...given(vm.threadsPerCore, (n) => config("simultaneousThreads", n)),
    ...given(vm.latency, (level) => config("latencySensitivity.level", level)),
    ...Object.entries(vm.advanced).map(([key, value]) => `<vmw:ExtraConfig vmw:key="${key}" vmw:value="${value}"/>`),
    "</VirtualHardwareSection></VirtualSystem></Envelope>",
  ].join("\n");
}

const API_SCSI = {
  pvscsi: "ParaVirtualSCSIController",
  lsilogic: "VirtualLsiLogicController",
  lsisas1068: "VirtualLsiLogicSASController",
  buslogic: "VirtualBusLogicController",
};
const API_NICS = { vmxnet3: "VirtualVmxnet3", e1000: "VirtualE1000", e1000e: "VirtualE1000e", vlance: "VirtualPCNet32" };

const devicesOf = (vm: AnyVm) => [
  ...vm.scsi.flatMap(([type, disks], bus) => [
    { _typeName: API_SCSI[type], key: 1000 + bus, busNumber: bus, scsiCtlrUnitNumber: 7 },
    ...Array.from({ length: disks }, (_, unit) => ({
      _typeName: "VirtualDisk",
      key: 2000 + bus * 16 + unit,
      controllerKey: 1000 + bus,
      unitNumber: unit,
      capacityInKB: 1048576,
    })),
  ]),
  ...vm.nics.map((type, i) => ({ _typeName: API_NICS[type], key: 4000 + i, unitNumber: 7 + i, macAddress: "00:50:56:00:00:01" })),
];

const shared = (vm: AnyVm) => ({
  name: vm.name,
  version: `vmx-${String(vm.hardwareVersion).padStart(2, "0")}`,
  cpuHotAddEnabled: vm.cpuHotAdd,
  cpuAllocation: { reservation: vm.cpuReservation, limit: vm.cpuLimit },
  memoryAllocation: { reservation: vm.memoryReservation },
  ...(vm.latency !== undefined && { latencySensitivity: { level: vm.latency } }),
  extraConfig: Object.entries(vm.advanced).map(([key, value]) => ({ key, value: { _typeName: "string", _value: value } })),
});

/** A VirtualMachineConfigSpec that makes a VM. */
export const asConfigSpec = (vm: AnyVm): object => ({
  _typeName: "VirtualMachineConfigSpec",
  files: { vmPathName: "[datastore1]" },
  ...shared(vm),
  numCPUs: vm.vcpus,
  numCoresPerSocket: vm.coresPerSocket,
  memoryMB: vm.memoryMiB,
  simultaneousThreads: vm.threadsPerCore,
  deviceChange: devicesOf(vm).map((device) => ({ operation: "add", device })),
});

/** Returns a VirtualMachineConfigInfo of vSphere 8. ESXi chooses its cores per socket if they are unset. */
export const asConfigInfo = (vm: AnyVm): object => ({
  _typeName: "VirtualMachineConfigInfo",
  ...shared(vm),
  hardware: {
    numCPU: vm.vcpus,
    numCoresPerSocket: vm.coresPerSocket ?? 1,
    autoCoresPerSocket: vm.coresPerSocket === undefined && vm.hardwareVersion >= 20,
    memoryMB: vm.memoryMiB,
    simultaneousThreads: vm.threadsPerCore,
    device: devicesOf(vm),
  },
});

/** The same with keys as govc wrote them before 0.31. */
export function capitalised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(capitalised);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.startsWith("_") ? key : key.charAt(0).toUpperCase() + key.slice(1),
      capitalised(inner),
    ]),
  );
}
