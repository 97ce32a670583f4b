import { grouped } from "../../model/maps.ts";
import { LIBVIRT_FORMAT } from "../../model/sources.ts";
import { list } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { domainOf, pinned } from "../domain-example.ts";
import { singlePins } from "../pinned-cpus.ts";

export const rule = builtinRule({
  id: "kvm/two-vcpus-one-cpu",
  severity: "error",
  for: ["kvm"],
  on: ["kvm"],
  messages: {
    same: (d: { cpu: number; vcpus: readonly number[] }) =>
      `vCPUs ${list(d.vcpus, "and")} are pinned to the same CPU ${d.cpu}, and run in turns. Pin each to a CPU of its own.`,
  },
  *check({ vm: { kvm } }) {
    if (!kvm || kvm.refused) return;
    for (const [cpu, all] of grouped(singlePins(kvm), ([, pin]) => pin.value)) {
      const [first, second] = all;
      if (!first || !second) continue;
      yield {
        messageId: "same",
        data: { cpu, vcpus: all.map(([vcpu]) => vcpu) },
        at: second[1].range,
        related: [{ message: `vCPU ${first[0]} is pinned to it here`, range: first[1].range }],
      };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Two vCPUs are pinned to one CPU",
  why: "A vCPU with a pin to one CPU runs nowhere else. Two of them on one CPU take turns while other CPUs idle, and a vCPU that waits for a lock of the other waits for its turn, too.",
  whenNot: "When the VM is meant to be slow. Sets of CPUs that vCPUs share are no fault, and the rule leaves them out.",
  sources: [LIBVIRT_FORMAT],
  bad: [{ title: "vCPUs 1 and 3 on CPU 5", xml: domainOf(pinned([4, 5, 6, 5]), "<vcpu>4</vcpu>") }],
  good: [
    { title: "A CPU for each", xml: domainOf(pinned([4, 5, 6, 7]), "<vcpu>4</vcpu>") },
    { title: "vCPUs share a set", xml: domainOf("", "<vcpu cpuset='4-5'>4</vcpu>") },
  ],
});
