import { applyEdits, type Diagnostic, lint, openWorkspace, requireHost, SEVERITIES, type Workload } from "@vmlint/core";
import fc from "fast-check";
import { expect, test } from "vitest";

const HOSTS = [
  "dl580g7",
  "4x10x2:1024@5.5",
  "2x10x2:512@6.0",
  "2x10x2:256@6.5",
  "4x10x2:1024@7.0",
  "2x20x2:512@8.0",
  "2x20x2:512@7.0",
  "1x24x2/4:512@6.5",
  "2x24x2/2:768@8.0",
  "2x16x2:512@8.0",
  "2x6x2:192@7.0",
  "1x16x2:256@9.0",
  "2x64x2/4:1024@8.0",
  "dual-epyc-7763",
];

const HANA: Workload = { kind: "hana", environment: "production" };
const EDITIONS = ["standard", "web", "express", "bi", "enterprise", "developer"] as const;
const workloads: fc.Arbitrary<Workload | undefined> = fc.oneof(
  fc.constant(undefined),
  fc
    .record({
      edition: fc.constantFrom(...EDITIONS, undefined),
      version: fc.constantFrom("2012", "2014", "2016", "2019", "2022", "2025", undefined),
      licensing: fc.constantFrom("core", "server-cal", undefined),
      profile: fc.constantFrom("oltp", "warehouse", undefined),
      concurrency: fc.constantFrom(2, 8, 64, undefined),
      maxdop: fc.constantFrom(1, 8, undefined),
    })
    .map((fields) => ({ kind: "mssql", ...defined(fields) }) as Workload),
  fc.constantFrom<Workload>(
    HANA,
    { kind: "hana" },
    { kind: "imdg" },
    { kind: "latency" },
    { kind: "oracle" },
    { kind: "vdi" },
    { kind: "ft" },
    { kind: "general" },
  ),
);

function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

const counts = fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 160 }));
const vms = counts.chain((vcpus) => {
  const divisors = Array.from({ length: vcpus }, (_, i) => i + 1).filter((size) => vcpus % size === 0);
  const rare = [
    ...divisors.map((size) => `numa.vcpu.coresPerNode = "${size}"`),
    ...[...divisors, 4, 6, 8].map((size) => `numa.vcpu.maxPerVirtualNode = "${size}"`),
    ...divisors.map((size) => `numa.autosize.cookie = "${vcpus}0012"\nnuma.autosize.vcpu.maxPerVirtualNode = "${size}"`),
    ...["0-7", "0,2,4,6", "0-31", "70-90"].map((list) => `sched.cpu.affinity = "${list}"`),
    ...[4, 8, 12].map((min) => `numa.vcpu.min = "${min}"`),
    ...["0", "0,1"].map((list) => `numa.nodeAffinity = "${list}"`),
    'numa.vcpu.followcorespersocket = "1"',
    'numa.vcpu.preferHT = "TRUE"',
    'numa.consolidate = "FALSE"',
    'numa.vcpu.maxPerMachineNode = "4"',
    'sched.cpu.min = "4000"',
    'sched.mem.pin = "TRUE"',
    'sched.cpu.latencySensitivity = "high"',
    'cpuid.numSMT = "2"',
    'sched.mem.max = "4096"',
    'sched.mem.min = "2048"',
  ];
  const others = fc.oneof(
    { weight: 2, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.constantFrom(...rare), { maxLength: 2, selector: (line) => line.split("=")[0] }) },
  );
  return fc
    .tuple(
      fc.constantFrom("", ...divisors.map((size) => `cpuid.coresPerSocket = "${size}"`)),
      fc.constantFrom(8, 10, 13, 17, 19, 20, 21).map((version) => `virtualHW.version = "${version}"`),
      fc.constantFrom(0, 4, 16, 64, 128, 300, 500).map((gib) => (gib === 0 ? "" : `memSize = "${gib * 1024}"`)),
      fc.constantFrom("", 'guestOS = "windows2019srv-64"', 'guestOS = "windows9-64"', 'guestOS = "rhel8-64"'),
      fc.constantFrom("", "", 'vcpu.hotadd = "TRUE"'),
      others,
    )
    .map(([cps, hw, mem, guest, hotadd, more]) =>
      [`numvcpus = "${vcpus}"`, cps, hw, mem, guest, hotadd, ...more].filter((line) => line !== "").join("\n"),
    );
});
const hosts = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom<string | undefined>(...HOSTS) },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

/** More in a full run. */
const RUNS = Number(process.env.VMLINT_RUNS ?? 300);
const rank = ({ severity }: Diagnostic): number => SEVERITIES.indexOf(severity);

/** The values that a finding names for each setting: in its fixes, and after the fact in its message. */
function namedBy({ fixes, message }: Diagnostic): ReadonlyMap<string, string> {
  const named = new Map<string, Set<unknown>>();
  const put = (setting: string, value: unknown) => named.set(setting, (named.get(setting) ?? new Set()).add(value));
  for (const { changes = [] } of fixes) for (const { setting, value } of changes) put(setting, String(value));
  const [advice = ""] = /(?<=[.:] )(?:Set|Use|Give) .*$/.exec(message) ?? [];
  for (const [, ...counts] of advice.matchAll(
    /(?:^|[.:;,] |or )[Uu]se (\d+)(?: or (\d+))?(?: vCPUs?)?(?=[ ,.])(?! cores?| MiB| GiB| MHz| sockets?)/g,
  ))
    for (const count of counts) if (count !== undefined) put("vcpus", count);
  for (const [, cores] of advice.matchAll(/(\d+) cores? per socket/g)) put("coresPerSocket", cores);
  return new Map([...named].map(([setting, values]) => [setting, [...values].sort().join()]));
}

test("no fix raises a finding that is at least as grave, and no two findings name different values for a setting", () => {
  let tried = 0;
  fc.assert(
    fc.property(vms, hosts, workloads, (text, host, workload) => {
      const target = { ...(host && { host: requireHost(host) }), ...(workload && { workload }) };
      const before = lint(text, { target }).diagnostics;
      const isNew = (one: Diagnostic) => !before.some((other) => other.ruleId === one.ruleId && rank(other) <= rank(one));
      for (const finding of before) {
        for (const { title, edits } of finding.fixes) {
          tried++;
          const raised = lint(applyEdits(text, edits), { target }).diagnostics.filter((one) => rank(one) <= rank(finding) && isNew(one));
          expect(
            raised.map(({ ruleId, message }) => `${ruleId}: ${message}`),
            `${finding.ruleId}: ${title}`,
          ).toEqual([]);
        }
      }
      for (const [i, finding] of before.entries()) {
        const named = namedBy(finding);
        for (const other of before.slice(i + 1))
          for (const [setting, values] of namedBy(other))
            expect(named.get(setting) ?? values, `${setting}\n${finding.message}\n${other.message}`).toBe(values);
      }
    }),
    {
      numRuns: RUNS,
      examples: [
        // A number in a message alone, and one of two fixes of a finding for another.
        ['numvcpus = "56"\ncpuid.coresPerSocket = "4"\nvirtualHW.version = "20"\nvcpu.hotadd = "TRUE"', "2x64x2/4:1024@8.0", HANA],
        ['numvcpus = "21"\ncpuid.coresPerSocket = "21"\nvirtualHW.version = "17"\nsched.cpu.affinity = "0-31"', "2x16x2:512@8.0", HANA],
        // A number that is right in some of the possible layouts alone.
        ['numvcpus = "116"\nvirtualHW.version = "21"\nguestOS = "windows9-64"', "2x64x2/4:1024@8.0", HANA],
      ],
    },
  );
  expect(tried).toBeGreaterThan(RUNS / 4);
});

/** A VM, to be written in any format. */
interface Shape {
  readonly vcpus: number;
  readonly cores?: number;
  readonly gib: number;
  readonly version: number;
  readonly guest: string;
  readonly hotAdd: boolean;
}

const shapes: fc.Arbitrary<Shape> = counts.chain((vcpus) =>
  fc.record(
    {
      vcpus: fc.constant(vcpus),
      cores: fc.oneof(
        fc.constantFrom(...Array.from({ length: vcpus }, (_, i) => i + 1).filter((size) => vcpus % size === 0)),
        fc.constantFrom(2, 4, 6, 8, 12),
      ),
      gib: fc.constantFrom(4, 16, 64, 128, 300, 500),
      version: fc.constantFrom(13, 17, 19, 20, 21),
      guest: fc.constantFrom("windows2019srv_64Guest", "windows9_64Guest", "rhel8_64Guest"),
      hotAdd: fc.boolean(),
    },
    { requiredKeys: ["vcpus", "gib", "version", "guest", "hotAdd"] },
  ),
);

const lines = (fields: Readonly<Record<string, unknown>>, separator: string, sign: string): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}${sign}${value}`)
    .join(separator);
const yaml = (fields: Readonly<Record<string, unknown>>): string => `{ ${lines(fields, ", ", ": ")} }`;
const object = (apiVersion: string, kind: string, spec: string): string =>
  `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: { name: a }\nspec: ${spec}\n`;

/** A file of each format with the VM. */
const WRITERS: Readonly<Record<string, (vm: Shape) => readonly [path: string, text: string]>> = {
  ".vmx": ({ vcpus, cores, gib, version, guest, hotAdd }) => [
    "a.vmx",
    lines(
      {
        numvcpus: `"${vcpus}"`,
        "cpuid.coresPerSocket": cores && `"${cores}"`,
        memSize: `"${gib * 1024}"`,
        "virtualHW.version": `"${version}"`,
        guestOS: `"${guest.replace("_64Guest", "-64")}"`,
        "vcpu.hotadd": `"${hotAdd}"`,
      },
      "\n",
      " = ",
    ),
  ],
  Terraform: ({ vcpus, cores, gib, version, guest, hotAdd }) => [
    "main.tf",
    `resource "vsphere_virtual_machine" "a" {\n  ${lines({ num_cpus: vcpus, num_cores_per_socket: cores, memory: gib * 1024, hardware_version: version, guest_id: `"${guest}"`, cpu_hot_add_enabled: hotAdd }, "\n  ", " = ")}\n}\n`,
  ],
  Packer: ({ vcpus, cores, gib, version, guest, hotAdd }) => [
    "a.pkr.hcl",
    `source "vsphere-iso" "a" {\n  ${lines({ CPUs: vcpus, cpu_cores: cores, RAM: gib * 1024, vm_version: version, guest_os_type: `"${guest}"`, CPU_hot_plug: hotAdd }, "\n  ", " = ")}\n}\n`,
  ],
  Ansible: ({ vcpus, cores, gib, version, guest, hotAdd }) => [
    "play.yml",
    `- hosts: localhost\n  tasks:\n    - community.vmware.vmware_guest:\n        name: a\n        guest_id: ${guest}\n        hardware: ${yaml({ num_cpus: vcpus, num_cpu_cores_per_socket: cores, memory_mb: gib * 1024, version, hotadd_cpu: hotAdd })}\n`,
  ],
  Pulumi: ({ vcpus, cores, gib, version, guest, hotAdd }) => [
    "Pulumi.yaml",
    `name: p\nruntime: yaml\nresources:\n  a:\n    type: vsphere:VirtualMachine\n    properties: ${yaml({ name: "a", numCpus: vcpus, numCoresPerSocket: cores, memory: gib * 1024, hardwareVersion: version, guestId: guest, cpuHotAddEnabled: hotAdd })}\n`,
  ],
  "VM spec": ({ vcpus, cores, gib, version, guest, hotAdd }) => [
    "a.yaml",
    object(
      "vmlint.dev/v1",
      "VirtualMachine",
      yaml({ vcpus, coresPerSocket: cores, memoryMiB: gib * 1024, hardwareVersion: version, guestOs: guest, cpuHotAdd: hotAdd }),
    ),
  ],
  "Cluster API": ({ vcpus, cores, gib, version }) => [
    "machine.yaml",
    object(
      "infrastructure.cluster.x-k8s.io/v1beta2",
      "VSphereMachineTemplate",
      `{ template: { spec: ${yaml({ template: "t", numCPUs: vcpus, numCoresPerSocket: cores, memoryMiB: gib * 1024, hardwareVersion: `vmx-${version}` })} } }`,
    ),
  ],
  "VM Operator": ({ vcpus, cores, gib, hotAdd }) => [
    "vm.yaml",
    object(
      "vmoperator.vmware.com/v1alpha6",
      "VirtualMachine",
      `{ className: c, resources: { size: { cpu: ${vcpus}, memory: ${gib}Gi } }, cpuAdvanced: ${yaml({ hotAddEnabled: hotAdd, topology: cores && `{ coresPerSocket: ${cores} }` })} }`,
    ),
  ],
  OVF: ({ vcpus, cores, gib, version }) => [
    "a.ovf",
    `<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vssd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_VirtualSystemSettingData" xmlns:vmw="http://www.vmware.com/schema/ovf"><VirtualSystem><VirtualHardwareSection><System><vssd:VirtualSystemType>vmx-${version}</vssd:VirtualSystemType></System><Item><rasd:InstanceID>1</rasd:InstanceID><rasd:ResourceType>3</rasd:ResourceType><rasd:VirtualQuantity>${vcpus}</rasd:VirtualQuantity>${cores ? `<vmw:CoresPerSocket>${cores}</vmw:CoresPerSocket>` : ""}</Item><Item><rasd:AllocationUnits>byte * 2^30</rasd:AllocationUnits><rasd:InstanceID>2</rasd:InstanceID><rasd:ResourceType>4</rasd:ResourceType><rasd:VirtualQuantity>${gib}</rasd:VirtualQuantity></Item></VirtualHardwareSection></VirtualSystem></Envelope>`,
  ],
};

/** The best shape has these sockets, and other NUMA nodes. */
const WITH_SOCKETS: Shape = { vcpus: 16, cores: 4, gib: 4, version: 13, guest: "rhel8_64Guest", hotAdd: false };

/** Formats that vmlint does not write. */
const READ_ONLY = ["OVF"];

test.each(Object.entries(WRITERS))("no advice repeats what a file says: %s", async (name, write) => {
  const told = { advice: 0, fixes: 0 };
  await fc.assert(
    fc.asyncProperty(shapes, hosts, workloads, async (shape, host, workload) => {
      const [path, text] = write(shape);
      const config = JSON.stringify({ ...(host !== undefined && { host }), ...(workload && { workload }) });
      const { findings, vms } = await openWorkspace({ files: { [path]: text, "vmlint.yaml": config } }).check([path]);
      expect(vms, text).toHaveLength(1);
      const stated = new Map([
        ["vcpus", String(shape.vcpus)],
        ["coresPerSocket", shape.cores && String(shape.cores)],
      ]);
      for (const finding of findings) {
        told.fixes += finding.fixes.length;
        for (const { edits } of finding.fixes) expect(applyEdits(text, edits), finding.message).not.toBe(text);
        const named = [...namedBy(finding)];
        told.advice += named.length;
        if (named.length > 0)
          expect(
            named.some(([setting, value]) => stated.get(setting) !== value),
            `${finding.message}\n${text}`,
          ).toBe(true);
      }
    }),
    { numRuns: Math.ceil(RUNS / 6), examples: [[WITH_SOCKETS, "1x24x2/4:512@6.5", undefined]] },
  );
  expect(told.advice).toBeGreaterThan(0);
  expect(told.fixes > 0).toBe(!READ_ONLY.includes(name));
});
