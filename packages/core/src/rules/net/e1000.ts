import { FIRST_HARDWARE } from "../../limits/hardware.ts";
import { CONFIG_OPTION_9, NETWORK_DOC, SQL55, VROOM_DOCKER } from "../../model/sources.ts";
import { DATABASES, isDemanding, type WorkloadKind } from "../../model/workload.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";

const ABOUT: readonly WorkloadKind[] = [...DATABASES, "latency", "imdg"];

/** Cards that ESXi emulates; a `flexible` one becomes VMXNET once VMware Tools are there. */
export const EMULATED: ReadonlyMap<string, string> = new Map([
  ["e1000", "E1000"],
  ["e1000e", "E1000e"],
  ["vlance", "Vlance"],
]);

export const rule = builtinRule({
  id: "net/e1000",
  severity: "warning",
  needs: ["workload"],
  about: ABOUT,
  reads: ["hardwareVersion"],
  messages: {
    emulated: (d: { nic: string; type: string }) =>
      `${d.nic} is an emulated ${d.type}. Set it to vmxnet3 once the guest has VMware Tools; the guest then sees a new card.`,
  },
  applies: ({ hardwareVersion }, _, workload) =>
    isDemanding(workload) ? holds(hardwareVersion, (version) => version === undefined || version >= FIRST_HARDWARE.vmxnet3) : false,
  *check({ vm }) {
    for (const { index, type } of vm.devices().nics) {
      const name = type.state === "known" ? EMULATED.get(type.value) : undefined;
      if (type.state === "known" && name) yield { messageId: "emulated", data: { nic: `ethernet${index}`, type: name }, at: type.range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Emulated network card in a demanding VM",
  why: "E1000, E1000e and Vlance imitate real cards, and the hypervisor works for every packet. VMXNET3 is made for VMs: it has less overhead and more features, such as several queues. In VMware's netperf runs it was 15 µs slower than bare metal.",
  whenNot:
    "When the guest has no VMXNET3 driver, or hardly uses the network. VMware's own recommended card for Windows Server 2016 and 2019 is E1000e, because the guest has a driver for it before VMware Tools are installed.",
  evidence: {
    figure: '"The VMXNET family ... provide better performance in most cases than the emulated adapters"',
    source: NETWORK_DOC,
    against: "The sources have no figure for E1000 against VMXNET3; a 5.5 study of SQL Server used VMXNET3 without comparing.",
  },
  sources: [VROOM_DOCKER, SQL55, CONFIG_OPTION_9],
  bad: [{ title: "A database on E1000e", workload: "mssql", vmx: `ethernet0.present = "TRUE"\nethernet0.virtualDev = "e1000e"` }],
  good: [
    { title: "VMXNET3", workload: "mssql", vmx: `ethernet0.present = "TRUE"\nethernet0.virtualDev = "vmxnet3"` },
    { title: "The file does not say the type", workload: "mssql", vmx: `ethernet0.present = "TRUE"` },
    { title: "An ordinary VM", workload: "general", vmx: `ethernet0.present = "TRUE"\nethernet0.virtualDev = "e1000"` },
    {
      title: "Hardware version 4 has no VMXNET3",
      workload: "mssql",
      vmx: `virtualHW.version = "4"\nethernet0.present = "TRUE"\nethernet0.virtualDev = "e1000"`,
    },
  ],
});
