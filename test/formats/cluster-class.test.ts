import { expect, test } from "vitest";
import { yaml } from "../../packages/core/src/formats/yaml/yaml.ts";
import { openWorkspace } from "../../packages/core/src/index.ts";
import { filesOf } from "../support/text-files.ts";

const TEMPLATE = (name = "worker") => `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereMachineTemplate
metadata: { name: ${name} }
spec: { template: { spec: { template: ubuntu, numCPUs: 2, numCoresPerSocket: 1, memoryMiB: 4096 } } }
`;

const patch = (change: string, more = "", match = "machineDeploymentClass: { names: [default-*] }") => `  - name: p
${more}    definitions:
    - selector:
        apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
        kind: VSphereMachineTemplate
        matchResources: { ${match} }
      jsonPatches:
      - ${change}
`;

const CPUS = "{ op: replace, path: /spec/template/spec/numCPUs, valueFrom: { variable: size.cpus } }";

const classOf = (...patches: string[]) => `apiVersion: cluster.x-k8s.io/v1beta1
kind: ClusterClass
metadata: { name: sizes }
spec:
  controlPlane: { machineInfrastructure: { ref: { kind: VSphereMachineTemplate, name: control } } }
  workers:
    machineDeployments:
    - { class: default-worker, template: { infrastructure: { ref: { name: worker } } } }
  variables:
  - { name: size, schema: { openAPIV3Schema: { type: object, default: { cpus: 6 }, properties: { cores: { default: 3 } } } } }
  - { name: large, schema: { openAPIV3Schema: { type: boolean, default: false } } }
  patches:
${patches.join("")}`;

const clusterOf = (variables = "", overrides = "", name = "prod") => `apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata: { name: ${name} }
spec:
  topology:
    class: sizes
    variables: [${variables}]
    workers:
      machineDeployments:
      - { class: default-worker, name: a, variables: { overrides: [${overrides}] } }
`;

const OPEN = "? a ClusterClass patches it";
const EIGHT = "{ name: size, value: { cpus: 8 } }";
const TWELVE = "{ name: size, value: { cpus: 12 } }";

function read(others: readonly string[], files: Readonly<Record<string, string>> = {}, template = TEMPLATE()) {
  const path = "classes/template.yaml";
  const all = filesOf({ ...files, [path]: [template, ...others].join("---\n") });
  const [vm] = yaml.read({ paths: [path], files: all, inputs: { environment: {}, options: [] } }).vms;
  const { vcpus, coresPerSocket, memoryMiB } = vm?.settings ?? {};
  return [vcpus, coresPerSocket, memoryMiB].map((one) =>
    one?.state === "known" ? one.value : one?.state === "unknown" ? `? ${one.reason}` : null,
  );
}

test.each<[what: string, read: () => unknown, cpus: unknown]>([
  ["the default of a variable", () => read([classOf(patch(CPUS)), clusterOf()]), 6],
  ["the variable of the cluster", () => read([classOf(patch(CPUS)), clusterOf(EIGHT)]), 8],
  ["the override of the workers", () => read([classOf(patch(CPUS)), clusterOf(EIGHT, TWELVE)]), 12],
  [
    "a template that is only a variable",
    () => read([classOf(patch(CPUS.replace("variable: size.cpus", 'template: "{{ .size.cpus }}"'))), clusterOf(EIGHT)]),
    8,
  ],
  [
    "another template",
    () => read([classOf(patch(CPUS.replace("variable: size.cpus", 'template: "{{ add .size.cpus 1 }}"'))), clusterOf(EIGHT)]),
    OPEN,
  ],
  ["a value", () => read([classOf(patch("{ op: add, path: /spec/template/spec/numCPUs, value: 4 }")), clusterOf()]), 4],
  [
    "the last of two patches",
    () => read([classOf(patch(CPUS), patch("{ op: add, path: /spec/template/spec/numCPUs, value: 4 }")), clusterOf()]),
    4,
  ],
  ["a removed value", () => read([classOf(patch("{ op: remove, path: /spec/template/spec/numCPUs }")), clusterOf()]), null],
  [
    "a patch of all",
    () => read([classOf(patch("{ op: replace, path: /spec/template/spec, valueFrom: { variable: a } }")), clusterOf()]),
    OPEN,
  ],
  ["an extension", () => read([classOf("  - { name: e, external: { generateExtension: a } }\n"), clusterOf()]), OPEN],
  ["a variable that nothing sets", () => read([classOf(patch(CPUS.replace("size.cpus", "other"))), clusterOf()]), OPEN],
  ["a builtin variable", () => read([classOf(patch(CPUS.replace("size.cpus", "builtin.machineDeployment.replicas"))), clusterOf()]), OPEN],
  ["a patch of other workers", () => read([classOf(patch(CPUS, "", "machineDeploymentClass: { names: [gpu] }")), clusterOf()]), 2],
  ["a patch of the control plane", () => read([classOf(patch(CPUS, "", "controlPlane: true")), clusterOf()]), 2],
  ["a condition that is false", () => read([classOf(patch(CPUS, '    enabledIf: "{{ .large }}"\n')), clusterOf()]), 2],
  [
    "a condition that is true",
    () => read([classOf(patch(CPUS, '    enabledIf: "{{ if .large }}true{{ end }}"\n')), clusterOf("{ name: large, value: true }")]),
    6,
  ],
  [
    "a condition that only Go's templates can say",
    () => read([classOf(patch(CPUS, '    enabledIf: "{{ ne .large true }}"\n')), clusterOf()]),
    OPEN,
  ],
  ["no cluster", () => read([classOf(patch(CPUS))]), OPEN],
  ["two clusters that agree", () => read([classOf(patch(CPUS)), clusterOf(EIGHT), clusterOf(EIGHT, "", "dev")]), 8],
  [
    "two clusters that differ",
    () => read([classOf(patch(CPUS)), clusterOf(EIGHT), clusterOf(TWELVE, "", "dev")]),
    "? the clusters of its class set it to different values",
  ],
  [
    "a class and a cluster in other files",
    () => read([], { "classes/class.yaml": classOf(patch(CPUS)), "clusters/prod.yaml": clusterOf(EIGHT) }),
    8,
  ],
])("vCPUs by %s", (_, result, cpus) => {
  const [vcpus, , memory] = result() as unknown[];
  expect(vcpus).toBe(cpus);
  if (!/of all|extension/.test(_)) expect(memory).toBe(4096);
});

test("the default of a property applies inside of an object", () => {
  const cores = CPUS.replace("numCPUs", "numCoresPerSocket").replace("size.cpus", "size.cores");
  expect(read([classOf(patch(cores)), clusterOf(EIGHT)])).toEqual([2, 3, 4096]);
});

test("a finding says which cluster sets the value, and where", async () => {
  const cores = CPUS.replace("numCPUs", "numCoresPerSocket").replace("size.cpus", "size.cores");
  const files = {
    "classes/template.yaml": TEMPLATE().replace("numCPUs: 2", "numCPUs: 12"),
    "classes/class.yaml": classOf(patch(cores)),
    "clusters/prod.yaml": clusterOf("{ name: size, value: { cores: 5 } }"),
  };
  const { findings } = await openWorkspace({ files }).check(["classes/template.yaml"]);
  const found = findings.find(({ ruleId }) => ruleId === "cpu/cps-divides");
  expect(found?.message).toContain("12 vCPUs do not divide into sockets of 5 cores");
  expect(found?.path).toBe("classes/template.yaml");
  expect(found?.related).toContainEqual(
    expect.objectContaining({ path: "clusters/prod.yaml", message: "set by variable size.cores of cluster prod" }),
  );
  expect(found?.fixes).toEqual([]);
});
