import { type Format, lint, topologyJson } from "@vmlint/core";
import { yaml } from "@vmlint/core/yaml";
import { describe, expect, test } from "vitest";
import { libvirt } from "../../packages/core/src/formats/libvirt/libvirt.ts";
import { proxmox } from "../../packages/core/src/formats/proxmox/proxmox.ts";

/** Returns the JSON of the only VM of a text. */
function jsonOf(text: string, format: Format, path: string) {
  const [vm] = topologyJson([{ path, text, ...lint(text, { format }) }], { name: "vmlint", version: "0" }).vms;
  return vm as unknown as Readonly<Record<string, unknown>>;
}

const guest = (vcpus: number, sockets: number, cores: number | null, threads = 1) => ({
  vcpus,
  sockets,
  coresPerSocket: cores,
  threadsPerCore: threads,
});
const node = (vcpus: string, memoryMiB: number | null) => ({ vcpus, memoryMiB, hostNodes: null });
const documented = { certainty: "documented", certainties: { sockets: "documented", vnumaNodes: "documented" }, possible: [] };

describe("the JSON of a VM on KVM", () => {
  test("has the guest of KubeVirt without a host, and the vCPUs that hot plug may add", () => {
    const text = JSON.stringify({
      apiVersion: "kubevirt.io/v1",
      kind: "VirtualMachine",
      metadata: { name: "sql01" },
      spec: { template: { spec: { domain: { cpu: { sockets: 2, cores: 4 }, memory: { guest: "320Mi" }, devices: {} } } } },
    });
    expect(jsonOf(text, yaml, "sql01.yaml")).toMatchObject({
      ...{ path: "sql01.yaml", name: "sql01", format: "kubevirt", platform: "kvm", stack: "kubevirt", refused: null },
      topology: {
        ...{ ...guest(8, 2, 4), ...documented, possibleVcpus: 32, placement: null },
        ...{ vnumaNodes: [8], nodes: [node("0-7", 320)], sharedL3: ["0-3", "4-7"] },
        reasons: expect.arrayContaining([expect.stringMatching(/./)]),
      },
    });
  });

  test("has the nodes and the pins of a domain", () => {
    const pins = [4, 5, 6, 7].map((cpu, vcpu) => `<vcpupin vcpu='${vcpu}' cpuset='${cpu}'/>`).join("");
    const cells = "<cell id='0' cpus='0,2' memory='1' unit='GiB'/><cell id='1' cpus='1,3' memory='1' unit='GiB'/>";
    const text = `<domain type='kvm'><name>a</name><vcpu>4</vcpu><cputune>${pins}</cputune><cpu><numa>${cells}</numa></cpu></domain>`;
    expect(jsonOf(text, libvirt, "a.xml")).toMatchObject({
      ...{ format: "libvirt", platform: "kvm", stack: "libvirt", refused: null },
      topology: {
        ...{ ...guest(4, 4, 1), vnumaNodes: [2, 2], nodes: [node("0,2", 1024), node("1,3", 1024)], sharedL3: ["0", "1", "2", "3"] },
        placement: [4, 5, 6, 7],
      },
    });
  });

  test("has a node without vCPUs, and no cores per socket if sockets differ", () => {
    const shown = jsonOf("cores: 4\nsockets: 3\nvcpus: 5\nmemory: 330\nnuma: 1\n", proxmox, "100.conf");
    expect(shown).toMatchObject({
      ...{ format: "proxmox", stack: "proxmox" },
      topology: {
        ...guest(5, 2, null),
        possibleVcpus: 12,
        vnumaNodes: [4, 1, 0],
        nodes: [{ vcpus: "0-3" }, { vcpus: "4" }, { vcpus: "" }],
      },
    });
  });

  test("has the error of the stack in place of a guest that does not start", () => {
    const flavor = { "OS-FLV-DISABLED:disabled": false, name: "f", properties: { "hw:numa_nodes": "3" }, ram: 4096, vcpus: 16 };
    const shown = jsonOf(JSON.stringify(flavor), yaml, "f.json");
    expect(shown).toMatchObject({ format: "openstack-flavor", stack: "nova", topology: null });
    expect(shown.refused).toEqual({ by: "nova", message: "ImageNUMATopologyAsymmetric" });
  });
});
