import { FIRST_HARDWARE } from "../../limits/hardware.ts";
import { CONFIG_OPTION_9, NETWORK_DOC } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { EMULATED } from "./e1000.ts";

export const rule = builtinRule({
  id: "net/emulated-card",
  severity: "hint",
  presets: ["inventory"],
  unless: ["net/e1000"],
  reads: ["hardwareVersion"],
  messages: {
    emulated: (d: { cards: number; type: string }) =>
      `${d.cards === 1 ? `The network card is an emulated ${d.type}` : `${plural(d.cards, "network card")} are emulated, such as ${d.type}`}. Use VMXNET3 once the guest has VMware Tools.`,
  },
  applies: ({ hardwareVersion }) => holds(hardwareVersion, (version) => version === undefined || version >= FIRST_HARDWARE.vmxnet3),
  *check({ vm }) {
    const emulated = vm.devices().nics.flatMap(({ type }) => {
      const name = type.state === "known" ? EMULATED.get(type.value) : undefined;
      return type.state === "known" && name ? [{ name, range: type.range }] : [];
    });
    const [first] = emulated;
    if (first) yield { messageId: "emulated", data: { cards: emulated.length, type: first.name }, at: first.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Emulated network card",
  why: "E1000, E1000e and Vlance imitate real cards, and the hypervisor works for every packet. VMXNET3 is made for VMs. The guest sees a new card after the change, with its own network configuration.",
  whenNot: "When the guest has no VMXNET3 driver, hardly uses the network, or is an appliance whose vendor supports only this card.",
  evidence: {
    figure: '"The VMXNET family ... provide better performance in most cases than the emulated adapters"',
    source: NETWORK_DOC,
    against: "The source has no figure. Up to Windows Server 2019, ESXi itself recommends E1000e, because VMXNET3 needs VMware Tools.",
  },
  sources: [CONFIG_OPTION_9],
  bad: [{ title: "E1000e", vmx: `ethernet0.present = "TRUE"\nethernet0.virtualDev = "e1000e"` }],
  good: [
    { title: "VMXNET3", vmx: `ethernet0.present = "TRUE"\nethernet0.virtualDev = "vmxnet3"` },
    { title: "The file does not say the type", vmx: `ethernet0.present = "TRUE"` },
    {
      title: "Hardware version 4 has no VMXNET3",
      vmx: `virtualHW.version = "4"\nethernet0.present = "TRUE"\nethernet0.virtualDev = "e1000"`,
    },
  ],
});
