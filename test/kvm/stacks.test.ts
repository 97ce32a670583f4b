import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Format, lint, openWorkspace, topologyJson, topologyText } from "@vmlint/core";
import { NOTHING_GIVEN } from "@vmlint/core/program";
import { yaml } from "@vmlint/core/yaml";
import { describe, expect, test } from "vitest";
import { libvirt } from "../../packages/core/src/formats/libvirt/libvirt.ts";
import { proxmox } from "../../packages/core/src/formats/proxmox/proxmox.ts";
import { terraform } from "../../packages/core/src/formats/terraform/terraform.ts";
import { numberRuns } from "../../packages/core/src/model/words.ts";
import { answerFor } from "../../packages/core/src/platforms/index.ts";
import { machineOfFlavor } from "../../packages/core/src/platforms/kvm/stacks/nova.ts";
import { rule as oneCoreSockets } from "../../packages/core/src/rules/kvm/one-core-sockets.ts";

/** Definitions of other stacks than KubeVirt, with the guests that booted or that the stacks' own tests state. */
const recorded = JSON.parse(readFileSync(new URL("stacks.json", import.meta.url), "utf8")) as Readonly<Record<string, readonly Recorded[]>>;

interface Recorded {
  readonly case: string;
  readonly definition?: string;
  readonly input?: never;
  readonly refused?: string;
  readonly l3?: readonly string[];
  readonly guest?: {
    readonly vcpus: number;
    readonly sockets: number;
    readonly cores: number;
    readonly threadsPerCore: number;
    readonly nodes: readonly (readonly number[])[];
  };
}

const TOOL = { name: "vmlint", version: "0" };

/** Returns the JSON of the only VM of a text. */
function shownOf(text: string, format: Format) {
  const [vm] = topologyJson([{ path: "vm", text, ...lint(text, { format }) }], TOOL).vms;
  return vm as unknown as Shown;
}

interface Shown {
  readonly refused: { readonly message: string } | null;
  readonly topology: {
    readonly vcpus: number;
    readonly sockets: number;
    readonly coresPerSocket: number | null;
    readonly threadsPerCore: number;
    readonly nodes: readonly { readonly vcpus: string }[];
    readonly sharedL3: readonly string[] | null;
  } | null;
}

function expectGuest(text: string, format: Format, { guest, refused, l3 }: Recorded): void {
  const { topology, refused: by } = shownOf(text, format);
  if (refused) expect(by).not.toBeNull();
  if (!guest) return void expect(topology).toBeNull();
  expect(topology).toMatchObject({
    vcpus: guest.vcpus,
    sockets: guest.sockets,
    threadsPerCore: guest.threadsPerCore,
    nodes: guest.nodes.map((vcpus) => ({ vcpus: numberRuns(vcpus) })),
  });
  if (topology?.coresPerSocket != null) expect(topology.sockets * topology.coresPerSocket).toBe(guest.cores);
  if (l3 && topology?.sharedL3) expect(topology.sharedL3).toEqual(l3);
}

interface DomainInput {
  readonly vcpu: number;
  readonly current: number;
  readonly online?: readonly number[];
  readonly topology: Readonly<Record<string, number>> | null;
  readonly cells: readonly { readonly cpus: readonly number[]; readonly mib: number }[];
}

const quoted = (attributes: Readonly<Record<string, unknown>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}='${value}'`)
    .join("");

function domainOf({ vcpu, current, online, topology, cells }: DomainInput): string {
  const rows = cells.map(({ cpus, mib }, id) => `<cell${quoted({ id, ...(cpus.length > 0 && { cpus }), memory: mib, unit: "MiB" })}/>`);
  const numa = rows.length > 0 ? `<numa>${rows.join("")}</numa>` : "";
  const ids = (online ?? []).map((id) => `<vcpu${quoted({ id, enabled: "yes" })}/>`);
  return `<domain type='kvm'><name>a</name><memory unit='MiB'>1024</memory><vcpu${online ? "" : quoted({ current })}>${vcpu}</vcpu>${
    online ? `<vcpus>${ids.join("")}</vcpus>` : ""
  }<cpu>${topology ? `<topology${quoted(topology)}/>` : ""}${numa}</cpu></domain>`;
}

describe("a domain of libvirt has the guest of its source", () => {
  test.each(recorded.libvirt ?? [])("$case", (one) => {
    expectGuest(one.definition ?? domainOf(one.input as unknown as DomainInput), libvirt, one);
  });
});

test("a topology shows the host CPUs of pinned vCPUs, and CPUs that several share", () => {
  const pins = [4, 20, 5, 20].map((cpu, vcpu) => `<vcpupin vcpu='${vcpu}' cpuset='${cpu}'/>`).join("");
  const text = `<domain type='kvm'><vcpu>4</vcpu><cputune>${pins}<emulatorpin cpuset='0-1'/></cputune></domain>`;
  const shown = topologyText([{ path: "a.xml", text, ...lint(text, { format: libvirt }) }]);
  expect(shown).toContain(
    "    vCPU 0: CPU 4\n    vCPUs 1, 3: CPU 20 ! 2 vCPUs run in turns\n    vCPU 2: CPU 5\n    emulator threads: CPUs 0-1\n",
  );
});

test("a fix of the topology changes nothing else, and its finding is gone", () => {
  for (const cpu of [
    "",
    "  <cpu mode='host-model'/>\n",
    "  <cpu>\n    <model>EPYC</model>\n  </cpu>\n",
    "  <cpu><topology sockets='8' cores='1' threads='1'/></cpu>\n",
  ]) {
    const text = `<domain type='kvm'>\n  <!-- kept -->\n  <vcpu>8</vcpu>\n${cpu}</domain>\n`;
    const edits = lint(text, { format: libvirt }).vms[0]?.spec.edit?.([{ setting: "coresPerSocket", value: 8 }]) ?? [];
    expect(edits.length).toBeGreaterThan(0);
    const fixed = [...edits]
      .sort((a, b) => b.range[0] - a.range[0])
      .reduce((one, { range, newText }) => one.slice(0, range[0]) + newText + one.slice(range[1]), text);
    expect(shownOf(fixed, libvirt).topology).toMatchObject({ vcpus: 8, sockets: 1, coresPerSocket: 8 });
    expect(fixed).toContain("<!-- kept -->\n  <vcpu>8</vcpu>");
    expect(lint(fixed, { format: libvirt, rules: [oneCoreSockets] }).diagnostics).toEqual([]);
  }
});

const linesOf = (input: Readonly<Record<string, string>>): string =>
  Object.entries(input)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join("");

describe("a configuration of Proxmox has the guest of its source", () => {
  test.each(recorded.proxmox ?? [])("$case", (one) => {
    expectGuest(one.definition ?? linesOf(one.input as unknown as Readonly<Record<string, string>>), proxmox, one);
  });
});

/** Parts of other projects, which scripts/setup-stacks.sh fetches. */
const tools = (path: string): string => fileURLToPath(new URL(`../../.stack-tools/${path}`, import.meta.url));

const COMMANDS = process.env.PROXMOX_TESTS ?? tools("proxmox/src/test/cfg2cmd");

test.skipIf(!existsSync(COMMANDS))("Proxmox makes the same options for QEMU in its own tests (PROXMOX_TESTS)", () => {
  const [agree, differ]: [string[], string[]] = [[], []];
  for (const file of readdirSync(COMMANDS, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".conf"))) {
    if (!existsSync(`${COMMANDS}/${file}.cmd`)) continue;
    // Some have only keys that many programs use, such as `agent`. The last line of a key wins.
    const text = `cores: 1\n${readFileSync(`${COMMANDS}/${file}`, "utf8")}`;
    const command = readFileSync(`${COMMANDS}/${file}.cmd`, "utf8").replaceAll(/\\\n|'/g, " ");
    const [, vcpus, sockets, cores, possible] = (/-smp\s+(\d+),sockets=(\d+),cores=(\d+),maxcpus=(\d+)/.exec(command) ?? []).map(Number);
    const machine = lint(text, { format: proxmox }).vms[0]?.spec.kvm?.machine;
    const startsWithOne = /^hotplug:.*\bcpu\b/m.test(text);
    const own = machine && [startsWithOne ? 1 : machine.present.length, machine.possible / machine.cores, machine.cores, machine.possible];
    const nodes = nodesOfCommand(command);
    const same =
      JSON.stringify([own, machine?.cells.map(({ vcpus: ids }) => ids)]) === JSON.stringify([[vcpus, sockets, cores, possible], nodes]);
    (same ? agree : differ).push(file);
  }
  expect(differ).toEqual([]);
  expect(agree.length).toBeGreaterThanOrEqual(95);
});

interface FlavorInput {
  readonly vcpus: number;
  readonly ramMiB: number;
  readonly extraSpecs: Readonly<Record<string, string>>;
  readonly imageProperties: Readonly<Record<string, string | number>>;
}

const machineOf = ({ vcpus, ramMiB, extraSpecs: specs, imageProperties }: FlavorInput) => {
  const image = Object.fromEntries(Object.entries(imageProperties).map(([key, value]) => [key, String(value)]));
  return machineOfFlavor({ vcpus, ramMiB, specs, image, at: () => [0, 0] });
};

describe("a flavor of OpenStack has the guest of its source", () => {
  test.each(recorded.openstack ?? [])("$case", (one) => {
    const input = one.input as unknown as FlavorInput;
    const made = machineOf(input);
    if (one.refused) expect("message" in made && made.message).toBe(one.refused);
    else expect(made).toMatchObject({ present: { length: one.guest?.vcpus } });
    if (Object.keys(input.imageProperties).length > 0) return;
    const { vcpus, ramMiB: ram, extraSpecs: properties } = input;
    const text = JSON.stringify({ "OS-FLV-DISABLED:disabled": false, name: "flavor", properties, ram, vcpus });
    // The L3 cache depends on the CPU model of the host.
    expectGuest(text, yaml, { case: one.case, ...(one.guest && { guest: one.guest }), ...(one.refused && { refused: one.refused }) });
  });
});

describe("each notation of a flavor makes the same machine", () => {
  const SPECS = { "hw:cpu_policy": "dedicated", "hw:numa_nodes": "2", "hw:cpu_sockets": "2", "hw:pci_numa_affinity_policy": "required" };
  const yamlOf = (indent: string): string =>
    Object.entries(SPECS)
      .map(([key, value]) => `${indent}"${key}": "${value}"\n`)
      .join("");
  const text = Object.entries(SPECS)
    .map(([key, value]) => `${key}='${value}'`)
    .join(", ");
  test.each([
    ["flavor show", JSON.stringify({ "OS-FLV-DISABLED:disabled": false, name: "m", properties: SPECS, ram: 8192, vcpus: 8 })],
    [
      "flavor show of an older client",
      JSON.stringify({ "OS-FLV-DISABLED:disabled": false, name: "m", properties: text, ram: 8192, vcpus: 8 }),
    ],
    ["flavor show -f yaml", `OS-FLV-DISABLED:disabled: false\nname: m\nproperties:\n${yamlOf("  ")}ram: 8192\nvcpus: 8\n`],
    ["flavor list --long", JSON.stringify([{ ID: "1", Name: "m", RAM: 8192, Disk: 0, VCPUs: 8, "Is Public": true, Properties: SPECS }])],
    ["the API", JSON.stringify({ flavors: [{ id: "1", name: "m", ram: 8192, vcpus: 8, extra_specs: SPECS }] })],
    [
      "Ansible",
      `- hosts: localhost\n  tasks:\n    - block:\n        - openstack.cloud.compute_flavor:\n            name: m\n            ram: 8192\n            vcpus: 8\n            extra_specs:\n${yamlOf("              ")}`,
    ],
    [
      "Heat",
      `heat_template_version: 2018-08-31\nresources:\n  m:\n    type: OS::Nova::Flavor\n    properties:\n      name: m\n      ram: 8192\n      vcpus: 8\n      extra_specs:\n${yamlOf("        ")}`,
    ],
  ])("%s", (_, definition) => {
    const [vm] = lint(definition, { format: yaml }).vms;
    expect(vm?.spec.kvm?.machine).toMatchObject({ cores: 4, possible: 8, cells: [{ vcpus: [0, 1, 2, 3] }, { vcpus: [4, 5, 6, 7] }] });
    expect(vm?.spec.kvm?.machine?.steps.map((step) => step.text).join()).toContain("PCI devices (required)");
  });
});

describe("a value of a flavor that Heat or Ansible computes is unknown, and no mistake", () => {
  const heat = (properties: string): string =>
    `heat_template_version: 2018-08-31\nparameters: { n: { type: number, default: 4 } }\nresources:\n  size: { type: OS::Nova::Flavor, properties: ${properties} }\n`;
  const task = (specs: string): string =>
    `- hosts: localhost\n  tasks:\n    - openstack.cloud.compute_flavor: { name: big, vcpus: 8, ram: 8192, extra_specs: ${specs} }\n`;
  test.each([
    ["size", "the parameter n of the stack sets it", heat("{ vcpus: { get_param: n }, ram: 8192 }")],
    ["size", "Heat computes it", heat("{ vcpus: 8, ram: { if: [big, 8192, 4096] }, name: { get_param: n } }")],
    ["size", "the parameter n of the stack sets it", heat("{ vcpus: 8, ram: 8192, extra_specs: { get_param: n } }")],
    ["size", "the parameter n of the stack sets it", heat("{ vcpus: 8, ram: 8192, extra_specs: { 'hw:numa_nodes': { get_param: n } } }")],
    ["big", "a template fills it in", task("'{{ specs }}'")],
    ["big", "a template names a spec", task("{ '{{ key }}': 2 }")],
  ])("%s: %s", (name, reason, text) => {
    const { vms, diagnostics } = lint(text, { format: yaml });
    expect(diagnostics).toEqual([]);
    expect(vms).toHaveLength(1);
    const { spec } = vms[0] ?? expect.fail("there is no VM");
    expect(spec.name).toBe(name);
    expect(spec.kvm?.machine).toBeUndefined();
    const reasons = [spec.settings.vcpus, spec.settings.memoryMiB, spec.settings.coresPerSocket].flatMap((setting) =>
      setting.state === "unknown" ? [setting.reason] : [],
    );
    expect(reasons).toContain(reason);
  });
});

describe("assumed counts become the machine of the stack", () => {
  const assume = (counts: string): string => `assume: { ${counts} }\n`;
  const flavor = (specs: string, rest = "vcpus: { get_param: n }, ram: 8192"): string =>
    `heat_template_version: 2018-08-31\nresources:\n  size: { type: OS::Nova::Flavor, properties: { ${rest}, extra_specs: { ${specs} } } }\n`;
  const conf = (keys: string): string => `name: a\nmemory: 8192\nnuma: 1\nscsihw: virtio-scsi-pci\n${keys}\n`;
  const domain = (parts: string): string =>
    `<domain type="kvm"><name>a</name><memory unit="GiB">8</memory><os><type>hvm</type></os>${parts}</domain>`;
  const cells =
    '<cpu><topology sockets="2" cores="4" threads="1"/><numa><cell id="0" cpus="0-3" memory="4" unit="GiB"/><cell id="1" cpus="4-7" memory="4" unit="GiB"/></numa></cpu>';
  const resource =
    'variable "n" {}\nresource "openstack_compute_flavor_v2" "a" {\n  name = "a"\n  ram = 8192\n  disk = 0\n  vcpus = var.n\n';

  const layoutOf = async (path: string, text: string, counts?: string) => {
    const workspace = openWorkspace({ files: { [path]: text, ...(counts !== undefined && { "vmlint.yaml": assume(counts) }) } });
    const [vm] = await workspace.topology([path]);
    const answer = answerFor(vm?.spec ?? expect.fail("there is no VM"), undefined, undefined);
    return answer?.ok ? [answer.topology.sockets, answer.topology.vnumaNodes] : undefined;
  };

  test.each<[string, string, string, unknown]>([
    ["a.yaml", "vcpus: 8", flavor("'hw:numa_nodes': '2', 'hw:cpu_sockets': '1'"), [1, [4, 4]]],
    ["a.tf", "vcpus: 8", `${resource}  extra_specs = { "hw:numa_nodes" = "2" }\n}\n`, [8, [4, 4]]],
    ["100.conf", "vcpus: 8, coresPerSocket: 4", conf("sockets: 2\ncores: {{ n }}"), [2, [4, 4]]],
    ["100.conf", "vcpus: 8, coresPerSocket: 4", conf("sockets: {{ n }}\ncores: 4"), [2, [4, 4]]],
    ["100.conf", "vcpus: 6", conf("sockets: 2\ncores: 4\nvcpus: {{ n }}"), [2, [4, 2]]],
    ["100.conf", "vcpus: 8, coresPerSocket: 2", conf("sockets: 2\ncores: {{ n }}"), undefined],
    ["a.xml", "vcpus: 8", domain(`<vcpu>{{ n }}</vcpu>${cells}`), [2, [4, 4]]],
  ])("%s: %s", async (path, counts, text, layout) => {
    expect(await layoutOf(path, text)).toBeUndefined();
    expect(await layoutOf(path, text, counts)).toEqual(layout);
  });

  test.each([
    ["a.yaml", flavor("'hw:numa_nodes': '2'", "vcpus: 8, ram: { get_param: n }")],
    ["100.conf", conf("sockets: 2\ncores: 4").replace("8192", "{{ n }}")],
  ])("%s has no layout without its memory, which its NUMA cells share", async (path, text) => {
    expect(await layoutOf(path, text)).toBeUndefined();
    expect(await layoutOf(path, text, "memoryMiB: 8192")).toEqual([path === "a.yaml" ? 8 : 2, [4, 4]]);
  });
});

describe("a template between the parts of a definition leaves its machine unknown", () => {
  const domain = (parts: string): string => `<domain type="kvm"><name>a</name><memory unit="GiB">8</memory><vcpu>8</vcpu>${parts}</domain>`;
  const conf = (line: string): string => `name: a\ncores: 4\nmemory: 4096\n${line}\nscsihw: virtio-scsi-pci\n`;
  const topology = '<topology sockets="2" cores="4" threads="1"/>';
  const isOpen = (format: Format, text: string): boolean => {
    const [vm] = lint(text, { format }).vms;
    return !(vm && answerFor(vm.spec, undefined, undefined)?.ok);
  };
  test.each<[boolean, Format, string]>([
    [true, libvirt, domain("{{ cpu }}")],
    [true, libvirt, domain("<cpu>{{ topology }}</cpu>")],
    [true, libvirt, domain("\n%(cpu_info)s\n")],
    [true, libvirt, domain(`{% if numa %}<cpu>${topology}</cpu>{% endif %}`)],
    [
      true,
      libvirt,
      domain(`<cpu>${topology}<numa>{% for x in y %}<cell id="0" cpus="0-7" memory="8" unit="GiB"/>{% endfor %}</numa></cpu>`),
    ],
    [false, libvirt, domain(`<cpu>${topology}</cpu><!-- {{ x }} --><devices>{{ disks }}</devices><description>{{ note }}</description>`)],
    [true, proxmox, conf("{{ extra }}")],
    [true, proxmox, conf("{% if big %}\nsockets: 2\n{% endif %}")],
    [false, proxmox, conf("# {{ note }}\nonboot: {{ boot }}")],
  ])("%s", (open, format, text) => {
    expect(isOpen(format, text)).toBe(open);
  });
});

describe("a server joins its flavor with the wishes of its image", () => {
  const FLAVOR = "{ name: big, vcpus: 8, ram: 8192, extra_specs: { 'hw:cpu_policy': dedicated } }";
  const WISHES = "{ hw_cpu_sockets: 1, hw_cpu_cores: 4, hw_cpu_threads: 2, hw_numa_nodes: 2, os_type: linux }";
  const tasks = (image: string, server = "{ name: web01, flavor: big, image: server }"): string =>
    `- hosts: localhost\n  tasks:\n    - openstack.cloud.compute_flavor: ${FLAVOR}\n    - openstack.cloud.image: ${image}\n    - openstack.cloud.server: ${server}\n`;
  const heat = `heat_template_version: 2018-08-31
resources:
  size: { type: OS::Nova::Flavor, properties: ${FLAVOR} }
  linux: { type: OS::Glance::WebImage, properties: { extra_properties: ${WISHES} } }
  web: { type: OS::Nova::Server, properties: { name: web01, flavor: { get_resource: size }, image: { get_resource: linux } } }
`;
  const shown = `disk_format: qcow2\ncontainer_format: bare\nname: server\nproperties: ${WISHES}\n---\n${tasks("{ name: other }")}`;
  test.each([
    ["Ansible", tasks(`{ name: server, properties: ${WISHES} }`)],
    ["Heat", heat],
    ["image show", shown],
  ])("%s", (_, text) => {
    const { vms } = lint(text, { format: yaml });
    expect(vms.map(({ spec }) => spec.name)).toEqual(["big", "web01"]);
    const [flavor, server] = vms.map(({ spec }) => spec.kvm?.machine);
    expect(flavor).toMatchObject({ cores: 1, threads: 1, cells: [{ vcpus: { length: 8 } }] });
    expect(server).toMatchObject({ cores: 4, threads: 2, cells: [{ vcpus: [0, 1, 2, 3] }, { vcpus: [4, 5, 6, 7] }] });
    expect(server?.steps.some((step) => step.text.includes("image may have"))).toBe(false);
  });

  test.each([
    ["an image that is elsewhere", tasks("{ name: other }")],
    ["an image without wishes", tasks("{ name: server, properties: { os_type: linux } }")],
    ["two images of one name", tasks(`{ name: server, properties: ${WISHES} }`).replace(/( {4}- openstack.cloud.image.*\n)/, "$1$1")],
    ["a template", tasks(`{ name: server, properties: ${WISHES} }`, "{ name: web01, flavor: big, image: '{{ image }}' }")],
  ])("not for %s", (_, text) => {
    expect(lint(text, { format: yaml }).vms.map(({ spec }) => spec.name)).toEqual(["big"]);
  });
});

describe("a server of Terraform joins its flavor with the wishes of its image", () => {
  const FLAVOR = 'name = "big"\n  vcpus = 8\n  ram = 8192\n  extra_specs = { "hw:cpu_policy" = "dedicated" }';
  const IMAGE =
    'name = "linux"\n  properties = { hw_cpu_sockets = 1, hw_cpu_cores = 4, hw_cpu_threads = 2, hw_numa_nodes = 2, os_type = "linux" }';
  const BY_ID = "flavor_id = openstack_compute_flavor_v2.f.id\n  image_id = openstack_images_image_v2.i.id";
  const BY_NAME = 'flavor_name = openstack_compute_flavor_v2.f.name\n  image_name = "linux"';
  const resource = (type: string, name: string, body: string) => `resource "openstack_${type}_v2" "${name}" {\n  ${body}\n}\n`;
  const project = (server: string, { flavor = FLAVOR, image = IMAGE } = {}) =>
    resource("compute_flavor", "f", flavor) + resource("images_image", "i", image) + resource("compute_instance", "s", server);
  const vmsOf = async (main: string, others: Readonly<Record<string, string>> = {}) =>
    (await openWorkspace({ files: { "main.tf": main, ...others } }).check()).vms.map(({ spec }) => spec);

  test.each([
    ["ids", project(BY_ID)],
    ["names", project(BY_NAME)],
    ["each of a count", project(`count = 1\n  ${BY_ID}`)],
  ])("by %s", async (_, text) => {
    const [flavor, server] = await vmsOf(text);
    expect(flavor?.kvm?.machine).toMatchObject({ cores: 1, threads: 1, cells: [{ vcpus: { length: 8 } }] });
    expect(server?.name).toMatch(/^openstack_compute_instance_v2\.s/);
    expect(server?.kvm?.machine).toMatchObject({ cores: 4, threads: 2, cells: [{ vcpus: [0, 1, 2, 3] }, { vcpus: [4, 5, 6, 7] }] });
    expect([server?.settings.vcpus, server?.settings.memoryMiB]).toMatchObject([{ value: 8 }, { value: 8192 }]);
    expect(server?.kvm?.machine?.steps.some((step) => step.text.includes("image may have"))).toBe(false);
    // A change of the flavor would change its other servers.
    expect(server?.edit?.([{ setting: "vcpus", value: 4 }])).toBeUndefined();
  });

  test("with a view that is unknown if a wish is", async () => {
    const [, server] = await vmsOf(project(BY_ID, { image: IMAGE.replace("hw_cpu_cores = 4", "hw_cpu_cores = var.cores") }));
    expect([server?.kvm?.machine, server?.settings.vcpus]).toMatchObject([undefined, { value: 8 }]);
  });

  test.each([
    ["a flavor that is elsewhere", project(BY_ID.replace(/openstack_compute\S+/, '"1311"'))],
    ["an image without wishes", project(BY_ID, { image: 'name = "linux"\n  properties = { os_type = "linux" }' })],
    ["unknown properties", project(BY_ID, { image: 'name = "linux"\n  properties = var.properties' })],
    ["a server that boots from a volume", project(`${BY_ID}\n  block_device {\n    source_type = "image"\n  }`)],
    ["a flavor that is kept", project(`${BY_ID}\n  lifecycle {\n    ignore_changes = [flavor_id]\n  }`)],
    ["a flavor with a count", project(BY_ID.replace("f.id", "f[0].id"), { flavor: `count = 1\n  ${FLAVOR}` })],
    ["a choice", project(BY_ID.replace(/openstack_compute\S+/, 'var.big ? openstack_compute_flavor_v2.f.id : "1311"'))],
    ["a part of an id", project(BY_ID.replace(/openstack_compute\S+/, '"x-${openstack_compute_flavor_v2.f.id}"'))],
    ["a name that two images have", project(BY_NAME) + resource("images_image", "j", IMAGE)],
  ])("not for %s", async (_, text) => {
    expect((await vmsOf(text)).map(({ name }) => name.split("[")[0])).toEqual(["openstack_compute_flavor_v2.f"]);
  });

  test("not by the id of another module", async () => {
    const call = 'module "m" {\n  source = "./m"\n  flavor = openstack_compute_flavor_v2.f.id\n}\n';
    const inner = `variable "flavor" {}\n${project(BY_ID.replace(/openstack_compute\S+/, "var.flavor"))}`;
    const vms = await vmsOf(call + resource("compute_flavor", "f", FLAVOR), { "m/main.tf": inner });
    expect(vms.map(({ name }) => name).sort()).toEqual(["module.m.openstack_compute_flavor_v2.f", "openstack_compute_flavor_v2.f"]);
  });
});

const checkedTerraform = async (text: string) => {
  const { findings } = await openWorkspace({ files: { "main.tf": text } }).check();
  const files = { read: () => text, list: () => ["main.tf"] };
  const [vm] = terraform.read({ paths: ["main.tf"], files, inputs: NOTHING_GIVEN }).vms;
  return { ids: findings.map(({ ruleId }) => ruleId), kvm: vm?.kvm, settings: vm?.settings };
};

describe("Terraform", () => {
  const proxmoxVm = (body: string): string => `resource "proxmox_virtual_environment_vm" "a" {\n  name = "a"\n  ${body}\n}\n`;

  test("makes the same VM of Proxmox as a configuration", async () => {
    const cpu = "cpu {\n    sockets = 2\n    cores = 4\n    numa = true\n  }\n  memory {\n    dedicated = 4096\n  }";
    const { kvm } = await checkedTerraform(proxmoxVm(cpu));
    expect(kvm?.machine).toMatchObject({
      cores: 4,
      possible: 8,
      cells: [{ vcpus: [0, 1, 2, 3], memoryMiB: 2048 }, { vcpus: [4, 5, 6, 7] }],
    });
    const { ids } = await checkedTerraform(proxmoxVm(cpu.replace("sockets = 2", "sockets = 3")));
    expect(ids).toEqual(["proxmox/refused"]);
  });

  test("leaves the counts of a clone to its template", async () => {
    const { settings, kvm, ids } = await checkedTerraform(
      `resource "proxmox_vm_qemu" "a" {\n  name = "a"\n  clone = "t"\n  cores = 4\n}\n`,
    );
    expect([settings?.vcpus.state, kvm?.machine, ids]).toEqual(["unknown", undefined, []]);
  });

  const domain = (body: string): string => `resource "libvirt_domain" "a" {\n  name = "a"\n  ${body}\n}\n`;

  test("makes the domain of libvirt that mirrors its XML (0.9)", async () => {
    const body = `vcpu = 8
  memory = 4
  memory_unit = "GiB"
  io_threads = 1
  cpu = {
    mode = "host-passthrough"
    topology = { sockets = 1, cores = 4, threads = 2 }
    numa = { cell = [{ cpus = "0-3", memory = 2, unit = "GiB" }, { cpus = "4-7", memory = 2, unit = "GiB" }] }
  }
  cpu_tune = {
    vcpu_pin = [{ vcpu = 0, cpu_set = "2" }, { vcpu = 1, cpu_set = "2" }]
    emulator_pin = { cpu_set = "0-1" }
    io_thread_pin = [{ io_thread = 1, cpu_set = "3" }]
  }
  numa_tune = { mem_nodes = [{ cell_id = 1, mode = "strict", nodeset = "1" }] }`;
    const { kvm, settings, ids } = await checkedTerraform(domain(body));
    expect(kvm?.machine).toMatchObject({
      cores: 4,
      threads: 2,
      possible: 8,
      cells: [
        { vcpus: [0, 1, 2, 3], memoryMiB: 2048 },
        { vcpus: [4, 5, 6, 7], hostNodes: [1] },
      ],
    });
    expect(settings?.memoryMiB).toMatchObject({ value: 4096 });
    expect([...(kvm?.pins?.vcpus.values() ?? [])].map(({ value }) => value)).toEqual([[2], [2]]);
    expect([kvm?.pins?.emulator?.value, kvm?.pins?.ioThreads?.get(1)?.value]).toEqual([[0, 1], [3]]);
    expect(ids).toContain("kvm/two-vcpus-one-cpu");
    const open = await checkedTerraform(domain(body.replace('cpus = "0-3"', "cpus = var.cpus")));
    expect([open.kvm?.machine, open.kvm?.unknown]).toEqual([undefined, expect.stringContaining("a NUMA cell is unknown")]);
    const openPins = await checkedTerraform(domain(body.replace("cpu_tune = {", "cpu_tune = var.tune == null ? null : {")));
    expect(openPins.kvm?.machine).toBeDefined();
    expect(openPins.kvm?.pins).toBeUndefined();
  });

  test("makes the domain of the provider before 0.9, with memory in MiB and no topology", async () => {
    const { kvm, settings } = await checkedTerraform(domain('vcpu = 8\n  memory = 4096\n  disk {\n    volume_id = "v"\n  }'));
    expect(kvm?.machine).toMatchObject({ cores: 1, possible: 8, cells: [] });
    // Nobody can follow an advice about sockets.
    expect(kvm?.hasNoTopology).toBe(true);
    expect(settings?.memoryMiB).toMatchObject({ value: 4096 });
    const either = await checkedTerraform(domain("vcpu = 2\n  memory = 2097152"));
    expect(either.settings?.memoryMiB).toMatchObject({ state: "unknown", reason: expect.stringContaining("version of the provider") });
    const versions = 'terraform {\n  required_providers {\n    libvirt = { source = "dmacvicar/libvirt", version = "~> 0.9" }\n  }\n}\n';
    expect((await checkedTerraform(versions + domain("vcpu = 2\n  memory = 2097152"))).settings?.memoryMiB).toMatchObject({ value: 2048 });
    const xslt = await checkedTerraform(domain('vcpu = 8\n  xml {\n    xslt = file("a.xsl")\n  }'));
    expect([xslt.kvm?.machine, xslt.settings?.coresPerSocket.state]).toEqual([undefined, "unknown"]);
  });

  test("makes flavors with the exceptions of Nova", async () => {
    const flavor = (specs: string): string =>
      `resource "openstack_compute_flavor_v2" "a" {\n  name = "a"\n  vcpus = 16\n  ram = 4096\n  extra_specs = { ${specs} }\n}\n`;
    expect((await checkedTerraform(flavor('"hw:numa_nodes" = "3"'))).ids).toEqual(["openstack/refused"]);
    expect((await checkedTerraform(flavor('"hw:numa_nodes" = "2"'))).kvm?.machine?.cells).toHaveLength(2);
    expect((await checkedTerraform(flavor('"hw:numa_nodes" = var.nodes'))).kvm?.machine).toBeUndefined();
  });
});

const guestOfFile = async (files: Readonly<Record<string, string>>, path: string) => {
  const { findings, vms } = await openWorkspace({ files }).check([path]);
  return { ids: findings.map(({ ruleId }) => ruleId), findings, vms: vms.map(({ spec }) => spec) };
};

describe("tasks of community.libvirt", () => {
  const XML = `<domain type='kvm'>
  <name>a</name>
  <memory unit='GiB'>4</memory>
  <vcpu>4</vcpu>
  <cputune>
    <vcpupin vcpu='0' cpuset='2'/>
    <vcpupin vcpu='1' cpuset='2'/>
  </cputune>
</domain>`;
  const task = (xml: string): string =>
    `- hosts: kvm\n  tasks:\n    - block:\n        - name: define\n          community.libvirt.virt:\n            command: define\n            xml: ${xml}\n`;
  const block = `|\n${XML.split("\n")
    .map((line) => `              ${line}\n`)
    .join("")}`;

  test("are read where they hold the XML, with the places of its values", async () => {
    const text = task(block);
    const { vms, findings } = await guestOfFile({ "play.yml": text }, "play.yml");
    expect(vms.map(({ name, format }) => [name, format])).toEqual([["a", "ansible"]]);
    const [found] = findings.filter(({ ruleId }) => ruleId === "kvm/two-vcpus-one-cpu");
    expect(text.slice(...(found?.range ?? [0, 0]))).toBe("2");
    const edits = vms[0]?.edit?.([{ setting: "coresPerSocket", value: 4 }]) ?? [];
    expect(edits).toHaveLength(1);
    const [{ range: [at] = [0], newText = "" } = {}] = edits;
    const fixed = text.slice(0, at) + newText + text.slice(at);
    expect((await guestOfFile({ "play.yml": fixed }, "play.yml")).vms[0]?.kvm?.machine?.cores).toBe(4);
    expect(
      fixed
        .split("\n")
        .filter((line) => !text.split("\n").includes(line))
        .join("\n"),
    ).toMatch(/^ {16}<cpu>\n {18}<topology/);
  });

  test("are read where they look up a file or a template", async () => {
    const template = XML.replace("<vcpu>4", "<vcpu>{{ vcpus }}");
    for (const [lookup, path, state] of [
      ["lookup('file', 'a.xml')", "roles/r/files/a.xml", "known"],
      ["lookup('ansible.builtin.template', 'a.xml.j2')", "roles/r/templates/a.xml.j2", "unknown"],
    ] as const) {
      const files = {
        "roles/r/tasks/main.yml": `- virt:\n    command: define\n    xml: "{{ ${lookup} }}"\n`,
        [path]: state === "known" ? XML : template,
      };
      const { vms } = await guestOfFile(files, "roles/r/tasks/main.yml");
      expect(vms.map(({ name, settings }) => [name, settings.vcpus.state])).toEqual([["a", state]]);
      expect(vms[0]?.edit?.([{ setting: "coresPerSocket", value: 4 }])).toBeUndefined();
    }
  });

  test.each([
    ["a loop in a template", task(block.replace("<cputune>", "<cputune>{% for i in pins %}"))],
    ["another hypervisor", task(block.replace("type='kvm'", "type='xen'"))],
    ["a VM that exists", "- virt:\n    name: a\n    state: running\n"],
    ["a file that is missing", task("\"{{ lookup('file', 'none.xml') }}\"")],
  ])("are not read for %s", async (_, text) => {
    expect((await guestOfFile({ "play.yml": text }, "play.yml")).vms).toEqual([]);
  });
});

describe("the configuration of Proxmox's API", () => {
  test.each(recorded.proxmox ?? [])("$case", (one) => {
    const lines = one.definition ?? linesOf(one.input as unknown as Readonly<Record<string, string>>);
    const entries = lines
      .split(/\n(?=\[)/)[0]
      ?.split("\n")
      .flatMap((line) => (/^([a-z]\w*): ?(.*)$/.test(line) ? [line.split(/: ?(.*)/).slice(0, 2) as [string, string]] : []));
    const config = Object.fromEntries((entries ?? []).map(([key, value]) => [key, /^\d+$/.test(value) ? Number(value) : value]));
    expectGuest(JSON.stringify({ ...config, digest: "1", vmgenid: "1" }, null, 2), yaml, one);
  });

  test("is no container, and no other object", async () => {
    for (const one of [
      { digest: "1", rootfs: "a", cores: 2, vmgenid: "1" },
      { vmgenid: "1", cores: 2 },
    ])
      expect((await guestOfFile({ "a.json": JSON.stringify(one) }, "a.json")).vms).toEqual([]);
  });
});

const NOVA = process.env.NOVA_PYTHON ?? tools("nova/bin/python");

test.skipIf(!existsSync(NOVA))(
  "Nova computes the same for 3,000 random flavors (NOVA_PYTHON)",
  () => {
    const { stdout } = spawnSync(NOVA, [new URL("nova-flavors.py", import.meta.url).pathname, "3000", "11"], {
      encoding: "utf8",
      maxBuffer: 1e9,
    });
    const rows = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)) as (FlavorInput & { readonly real: unknown })[];
    const differ = rows.filter(({ real, ...input }) => {
      const made = machineOf(input);
      const own =
        "message" in made
          ? made.message
          : [
              [made.possible / made.cores / made.threads, made.cores, made.threads],
              made.cells.map(({ vcpus, memoryMiB }) => [vcpus, memoryMiB]),
            ];
      return JSON.stringify(own) !== JSON.stringify(real);
    });
    expect(rows).toHaveLength(3000);
    expect(differ.slice(0, 5)).toEqual([]);
  },
  120_000,
);

const PAIRS = process.env.LIBVIRT_TESTS ?? tools("libvirt/tests/qemuxmlconfdata");
const ARCHITECTURE = /\.(?:x86_64|aarch64|ppc64|s390x|riscv64|loongarch64|i386|armv\w+|sparc).*$/;

test.skipIf(!existsSync(PAIRS))("libvirt makes the same options for QEMU in its own tests (LIBVIRT_TESTS)", () => {
  const [agree, differ]: [string[], string[]] = [[], []];
  for (const file of readdirSync(PAIRS).filter((name) => name.endsWith(".args"))) {
    const name = file.slice(0, -".args".length);
    const path = `${PAIRS}/${name.replace(ARCHITECTURE, "")}.xml`;
    if (!existsSync(path)) continue;
    const smp = /-smp (\S+)/.exec(readFileSync(`${PAIRS}/${file}`, "utf8").replaceAll("\\\n", " "))?.[1];
    const text = readFileSync(path, "utf8");
    const [vm] = lint(text, { format: libvirt }).vms;
    if (smp === undefined || !vm || !text.includes("<vcpu")) continue;
    const options = new Map(smp.split(",").map((part) => part.split("=") as [string, string]));
    const machine = vm.spec.kvm?.machine;
    const hotPlugged = new Set(Array.from(text.matchAll(/<vcpu id='(\d+)'[^>]*hotpluggable='yes'/g), ([, id]) => Number(id)));
    const number = (key: string, other = 1): number => Number(options.get(key) ?? other);
    const cpus = Number(smp.split(",")[0]);
    const shape = [cpus, number("maxcpus", cpus), number("dies") * number("clusters") * number("cores"), number("threads")];
    const own = machine && [machine.present.filter((id) => !hotPlugged.has(id)).length, machine.possible, machine.cores, machine.threads];
    (JSON.stringify([own, machine && cellsOf(machine)]) === JSON.stringify([shape, nodesIn(`${PAIRS}/${file}`)]) ? agree : differ).push(
      name,
    );
  }
  // The numbers of options for pseries differ; vmlint reads the view of x86.
  expect(differ).toEqual(["memory-hotplug-ppc64-nonuma.ppc64-latest"]);
  expect(agree.length).toBeGreaterThanOrEqual(1055);
});

const byNumber = (ids: Iterable<number>): readonly number[] => [...ids].sort((a, b) => a - b);

function cellsOf({ cells, possible }: { readonly cells: readonly { readonly vcpus: readonly number[] }[]; readonly possible: number }) {
  const listed = new Set(cells.flatMap(({ vcpus }) => vcpus));
  const left = Array.from({ length: possible }, (_, i) => i).filter((id) => !listed.has(id));
  return cells.map(({ vcpus }, i) => byNumber(i === 0 ? [...vcpus, ...left] : vcpus));
}

const nodesIn = (file: string): readonly (readonly number[])[] => nodesOfCommand(readFileSync(file, "utf8").replaceAll("\\\n", " "));

function nodesOfCommand(line: string): readonly (readonly number[])[] {
  return Array.from(line.matchAll(/-numa\s+node,(\S+)/g), ([, node = ""]) =>
    byNumber(
      Array.from(node.matchAll(/cpus=(\d+)(?:-(\d+))?/g)).flatMap(([, from, to = from]) =>
        Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => Number(from) + i),
      ),
    ),
  );
}
