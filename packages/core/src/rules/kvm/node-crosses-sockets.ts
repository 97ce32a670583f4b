import { grouped } from "../../model/maps.ts";
import { HWLOC_712 } from "../../model/sources.ts";
import { list, numberRuns } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { cpuOf, domainOf } from "../domain-example.ts";

const TWO_SOCKETS = "sockets='2' cores='2' threads='2'";

export const rule = builtinRule({
  id: "kvm/node-crosses-sockets",
  severity: "warning",
  for: ["kvm"],
  on: ["kvm"],
  messages: {
    crosses: (d: { cell: number; sockets: readonly number[]; size: number }) =>
      `NUMA cell ${d.cell} has parts of the virtual sockets ${list(d.sockets, "and")}: a socket is ${d.size} consecutive vCPUs (${numberRuns([...Array(Math.min(d.size, 4096)).keys()])} is socket 0). List whole sockets in each cell.`,
  },
  *check({ vm: { kvm } }) {
    const { machine, refused } = kvm ?? {};
    if (!machine || refused || machine.cells.length < 2) return;
    const size = machine.cores * machine.threads;
    for (const [cell, { vcpus, range }] of machine.cells.entries()) {
      const bySocket = grouped(vcpus, (vcpu) => Math.floor(vcpu / size));
      if (bySocket.size < 2 || [...bySocket.values()].every(({ length }) => length === size)) continue;
      yield { messageId: "crosses", data: { cell, sockets: [...bySocket.keys()], size }, at: range };
      return;
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "A NUMA cell has parts of two virtual sockets",
  why: "QEMU numbers vCPUs by thread, then core, then socket, unlike most hosts. Cells that copy the numbering of the host take a part of each socket: the guest sees nodes that cross its sockets and their caches.",
  whenNot: "When the nodes matter and the sockets do not, such as for cells that follow pins. Renumbering is the better way.",
  evidence: { figure: "Cells 0-31,64-95 and 32-63,96-127 in a guest of 2 x 32 x 2, whose first socket is 0-63", source: HWLOC_712 },
  bad: [
    {
      title: "The numbering of the host",
      xml: domainOf(cpuOf(TWO_SOCKETS, "id='0' cpus='0-1,4-5' memory='8' unit='GiB'", "id='1' cpus='2-3,6-7' memory='8' unit='GiB'")),
    },
  ],
  good: [
    {
      title: "A cell for each socket",
      xml: domainOf(cpuOf(TWO_SOCKETS, "id='0' cpus='0-3' memory='8' unit='GiB'", "id='1' cpus='4-7' memory='8' unit='GiB'")),
    },
    {
      title: "Two cells in one socket",
      xml: domainOf(
        cpuOf("sockets='1' cores='8' threads='1'", "id='0' cpus='0-3' memory='8' unit='GiB'", "id='1' cpus='4-7' memory='8' unit='GiB'"),
      ),
    },
  ],
});
