import { maxCards } from "../../limits/hardware.ts";
import { sequence } from "../../model/sequence.ts";
import { CONFIG_OPTION_9, HARDWARE_DOC_67 } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "net/max-cards",
  severity: "error",
  refused: ["many"],
  messages: {
    many: (d: { cards: number; most: number }) =>
      `${d.cards} network cards are more than the ${d.most} that a VM can have. Remove ${d.cards - d.most}, and carry their networks as VLANs over the remaining cards.`,
  },
  *check({ vm, ifKnown }) {
    // Functions of a host's card may be counted with the devices of the host.
    const cards = vm.devices().nics.filter(({ type }) => type.state !== "known" || type.value !== "sriov");
    const maximum = maxCards(ifKnown("hardwareVersion"));
    const first = cards[maximum];
    if (!first) return;
    yield {
      messageId: "many",
      data: { cards: cards.length, most: maximum },
      at: first.type.state === "absent" ? vm.range : first.type.range,
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "More network cards than the hardware version allows",
  why: "A VM can have ten network cards, or four in hardware version 4.",
  whenNot: "Never: carry several networks over one card as VLANs, or split the work over two VMs.",
  evidence: { figure: "Maximum number of NICs: 10 from hardware version 7 on, 4 before", source: HARDWARE_DOC_67 },
  sources: [CONFIG_OPTION_9],
  bad: [
    { title: "11 cards", vmx: withCards(11) },
    { title: "5 cards in hardware version 4", vmx: `virtualHW.version = "4"\n${withCards(5)}` },
  ],
  good: [
    { title: "10 cards", vmx: withCards(10) },
    { title: "Cards that are not there", vmx: `${withCards(10)}\nethernet10.present = "FALSE"` },
  ],
});

function withCards(count: number): string {
  return sequence(count, (index) => `ethernet${index}.present = "TRUE"\nethernet${index}.virtualDev = "vmxnet3"`).join("\n");
}
