import { sequence } from "../../model/sequence.ts";
import { LIBVIRT_RECTIFY } from "../../model/sources.ts";
import { numberRuns } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { cpuOf, domainOf } from "../domain-example.ts";

const ONE_SOCKET = "sockets='1' cores='8' threads='1'";

export const rule = builtinRule({
  id: "kvm/vcpu-in-no-cell",
  severity: "warning",
  for: ["kvm"],
  on: ["kvm"],
  messages: {
    left: (d: { vcpus: readonly number[]; size: number }) =>
      `${d.vcpus.length === 1 ? "vCPU" : "vCPUs"} ${numberRuns(d.vcpus, ", ")} ${d.vcpus.length === 1 ? "is" : "are"} in no NUMA cell, so that node 0 gets ${d.vcpus.length === 1 ? "it" : "them"} and has ${d.size} vCPUs. List each vCPU in a cell.`,
  },
  *check({ vm: { kvm } }) {
    const { machine, refused } = kvm ?? {};
    if (!machine || refused || machine.cells.length < 2) return;
    const listed = new Set(machine.cells.flatMap(({ vcpus }) => vcpus));
    const vcpus = sequence(machine.possible, (i) => i).filter((vcpu) => !listed.has(vcpu));
    const [first] = machine.cells;
    // Cells of memory only leave all vCPUs to the first.
    if (vcpus.length === 0 || listed.size === 0 || !first) return;
    yield { messageId: "left", data: { vcpus, size: first.vcpus.length + vcpus.length }, at: first.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "A vCPU is in no NUMA cell",
  why: "libvirt 6.4 and later puts the vCPUs of no cell into cell 0. Proxmox leaves them to QEMU, which does the same and calls it obsolete. The first node then has more vCPUs than the file says.",
  whenNot: "When the first node is meant to have them.",
  sources: [LIBVIRT_RECTIFY],
  bad: [
    {
      title: "vCPU 7 of 8",
      xml: domainOf(cpuOf(ONE_SOCKET, "id='0' cpus='0-3' memory='8' unit='GiB'", "id='1' cpus='4-6' memory='8' unit='GiB'")),
    },
  ],
  good: [
    {
      title: "All are listed",
      xml: domainOf(cpuOf(ONE_SOCKET, "id='0' cpus='0-3' memory='8' unit='GiB'", "id='1' cpus='4-7' memory='8' unit='GiB'")),
    },
    { title: "One cell for memory that can be added", xml: domainOf(cpuOf(ONE_SOCKET, "id='0' memory='16' unit='GiB'")) },
  ],
});
