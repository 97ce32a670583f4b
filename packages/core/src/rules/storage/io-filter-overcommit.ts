import { coresOf } from "../../model/host.ts";
import { VROOM_VAIO } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type Neighbour, type PageOf, vcpusOf } from "../define.ts";

type Vm = Neighbour<"vcpus">;

const filtered = ({ vm }: Vm): number => vm.devices().disks.filter(({ ioFilters = [] }) => ioFilters.length > 0).length;

const placeOf = ({ vm }: Vm) => vm.vcpus?.range ?? vm.range;

export const rule = builtinRule({
  id: "storage/io-filter-overcommit",
  severity: "info",
  over: "host",
  needs: ["host"],
  reads: ["vcpus"],
  messages: {
    contexts: (d: { vms: number; vcpus: number; disks: number; cores: number; atLeast: boolean }) =>
      `${plural(d.disks, "disk")} with I/O filters need${d.disks === 1 ? "s" : ""} CPU in addition to ${d.atLeast ? "at least " : ""}${d.vcpus} vCPUs of ${d.vms} VMs on this host's ${plural(d.cores, "core")}. If all are busy at once, keep the sum of vCPUs and such disks at ${d.cores}.`,
  },
  *check({ host, vms, complete }) {
    const cores = coresOf(host);
    const disks = vms.reduce((sum, vm) => sum + filtered(vm), 0);
    const vcpus = vms.reduce((sum, { vm }) => sum + vcpusOf(vm), 0);
    const [on, ...others] = vms.filter((vm) => filtered(vm) > 0);
    if (!on || vms.length < 2 || vcpus + disks <= cores) return;
    yield {
      messageId: "contexts",
      data: { vms: vms.length, vcpus, disks, cores, atLeast: !complete },
      on,
      at: placeOf(on),
      related: others.map((other) => ({
        on: other,
        at: placeOf(other),
        message: `${other.name}: ${plural(filtered(other), "such disk")}`,
      })),
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "I/O filters on a host without free cores",
  why: "An I/O filter runs in user space, with at least one context for each disk. These contexts need CPU in addition to the vCPUs. On a host with more vCPUs than cores they wait for CPU, and every I/O waits with them.",
  whenNot: "When the VMs are rarely busy at the same time, or do little I/O.",
  evidence: {
    figure:
      "A null filter took 10 to 20 % more CPU for each 1,000 IOPS, 4K sequential reads, up to 32 VMs of 1 vCPU on 16 cores (ESXi 6.0 U1); the authors advise less CPU over-commitment",
    source: VROOM_VAIO,
    against:
      "Throughput and latency were the same; a single VM of one vCPU did 80 % more IOPS with the filter, because the filter runs in parallel to the vCPU.",
  },
  shared: { host: "r720" },
  bad: [
    {
      title: "Two VMs of 8 vCPUs on 16 cores",
      yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachineList\nitems:\n  - { spec: { vcpus: 8, disks: [{ bus: "scsi0:0", ioFilters: [cache] }] } }\n  - { spec: { vcpus: 8 } }\n`,
    },
  ],
  good: [
    {
      title: "Room for the filter",
      yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachineList\nitems:\n  - { spec: { vcpus: 7, disks: [{ bus: "scsi0:0", ioFilters: [cache] }] } }\n  - { spec: { vcpus: 8 } }\n`,
    },
    {
      title: "Disks without filters",
      yaml: `apiVersion: vmlint.dev/v1\nkind: VirtualMachineList\nitems:\n  - { spec: { vcpus: 16, disks: [{ bus: "scsi0:0", ioFilters: [] }, { bus: "scsi0:1" }] } }\n  - { spec: { vcpus: 16 } }\n`,
    },
    { title: "No filters", vmx: [`numvcpus = "16"`, `numvcpus = "16"`] },
  ],
});
