import type { KvmHost } from "../model/host.ts";
import { bytesIn, type DumpFacts, type DumpFormat, numbersOf } from "./facts.ts";

/** Matches a key of YAML or JSON with a plain value. */
const plain = (key: string): RegExp => new RegExp(`^[ \\t]*"?${key}"?[ \\t]*:[ \\t]*["']?([\\w.,/:-]+)`, "m");
const wordAfter = (text: string, key: string): string | undefined => plain(key).exec(text)?.[1];

/** Returns the lines of a block below a key, or what is between its brackets. */
function blockOf(text: string, key: string): string {
  const [, indent = "", head = ""] = new RegExp(`^([ \\t]*)"?${key}"?[ \\t]*:(.*)$`, "m").exec(text) ?? [];
  const start = text.search(new RegExp(`^[ \\t]*"?${key}"?[ \\t]*:`, "m"));
  if (start < 0) return "";
  if (head.includes("}")) return head.replace(/[{},]/g, "\n");
  const lines = text.slice(start).split(/\r?\n/).slice(1);
  const end = lines.findIndex((line) => line.trim() !== "" && line.search(/[^ \t]/) <= indent.length);
  return lines.slice(0, end < 0 ? undefined : end).join("\n");
}

/** `2`, `500m`. */
const cpusIn = (text: string | undefined): number => {
  const [, amount, milli] = /^(\d+(?:\.\d+)?)(m?)$/.exec(text ?? "") ?? [];
  return amount === undefined ? 0 : Number(amount) / (milli ? 1000 : 1);
};

const isOfKind = (kind: string) => {
  const sign = new RegExp(`^[ \\t]*"?kind"?[ \\t]*:[ \\t]*["']?${kind}\\b`, "m");
  return (text: string): boolean => sign.test(text);
};

/**
 * The configuration of the kubelet (https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/). The CPUs that it keeps for
 * itself are whole: a list, or the sum of its reservations rounded up.
 */
export const kubeletConfiguration: DumpFormat = {
  id: "kubelet-configuration",
  title: "KubeletConfiguration",
  recognises: isOfKind("(?:KubeletConfiguration|KubeletConfig)"),
  read(text): DumpFacts {
    const policy = wordAfter(text, "cpuManagerPolicy") ?? "none";
    const listed = numbersOf(wordAfter(text, "reservedSystemCPUs") ?? "");
    const sum = ["kubeReserved", "systemReserved"].reduce((cpus, key) => cpus + cpusIn(wordAfter(blockOf(text, key), "cpu")), 0);
    const options = Array.from(
      blockOf(text, "cpuManagerPolicyOptions").matchAll(/^[ \t]*"?([\w-]+)"?[ \t]*:[ \t]*["']?true\b/gm),
      ([, name = ""]) => name,
    );
    const reservedCpus = listed?.length ?? Math.ceil(sum);
    return { runs: { platform: "kvm" }, kvm: { kubernetes: { cpuManager: policy, options, ...(reservedCpus > 0 && { reservedCpus }) } } };
  },
};

/** A Node object: its capacity, without sockets and cores, and whether its CPU manager gives CPUs to pods alone. */
export const kubernetesNode: DumpFormat = {
  id: "kubernetes-node",
  title: "Node of Kubernetes",
  recognises: (text) => isOfKind("Node")(text) && /"?capacity"?[ \t]*:/.test(text),
  read(text): DumpFacts {
    const capacity = blockOf(text, "capacity");
    const memory = amountIn(wordAfter(capacity, "memory"));
    const threads = cpusIn(wordAfter(capacity, "cpu"));
    const pages = Array.from(capacity.matchAll(/hugepages-(\d+[KMG]i)"?[ \t]*:[ \t]*["']?(\w+)/g), ([, size, total]) => [
      String((amountIn(size) ?? 0) / 2 ** 20),
      (amountIn(total) ?? 0) / 2 ** 20,
    ]);
    const version = wordAfter(text, "kubeletVersion");
    // KubeVirt labels the nodes whose kubelet has the static policy.
    const label = wordAfter(text, "cpumanager");
    const kvm: KvmHost = {
      ...(label !== undefined && { kubernetes: { cpuManager: label === "true" ? "static" : "none" } }),
      ...(pages.length > 0 && { hugePagesMiB: Object.fromEntries(pages) }),
    };
    return {
      ...(Number.isInteger(threads) && threads > 0 && { threads }),
      ...(memory !== undefined && { memoryBytes: memory }),
      runs: { platform: "kvm", ...(version !== undefined && { version }) },
      kvm,
    };
  },
};

/** `527952796Ki`, `0`. */
function amountIn(text: string | undefined): number | undefined {
  const [, amount, unit = ""] = /^(\d{1,15})([KMGT]i)?$/.exec(text ?? "") ?? [];
  const bytes = unit === "" ? 1 : bytesIn(`${unit}B`);
  return amount === undefined || bytes === undefined ? undefined : Number(amount) * bytes;
}
