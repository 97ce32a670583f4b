import { lint, type Setting, type VmSpec } from "@vmlint/core";
import { formatHolding } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { govc } from "../../packages/core/src/formats/vi-json/govc.ts";
import { asConfigInfo, asConfigSpec, capitalised } from "../support/inventories.ts";

const VM = { name: "sql01", vcpus: 8, memoryMiB: 65536, hardwareVersion: 19, advanced: {}, scsi: [], nics: [] } as const;
const INFO = asConfigInfo(VM);
const read = (value: unknown) => {
  const text = JSON.stringify(value, undefined, 1);
  return { text, ...govc.parse(text) };
};
const isTold = (text: string) => formatHolding("x.json", text)?.name === "govc";
const settings = (value: unknown) => {
  const { text, vms } = read(value);
  expect(isTold(text)).toBe(true);
  const [vm] = vms;
  if (!vm) throw new Error("no VM");
  const said = ([name, setting]: [string, Setting<unknown>]) =>
    setting.state === "absent" ? [] : [[name, setting.state === "known" ? [setting.value, text.slice(...setting.range)] : setting.reason]];
  return Object.fromEntries(Object.entries<Setting<unknown>>(vm.settings).flatMap(said));
};
const info = (more: object, hardware: object = {}) =>
  settings({ _typeName: "VirtualMachineConfigInfo", hardware: { numCPU: 8, memoryMB: 65536, ...hardware }, ...more });

describe("a VirtualMachineConfigInfo", () => {
  test("says every setting, each with its place", () => {
    expect(
      info(
        {
          version: "vmx-20",
          guestId: "windows2019srv_64Guest",
          cpuHotAddEnabled: true,
          memoryHotAddEnabled: false,
          latencySensitivity: { level: "high" },
          cpuAffinity: { affinitySet: [4, 0, 2] },
          memoryAffinity: { affinitySet: [1] },
          cpuAllocation: { reservation: 38400, limit: -1 },
          memoryAllocation: { reservation: 65536, limit: 131072 },
          memoryReservationLockedToMax: true,
          numaInfo: { coresPerNumaNode: 4, autoCoresPerNumaNode: false, vnumaOnCpuHotaddExposed: true },
          extraConfig: [
            { key: "numa.autosize.cookie", value: { _typeName: "string", _value: "80082" } },
            { key: "numa.autosize.vcpu.maxPerVirtualNode", value: "4" },
          ],
        },
        { numCoresPerSocket: 4, simultaneousThreads: 2 },
      ),
    ).toEqual({
      vcpus: [8, "8"],
      coresPerSocket: [4, "4"],
      coresPerNumaNode: [4, "4"],
      threadsPerCore: [2, "2"],
      memoryMiB: [65536, "65536"],
      hardwareVersion: [20, "vmx-20"],
      guestOs: ["windows2019srv_64Guest", "windows2019srv_64Guest"],
      cpuHotAdd: [true, "true"],
      memoryHotAdd: [false, "false"],
      latencySensitivity: ["high", "high"],
      cpuAffinity: [[0, 2, 4], "[\n   4,\n   0,\n   2\n  ]"],
      memoryAffinity: [[1], "[\n   1\n  ]"],
      cpuReservationMHz: [38400, "38400"],
      cpuLimitMHz: ["unlimited", "-1"],
      memoryReservationMiB: [65536, "65536"],
      memoryLimitMiB: [131072, "131072"],
      memoryReservationLocked: [true, "true"],
      exposeVnumaOnHotAdd: [true, "true"],
      storedNodeSize: [4, "4"],
      storedCookie: [80082, "80082"],
    });
  });

  test("cores per socket that ESXi chooses are automatic, regardless of its last choice", () => {
    expect(info({}, { numCoresPerSocket: 4, autoCoresPerSocket: true }).coresPerSocket).toEqual(["auto", "true"]);
    expect(info({}, { numCoresPerSocket: 4, autoCoresPerSocket: false }).coresPerSocket).toEqual([4, "4"]);
  });

  test.each([[{}], [{ numCoresPerSocket: 0 }], [{ numCoresPerSocket: null }]])("unset ones are 1: %j", (hardware) => {
    const [vm] = read({ hardware: { numCPU: 8, memoryMB: 1, ...hardware }, version: "vmx-21" }).vms;
    expect([vm?.settings.coresPerSocket.state, vm?.defaults]).toEqual(["absent", { coresPerSocket: 1 }]);
  });

  test("a NUMA node size is a setting only where somebody set it", () => {
    expect(info({ numaInfo: { coresPerNumaNode: 4, autoCoresPerNumaNode: true } }).coresPerNumaNode).toBeUndefined();
    expect(info({ numaInfo: { coresPerNumaNode: 4 } }).coresPerNumaNode).toBe("the inventory does not say whether ESXi chose it");
  });

  const LEVELS = "its vCPUs have levels of their own";
  test.each<[vcpuConfig: unknown, level: unknown]>([
    [undefined, ["high", "high"]],
    [[], ["high", "high"]],
    [
      [{ latencySensitivity: { level: "high" } }, {}, { latencySensitivity: null }],
      ["high", "high"],
    ],
    [[{ latencySensitivity: { level: "high" } }, { latencySensitivity: { level: "normal" } }], LEVELS],
    [[{ latencySensitivity: "VMware.Vim.LatencySensitivity" }], LEVELS],
    ["VMware.Vim.VirtualMachineVcpuConfig VMware.Vim.VirtualMachineVcpuConfig", LEVELS],
  ])("the latency sensitivity applies to all vCPUs, also if %j is set", (vcpuConfig, level) => {
    expect(info({ latencySensitivity: { level: "high" }, vcpuConfig }).latencySensitivity).toEqual(level);
    const spec = { _typeName: "VirtualMachineConfigSpec", numCPUs: 8, latencySensitivity: { level: "high" }, vcpuConfig };
    expect(settings(spec).latencySensitivity).toEqual(level);
  });

  test("an empty affinity is none", () => {
    expect(info({ cpuAffinity: { affinitySet: [] }, memoryAffinity: { affinitySet: null } })).not.toHaveProperty("cpuAffinity");
  });
});

describe("a VirtualMachineConfigSpec", () => {
  const spec = (more: object) =>
    settings({ _typeName: "VirtualMachineConfigSpec", files: { vmPathName: "[datastore1]" }, numCPUs: 8, ...more });

  test("0 cores per socket ask for the default of the hardware version", () => {
    expect(spec({ numCoresPerSocket: 0, simultaneousThreads: 0 })).toEqual({ vcpus: [8, "8"] });
  });

  test("the field counts, and not the key of the same", () => {
    const extraConfig = [{ key: "sched.cpu.latencySensitivity", value: "high" }];
    expect(spec({ latencySensitivity: { level: "normal" }, extraConfig }).latencySensitivity).toEqual(["normal", "normal"]);
    expect(spec({ extraConfig })).not.toHaveProperty("latencySensitivity");
  });

  // "If no operation is specified, the spec. is ignored."
  test.each([
    ["remove", []],
    [undefined, []],
    ["add", ["scsi0"]],
    ["edit", ["scsi0"]],
  ])("a device with the operation %s", (operation, expected) => {
    const device = { _typeName: "VirtualLsiLogicController", key: 1000, busNumber: 0 };
    const [vm] = read({ _typeName: "VirtualMachineConfigSpec", deviceChange: [{ operation, device }] }).vms;
    expect(vm?.scsiControllers.map(({ id }) => id)).toEqual(expected);
  });
});

describe("devices whose types govc leaves out", () => {
  const withDevices = (...device: object[]) =>
    read({ virtualMachines: [{ name: "a", config: { hardware: { numCPU: 1, device } } }] }).vms[0];
  const scsi = (summary: string) => ({
    key: 1000,
    busNumber: 0,
    scsiCtlrUnitNumber: 7,
    deviceInfo: { label: "SCSI controller 0", summary },
  });

  test.each([
    ["noSharing", undefined],
    ["physicalSharing", true],
    ["virtualSharing", true],
  ])("a controller with %s is shared: %s", (sharedBus, shared) => {
    expect(withDevices({ ...scsi("LSI Logic"), sharedBus })?.scsiControllers[0]?.shared).toBe(shared);
  });

  test.each([
    ["VMware paravirtual SCSI", "pvscsi"],
    ["LSI Logic SAS", "lsisas1068"],
    ["LSI Logic", "lsilogic"],
    ["pvscsi-202", "the inventory does not state its type"],
  ])("a controller that calls itself %s", (summary, expected) => {
    const type = withDevices(scsi(summary))?.scsiControllers[0]?.type;
    expect(type?.state === "known" ? type.value : type?.state === "unknown" && type.reason).toBe(expected);
  });

  test("disks, drives, network cards and controllers are recognized by their properties", () => {
    const devices = withDevices(
      scsi("LSI Logic"),
      { key: 200, busNumber: 0, deviceInfo: { label: "IDE 0" } },
      { key: 15000, busNumber: 0, deviceInfo: { label: "SATA controller 0", summary: "AHCI" } },
      { key: 100, busNumber: 0, deviceInfo: { label: "PCI controller 0" } },
      { key: 2000, controllerKey: 1000, unitNumber: 1, capacityInKB: 4 },
      { key: 3000, controllerKey: 200, unitNumber: 0, deviceInfo: { label: "CD/DVD drive 1" } },
      { key: 4000, controllerKey: 100, unitNumber: 7, macAddress: "00:50:56:00:00:01" },
    )?.devices();
    expect(devices?.disks.map(({ id }) => id)).toEqual(["scsi0:1"]);
    expect(devices?.otherControllers.map(({ kind, bus }) => kind + bus)).toEqual(["ide0", "sata0"]);
    expect(devices?.nics.map(({ type }) => type.state)).toEqual(["unknown"]);
  });

  test.each(["constructor", "__proto__", "toString"])("%s is no type", (_typeName) => {
    const devices = withDevices({ _typeName, busNumber: 0, macAddress: "x", deviceInfo: { label: "IDE 0", summary: _typeName } });
    expect([devices?.scsiControllers, devices?.devices()]).toEqual([[], { otherControllers: [], disks: [], nics: [], passthrough: [] }]);
    expect(withDevices(scsi(_typeName))?.scsiControllers[0]?.type.state).toBe("unknown");
  });

  test("govc device.info before 0.31 gives the same", () => {
    const [vm] = read({ Devices: [{ Name: "pvscsi-1000", Type: "ParaVirtualSCSIController", Key: 1000, BusNumber: 0 }] }).vms;
    expect(vm?.scsiControllers.map(({ type }) => type)).toMatchObject([{ value: "pvscsi" }]);
  });

  test("govc device.info says the types, and nothing of the VM", () => {
    const { text, vms } = read({ devices: [{ name: "pvscsi-1000", type: "ParaVirtualSCSIController", key: 1000, busNumber: 0 }] });
    expect(isTold(text)).toBe(true);
    expect(vms[0]?.scsiControllers).toMatchObject([{ id: "scsi0", type: { value: "pvscsi" } }]);
    expect(vms[0]?.settings.vcpus.state).toBe("unknown");
  });
});

describe("PowerCLI's Get-VM, by ConvertTo-Json", () => {
  const got = (view: unknown) => ({ Name: "sql01", NumCpu: 2, CoresPerSocket: 1, MemoryMB: 1, PowerState: 1, ExtensionData: view });
  const view = capitalised({ name: "sql01", config: { ...INFO, latencySensitivity: { level: 2 } } });

  test.each([
    ["of one VM", got(view)],
    ["of several", [got(view)]],
    ["of several that are passed as one object", { value: [got(view)], Count: 1 }],
  ])("holds the object of the API: %s", (_, value) => {
    const { text, vms } = read(value);
    expect(isTold(text)).toBe(true);
    expect(vms.map((vm) => [vm.name, vm.settings.vcpus])).toMatchObject([["sql01", { state: "known", value: 8 }]]);
    // .NET's enumerations are written as numbers.
    expect(vms[0]?.settings.latencySensitivity).toMatchObject({ state: "unknown" });
  });

  test("is a table if it is cut off earlier, and no VM of the API", () => {
    for (const view of [{ Config: "VMware.Vim.VirtualMachineConfigInfo" }, "VMware.Vim.VirtualMachine"]) {
      const { text, vms } = read([got(view)]);
      expect([formatHolding("vms.json", text)?.name, vms]).toEqual(["powercli", []]);
    }
  });
});

describe("truncated options leave their settings unknown", () => {
  const whole = { hardware: { numCPU: 8, memoryMB: 4096 }, version: "vmx-19", cpuAllocation: {}, memoryAllocation: {} };
  test.each([
    ["names of their type", { extraConfig: ["VMware.Vim.OptionValue"] }, "unknown"],
    ["a name of their type for all", { extraConfig: "VMware.Vim.OptionValue VMware.Vim.OptionValue" }, "unknown"],
    ["another object around the list", { extraConfig: { value: [{ key: "numa.vcpu.min", value: "4" }], Count: 1 } }, "unknown"],
    ["an empty list", { extraConfig: [] }, "absent"],
    ["no list, which is how the API writes an empty one", {}, "absent"],
  ])("%s", (_, options, state) => {
    const [vm] = read({ virtualMachines: [{ name: "a", config: { ...whole, ...options } }] }).vms;
    expect([vm?.settings.preferHt.state, vm?.settings.cpuReservationMHz.state]).toEqual([state, "absent"]);
  });
});

describe("govc object.collect", () => {
  const property = (name: string, val: unknown) => ({ name, op: "assign", val });

  test("for all VMs prints changes of the requested properties", () => {
    const one = (name: string, numCPU: number) => ({
      kind: "enter",
      obj: { type: "VirtualMachine", value: name },
      changeSet: [property("name", name), property("config", { hardware: { numCPU, memoryMB: 4096 } })],
    });
    const { vms } = govc.parse(`${JSON.stringify(one("a", 2), null, 2)}\n${JSON.stringify(one("b", 4), null, 2)}\n`);
    expect(vms.map(({ name, settings: { vcpus } }) => [name, vcpus])).toMatchObject([
      ["a", { value: 2 }],
      ["b", { value: 4 }],
    ]);
  });

  test.each([
    ["CreateVM_Task", { config: { _typeName: "VirtualMachineConfigSpec", name: "a", numCPUs: 6 }, pool: {} }],
    ["ReconfigVM_Task", { spec: { _typeName: "VirtualMachineConfigSpec", name: "a", numCPUs: 6 } }],
    [
      "RetrievePropertiesEx",
      {
        objects: [
          {
            obj: {},
            propSet: [
              { name: "name", val: "a" },
              { name: "config.hardware.numCPU", val: 6 },
            ],
          },
        ],
      },
    ],
  ])("the VM in the JSON of %s is read", (_, body) => {
    expect(read(body).vms.map(({ name, settings: { vcpus } }) => [name, vcpus])).toMatchObject([["a", { value: 6 }]]);
  });

  test("of some properties leaves all others unknown", () => {
    const collected = settings([
      property("config.hardware.numCPU", 16),
      property("config.latencySensitivity", { level: "high" }),
      property("name", "a"),
    ]);
    expect(collected).toMatchObject({ vcpus: [16, "16"], latencySensitivity: ["high", "high"] });
    expect(collected).toMatchObject({ memoryMiB: "it was not collected", cpuAffinity: "it was not collected" });
  });

  test("with only a host it is an inventory without a VM; with only the runtime of a VM it is skipped", () => {
    const host = read([property("hardware", { cpuInfo: {} }), property("config.product", { version: "8.0" })]);
    expect([host.vms, host.problems, host.foreign]).toEqual([[], [], undefined]);
    expect(read([property("runtime", {})]).foreign).toBeDefined();
  });
});

describe("contents of a text", () => {
  const two = {
    virtualMachines: [
      { name: "a", config: INFO },
      { name: "b", config: null },
    ],
  };

  test.each([
    ["several VMs; of one that is not reachable nothing is known", two, [8, undefined]],
    ["a list of configurations", [INFO, asConfigSpec(VM)], [8, 8]],
    ["one VM of a list", two.virtualMachines[0], [8]],
    ["the hardware alone", { _typeName: "VirtualHardware", numCPU: 4, memoryMB: 1 }, [4]],
    ["a value of the type Any", { _typeName: "VirtualMachineConfigInfo", _value: INFO }, [8]],
    ["keys with a capital", capitalised(two), [8, undefined]],
    ["no VM at all", { virtualMachines: null }, []],
  ])("%s", (_, value, vcpus) => {
    expect(isTold(JSON.stringify(value))).toBe(vcpus.length > 0);
    expect(read(value).vms.map(({ settings }) => (settings.vcpus.state === "known" ? settings.vcpus.value : undefined))).toEqual(vcpus);
  });

  test.each([
    ["a router of CloudStack", '{ "dhcpprovider": "VirtualRouter", }'],
    [
      "networks and VMs of Azure",
      '{ // rules\n "type": "VirtualNetwork", "VirtualMachineName": "a", "copy": { "name": "virtualMachines" } }',
    ],
    ["VirtualBox", '{ "type": "VirtualBox", }'],
    ["a file's name", '{ "include": ["config.ts"], }'],
  ])("%s in a text that is not strict JSON is skipped", (_, text) => {
    expect(isTold(text)).toBe(false);
  });

  test.each(
    "VirtualDisk VirtualLsiLogicSASController VirtualNVMEController VirtualVmxnet3 VirtualE1000e VirtualPCIPassthrough VirtualUSB".split(
      " ",
    ),
  )("a list of devices is recognized by %s", (type) => {
    expect(isTold(JSON.stringify({ devices: [{ type }] }))).toBe(true);
  });

  test("one document behind the other", () => {
    expect(govc.parse(`${JSON.stringify(INFO)}\n${JSON.stringify(INFO)}\n`).vms).toHaveLength(2);
  });

  test.each([["{}"], ["[]"], ["1"], [""], ['{"name":"x","version":"1.0.0","dependencies":{}}']])("%s is skipped", (text) => {
    expect(govc.parse(text)).toEqual({ vms: [], problems: [], foreign: "it has no VM in the JSON of govc or the vSphere API" });
  });

  test("a template runs nowhere", () => {
    expect(read({ ...INFO, template: true }).vms[0]?.template).toBe(true);
  });

  test("a VM that is off has its state and its host, in each form with a runtime", () => {
    const runtime = { powerState: "poweredOff", host: { type: "HostSystem", value: "host-42" } };
    const named = (name: string, val: unknown) => ({ name, val });
    const forms: readonly unknown[] = [
      { virtualMachines: [{ name: "a", config: INFO, runtime }] },
      { virtualMachines: [{ name: "a", config: INFO, summary: { runtime } }] },
      capitalised({ virtualMachines: [{ name: "a", config: INFO, runtime }] }),
      [named("config", INFO), named("runtime", runtime)],
      [named("config", INFO), named("runtime.powerState", "poweredOff"), named("runtime.host", runtime.host)],
      { Name: "a", PowerState: 0, ExtensionData: capitalised({ config: INFO, runtime: { ...runtime, powerState: 0 } }) },
    ];
    expect(forms.map((form) => read(form).vms.map(({ off, runsOn }) => [off, runsOn]))).toEqual(
      forms.map(() => [[true, { id: "host-42" }]]),
    );
    expect(read({ virtualMachines: [{ name: "a", config: INFO }] }).vms.map(({ off, runsOn }) => [off, runsOn])).toEqual([
      [undefined, undefined],
    ]);
  });

  test("a truncated text is reported at its end", () => {
    const text = JSON.stringify(two).slice(0, -20);
    const { diagnostics, vms } = lint(text, { format: govc });
    expect(vms).toEqual([]);
    expect(diagnostics).toMatchObject([{ ruleId: "inventory/unreadable", severity: "error", range: [text.length, text.length] }]);
  });

  test("any text gives an answer whose ranges lie inside it", () => {
    const whole = JSON.stringify({
      virtualMachines: [{ name: "a", config: asConfigInfo({ ...VM, scsi: [["pvscsi", 2]], nics: ["e1000"] }) }],
    });
    const damaged = fc
      .tuple(fc.nat(whole.length), fc.nat(12), fc.constantFrom("", "null", '"', "{", "]", "[[", ":", "-1", '"_value":', "\\u0041"))
      .map(([at, length, put]) => whole.slice(0, at) + put + whole.slice(at + length));
    const anyValue = fc.jsonValue().map((inside) => JSON.stringify({ virtualMachines: inside, hardware: inside, config: inside }));
    fc.assert(
      fc.property(fc.oneof(damaged, anyValue, fc.string()), (text) => {
        const { vms, problems } = govc.parse(text);
        const ranges = vms.flatMap((vm) => [
          vm.range,
          ...Object.values(vm.settings).flatMap((setting) => (setting.state === "absent" ? [] : [setting.range])),
          ...vm.scsiControllers.map(({ range }) => range),
          ...vm.devices().disks.map(({ range }) => range),
          ...vm.devices().otherControllers.map(({ range }) => range),
        ]);
        for (const [start, end] of [...ranges, ...problems.map(({ range }) => range)]) {
          expect(start).toBeGreaterThanOrEqual(0);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 1000 },
    );
  });

  test("a million brackets are no VM, and no stack overflow", () => {
    const deep = `{"virtualMachines":${"[".repeat(1_000_000)}`;
    expect(govc.parse(deep).problems).toHaveLength(1);
    expect(govc.parse(`${deep}${"]".repeat(1_000_000)}}`).vms).toEqual([]);
  });
});

describe("the backing of a disk", () => {
  const controller = { _typeName: "ParaVirtualSCSIController", key: 1000, busNumber: 0 };
  const disk = (backing: object, more: object = {}) => ({
    _typeName: "VirtualDisk",
    controllerKey: 1000,
    unitNumber: 0,
    backing: { _typeName: "VirtualDiskFlatVer2BackingInfo", ...backing },
    ...more,
  });
  const ofInfo = (...device: object[]) => read({ hardware: { numCPU: 1, memoryMB: 4, device: [controller, ...device] } }).vms[0]?.devices();
  const ofSpec = (...device: object[]) =>
    read({
      _typeName: "VirtualMachineConfigSpec",
      deviceChange: [controller, ...device].map((one) => ({ operation: "add", device: one })),
    }).vms[0]?.devices();
  const provisioning = (devices: ReturnType<VmSpec["devices"]> | undefined) => {
    const setting = devices?.disks[0]?.provisioning;
    return setting?.state === "known" ? setting.value : setting?.state;
  };

  test.each([
    [{ thinProvisioned: true }, "thin", "thin"],
    [{ thinProvisioned: false, eagerlyScrub: true }, "eager", "eager"],
    // For a new disk, the file system decides.
    [{ thinProvisioned: false, eagerlyScrub: false }, "lazy", "unknown"],
    [{ thinProvisioned: false }, "unknown", "unknown"],
    [{ thinProvisioned: "perhaps" }, "unknown", "unknown"],
    [{}, "absent", "absent"],
  ])("%j", (backing, info, spec) => {
    expect([provisioning(ofInfo(disk(backing))), provisioning(ofSpec(disk(backing)))]).toEqual([info, spec]);
  });

  test("filters, and devices of the host", () => {
    const devices = ofInfo(
      disk({}, { iofilter: ["VMW_spm_1.0.0"] }),
      { _typeName: "VirtualPCIPassthrough" },
      { _typeName: "VirtualSriovEthernetCard" },
    );
    expect(devices?.disks[0]?.ioFilters).toEqual(["VMW_spm_1.0.0"]);
    expect(devices?.passthrough?.map(({ id }) => id)).toEqual(["pciPassthru0", "pciPassthru1"]);
    expect(ofInfo()?.passthrough).toEqual([]);
    // govc vm.info omits the types, and a request may list no device.
    expect(ofInfo({ deviceInfo: { label: "PCI device 0" } })?.passthrough).toBeUndefined();
    expect(read({ _typeName: "VirtualMachineConfigSpec", numCPUs: 1 }).vms[0]?.devices().passthrough).toBeUndefined();
  });
});

test("VMs that are not kept are checked and counted like all VMs", () => {
  const scsi = [["pvscsi", 9]] as const;
  const vms = Array.from({ length: 30 }, (_, i) => ({ name: `vm-${i}`, config: asConfigInfo({ ...VM, name: `vm-${i}`, scsi }) }));
  for (const value of [{ virtualMachines: vms }, vms.map(({ config }) => config)]) {
    const text = JSON.stringify(value);
    const { vms: kept, ...all } = lint(text, { format: govc });
    expect([kept.length, all.diagnostics.length]).toEqual([30, 30]);
    const isLast = ({ spec }: { spec: VmSpec }) => spec.name === "vm-29";
    const some = lint(text, { format: govc, keeps: isLast });
    expect(some).toEqual({ ...all, vms: [expect.objectContaining({ spec: expect.objectContaining({ name: "vm-29" }) })] });
  }
});

test("a VM has the same findings alone and among several, at its own place", () => {
  const anyVm = fc.record({
    name: fc.constantFrom("a", "b\u00e9"),
    vcpus: fc.integer({ min: 1, max: 64 }),
    latency: fc.constantFrom("high", undefined),
    scsi: fc.constantFrom([], [["pvscsi", 2]] as const),
  });
  const shift = (value: unknown, by: number): unknown =>
    JSON.parse(JSON.stringify(value), (key, inner) => (key === "range" ? inner.map((offset: number) => offset + by) : inner));
  const facts = (vm: VmSpec) => ({ ...vm, devices: vm.devices(), advanced: [...vm.advanced()], directive: [] });
  fc.assert(
    fc.property(
      fc.array(anyVm, { minLength: 1, maxLength: 6 }),
      fc.constantFrom("list", "documents"),
      fc.constantFrom(0, 1),
      (vms, form, indent) => {
        const texts = vms.map((one) => JSON.stringify({ name: one.name, config: asConfigInfo({ ...VM, ...one }) }, undefined, indent));
        const [head, between, tail] = form === "list" ? ['{"virtualMachines":[', ",\n", "]}"] : ["", "\n", ""];
        const found = govc.parse(head + texts.join(between) + tail).vms;
        expect(found.length).toBe(texts.length);
        let start = head.length;
        texts.forEach((text, i) => {
          const [alone] = govc.parse(`{"virtualMachines":[${text}]}`).vms;
          const own = found[i];
          if (!alone || !own) throw new Error("no VM");
          expect(shift(facts(own), 0)).toEqual(shift(facts(alone), start - '{"virtualMachines":['.length));
          start += text.length + between.length;
        });
      },
    ),
  );
});
