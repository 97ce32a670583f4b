import { grouped } from "../../model/maps.ts";
import { KUBEVIRT_PIN_TEST, LIBVIRT_FORMAT } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { cpuOf, domainOf, pinned, SIBLINGS } from "../domain-example.ts";
import { singlePins } from "../pinned-cpus.ts";

const oneThread = () => cpuOf("sockets='1' cores='4' threads='1'");
const FOUR = "<vcpu>4</vcpu>";

export const rule = builtinRule({
  id: "kvm/smt-hidden",
  severity: "warning",
  for: ["kvm"],
  on: ["kvm"],
  needs: ["host"],
  messages: {
    hidden: (d: { vcpus: readonly number[]; cpus: readonly number[]; cores: number }) =>
      `vCPUs ${d.vcpus.join(" and ")} are cores for the guest, and run on CPUs ${d.cpus.join(" and ")}, the threads of one host core, as on ${plural(d.cores, "host core")}. Set threads='2' and half the cores, so that the guest knows.`,
  },
  *check({ vm: { kvm }, host: { linuxCpus } }) {
    if (!kvm?.machine || kvm.refused || kvm.machine.threads > 1 || !linuxCpus) return;
    const onHost = [...singlePins(kvm)].filter(([, { value }]) => linuxCpus[value] !== undefined);
    const shared = [...grouped(onHost, ([, { value }]) => linuxCpus[value]?.core).values()].filter(
      (pins) => new Set(pins.map(([, { value }]) => value)).size > 1,
    );
    const [first, second] = shared[0] ?? [];
    if (!first || !second) return;
    const data = { vcpus: [first[0], second[0]], cpus: [first[1].value, second[1].value], cores: shared.length };
    yield { messageId: "hidden", data, at: second[1].range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Threads of the host are shown as cores",
  why: "Two vCPUs are pinned to the two threads of a host core, and the guest takes them for two cores. Its scheduler fills both threads of a core before it uses the next core.",
  whenNot: "When a licence counts the virtual cores, or the guest always uses all of its vCPUs.",
  evidence: {
    figure: "12 vCPUs shown as 12 cores run on both threads of 6 host cores",
    source: KUBEVIRT_PIN_TEST,
    against:
      "Nothing here measures the cost. A guest that knows its threads has half as many cores, which licences by core may like less or more.",
  },
  sources: [LIBVIRT_FORMAT, KUBEVIRT_PIN_TEST],
  shared: { host: SIBLINGS },
  bad: [{ title: "4 cores on 2 host cores", xml: domainOf(`${oneThread()}\n${pinned([0, 4, 1, 5])}`, FOUR) }],
  good: [
    { title: "2 cores of 2 threads", xml: domainOf(`${cpuOf("sockets='1' cores='2' threads='2'")}\n${pinned([0, 4, 1, 5])}`, FOUR) },
    { title: "A thread of each core", xml: domainOf(`${oneThread()}\n${pinned([0, 1, 2, 3])}`, FOUR) },
  ],
});
