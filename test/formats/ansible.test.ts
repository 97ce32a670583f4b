import { applyEdits, lint, requireHost, rules } from "@vmlint/core";
import { yaml } from "@vmlint/core/yaml";
import { describe, expect, test } from "vitest";
import { devicesOf, knownOf, said, vmsOf, yamlVm } from "../support/yaml-vm.ts";

const task = (args: string, more = "") => `- name: a task\n  community.vmware.vmware_guest:\n${args.replace(/^/gm, "    ")}\n${more}`;
const NEW = "name: sql01\nguest_id: windows2019srv_64Guest\nhardware:\n  num_cpus: 8\n  memory_mb: 16384\n";

describe("community.vmware.vmware_guest", () => {
  test("reads all arguments, each with its place", () => {
    const text = task(`name: sql01
guest_id: windows2019srv_64Guest
hardware:
  num_cpus: "8"
  num_cpu_cores_per_socket: 4
  memory_mb: 16384
  version: 19
  hotadd_cpu: yes
  hotadd_memory: False
  cpu_reservation: 2000
  cpu_limit: -1
  memory_reservation: 1024 # an alias
  mem_limit: 20480
  memory_reservation_lock: no
  scsi: lsilogicsas
disk:
- { size_gb: 80 }
- { size_gb: 200 }
networks:
- { name: a }
- { name: b, device_type: E1000E }
advanced_settings:
- { key: numa.vcpu.preferHT, value: true }
- key: sched.cpu.latencySensitivity
  value: high`);
    const vm = yamlVm(text);
    expect([vm.name, vm.format, vm.defaults]).toEqual(["sql01", "ansible", {}]);
    expect(knownOf(text, vm)).toEqual({
      vcpus: [8, "8"],
      coresPerSocket: [4, "4"],
      memoryMiB: [16384, "16384"],
      hardwareVersion: [19, "19"],
      guestOs: ["windows2019srv_64Guest", "windows2019srv_64Guest"],
      cpuHotAdd: [true, "yes"],
      memoryHotAdd: [false, "False"],
      cpuReservationMHz: [2000, "2000"],
      cpuLimitMHz: ["unlimited", "-1"],
      memoryReservationMiB: [1024, "1024"],
      memoryLimitMiB: [20480, "20480"],
      memoryReservationLocked: [false, "no"],
      preferHt: [true, "true"],
    });
    expect(devicesOf(vm)).toEqual({ scsi: ["scsi0 lsisas1068"], others: [], disks: ["scsi0:0", "scsi0:1"], nics: ["vmxnet3", "e1000e"] });
  });

  test("an alias counts before the argument it stands for", () => {
    const reserved = (args: string) => said(yamlVm(task(`${NEW}${args}`))).memoryReservationMiB;
    expect(reserved("  memory_reservation: 128\n  mem_reservation: 4096\n")).toBe(128);
    expect(reserved("  mem_reservation: 4096\n")).toBe(4096);
  });

  test("missing settings of a new VM are absent, and its controller is paravirtual", () => {
    const text = task(`${NEW}disk: [${Array(9).fill("{ size_gb: 1 }").join(", ")}]`);
    expect(said(yamlVm(text))).toEqual({ vcpus: 8, memoryMiB: 16384, guestOs: "windows2019srv_64Guest" });
    const { scsi, disks } = devicesOf(yamlVm(text));
    // Unit 7 is left out.
    expect([scsi, disks.slice(6)]).toEqual([["scsi0 pvscsi"], ["scsi0:6", "scsi0:8", "scsi0:9"]]);
  });

  test.each([
    ["{ size_gb: 1, type: thin }", "thin"],
    ["{ size_gb: 1, type: eagerzeroedthick }", "eager"],
    ["{ size_gb: 1, type: thick }", "lazy"],
    ["{ size_gb: 1 }", "lazy"],
    ["{ size_gb: 1, type: '{{ how }}' }", "a template fills it in"],
  ])("a disk %s is %s", (disk, expected) => {
    const provisioning = (text: string) => {
      const setting = yamlVm(text).devices().disks[0]?.provisioning;
      return setting?.state === "known" ? setting.value : setting?.state === "unknown" ? setting.reason : setting?.state;
    };
    expect(provisioning(task(`${NEW}disk: [${disk}]`))).toBe(expected);
    // A disk that is there is not made anew.
    expect(provisioning(task(`${NEW}template: t\ndisk: [${disk}]`))).toBe("the VM inherits it from its template");
    expect(provisioning(task(`${NEW}disk: [${disk.replace("size_gb: 1", "filename: a.vmdk")}]`))).toBe("the existing disk file decides it");
    const other = (args: string) =>
      `- vmware.vmware.vm:\n    name: a\n${args}    disks: [${disk.replace("size_gb: 1", "device_node: 'SCSI(0:0)'").replace("type:", "provisioning:")}]\n`;
    const made = "    guest_id: g\n    cpu: { cores: 1 }\n    memory: { size_mb: 1 }\n";
    if (disk.includes("type:")) expect(provisioning(other(made))).toBe(expected);
    expect(provisioning(other(""))).toBe("an existing VM keeps its own");
  });

  test("a clone inherits all other settings and its controller from its template, regardless of hardware.scsi", () => {
    const vm = yamlVm(task(`${NEW}  scsi: paravirtual\ntemplate: win2019\ndisk: [{ size_gb: 1 }]\nnetworks: [{ name: a }]`));
    const kept = "? the VM inherits it from its template";
    expect(said(vm)).toMatchObject({ vcpus: 8, coresPerSocket: kept, cpuHotAdd: kept });
    expect(devicesOf(vm)).toMatchObject({ scsi: ["scsi0 unknown"], nics: ["unknown"] });
    expect(said(yamlVm(task("name: a\nhardware: { num_cpus: 4 }")))).toMatchObject({
      vcpus: 4,
      memoryMiB: "? an existing VM keeps its own",
    });
  });

  test("a setting that the module does not send for a clone is the template's", () => {
    const kept = "? the VM inherits it from its template";
    const cores = "name: a\ntemplate: t\nhardware: { num_cpu_cores_per_socket: 4, memory_mb: 1024 }";
    expect(said(yamlVm(task(cores)))).toMatchObject({ vcpus: kept, coresPerSocket: kept, memoryMiB: 1024 });
    // A task that only names the template: the configuration may state its settings.
    const clone = yamlVm(task("name: a\ntemplate: t\nstate: poweredon"));
    expect(clone).toMatchObject({ name: "a", clonedFrom: "t" });
    expect(said(clone)).toMatchObject({ vcpus: kept, coresPerSocket: kept, memoryMiB: kept });
    const version = said(yamlVm(task(`${NEW}  version: 10\ntemplate: t`)));
    expect(version).toMatchObject({ vcpus: 8, hardwareVersion: kept, guestOs: kept });
    // One that is there is upgraded.
    expect(said(yamlVm(task(`${NEW}  version: 10\nuuid: x`)))).toMatchObject({ hardwareVersion: 10, guestOs: "windows2019srv_64Guest" });
  });

  test("disks with an address create their controllers", () => {
    const disks = [
      "{ controller_type: lsilogicsas, controller_number: 0, unit_number: 0 }",
      "{ controller_type: paravirtual, controller_number: 1, unit_number: 2 }",
      "{ controller_type: nvme, controller_number: 0, unit_number: 0 }",
      "{ controller_type: sata, controller_number: 1, unit_number: 0 }",
    ];
    expect(devicesOf(yamlVm(task(`${NEW}disk: [${disks.join(", ")}]`)))).toMatchObject({
      scsi: ["scsi0 lsisas1068", "scsi1 pvscsi"],
      others: ["nvme0", "sata1"],
      disks: ["scsi0:0", "scsi1:2", "nvme0:0", "sata1:0"],
    });
  });

  test.each([
    ["removes a VM", task("name: a\nstate: absent\nhardware: { num_cpus: 4 }")],
    ["turns one on", task("name: a\nstate: poweredon")],
    ["has its arguments in one text", "- vmware_guest: name=a state=present"],
    ["is another module", "- community.vmware.vmware_guest_disk:\n    name: a\n"],
  ])("a task that %s describes none", (_, text) => {
    expect(yaml.parse(text)).toMatchObject({ vms: [], problems: [], foreign: expect.any(String) });
  });

  test("a task that describes no VM is reported with its missing arguments", () => {
    const lack = "no task in it sets the size, disks or options of a VM";
    expect(yaml.parse(task("name: a\nstate: poweredon")).foreign).toBe(lack);
    expect(yaml.parse("- debug: { msg: a }\n").foreign).toMatch(/^it has no document/);
  });
});

describe("vmware.vmware.vm", () => {
  test("reads all arguments", () => {
    const text = `- vmware.vmware.vm:
    name: new
    guest_id: rhel9_64Guest
    cpu: { cores: 8, cores_per_socket: 2, enable_hot_add: true, reservation: 1000, limit: -1 }
    memory: { size_mb: 8192, reserve_all_memory: true }
    hardware_version: 21
    scsi_controllers: [{ bus_number: 0, controller_type: paravirtual }, { bus_number: 1, controller_type: lsilogicsas, bus_sharing: physicalSharing }]
    nvme_controllers: [{ bus_number: 0 }]
    disks: [{ device_node: SCSI(0:0) }, { device_node: "SCSI(1:3)" }, { device_node: NVME(0:1) }]
    network_adapters: [{ adapter_type: vmxnet3 }]
`;
    expect(said(yamlVm(text))).toEqual({
      vcpus: 8,
      coresPerSocket: 2,
      memoryMiB: 8192,
      hardwareVersion: 21,
      guestOs: "rhel9_64Guest",
      cpuHotAdd: true,
      cpuReservationMHz: 1000,
      cpuLimitMHz: "unlimited",
      memoryReservationLocked: true,
    });
    expect(devicesOf(yamlVm(text))).toEqual({
      scsi: ["scsi0 pvscsi", "scsi1 lsisas1068 shared"],
      others: ["nvme0"],
      disks: ["scsi0:0", "scsi1:3", "nvme0:1"],
      nics: ["vmxnet3"],
    });
  });
  test("goes by its short name where the play names its collection", () => {
    const play = (collections: string) =>
      `- hosts: all\n  collections: [${collections}]\n  tasks:\n  - vm: { name: a, cpu: { cores: 4 } }\n`;
    expect(said(yamlVm(play("vmware.vmware")))).toMatchObject({ vcpus: 4, memoryMiB: "? an existing VM keeps its own" });
    expect(vmsOf(play("")).length).toBe(0);
  });
});

describe("vmware.vmware_rest.vcenter_vm", () => {
  const REST = `- vmware.vmware_rest.vcenter_vm:
    name: new
    guest_OS: RHEL_8_64
    hardware_version: VMX_19
    cpu: { count: 8, cores_per_socket: 2, hot_add_enabled: true }
    memory: { size_MiB: 8192 }
    scsi_adapters: [{ type: PVSCSI, bus: 0 }, { type: LSILOGICSAS, bus: 1, sharing: PHYSICAL }]
    nvme_adapters: [{}]
    disks: [{ type: SCSI, scsi: { bus: 1, unit: 3 } }, { type: SCSI }]
    nics: [{ type: VMXNET3 }]
`;
  test("reads all arguments; what is missing is the guest's", () => {
    expect(said(yamlVm(REST))).toEqual({
      vcpus: 8,
      coresPerSocket: 2,
      memoryMiB: 8192,
      hardwareVersion: 19,
      guestOs: "? the vSphere Automation API has names of its own for guests",
      cpuHotAdd: true,
      memoryHotAdd: "? vCenter chooses it for the guest",
    });
    expect(devicesOf(yamlVm(REST))).toEqual({
      scsi: ["scsi0 pvscsi", "scsi1 lsisas1068 shared"],
      others: ["nvme0"],
      disks: ["scsi1:3"],
      nics: ["vmxnet3"],
    });
    expect(yamlVm(REST).devices().missing).toBe("the controller or unit of a disk is unknown");
  });

  test("keeps the settings of a VM that is there, and has none that another task changes", () => {
    expect(said(yamlVm(REST.replace("name: new", "name: new\n    state: clone"))).cpuReservationMHz).toBe("? an existing VM keeps its own");
    const later = "- vmware.vmware_rest.vcenter_vm_hardware_cpu: { vm: '{{ id }}', count: 2 }\n";
    expect(said(yamlVm(REST + later)).vcpus).toBe("? another task changes it");
  });
});

describe("a task about a VM that is there leaves unknown what it does not say", () => {
  const KEPT = "? an existing VM keeps its own";
  const TOLD = "guest_id: g, hardware: { num_cpus: 16, memory_mb: 1024 }";
  const guest = (args: string, more = "") => `  - vmware_guest: { ${args} }\n${more}`;
  const play = (...tasks: string[]) => `- hosts: localhost\n  tasks:\n${tasks.join("")}`;
  const FIRST = guest(
    "name: a, guest_id: g, hardware: { num_cpus: 8, num_cpu_cores_per_socket: 4, memory_mb: 1024 }, advanced_settings: [{ key: numa.vcpu.preferHT, value: true }]",
  );
  const last = (text: string) => vmsOf(text).at(-1);

  test.each<[string, string]>([
    ["only vCPUs, without a task before", play(guest("name: a, hardware: { num_cpus: 16 }"))],
    ["no guest, without which none is made", play(guest("name: a, hardware: { num_cpus: 16, memory_mb: 1024 }"))],
    ["its id", play(guest(`uuid: x, ${TOLD}`))],
    ["its name, after a task that made it", play(FIRST, guest(`name: a, ${TOLD}`))],
    ["its name, in another play", play(FIRST) + play(guest(`name: a, ${TOLD}`))],
    ["its name, after a task that turned it off", play(guest("name: a, state: poweredoff"), guest(`name: a, ${TOLD}`))],
    ["a template, which counts for nothing then", play(FIRST, guest(`name: a, template: t, ${TOLD}`))],
    ["what only a run knows, in both", play(guest(`name: "{{ vm }}", ${TOLD}`), guest(`name: "{{ vm }}", ${TOLD}`))],
    [
      "its name, for another module",
      play(FIRST, "  - vmware.vmware.vm: { name: a, guest_id: g, cpu: { cores: 16 }, memory: { size_mb: 1 } }\n"),
    ],
  ])("named by %s", (_, text) => {
    const vm = last(text);
    const { vcpus, coresPerSocket, preferHt, hardwareVersion } = vm ? said(vm) : {};
    // Options are assumed to be absent, as for an export.
    expect([vcpus, coresPerSocket, preferHt, hardwareVersion]).toEqual([16, KEPT, undefined, KEPT]);
    expect([vm?.changes, vm?.devices().missing]).toEqual([true, KEPT.slice(2)]);
  });

  test.each<[string, string]>([
    ["of another name", play(FIRST, guest(`name: b, ${TOLD}`))],
    ["that was removed before", play(FIRST, guest("name: a, state: absent"), guest(`name: a, ${TOLD}`))],
    [
      "that a variable names for other hosts",
      play(guest(`name: "{{ vm }}", ${TOLD}`)) + play(guest(`name: "{{ vm }}", ${TOLD}`)).replace("localhost", "web"),
    ],
    [
      "of another loop",
      play(guest(`name: "{{ item }}", ${TOLD}`, "    loop: '{{ a }}'\n"), guest(`name: "{{ item }}", ${TOLD}`, "    loop: '{{ b }}'\n")),
    ],
    ["of a round whose name only a run knows", play(guest(`name: "a-{{ item }}", ${TOLD}`, "    loop: [1, 2]\n"))],
  ])("a VM %s is a new one", (_, text) => {
    const vm = last(text);
    expect(vm && said(vm)).toEqual({ vcpus: 16, memoryMiB: 1024, guestOs: "g" });
    expect(vm?.changes).toBeUndefined();
  });

  test("its sockets differ from those of a new VM with as many vCPUs", () => {
    const found = (text: string) => {
      const target = { host: requireHost("4x10x2@7.0"), workload: { kind: "mssql", edition: "standard", version: "2019" } } as const;
      return lint(text, { format: yaml, target }).diagnostics.map(({ ruleId }) => ruleId);
    };
    expect(found(play(guest(`name: a, ${TOLD}`)))).toContain("mssql/standard-sockets");
    expect(found(play(FIRST, guest(`name: a, ${TOLD}`)))).not.toContain("mssql/standard-sockets");
  });

  test("and a VM may have the options that another task sets", () => {
    const more = "  - vmware.vmware.vm_advanced_settings: { name: a, settings: { numa.vcpu.preferHT: 'TRUE' } }\n";
    const [vm] = vmsOf(play("  - vmware.vmware.vm: { name: a, guest_id: g, cpu: { cores: 4 }, memory: { size_mb: 1 } }\n") + play(more));
    expect(vm && said(vm)).toMatchObject({ vcpus: 4, preferHt: "? another task sets options" });
    expect(vm?.settings.coresPerSocket.state).toBe("absent");
  });
});

const FILLED_IN = "? a template fills it in";

describe("a play", () => {
  const KEPT = "? an existing VM keeps its own";
  const EIGHT = "{ hardware: { num_cpus: 8 } }";
  const MODULE_4 = "community.vmware.vmware_guest: { hardware: { num_cpus: 4 } }";
  test("has tasks in blocks, handlers and old spellings", () => {
    const guest = (name: string) => `{ name: ${name}, hardware: { num_cpus: 2 } }`;
    const text = `- hosts: localhost
  pre_tasks:
  - vmware_guest: ${guest("a")}
  tasks:
  - block:
    - block:
      - community.vmware.vmware_guest: ${guest("b")}
    rescue:
    - vmware_guest: ${guest("c")}
    always:
    - vmware_guest: ${guest("d")}
  - local_action: { module: vmware_guest, name: e, hardware: { num_cpus: 2 } }
  - action: vmware_guest
    args: ${guest("f")}
  - action: { module: vmware_guest, args: ${guest("h")} }
  - vmware_guest: state=absent
    args: ${guest("none")}
  handlers:
  - vmware_guest: ${guest("g")}
- import_playbook: other.yml
`;
    expect(vmsOf(text).map(({ name }) => name)).toEqual(["a", "b", "c", "d", "e", "f", "h", "g"]);
  });

  test("module defaults replace missing arguments key by key", () => {
    const text = `- hosts: localhost
  module_defaults:
    group/vmware: { guest_id: rhel9_64Guest, hardware: { num_cpus: 2 } }
    community.vmware.vmware_guest: { networks: [{ name: a }] }
  tasks:
  - community.vmware.vmware_guest: { name: a }
  - community.vmware.vmware_guest: { name: b, hardware: { memory_mb: 4096 } }
`;
    const [a, b] = vmsOf(text).map((vm) => ({ ...said(vm), nics: devicesOf(vm).nics.length }));
    expect(a).toMatchObject({ vcpus: 2, guestOs: "rhel9_64Guest", nics: 1 });
    // The whole of "hardware" is replaced.
    expect(b).toMatchObject({ vcpus: "? an existing VM keeps its own", memoryMiB: 4096 });
  });

  test.each<[string, string, string, unknown]>([
    ["of the module, all of it by those of an inner block", MODULE_4, "community.vmware.vmware_guest: { datacenter: d }", KEPT],
    ["of the module, by its short name too", MODULE_4, "vmware_guest: { datacenter: d }", KEPT],
    ["of the module, by the last of a list", MODULE_4, `vmware_guest: {} }, { vmware_guest: ${EIGHT}`, 8],
    ["of the module, not by those of a group", MODULE_4, `group/vmware: ${EIGHT}`, 4],
    ["of the module, not by those of another", MODULE_4, `vmware_guest_disk: ${EIGHT}`, 4],
    ["of a group, by those of the module", `group/vmware: ${EIGHT}`, MODULE_4, 4],
    [
      "of a group, by those of one that comes later",
      "group/vmware: { hardware: { num_cpus: 4 } }",
      `group/community.vmware.vmware: ${EIGHT}`,
      8,
    ],
    ["of the module, by those that a variable holds", MODULE_4, "vmware_guest: '{{ defaults }}'", 6],
    ["of the module, by those that only a run knows", MODULE_4, "vmware_guest: '{{ vault }}'", KEPT],
  ])("module defaults are replaced %s", (_, outer, inner, expected) => {
    const text = `- hosts: localhost
  vars: { defaults: { hardware: { num_cpus: 6 } } }
  module_defaults: { ${outer} }
  tasks:
  - module_defaults: [{ ${inner} }]
    block:
    - vmware_guest: { name: a, disk: [{ size_gb: 1 }] }
`;
    expect(said(yamlVm(text)).vcpus).toBe(expected);
  });

  test.each<[what: string, defaults: string, coresPerSocket: unknown]>([
    ["of the module", "{ vmware_guest: '{{ vault }}' }", "? module_defaults may set it"],
    ["of the module, which is written down again", "[{ vmware_guest: '{{ vault }}' }, { vmware_guest: { datacenter: d } }]", undefined],
    ["of a group", "{ group/vmware: '{{ vault }}' }", "? module_defaults may set it"],
  ])("missing arguments are unknown if only a run knows the defaults %s", (_, defaults, coresPerSocket) => {
    const text = `- hosts: localhost\n  module_defaults: ${defaults}\n  tasks:\n  - vmware_guest: { name: a, guest_id: rhel9_64Guest, hardware: { num_cpus: 4, memory_mb: 4096 }, disk: [{ size_gb: 1 }] }\n`;
    const vm = yamlVm(text);
    expect([said(vm).vcpus, said(vm).coresPerSocket]).toEqual([4, coresPerSocket]);
    expect(vm.devices().missing).toBe(coresPerSocket === undefined ? undefined : "module_defaults may set it");
  });

  const play = (more: string, value: string, taskVars = "") =>
    `- hosts: localhost\n${more}  tasks:\n  - name: x\n${taskVars}    vmware_guest:\n      name: a\n      hardware:\n        num_cpus: ${value}\n        memory_mb: 4096\n`;
  const VARS =
    '  vars:\n    cpus: 6\n    vm: { cpus: 8, name: x }\n    again: "{{ vm.cpus }}"\n    circle: "{{ circle }}"\n    sum: "{{ cpus + 2 }}"\n';
  test.each<[string, string, unknown]>([
    ["{{ cpus }}", VARS, 6],
    ["{{cpus}}", VARS, 6],
    ["{{ vm.cpus }}", VARS, 8],
    ["{{ vm['cpus'] | int }}", VARS, 8],
    ["{{ again }}", VARS, 8],
    ["{{ cpus | default(4) }}", VARS, 6],
    ["{{ missing | default(4) }}", VARS, 4],
    ["{{ none | default(4) }}", VARS, FILLED_IN],
    ["{{ cpus * 2 }}", VARS, 12],
    ["{{ sum }}", VARS, 8],
    ["{{ (sum | int) * 2 }}", VARS, 16],
    ["{{ cpus // 4 }}", VARS, 1],
    ["{{ 7 % cpus }}", VARS, 1],
    ["{{ (cpus / 2) | int }}", VARS, 3],
    ["{{ vm.cpus * 2 - cpus }}", VARS, 10],
    ["{{ (vm | combine({})).cpus }}", VARS, FILLED_IN],
    // A text times a number repeats the text.
    ["{{ quoted * 2 }}", `${VARS}    quoted: "4"\n`, FILLED_IN],
    ["{{ quoted | int * 2 }}", `${VARS}    quoted: "4"\n`, 8],
    ["{{ cpus / 2 }}", VARS, FILLED_IN],
    ["{{ cpus // 0 }}", VARS, FILLED_IN],
    ["{{ missing * 2 }}", VARS, FILLED_IN],
    // Only a run knows.
    ["{{ circle }}", VARS, FILLED_IN],
    ["{{ cpus }}", `${VARS}  vars_files: [a.yml]\n`, FILLED_IN],
    ["{{ cpus }}", `${VARS}  vars_prompt: [{ name: cpus }]\n`, FILLED_IN],
    ["{{ cpus }}", `${VARS}  pre_tasks:\n  - include_vars: a.yml\n`, FILLED_IN],
    ["{{ cpus }}", `${VARS}  pre_tasks:\n  - set_fact: { cpus: 12 }\n`, FILLED_IN],
    // With `true`, the default also replaces false and empty values.
    ["{{ cpus | default(4, true) }}", VARS, 6],
    ["{{ missing | default('', true) | default(4, true) }}", VARS, 4],
  ])("%s is %s -> %s", (value, vars, expected) => {
    for (const quote of ['"', "'"])
      expect(said(yamlVm(play(vars, quote === '"' || !value.includes("'") ? quote + value + quote : `"${value}"`))).vcpus).toBe(expected);
  });

  test.each<[string, unknown]>([
    ["set_fact: cpus=12", FILLED_IN],
    ["set_fact: other=12 again={{ cpus }}", 6],
    ["set_fact: '{{ name }}=12'", FILLED_IN],
    ["set_fact: { '{{ name }}': 12 }", FILLED_IN],
    ["{ set_fact: , args: { cpus: 12 } }", FILLED_IN],
    ["{ set_fact: , args: { other: 12 } }", 6],
    ["{ set_fact: , args: '{{ vm }}' }", FILLED_IN],
    ["action: set_fact cpus=12", FILLED_IN],
    ["action: set_fact other=12", 6],
    ["action: { module: set_fact, cpus: 12 }", FILLED_IN],
    ["action: { module: set_fact cpus=12 }", FILLED_IN],
    ["local_action: { module: ansible.builtin.set_fact, args: { cpus: 12 } }", FILLED_IN],
    ["action: include_vars a.yml", FILLED_IN],
    ["include_vars: { file: a.yml, name: '{{ name }}' }", FILLED_IN],
    ["action: debug msg=cpus=12", 6],
  ])("before %s cpus of 6 is %s", (step, expected) => {
    expect(said(yamlVm(play(`${VARS}  pre_tasks:\n  - ${step}\n`, '"{{ cpus }}"'))).vcpus).toBe(expected);
  });

  const SIZES = `${VARS}    sizes: [8, 16]\n    named: { a: { cpus: 8 }, b: { cpus: "{{ cpus }}" }, c: {} }\n`;
  test.each<[string, string, readonly unknown[]]>([
    ["loop: '{{ vm | list }}', loop_control: { loop_var: cpus }", "cpus", [FILLED_IN]],
    ["with_dict: { a: { b: 8 } }, loop_control: { loop_var: vm }", "vm.cpus", [FILLED_IN]],
    ["with_nested: [[8, 16], [1]], loop_control: { loop_var: cpus }", "cpus", [FILLED_IN]],
    ["with_together: ['{{ vm }}', '{{ vm }}']", "item.cpus", [FILLED_IN]],
    ["with_sequence: end=3, loop_control: { loop_var: cpus }", "cpus", [FILLED_IN]],
    ["loop: [8], loop_control: { loop_var: '{{ again }}' }", "cpus", [FILLED_IN]],
    ["loop: [8, 16], loop_control: { index_var: cpus }", "cpus", [FILLED_IN, FILLED_IN]],
    ["loop: [8, 16], loop_control: { index_var: i }", "cpus", [6, 6]],
    ["loop: [8, 16], loop_control: { loop_var: cpus }", "cpus", [8, 16]],
    ["loop: '{{ sizes }}'", "item", [8, 16]],
    // A list in a list is flattened by some loops.
    ["with_items: ['{{ sizes }}']", "item", [FILLED_IN]],
    ["with_dict: '{{ named }}'", "item.value.cpus", [8, 6, FILLED_IN]],
    ["with_dict: { 8: x, 16: y, 8: z }", "item.key", [8, 16]],
    ["with_dict: { '{{ name }}': 8 }", "item.value", [FILLED_IN]],
    ["with_dict: '{{ sizes }}'", "item.value", [FILLED_IN]],
    ["loop: '{{ named | dict2items }}', loop_control: { loop_var: one }", "one.value['cpus']", [8, 6, FILLED_IN]],
    ["with_items: '{{ named|ansible.builtin.dict2items }}'", "item.value.cpus", [8, 6, FILLED_IN]],
    ["loop: \"{{ named | dict2items(value_name='cpus') }}\"", "item.cpus.cpus", [FILLED_IN]],
    ["loop: '{{ nothing | dict2items }}'", "item.value.cpus", [FILLED_IN]],
  ])("in a loop by %s the variable %s is %j", (loop, name, expected) => {
    const lines = loop.replace(/, (?=loop_control)/, "\n").replace(/^/gm, "    ");
    expect(vmsOf(play(SIZES, `"{{ ${name} }}"`, `${lines}\n`)).map((vm) => said(vm).vcpus)).toEqual(expected);
  });

  test("a finding about a variable is at its use, and the variable is never edited", () => {
    const text = play(VARS, '"{{ cpus }}"');
    const vm = yamlVm(text);
    expect(knownOf(text, vm).vcpus).toEqual([6, "{{ cpus }}"]);
    expect(vm.edit?.([{ setting: "vcpus", value: 8 }])).toBeUndefined();
    expect(said(yamlVm(play(VARS, '"{{ cpus }}"', "    vars: { cpus: 10 }\n"))).vcpus).toBe(10);
  });

  test("a literal loop makes one VM per item; any other loop makes one unknown VM", () => {
    const loop = (items: string) =>
      `- vmware_guest:\n    name: "{{ item.name }}"\n    hardware: { num_cpus: "{{ item.cpus }}", memory_mb: 4096 }\n  loop: ${items}\n`;
    const text = loop("[{ name: a, cpus: 4 }, { name: b, cpus: 6 }, { name: c }]");
    expect(vmsOf(text).map((vm) => [vm.name, said(vm).vcpus])).toEqual([
      ["a", 4],
      ["b", 6],
      ["c", FILLED_IN],
    ]);
    const [a, b] = vmsOf(text);
    expect(b && knownOf(text, b).vcpus).toEqual([6, "6"]);
    const edits = a?.edit?.([{ setting: "vcpus", value: 2 }]);
    expect(applyEdits(text, edits ?? [])).toBe(text.replace("cpus: 4", "cpus: 2"));
    expect(vmsOf(loop('"{{ vms }}"')).map((vm) => [vm.name, said(vm).vcpus])).toEqual([["{{ item.name }}", FILLED_IN]]);
  });
});

describe("templates of playbooks", () => {
  test("in place of the hardware or the options make all of it unknown", () => {
    const [hardware, options, key] = [
      'hardware: "{{ hw }}"',
      `${NEW}advanced_settings: "{{ options }}"`,
      `${NEW}advanced_settings: [{ key: "{{ k }}", value: 1 }]`,
    ].map((args) => said(yamlVm(task(args))));
    expect(hardware).toMatchObject({ vcpus: FILLED_IN, coresPerSocket: FILLED_IN });
    for (const vm of [options, key]) expect(vm).toMatchObject({ vcpus: 8, preferHt: "? a template fills in the options" });
  });

  test("lines of Jinja are kept, and values inside of them are unknown", () => {
    const text = `- vmware_guest:
    name: a
{% if big %}
    hardware:
      num_cpus: 16
{% else %}
    hardware:
      num_cpus: 4
{% endif %}
    guest_id: {{ guest }}
{# a comment #}
    state: present
`;
    const { vms, problems } = yaml.parse(text);
    expect(problems).toEqual([]);
    expect(vms.map(said)).toEqual([expect.objectContaining({ vcpus: "? a template decides whether it is there", guestOs: FILLED_IN })]);
  });
  test("a disk that a condition may leave out is not counted", () => {
    const disks = "disk:\n- size_gb: 1\n{% if data %}\n- size_gb: 2\n{% endif %}\n- size_gb: 3";
    expect(devicesOf(yamlVm(task(`${NEW}${disks}`))).disks.length).toBe(2);
  });
  test("a loop of templates around a task leaves its values unknown", () => {
    const text =
      "{% for i in range(2) %}\n- vmware_guest:\n    name: vm-{{ i }}\n    hardware: { num_cpus: 16, memory_mb: 1024 }\n{% endfor %}\n";
    expect(yamlVm(text).name).toBe("vm-{{ i }}");
    expect(said(yamlVm(text))).toMatchObject({ vcpus: 16 });
  });
});

test("mis-indented keys do not start an item", () => {
  const text = `- vmware_guest:
    name: a
    guest_id: rhel9_64Guest
    hardware: { num_cpus: 4, memory_mb: 4096 }
    disk:
    - size_gb: 10
     datastore: x
    -
      size_gb: 20
     type: thin
     datastore: y
    networks:
    - name: n
     device_type: e1000
`;
  const vm = yamlVm(text);
  expect(devicesOf(vm)).toMatchObject({ disks: ["scsi0:0", "scsi0:1"], nics: ["e1000"] });
  expect(vm.devices().disks.map(({ provisioning }) => provisioning)).toMatchObject([{ value: "lazy" }, { value: "thin" }]);
  expect(yaml.parse(text).problems.map(({ messageId }) => messageId)).toContain("syntax");
});

test("a playbook that is no YAML is reported at its line", () => {
  const text = "- hosts: all\n  tasks:\n  - vmware_guest:\n      name: a\n     hardware: [\n";
  expect(yaml.parse(text).problems.map(({ ruleId }) => ruleId)).toContain("spec/syntax");
  expect(yaml.parse(text.replace("vmware_guest", "debug"))).toMatchObject({ problems: [], foreign: expect.any(String) });
});

test("a finding's fix is written as the module spells it", () => {
  const text = task(NEW.replace("num_cpus: 8", "num_cpus: 22 # wish\n  version: 17"));
  const { diagnostics } = lint(text, { format: yaml, target: { host: requireHost("4x10x2@7.0") } });
  const wide = diagnostics.find(({ ruleId }) => ruleId === "numa/wide-uneven");
  expect(wide?.fixes.map(({ title, edits }) => [title, applyEdits(text, edits)])).toEqual([
    ["Use 20 vCPUs", text.replace("22", "20")],
    ["Use 24 vCPUs", text.replace("22", "24")],
    ["Set preferHT", text.replace("    guest_id:", '    advanced_settings: [{ key: numa.vcpu.preferHT, value: "TRUE" }]\n    guest_id:')],
  ]);
  const listed = task(`${NEW}advanced_settings:\n- key: a\n  value: b`);
  const edits = yamlVm(listed).edit?.([{ setting: "preferHt", value: true }]);
  expect(said(yamlVm(applyEdits(listed, edits ?? []))).preferHt).toBe(true);
});

const NEW_GUEST = "vmware_guest: { name: a, guest_id: g, hardware: { num_cpus: 4, memory_mb: 1024 }";
const NEW_VM = "vmware.vmware.vm: { name: a, guest_id: g, cpu: { cores: 4 }, memory: { size_mb: 1024 }";

test.each<[string, string | undefined]>([
  [`${NEW_GUEST}, disk: [{ size_gb: 1 }, { size_gb: 2 }] }`, undefined],
  [
    `${NEW_GUEST}, disk: [{ controller_type: sata, controller_number: 0, unit_number: '{{ u }}' }] }`,
    "the controller or unit of a disk is unknown",
  ],
  [`${NEW_GUEST}, disk: '{{ disks }}' }`, "the list of disks is not known"],
  [`${NEW_GUEST}, template: t, disk: [{ size_gb: 1 }] }`, "the VM inherits it from its template"],
  ["vmware_guest: { name: a, disk: [{ size_gb: 1 }] }", "an existing VM keeps its own"],
  [`${NEW_VM}, disks: [{ size: 1gb, device_node: 'SCSI(0:0)' }] }`, undefined],
  [
    `${NEW_VM}, disks: [{ size: 1gb, device_node: 'SCSI(0:0)' }, { size: 1gb, device_node: '{{ n }}' }] }`,
    "the controller or unit of a disk is unknown",
  ],
  ["vmware.vmware.vm: { name: a, disks: [{ size: 1gb, device_node: 'SCSI(0:0)' }] }", "an existing VM keeps its own"],
])("for %s all disks are known, or there is a reason", (task, missing) => {
  expect(yamlVm(`- hosts: localhost\n  tasks:\n  - ${task}\n`).devices().missing).toBe(missing);
});

test.each([
  ["with one item that needs no change", "[12, 20]", undefined],
  ["with one unknown item", '[12, "{{ other }}"]', undefined],
  ["with the same change for all items", "[12, 24]", "4"],
])("a task value that applies to all VMs of its loop, %s", (_, loop, wanted) => {
  const looped = task(NEW.replace("num_cpus: 8", 'num_cpus: "{{ item }}"\n  num_cpu_cores_per_socket: 5'), `  loop: ${loop}\n`);
  expect(vmsOf(looped)).toHaveLength(2);
  const { diagnostics } = lint(looped, { format: yaml, rules: rules.filter(({ id }) => id === "cpu/cps-divides") });
  const after = diagnostics[0]?.fixes.map(({ edits }) => applyEdits(looped, edits))[0];
  expect(after).toBe(wanted && looped.replace("per_socket: 5", `per_socket: ${wanted}`));
});
