import { esxi, maybeAtLeast } from "../../model/esxi.ts";
import { BOSH_372, PASSTHROUGH_DOC_70, SRIOV_DOC_67, TERRAFORM_SRIOV, VM_OPERATOR } from "../../model/sources.ts";
import { names } from "../../model/words.ts";
import { builtinRule, holds, type PageOf } from "../define.ts";
import { hostDevices } from "../host-devices.ts";
import { RESERVATION_SETTINGS, reservedWords, reserveWords, type Unreserved, unreserved } from "../memory-reservation.ts";

/** The first release whose page asks for all of the memory (SRIOV_DOC_67, step 10). For older releases no source describes it. */
const REFUSED_SINCE = esxi(6, 7);

export const rule = builtinRule({
  id: "passthrough/mem-reservation",
  severity: "error",
  refused: ["refused"],
  presets: ["latency"],
  reads: RESERVATION_SETTINGS,
  messages: {
    refused: (d: Unreserved & { devices: readonly string[] }) =>
      `${reservedWords(d)}, but ${names(d.devices)} need${d.devices.length === 1 ? "s" : ""} a full reservation: ESXi will not power on the VM. ${reserveWords(d)}.`,
  },
  applies: ({ memoryReservationLocked }) => holds(memoryReservationLocked, (locked) => !locked),
  *check(facts) {
    const { vm, host } = facts;
    const lacking = unreserved(facts);
    if (!lacking || (host?.esxi && !maybeAtLeast(host.esxi, REFUSED_SINCE))) return;
    const devices = hostDevices(vm);
    if (devices.length === 0) return;
    const { data, at, fixes } = lacking;
    yield {
      messageId: "refused",
      data: { ...data, devices: devices.map(({ id }) => id) },
      at,
      related: devices.map(({ id, range }) => ({ message: `${id} is set here`, range })),
      fixes,
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Passthrough device without a full memory reservation",
  why: "A passthrough device reads and writes the guest's memory directly, so all of that memory must stay in place. ESXi refuses to start the VM while its reservation is smaller than its memory. The vSphere Client sets the reservation together with a passed-through PCI device; for an SR-IOV card, and in files and code, you set it yourself.",
  whenNot: "Never: reserve the memory, or remove the device.",
  evidence: { figure: '"Invalid memory setting: memory reservation (sched.mem.min) should be equal to memsize(32768)"', source: BOSH_372 },
  sources: [PASSTHROUGH_DOC_70, SRIOV_DOC_67, VM_OPERATOR, TERRAFORM_SRIOV],
  bad: [
    { title: "A passed-through device alone", vmx: `memSize = "32768"\npciPassthru0.present = "TRUE"` },
    { title: "1 MiB short", vmx: `memSize = "32768"\nsched.mem.min = "32767"\npciPassthru0.present = "TRUE"` },
    {
      title: "An SR-IOV card in Terraform",
      terraform: `resource "vsphere_virtual_machine" "upf" {\n  memory = 32768\n  network_interface {\n    network_id   = data.vsphere_network.n6.id\n    adapter_type = "sriov"\n  }\n}`,
    },
  ],
  good: [
    { title: "All of it is reserved", vmx: `memSize = "32768"\nsched.mem.min = "32768"\npciPassthru0.present = "TRUE"` },
    { title: "Locked to the size", vmx: `memSize = "32768"\nsched.mem.pin = "TRUE"\npciPassthru0.present = "TRUE"` },
    { title: "A device that is not there", vmx: `memSize = "32768"\npciPassthru0.present = "FALSE"` },
    { title: "Before 6.7", host: "2x10x2@6.5", vmx: `memSize = "32768"\npciPassthru0.present = "TRUE"` },
  ],
});
