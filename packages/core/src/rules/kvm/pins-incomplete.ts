import { LIBVIRT_DOMAIN, LIBVIRT_FORMAT } from "../../model/sources.ts";
import { numberRuns, plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { domainOf, pinned } from "../domain-example.ts";

export const rule = builtinRule({
  id: "kvm/pins-incomplete",
  severity: "info",
  for: ["kvm"],
  on: ["kvm"],
  messages: {
    some: (d: { pinned: number; vcpus: number; without: readonly number[] }) =>
      `${d.pinned} of ${plural(d.vcpus, "vCPU")} are pinned. Also pin vCPU ${numberRuns(d.without, ", ")}.`,
  },
  *check({ vm: { kvm } }) {
    const { machine, pins, refused } = kvm ?? {};
    if (!machine || !pins || refused || pins.others) return;
    const without = machine.present.filter((vcpu) => !pins.vcpus.has(vcpu));
    const isPinned = machine.present.length - without.length;
    const [first] = [...pins.vcpus.values()];
    if (isPinned === 0 || without.length === 0 || !first) return;
    yield { messageId: "some", data: { pinned: isPinned, vcpus: machine.present.length, without }, at: first.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Only some vCPUs are pinned",
  why: "A vCPU without a pin runs on any CPU of the host, also on a CPU of a pinned vCPU. The guest cannot tell them apart, and gives work to both alike.",
  whenNot: "When only some vCPUs need a CPU of their own, such as real-time vCPUs.",
  sources: [LIBVIRT_FORMAT, LIBVIRT_DOMAIN],
  bad: [{ title: "vCPU 3 has no pin", xml: domainOf(pinned([4, 5, 6]), "<vcpu>4</vcpu>") }],
  good: [
    { title: "All are pinned", xml: domainOf(pinned([4, 5, 6, 7]), "<vcpu>4</vcpu>") },
    { title: "A set for all vCPUs without a pin", xml: domainOf(pinned([4, 5]), "<vcpu cpuset='6-7'>4</vcpu>") },
  ],
});
