import { HARVESTER_11410, KUBEVIRT_VCPU } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { kubevirtVm } from "../kubevirt-example.ts";

export const rule = builtinRule({
  id: "kubevirt/limit-below-vcpus",
  severity: "error",
  for: ["kvm"],
  on: ["kvm"],
  reads: ["vcpus"],
  messages: {
    below: (d: { vcpus: number; limit: number }) =>
      `The pod may use ${plural(d.limit, "CPU")}, and the guest has ${plural(d.vcpus, "vCPU")}. Set resources.limits.cpu to at least ${d.vcpus}, or fewer sockets and cores.`,
  },
  *check({ vm: { kvm, vcpus } }) {
    // Admission refuses another limit with dedicated CPUs.
    if (!kvm || kvm.dedicated || !vcpus || kvm.cpuLimit.state !== "known") return;
    const { value: limit, range } = kvm.cpuLimit;
    if (limit > 0 && limit < vcpus.value) yield { messageId: "below", data: { vcpus: vcpus.value, limit }, at: range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "CPU limit is below the vCPUs",
  why: "The kernel of the node stops all vCPUs of a VM once they used the CPU time of the limit. With fewer CPUs than vCPUs, a busy guest waits in each period.",
  whenNot: "When the limit is meant to slow the VM down.",
  evidence: { figure: "An import of 8 vCPUs in 1 socket made 64 vCPUs under a limit of 8 CPUs", source: HARVESTER_11410 },
  sources: [KUBEVIRT_VCPU],
  bad: [
    {
      title: "Sockets and cores changed places in an import",
      yaml: kubevirtVm("cpu:\n  cores: 8\n  sockets: 8\nresources:\n  limits:\n    cpu: 8"),
    },
  ],
  good: [{ title: "A limit of all vCPUs", yaml: kubevirtVm("cpu:\n  cores: 8\nresources:\n  limits:\n    cpu: 8") }],
});
