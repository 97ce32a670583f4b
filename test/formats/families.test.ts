import { deriveTopology, type HostModel, lint, requireHost, type VmSpec } from "@vmlint/core";
import { type LintResult, lintParsed, parseVmx } from "@vmlint/core/program";
import { yaml } from "@vmlint/core/yaml";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { joinConsequences } from "../../packages/core/src/lint/join-consequences.ts";
import { devicesOf } from "../support/yaml-vm.ts";
import { parse as parseTerraform } from "./terraform/support.ts";

/** A VM that sets everything a clone would inherit from its template. */
interface Machine {
  readonly vcpus: number;
  readonly coresPerSocket: number;
  readonly memoryMiB: number;
  readonly hardwareVersion: number;
  readonly cpuHotAdd: boolean;
  readonly cpuReservationMHz: number;
  readonly memoryReservationMiB: number;
  readonly options: Readonly<Record<string, string>>;
}

const machine: fc.Arbitrary<Machine> = fc
  .record({
    vcpus: fc.integer({ min: 2, max: 64 }),
    coresPerSocket: fc.constantFrom(1, 2, 4, 8),
    memoryMiB: fc.integer({ min: 1, max: 100_000 }),
    hardwareVersion: fc.constantFrom(8, 10, 13, 17, 20, 21),
    cpuHotAdd: fc.boolean(),
    cpuReservationMHz: fc.integer({ min: 0, max: 50_000 }),
    memoryReservationMiB: fc.integer({ min: 0, max: 100_000 }),
    options: fc.record(
      {
        "numa.vcpu.preferHT": fc.constantFrom("TRUE", "FALSE"),
        "numa.vcpu.maxPerVirtualNode": fc.constantFrom("4", "8"),
        "numa.vcpu.min": fc.constantFrom("4", "9"),
        "numa.nodeAffinity": fc.constantFrom("0", "0,1"),
      },
      { requiredKeys: [] },
    ),
  })
  .map((one) => ({ ...one, options: one.options as Record<string, string> }));

const object = (apiVersion: string, kind: string, spec: object) => stringify({ apiVersion, kind, metadata: { name: "vm" }, spec });
const list = (options: Machine["options"]) => Object.entries(options).map(([key, value]) => ({ key, value }));

/** The same VM in every format that can express all its settings. */
const WRITERS: Readonly<Record<string, (vm: Machine) => string>> = {
  spec: ({ options: advanced, ...settings }) =>
    object("vmlint.dev/v1", "VirtualMachine", { ...settings, memoryReservationLocked: false, advanced }),
  ansible: ({ vcpus, coresPerSocket, memoryMiB, hardwareVersion, cpuHotAdd, cpuReservationMHz, memoryReservationMiB, options }) =>
    stringify([
      {
        "community.vmware.vmware_guest": {
          name: "vm",
          guest_id: "otherGuest64",
          hardware: {
            num_cpus: vcpus,
            num_cpu_cores_per_socket: coresPerSocket,
            memory_mb: memoryMiB,
            version: hardwareVersion,
            hotadd_cpu: cpuHotAdd,
            cpu_reservation: cpuReservationMHz,
            mem_reservation: memoryReservationMiB,
            memory_reservation_lock: false,
          },
          advanced_settings: list(options),
        },
      },
    ]),
  class: ({ vcpus, coresPerSocket, memoryMiB, hardwareVersion, cpuHotAdd, cpuReservationMHz, memoryReservationMiB, options }) =>
    object("vmoperator.vmware.com/v1alpha3", "VirtualMachineClass", {
      hardware: { cpus: vcpus, memory: `${memoryMiB}Mi` },
      configSpec: {
        _typeName: "VirtualMachineConfigSpec",
        numCoresPerSocket: coresPerSocket,
        version: `vmx-${hardwareVersion}`,
        cpuHotAddEnabled: cpuHotAdd,
        cpuAllocation: { reservation: cpuReservationMHz },
        memoryAllocation: { reservation: memoryReservationMiB },
        memoryReservationLockedToMax: false,
        extraConfig: list(options).map(({ key, value }) => ({ key, value: { _typeName: "string", _value: value } })),
      },
    }),
  pulumi: ({ vcpus, coresPerSocket, memoryMiB, hardwareVersion, cpuHotAdd, cpuReservationMHz, memoryReservationMiB, options }) =>
    stringify({
      runtime: "yaml",
      resources: {
        vm: {
          type: "vsphere:VirtualMachine",
          properties: {
            numCpus: vcpus,
            numCoresPerSocket: coresPerSocket,
            memory: memoryMiB,
            hardwareVersion,
            cpuHotAddEnabled: cpuHotAdd,
            cpuReservation: cpuReservationMHz,
            memoryReservation: memoryReservationMiB,
            memoryReservationLockedToMax: false,
            extraConfig: options,
          },
        },
      },
    }),
};

function vmx(vm: Machine): string {
  const keys = {
    numvcpus: vm.vcpus,
    "cpuid.coresPerSocket": vm.coresPerSocket,
    memSize: vm.memoryMiB,
    "virtualHW.version": vm.hardwareVersion,
    "vcpu.hotadd": vm.cpuHotAdd,
    "sched.cpu.min": vm.cpuReservationMHz,
    "sched.mem.min": vm.memoryReservationMiB,
    "sched.mem.pin": "FALSE",
    ...vm.options,
  };
  return Object.entries(keys)
    .map(([key, value]) => `${key} = "${value}"`)
    .join("\n");
}

/** Two of the values come by a variable and a local. */
const hcl = ({ vcpus, coresPerSocket, memoryMiB, hardwareVersion, cpuHotAdd, cpuReservationMHz, memoryReservationMiB, options }: Machine) =>
  `variable "vcpus" {
  default = ${vcpus}
}
locals {
  memory = ${memoryMiB}
}
resource "vsphere_virtual_machine" "vm" {
  name                   = "vm"
  num_cpus               = var.vcpus
  num_cores_per_socket   = ${coresPerSocket}
  memory                 = local.memory
  hardware_version       = ${hardwareVersion}
  cpu_hot_add_enabled    = ${cpuHotAdd}
  cpu_reservation        = ${cpuReservationMHz}
  memory_reservation     = ${memoryReservationMiB}
  memory_reservation_locked_to_max = false
  extra_config = {
${Object.entries(options)
  .map(([key, value]) => `    "${key}" = "${value}"`)
  .join("\n")}
  }
}
`;

type LintOn = (vm: Machine, host: HostModel) => LintResult;

const others: readonly (readonly [string, LintOn])[] = [
  ...Object.entries(WRITERS).map(
    ([name, write]) => [name, (vm: Machine, host: HostModel) => lint(write(vm), { format: yaml, target: { host } })] as const,
  ),
  ["terraform", (vm, host) => lintParsed(parseTerraform({ "main.tf": hcl(vm) }), { target: { host } })],
];

describe.each(others)("the same VM as .vmx and as %s", (_, lintOther) => {
  test("has the same settings, topology and findings", () => {
    fc.assert(
      fc.property(machine, fc.constantFrom("dl580g7", "2x10x2:256@6.5", "2x24x2/2:768@8.0"), (one, hostName) => {
        const host = requireHost(hostName);
        const [theirs, ours] = [lint(vmx(one), { target: { host } }), lintOther(one, host)];
        const [a, b] = [theirs.vms[0]?.spec, ours.vms[0]?.spec];
        // Ansible requires a guest OS to create a VM.
        const values = (vm: VmSpec | undefined) =>
          Object.entries({ ...vm?.settings, guestOs: undefined }).map(([name, s]) => [name, s?.state, s && "value" in s && s.value]);
        expect(values(b)).toEqual(values(a));
        const found = ({ diagnostics }: LintResult) =>
          joinConsequences(diagnostics)
            // The module refuses what ESXi does not start.
            .map(({ ruleId, message }) => `${ruleId} ${message.replace("vmware_guest refuses this file: ", "")}`)
            .sort();
        expect(found(ours)).toEqual(found(theirs));
        expect(b && deriveTopology(b, host)).toEqual(a && deriveTopology(a, host));
      }),
      { numRuns: 60 },
    );
  });
});

test("the same devices as .vmx, as a spec, in both modules of Ansible and in a class", () => {
  const types = ["pvscsi", "lsilogic", "lsisas1068", "buslogic"] as const;
  const names = { pvscsi: "paravirtual", lsilogic: "lsilogic", lsisas1068: "lsilogicsas", buslogic: "buslogic" };
  const classes = {
    pvscsi: "ParaVirtualSCSIController",
    lsilogic: "VirtualLsiLogicController",
    lsisas1068: "VirtualLsiLogicSASController",
    buslogic: "VirtualBusLogicController",
  };
  /** VM Operator leaves out the other disks of a class. */
  const LUN = "VirtualDiskRawDiskMappingVer1BackingInfo";
  const disks = fc.array(
    fc.record({ type: fc.constantFrom(...types), units: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }) }),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  fc.assert(
    fc.property(disks, (buses) => {
      const all = buses.flatMap(({ type, units }, bus) => units.map((unit) => ({ type, bus, unit })));
      const ofVmx = buses.flatMap(({ type, units }, bus) => [
        `scsi${bus}.present = "TRUE"\nscsi${bus}.virtualDev = "${type}"`,
        ...units.map((unit) => `scsi${bus}:${unit}.present = "TRUE"`),
      ]);
      const texts = [
        object("vmlint.dev/v1", "VirtualMachine", {
          scsiControllers: buses.map(({ type }, bus) => ({ bus, type })),
          disks: all.map(({ bus, unit }) => ({ bus: `scsi${bus}:${unit}` })),
        }),
        stringify([
          {
            vmware_guest: {
              guest_id: "g",
              hardware: { num_cpus: 2, memory_mb: 4 },
              disk: all.map(({ type, bus, unit }) => ({ controller_type: names[type], controller_number: bus, unit_number: unit })),
            },
          },
        ]),
        stringify([
          {
            "vmware.vmware.vm": {
              scsi_controllers: buses.map(({ type }, bus) => ({ bus_number: bus, controller_type: names[type] })),
              disks: all.map(({ bus, unit }) => ({ device_node: `SCSI(${bus}:${unit})` })),
            },
          },
        ]),
        object("vmoperator.vmware.com/v1alpha2", "VirtualMachineClass", {
          configSpec: {
            deviceChange: [
              ...buses.map(({ type }, bus) => ({ operation: "add", device: { _typeName: classes[type], key: -bus - 1, busNumber: bus } })),
              ...all.map(({ bus, unit }) => ({
                operation: "add",
                device: { _typeName: "VirtualDisk", controllerKey: -bus - 1, unitNumber: unit, backing: { _typeName: LUN } },
              })),
            ],
          },
        }),
      ];
      const [vm] = parseVmx(ofVmx.join("\n")).vms;
      for (const text of texts) expect(yaml.parse(text).vms.map(devicesOf)).toEqual([vm && devicesOf(vm)]);
    }),
    { numRuns: 100 },
  );
});
