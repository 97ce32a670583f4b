import { type DumpFormat, fromInsideVm, linesOf } from "./facts.ts";
import { factsOfCpus, type LogicalCpu, linuxCpus } from "./grid.ts";

const CPU = /<cpu\s([^>]*)\/>/g;

/** Returns an attribute of an element that libvirt writes. */
const attributeOf = (text: string, name: string): string | undefined => new RegExp(`\\b${name}=['"]([^'"]*)['"]`).exec(text)?.[1];

/** `virsh capabilities`: the cells of the host with their memory, and the CPUs of each as Linux numbers them. */
export const virshCapabilities: DumpFormat = {
  id: "virsh-capabilities",
  title: "virsh capabilities",
  recognises: (text) => /<capabilities>/.test(text) && /<topology>\s*<cells\b/.test(text),
  read(text, fail) {
    if (!/<\/capabilities>/.test(text)) return fail("The dump ends before </capabilities>. Take it again.", linesOf(text).length);
    const cells = [...text.matchAll(/<cell\s([^>]*)>([\s\S]*?)<\/cell>/g)].map(([, head = "", body = ""]) => ({
      id: attributeOf(head, "id"),
      body,
    }));
    const cpus = cells.flatMap(({ id: node, body }) =>
      [...body.matchAll(CPU)].map(([, attributes = ""]): LogicalCpu => {
        const [socket, die = "0", core] = ["socket_id", "die_id", "core_id"].map((name) => attributeOf(attributes, name));
        if (socket === undefined || core === undefined)
          fail(`CPU ${attributeOf(attributes, "id")} is offline. Bring every CPU online and take the dump again.`);
        return { id: Number(attributeOf(attributes, "id")), package: socket, core: `${socket}/${die}/${core}`, node };
      }),
    );
    const memory = cells.flatMap(({ body }) => Number(/<memory unit=['"]KiB['"]>(\d+)</.exec(body)?.[1] ?? 0) * 1024);
    const hugePagesMiB: Record<string, number> = {};
    // Pages of 4 KiB are not huge.
    for (const { body } of cells)
      for (const [, size, count] of body.matchAll(/<pages unit=['"]KiB['"] size=['"](\d+)['"]>(\d+)</g))
        if (Number(size) >= 1024)
          hugePagesMiB[Number(size) / 1024] = (hugePagesMiB[Number(size) / 1024] ?? 0) + (Number(size) / 1024) * Number(count);
    const total = memory.reduce((sum, bytes) => sum + bytes, 0);
    return {
      ...factsOfCpus(cpus, fail),
      ...linuxCpus(cpus),
      ...(total > 0 && { memoryBytes: total }),
      runs: { platform: "kvm" },
      kvm: { hugePagesMiB },
      ...(/<feature name=['"]hypervisor['"]/.test(text) && { assumed: [fromInsideVm("it has the feature hypervisor")] }),
    };
  },
};
