import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { planOf } from "../support/terraform-plan.ts";

const SECRET = "hunter2-s3cr3t";
const vm = (more: object) => ({
  name: "sql01",
  num_cpus: 6,
  num_cores_per_socket: 4,
  memory: 4096,
  annotation: SECRET,
  extra_config: { "guestinfo.password": SECRET },
  ...more,
});
const sensitive = { annotation: true, extra_config: true };
const plan = planOf(vm({}), { sensitive_values: sensitive }, { variables: { password: { value: SECRET } } });
const state = JSON.stringify({
  version: 4,
  terraform_version: "1.9.0",
  serial: 1,
  lineage: "a2817963",
  outputs: { password: { value: SECRET, type: "string", sensitive: true } },
  resources: [
    {
      mode: "managed",
      type: "vsphere_virtual_machine",
      name: "a",
      provider: 'provider["registry.terraform.io/hashicorp/vsphere"]',
      instances: [{ attributes: vm({}), sensitive_attributes: [] }],
    },
  ],
});
const main = `variable "cores" {}
variable "password" { sensitive = true }
resource "vsphere_virtual_machine" "a" {
  num_cpus             = 6
  num_cores_per_socket = var.cores
  annotation           = var.password
}
`;

const INPUTS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["a file of values", { "main.tf": main, "terraform.tfvars": `# ${SECRET}\ncores = 4\npassword = "${SECRET}"\n` }],
  ["a plan", { "plan.json": plan }],
  ["a state", { "terraform.tfstate": state }],
  [
    "a .vmx",
    {
      "a.vmx": [
        'guestinfo.user = "a"',
        `guestinfo.password = "${SECRET}"`,
        'numvcpus = "6"',
        'cpuid.coresPerSocket = "4"',
        `guestinfo.token = "${SECRET}"`,
        'memSize = "4096"',
        'memSize = "4096"',
        `guestinfo.Password = "${SECRET}x"`,
        `guestinfo.pin = ${SECRET}`,
        `password ${SECRET}`,
        `guestinfo.open = "${SECRET}`,
        "",
      ].join("\n"),
    },
  ],
  [
    "Terraform with options in one line",
    {
      "main.tf": `resource "vsphere_virtual_machine" "a" {
  annotation           = "${SECRET}"
  num_cpus             = 6
  num_cores_per_socket = 4
  extra_config         = { "guestinfo.password" = "${SECRET}", "numa.vcpu.preferHT" = "maybe", "guestinfo.b" = "${SECRET}" }
}
`,
    },
  ],
  [
    "Ansible",
    {
      "a.yaml": `- vmware_guest:
    password: ${SECRET}
    guest_id: x
    name: a
    hardware: { num_cpus: 6, num_cpu_cores_per_socket: 4, memory_mb: 4096 }
    customvalues: [{ key: guestinfo.password, value: ${SECRET} }]
    advanced_settings: [{ key: numa.vcpu.preferHT, value: maybe }, { key: guestinfo.a, value: ${SECRET} }]
`,
    },
  ],
  [
    "Kubernetes",
    {
      "a.yaml": `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereMachineTemplate
metadata: { name: worker, annotations: { password: ${SECRET} } }
spec: { template: { spec: { template: t, numCPUs: 6, numCoresPerSocket: 4, memoryMiB: 4096, userData: ${SECRET} } } }
`,
    },
  ],
];
const FORMS = [
  "text",
  "compact",
  "json",
  "ndjson",
  "sarif",
  "junit",
  "github",
  "gitlab",
  "checkstyle",
  "azure",
  "html",
  "md",
  "tap",
  "csv",
  "summary",
];
const RUNS = [...FORMS.map((form) => ["--format", form]), ["--diff", "--fix-unsafe"], ["topology"], ["topology", "--format", "json"]];

test.each(INPUTS)("no report shows a secret of %s", (_, files) => {
  const cwd = folder({ ...files, "vmlint.yaml": "host: 2x20x2:768@8.0\n" });
  for (const args of RUNS) {
    const { out, err } = vmlint(cwd, args);
    expect(out + err, args.join(" ")).not.toContain(SECRET);
  }
  // There is something to report.
  expect(vmlint(cwd, ["--format", "compact"]).out).not.toBe("");
});
