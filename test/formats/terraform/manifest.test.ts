import { expect, test } from "vitest";
import { openWorkspace } from "../../../packages/core/src/index.ts";
import { vmlint } from "../../support/cli.ts";
import { folder } from "../../support/folder.ts";
import { NOTHING_GIVEN, readWhole, shown } from "./support.ts";

const MACHINE = `locals {
  spec = yamldecode(file("\${path.module}/spec.yaml"))
}
variable "memory" {}
resource "kubernetes_manifest" "worker" {
  for_each = toset(["a", "b"])
  manifest = {
    apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1"
    kind       = "VSphereMachineTemplate"
    metadata = { name = "worker-\${each.key}" }
    spec = {
      template = {
        spec = {
          template          = "ubuntu"
          numCPUs           = 12
          numCoresPerSocket = local.spec.cores
          memoryMiB         = var.memory
          network           = { devices = [{ networkName = "n" }] }
        }
      }
    }
  }
}
resource "kubernetes_manifest" "role" {
  manifest = { apiVersion = "v1", kind = "ConfigMap" }
}
`;

const FILES = { "main.tf": MACHINE, "spec.yaml": "cores: 5\n" };

const settingsOf = async (main: string) => {
  const { vms } = await readWhole({ ...FILES, "main.tf": main }, NOTHING_GIVEN);
  return vms.map(({ name, alias, settings: { vcpus, coresPerSocket, memoryMiB } }) => [
    name,
    alias,
    ...[vcpus, coresPerSocket, memoryMiB].map(shown),
  ]);
};

test("a kubernetes_manifest that is a VM is read as a Kubernetes file, with its places in HCL", async () => {
  const { findings } = await openWorkspace({ files: FILES }).check(["main.tf"]);
  const found = findings.find(({ ruleId }) => ruleId === "cpu/cps-divides");
  expect([found?.path, found?.line, found?.column]).toEqual(["main.tf", 16, 31]);
  expect(found?.related.map(({ path }) => path)).toContain("spec.yaml");
});

test("its values are known, or unknown with the reason of Terraform", async () => {
  expect(await settingsOf(MACHINE)).toEqual(
    ["a", "b"].map((key) => [
      `kubernetes_manifest.worker["${key}"]`,
      `worker-${key}`,
      12,
      5,
      "<variable memory has no default and is given no value>",
    ]),
  );
});

test("what is inside of an unknown value is unknown", async () => {
  const open = MACHINE.replace("template = {\n        spec = {", "template = {\n        spec = data.x.y.spec\n        other = {");
  const unknown = "<data.x.y is known when Terraform runs>";
  expect(await settingsOf(open)).toEqual(
    ["a", "b"].map((key) => [`kubernetes_manifest.worker["${key}"]`, `worker-${key}`, unknown, unknown, unknown]),
  );
});

test("a fix replaces a literal", () => {
  const { out } = vmlint(folder({ ...FILES, "main.tf": MACHINE.replace("local.spec.cores", "5") }), [
    "--fix-dry-run",
    "--fix-unsafe",
    "main.tf",
  ]);
  expect(out).toContain("+          numCoresPerSocket = 4");
});
