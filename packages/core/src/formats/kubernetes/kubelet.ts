import type { Kubelet } from "../../model/spec.ts";
import { at, entriesOf, get, isList, isNothing, itemsOf, rangeOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { nameOf } from "./object.ts";

/** Names of the kubelet's command line for fields of its configuration file (KubeletConfiguration). */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ["cpuManagerPolicy", "cpu-manager-policy"],
  ["cpuManagerPolicyOptions", "cpu-manager-policy-options"],
  ["topologyManagerPolicy", "topology-manager-policy"],
]);

const isKind = (object: Value, ...kinds: readonly string[]): boolean => kinds.includes(textOf(get(object, "kind")) ?? "");

/** Returns the policies among arguments by name; `undefined` if they state none. */
function policiesIn(entries: readonly (readonly [name: string, value: Value])[], reserves: boolean): Kubelet | undefined {
  const values = new Map(entries);
  const policy = values.get("cpu-manager-policy") ?? values.get("topology-manager-policy");
  if (!policy) return undefined;
  const text = (name: string): string | undefined => {
    const value = values.get(name);
    return value && textOf(value);
  };
  const options = values.get("cpu-manager-policy-options");
  const pairs = options
    ? [...entriesOf(options).map(({ key, value }) => `${key}=${textOf(value)}`), ...(textOf(options) ?? "").split(",")]
    : [];
  const holdsCpu = ["kube-reserved", "system-reserved"].some((name) => /\bcpu=(?!0m?(?:,|$))/.test(text(name) ?? ""));
  return {
    range: rangeOf(policy),
    cpuManager: text("cpu-manager-policy") ?? "none",
    topologyManager: text("topology-manager-policy") ?? "none",
    options: pairs.flatMap((pair) => /^\s*([\w-]+)=true\s*$/.exec(pair)?.[1] ?? []),
    reserves: reserves || holdsCpu || (text("reserved-cpus") ?? "") !== "" || values.has("config"),
  };
}

/** Returns arguments of the kubelet: a mapping, or from v1beta2 of Cluster API on a list of names and values. */
const argumentsIn = (value: Value): readonly (readonly [string, Value])[] =>
  isList(value)
    ? itemsOf(value).map((item) => [textOf(get(item, "name")) ?? "", get(item, "value")] as const)
    : entriesOf(value).map(({ key, value: own }) => [key, own] as const);

/** Returns the policies that a machine template of Cluster API gets from the bootstrap configuration in the same text. */
export function kubeletOfTemplate(template: string, objects: readonly Value[]): Kubelet | undefined {
  const namesIt = (value: Value): boolean => textOf(at(value, ["infrastructureRef", "name"])) === template;
  for (const object of objects) {
    const spec = get(object, "spec");
    const machine = at(spec, ["template", "spec"]);
    if (isKind(object, "KubeadmControlPlane") && (namesIt(get(spec, "machineTemplate")) || namesIt(at(spec, ["machineTemplate", "spec"]))))
      return kubeadm(get(spec, "kubeadmConfigSpec"));
    if (!isKind(object, "MachineDeployment", "MachineSet", "MachinePool") || !namesIt(machine)) continue;
    const name = textOf(at(machine, ["bootstrap", "configRef", "name"]));
    const config = objects.find((other) => isKind(other, "KubeadmConfigTemplate") && name !== undefined && textOf(nameOf(other)) === name);
    if (config) return kubeadm(at(config, ["spec", "template", "spec"]));
  }
  return undefined;
}

function kubeadm(spec: Value): Kubelet | undefined {
  for (const phase of ["joinConfiguration", "initConfiguration"]) {
    const configuration = get(spec, phase);
    const found = policiesIn(
      argumentsIn(at(configuration, ["nodeRegistration", "kubeletExtraArgs"])),
      // Patches may reserve CPUs in the kubelet's configuration file.
      !isNothing(get(configuration, "patches")),
    );
    if (found) return found;
  }
  return undefined;
}

const POOL = /^pools\.operator\.machineconfiguration\.openshift\.io\/(.+)$/;
const ROLE = /^node-role\.kubernetes\.io\/(.+)$/;

/** Returns the policies that OpenShift's objects in the same text state for machines of a role. */
export function kubeletOfRole(role: string, objects: readonly Value[]): Kubelet | undefined {
  for (const object of objects) {
    const spec = get(object, "spec");
    if (isKind(object, "KubeletConfig") && poolsOf(at(spec, ["machineConfigPoolSelector", "matchLabels"]), objects).includes(role)) {
      const entries = entriesOf(get(spec, "kubeletConfig")).flatMap(({ key, value }) => {
        const name = FIELDS.get(key);
        return name === undefined ? [] : [[name, value] as const];
      });
      // The operator reserves CPUs by default.
      const found = policiesIn(entries, true);
      if (found) return found;
    }
    const policy = at(spec, ["numa", "topologyPolicy"]);
    const isProfile =
      isKind(object, "PerformanceProfile") && entriesOf(get(spec, "nodeSelector")).some(({ key }) => ROLE.exec(key)?.[1] === role);
    if (isProfile)
      return {
        range: rangeOf(nameOf(object)),
        cpuManager: "static",
        topologyManager: textOf(policy) ?? "best-effort",
        options: [],
        reserves: true,
      };
  }
  return undefined;
}

/** Returns the pools with some labels: by the label that names a pool, or by a pool in the same text. */
function poolsOf(labels: Value, objects: readonly Value[]): readonly string[] {
  const wanted = entriesOf(labels).map(({ key, value }) => [key, textOf(value) ?? ""] as const);
  const named = wanted.flatMap(([key]) => POOL.exec(key)?.[1] ?? []);
  const found = objects.filter(
    (object) =>
      isKind(object, "MachineConfigPool") &&
      wanted.length > 0 &&
      wanted.every(([key, value]) => textOf(get(at(object, ["metadata", "labels"]), key)) === value),
  );
  return [...named, ...found.flatMap((object) => textOf(nameOf(object)) ?? [])];
}
