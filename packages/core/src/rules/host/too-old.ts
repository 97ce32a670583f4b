import { formatEsxi } from "../../model/esxi.ts";
import { GOVMOMI, HARDWARE_DOC } from "../../model/sources.ts";
import { firstRelease, newestHardware, runs } from "../../topology/hardware.ts";
import { defineRule, holds } from "../define.ts";

export const rule = defineRule({
  id: "host/too-old",
  since: "0.1.0",
  severity: "error",
  summary: "The VM's hardware version is newer than its host runs, so the VM does not start",
  why: "Each ESXi release knows the hardware versions up to its own. A VM of a later one does not start there, so its hardware version is chosen for the oldest host that it may run on.",
  whenNot: "When the host is upgraded before the VM is started on it: state its new release.",
  evidence: {
    figure: "ESXi 7.0 U3 runs hardware versions up to 19, ESXi 8.0 is the first with 20, and 8.0 U2 with 21",
    source: HARDWARE_DOC,
  },
  sources: [HARDWARE_DOC, GOVMOMI],
  esxiOnly: true,
  needs: ["host"],
  reads: ["hardwareVersion"],
  messages: {
    newer: (d: { hardwareVersion: number; esxi: string; newest: number; first: string | null }) =>
      `Hardware version ${d.hardwareVersion}${d.first ? ` came with ESXi ${d.first} and` : ""} does not run on ESXi ${d.esxi}, so the VM does not start. Set hardware version ${d.newest}, or run it on a newer host.`,
  },
  bad: [{ title: "8.0's on 7.0 U3", host: "2x10x2@7.0 U3", vmx: `virtualHW.version = "20"\nnumvcpus = "4"`, expect: "newer" }],
  good: [
    { title: "The newest of 7.0 U3", host: "2x10x2@7.0 U3", vmx: `virtualHW.version = "19"\nnumvcpus = "4"` },
    { title: "Some update of 7.0 runs it", host: "2x10x2@7.0", vmx: `virtualHW.version = "19"\nnumvcpus = "4"` },
    { title: "An older one", host: "2x10x2@8.0", vmx: `virtualHW.version = "13"\nnumvcpus = "4"` },
  ],
  applies: ({ hardwareVersion }) => holds(hardwareVersion, (version) => version !== undefined),
  *check({ vm, host }) {
    if (!vm.hardwareVersion) return;
    if (!host.esxi) return yield { skip: "no-esxi-version" };
    const hardwareVersion = vm.hardwareVersion.value;
    if (runs(host.esxi, hardwareVersion) !== false) return;
    const first = firstRelease(hardwareVersion);
    yield {
      messageId: "newer",
      data: { hardwareVersion, esxi: formatEsxi(host.esxi), newest: newestHardware(host.esxi), first: first ? formatEsxi(first) : null },
      at: vm.hardwareVersion.range,
    };
  },
});
