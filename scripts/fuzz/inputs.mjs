// Inputs of the fuzzer: each is made of the seed and its number alone.
import { strToU8, zipSync } from "fflate";

const VMX = `.encoding = "UTF-8"
virtualHW.version = "19"
displayName = "sql01"
guestOS = "windows2019srv-64"
numvcpus = "48"
cpuid.coresPerSocket = "3"
memSize = "262144"
sched.cpu.min = "9600"
sched.cpu.affinity = "0,2,4-7"
sched.mem.min = "1024"
numa.nodeAffinity = "0,1"
numa.vcpu.preferHT = "TRUE"
numa.vcpu.maxPerVirtualNode = "7"
vcpu.hotadd = "TRUE"
scsi0.present = "TRUE"
scsi0.virtualDev = "lsilogic"
scsi0:0.present = "TRUE"
scsi0:0.fileName = "a.vmdk"
ethernet0.present = "TRUE"
ethernet0.virtualDev = "e1000"
`;

const NUL = "\u0000";

/** Small samples of each format. Several per format, so that two can be spliced. */
const SAMPLES = [
  ["a.vmx", VMX],
  ["a.vmx", '# vmlint: host=4x10x2@5.5 workload=mssql edition=standard version=2012\nnumvcpus = "40"\nmemSize = "524288"\n'],
  ["a.vmx", 'numvcpus = "6"\nnumvcpus = "8"\nnumvcpuss = "4"\n'],
  [
    "main.tf",
    'variable "cpus" {\n  default = 12\n}\nlocals {\n  n = { a = 1, b = 2 }\n}\nresource "vsphere_virtual_machine" "a" {\n  for_each = local.n\n  name = "vm-${each.key}"\n  num_cpus = var.cpus * each.value\n  num_cores_per_socket = 3\n  memory = max(4096, 8 * 1024)\n  scsi_type = "lsilogic"\n  cpu_hot_add_enabled = true\n  extra_config = { "numa.nodeAffinity" = "0" }\n  disk {\n    label = "d"\n    size = 20\n    unit_number = 1\n  }\n}\n',
  ],
  [
    "main.tf",
    'resource "vsphere_virtual_machine" "b" {\n  count = 3\n  num_cpus = length([for i in range(10) : i if i > 2])\n  memory = <<EOT\n4096\nEOT\n}\n',
  ],
  [
    "a.pkr.hcl",
    'source "vsphere-iso" "a" {\n  CPUs = 12\n  cpu_cores = 5\n  RAM = 8192\n  disk_controller_type = ["lsilogic"]\n  storage {\n    disk_size = 1000\n  }\n}\nbuild {\n  sources = ["source.vsphere-iso.a"]\n}\n',
  ],
  [
    "play.yml",
    '- hosts: all\n  vars: { n: 12 }\n  tasks:\n    - community.vmware.vmware_guest:\n        name: a\n        hardware: { num_cpus: "{{ n }}", num_cpu_cores_per_socket: 5, memory_mb: 4096, scsi: lsilogic }\n        disk: [{ size_gb: 10 }]\n',
  ],
  [
    "spec.yaml",
    "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: a }\nspec:\n  vcpus: 48\n  coresPerSocket: 5\n  memoryMiB: 4096\n  cpuAffinity: [0, 2]\n  latencySensitivity: high\n  scsiControllers: [{ bus: 0, type: lsilogic }]\n",
  ],
  [
    "capv.yaml",
    "apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: VSphereMachineTemplate\nmetadata: &m { name: a }\nspec: { template: { metadata: *m, spec: { numCPUs: 12, numCoresPerSocket: 5, memoryMiB: 4096 } } }\n",
  ],
  [
    "class.yaml",
    "apiVersion: vmoperator.vmware.com/v1alpha2\nkind: VirtualMachineClass\nmetadata: { name: a }\nspec: { hardware: { cpus: 12, memory: 8Gi }, policies: { resources: { requests: { cpu: 2G, memory: 1Gi } } } }\n",
  ],
  [
    "Pulumi.yaml",
    "name: a\nruntime: yaml\nresources:\n  a:\n    type: vsphere:VirtualMachine\n    properties: { numCpus: 12, numCoresPerSocket: 5, memory: 4096 }\n",
  ],
  [
    "vm.json",
    '{"virtualMachines":[{"name":"a","config":{"name":"a","version":"vmx-19","hardware":{"numCPU":12,"numCoresPerSocket":5,"memoryMB":4096,"device":[{"key":1000,"busNumber":0,"_typeName":"VirtualLsiLogicController"}]},"extraConfig":[{"key":"numa.nodeAffinity","value":"0,1"}]}}]}',
  ],
  [
    "plan.json",
    '{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{"root_module":{"resources":[{"address":"vsphere_virtual_machine.a","mode":"managed","type":"vsphere_virtual_machine","name":"a","values":{"name":"a","num_cpus":12,"num_cores_per_socket":5,"memory":4096}}]}}}',
  ],
  ["a.log", 'DICT --- CONFIGURATION\nDICT numvcpus = "12"\nDICT cpuid.coresPerSocket = "5"\nnumaHost: VCPU 0 VPD 0 PPD 0\n'],
  ["a.csv", '"Name","NumCpu","CoresPerSocket","MemoryGB","VMHost"\n"a","12","5","4","esx01"\n'],
  ["vms.json", '[{"Name":"a","NumCpu":12,"CoresPerSocket":5,"MemoryGB":4,"VMHost":{"Name":"esx01"}}]'],
  [
    "a.ovf",
    '<?xml version="1.0"?>\n<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vmw="http://www.vmware.com/schema/ovf"><VirtualSystem><VirtualHardwareSection><Item><rasd:InstanceID>1</rasd:InstanceID><rasd:ResourceType>3</rasd:ResourceType><rasd:VirtualQuantity>12</rasd:VirtualQuantity><vmw:CoresPerSocket>5</vmw:CoresPerSocket></Item><Item><rasd:AllocationUnits>byte * 2^20</rasd:AllocationUnits><rasd:InstanceID>2</rasd:InstanceID><rasd:ResourceType>4</rasd:ResourceType><rasd:VirtualQuantity>4096</rasd:VirtualQuantity></Item></VirtualHardwareSection></VirtualSystem></Envelope>',
  ],
  [
    "a.ova",
    `a.ovf${NUL.repeat(95)}0000644${NUL}0000000${NUL}0000000${NUL}00000000020${NUL}${NUL.repeat(12)}0000000${NUL} 0${NUL.repeat(355)}<Envelope/>`,
  ],
  ["RVTools_tabvInfo.csv", "VM,Powerstate,CPUs,Memory,HW version,Host\nsql01,poweredOn,12,4096,19,esx01\n"],
  [
    "estate.xlsx",
    '<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>CPUs</t></is></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>sql01</t></is></c><c r="B2" t="inlineStr"><is><t>poweredOn</t></is></c><c r="C2"><v>12</v></c></row></sheetData></worksheet>',
  ],
];

const WORKBOOK = {
  "xl/workbook.xml": strToU8('<workbook><sheets><sheet name="vInfo" sheetId="1" r:id="rId1"/></sheets></workbook>'),
  "xl/_rels/workbook.xml.rels": strToU8('<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>'),
  "xl/sharedStrings.xml": strToU8(`<sst><si><t>VM</t></si><si><t>Powerstate</t></si><si><t>${"x".repeat(30_000)}</t></si></sst>`),
};

/** Small XML that stands for far cells, many rows, merged ranges or a long text in many cells. */
const BOMBS = [
  (cells) => `<row r="1"><c r="XFD1"><v>1</v></c></row>${cells("XFD")}`,
  (cells) => `${cells("XFC")}<row r="1048576"><c r="A1048576"><v>1</v></c></row>`,
  (cells) => `${cells("A")}<mergeCells count="9"><mergeCell ref="A1:XFD1048576"/></mergeCells>`,
  (cells) => cells("B", ' t="s"').replaceAll("<v>1", "<v>2"),
];

/** A workbook with that sheet, as a text of its bytes; one of 2,000 is a bomb of 40 MB in 40 KB, one of 50 has a structure like one. */
function workbookOf(sheet, below) {
  const row = (column, type, y) => `<row r="${y}"><c r="${column}${y}"${type}><v>1</v></c></row>`;
  const cells = (column, type = "") => Array.from({ length: 2 ** below(14) }, (_, y) => row(column, type, y + 3)).join("");
  const shape = below(50) === 0 ? BOMBS[below(BOMBS.length)](cells) : "";
  const shaped = sheet.replace("</sheetData>", `${shape}</sheetData>`);
  const content = below(2000) === 0 ? `${shaped}${" ".repeat(40_000_000)}` : shaped;
  const parts = { ...WORKBOOK, "xl/worksheets/sheet1.xml": strToU8(content) };
  return Buffer.from(zipSync(parts, { level: content === sheet ? 0 : 6 })).toString("latin1");
}

const NUMBERS = [
  "0",
  "-1",
  "1",
  "3",
  "7",
  "4095",
  "4096",
  "4097",
  "65535",
  "2147483647",
  "2147483648",
  "4294967296",
  "9007199254740991",
  "9007199254740993",
  "1e308",
  "1e-9",
  "0x10",
  "1.5",
  "NaN",
  "-0",
  "99999999999999999999999999",
];
const WORDS = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "prototype",
  "${",
  "%{",
  "{{",
  "}}",
  "<<EOT",
  "*a",
  "&a",
  "!!js",
  "null",
  "~",
  '"',
  "'",
  "\\",
  "\u0000",
  "\u001b[31m",
  "\u202e",
  "\ud800",
  "é",
  "\r",
  "\n",
  "\t",
  "|22",
  "<![CDATA[",
  "&#0;",
  "&lol;",
  "<!DOCTYPE a [<!ENTITY lol 'lol'>]>",
  "---\n",
  "...\n",
  "# vmlint: host=",
  "# vmlint-disable-next-line ",
  "for x in ",
  "range(1, 1000000)",
  "...",
  "each.key",
  "count.index",
  "jsondecode(",
  'file("/etc/passwd")',
  "templatefile(",
];
const NESTS = ["[", "{", '{"a":', "(", "${", "<a>", "- ", "a {\n", "&a [*a,", "!a ", '["', "-", "? "];

/** A generator of numbers below some limit (mulberry32). */
function random(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return (limit) => Math.floor(next() * limit);
}

/** The random parts of an input: numbers below a limit, and items of a list. */
export function drawn(seed, number) {
  const below = random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  return { below, pick: (list) => list[below(list.length)] };
}

/** The name and the text of an input. */
export function inputOf(seed, number) {
  const { below, pick } = drawn(seed, number);
  let [name, text] = pick(SAMPLES);
  for (let left = 1 + below(4); left > 0; left--) text = damaged(text, below, pick);
  if (name.endsWith(".xlsx")) {
    text = workbookOf(text, below);
    if (below(4) === 0) text = damaged(text, below, pick);
  }
  return { name, text };
}

function damaged(text, below, pick) {
  const at = below(text.length + 1);
  const to = Math.min(text.length, at + below(1 + below(80)));
  switch (below(10)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(to);
    case 2:
      return text.slice(0, at) + pick(WORDS) + text.slice(at);
    case 3:
    case 4: {
      const numbers = [...text.matchAll(/\d+/g)];
      const one = numbers.length > 0 ? pick(numbers) : undefined;
      return one ? text.slice(0, one.index) + pick(NUMBERS) + text.slice(one.index + one[0].length) : text + pick(NUMBERS);
    }
    case 5: {
      const [, other] = pick(SAMPLES);
      const from = below(other.length + 1);
      return text.slice(0, at) + other.slice(from, from + below(200)) + text.slice(to);
    }
    case 6:
      return text.slice(0, to) + text.slice(at);
    case 7:
      return text.slice(0, at) + String.fromCharCode(below(below(4) === 0 ? 65536 : 128)) + text.slice(at + 1);
    case 8: {
      const words = [...text.matchAll(/[A-Za-z_]\w*/g)];
      const one = words.length > 0 ? pick(words) : undefined;
      return one ? text.slice(0, one.index) + pick(WORDS) + text.slice(one.index + one[0].length) : text;
    }
    default:
      // Deep nesting is slow, and rare.
      return below(20) === 0
        ? text.slice(0, at) + pick(NESTS).repeat(pick([10, 200, 3000])) + text.slice(at)
        : text.replaceAll("\n", pick(["\r\n", "\r", "\n\n"]));
  }
}
