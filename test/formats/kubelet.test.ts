import { expect, test } from "vitest";
import { yaml } from "../../packages/core/src/formats/yaml/yaml.ts";

const kubeletOf = (text: string) => yaml.parse(text).vms[0]?.configured?.().kubelet;

const MACHINES = `apiVersion: machine.openshift.io/v1beta1
kind: MachineSet
metadata: { name: workers }
spec:
  template:
    metadata: { labels: { machine.openshift.io/cluster-api-machine-role: worker } }
    spec:
      providerSpec:
        value: { kind: VSphereMachineProviderSpec, apiVersion: machine.openshift.io/v1beta1, numCPUs: 16, memoryMiB: 65536, template: rhcos }
---
`;
const kubeletConfig = (selector: string): string => `apiVersion: machineconfiguration.openshift.io/v1
kind: KubeletConfig
metadata: { name: cpumanager }
spec:
  machineConfigPoolSelector: { matchLabels: { ${selector} } }
  kubeletConfig: { cpuManagerPolicy: static, topologyManagerPolicy: single-numa-node, cpuManagerPolicyOptions: { full-pcpus-only: "true" } }
`;
const POOL = `---
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfigPool
metadata: { name: worker, labels: { custom-kubelet: cpumanager-enabled } }
`;
const PROFILE = `kind: PerformanceProfile
metadata: { name: p }
spec: { nodeSelector: { node-role.kubernetes.io/worker: "" }, numa: { topologyPolicy: restricted } }
`;
const STATED = { cpuManager: "static", topologyManager: "single-numa-node", options: ["full-pcpus-only"], reserves: true };

test.each([
  ["a pool by its own label", kubeletConfig('pools.operator.machineconfiguration.openshift.io/worker: ""'), STATED],
  ["a pool of the same text", kubeletConfig("custom-kubelet: cpumanager-enabled") + POOL, STATED],
  ["another pool", kubeletConfig('pools.operator.machineconfiguration.openshift.io/infra: ""'), undefined],
  ["a performance profile", PROFILE, { cpuManager: "static", topologyManager: "restricted", reserves: true }],
])("machines of OpenShift and the policies of %s", (_, text, expected) => {
  const kubelet = kubeletOf(MACHINES + text);
  if (expected) expect(kubelet).toMatchObject(expected);
  else expect(kubelet).toBeUndefined();
});

const capi = (args: string, patches = ""): string => `apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: VSphereMachineTemplate
metadata: { name: control }
spec: { template: { spec: { template: ubuntu, numCPUs: 8 } } }
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata: { name: control }
spec:
  machineTemplate: { spec: { infrastructureRef: { name: control } } }
  kubeadmConfigSpec: { initConfiguration: { ${patches}nodeRegistration: { kubeletExtraArgs: ${args} } } }
`;

test.each([
  ["a list", capi("[{ name: cpu-manager-policy, value: static }, { name: system-reserved, value: 'cpu=1,memory=1Gi' }]"), true],
  ["a mapping without reserved CPUs", capi("{ cpu-manager-policy: static, kube-reserved: memory=1Gi }"), false],
  ["reserved CPUs by number", capi("{ cpu-manager-policy: static, reserved-cpus: 0-1 }"), true],
  ["nothing reserved", capi("{ cpu-manager-policy: static, kube-reserved: 'cpu=0,memory=1Gi' }"), false],
  ["patches, which may reserve CPUs", capi("{ cpu-manager-policy: static }", "patches: { directory: /etc/kubernetes/patches }, "), true],
])("a control plane of Cluster API: %s", (_, text, reserves) => {
  expect(kubeletOf(text)).toMatchObject({ cpuManager: "static", topologyManager: "none", reserves });
});
