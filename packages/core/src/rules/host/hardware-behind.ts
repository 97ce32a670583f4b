import { firstRelease, newestHardware, releasesBehind, runs } from "../../limits/hardware.ts";
import { formatEsxi } from "../../model/esxi.ts";
import { GOVMOMI, HARDWARE_DOC } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

/** The version of the release before the host's is usual: a cluster may still have such hosts. */
const LEAST_RELEASES = 2;

export const rule = builtinRule({
  id: "host/hardware-behind",
  severity: "hint",
  presets: ["inventory"],
  on: ["hardwareVersion"],
  needs: ["host"],
  reads: ["hardwareVersion"],
  messages: {
    behind: (d: { hardwareVersion: number; first: string; esxi: string; newest: number }) =>
      `Hardware version ${d.hardwareVersion} came with ESXi ${d.first}, and the host runs ESXi ${d.esxi} with versions up to ${d.newest}. Upgrade it at the next maintenance, after a backup.`,
  },
  *check({ vm, host }) {
    if (!vm.hardwareVersion) return;
    if (!host.esxi) return yield { skip: "no-esxi-version" };
    const hardwareVersion = vm.hardwareVersion.value;
    const first = firstRelease(hardwareVersion);
    if (!first || runs(host.esxi, hardwareVersion) !== true || releasesBehind(host.esxi, hardwareVersion) < LEAST_RELEASES) return;
    const data = { hardwareVersion, first: formatEsxi(first), esxi: formatEsxi(host.esxi), newest: newestHardware(host.esxi) };
    yield { messageId: "behind", data, at: vm.hardwareVersion.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Hardware version is two releases older than the host",
  why: "The hardware version decides which processor features and devices the guest sees. A version of an old release hides what came later, such as NVMe controllers (13) or more than 128 vCPUs (18). An upgrade needs a restart and cannot be undone.",
  whenNot: "When the VM must still run on an older host, or its vendor supports only this version.",
  sources: [HARDWARE_DOC, GOVMOMI],
  bad: [{ title: "6.5's on 7.0 U3", host: "2x10x2@7.0 U3", vmx: `virtualHW.version = "13"\nnumvcpus = "4"` }],
  good: [
    { title: "6.7's on 7.0 U3", host: "2x10x2@7.0 U3", vmx: `virtualHW.version = "14"\nnumvcpus = "4"` },
    { title: "The newest of 7.0 U3", host: "2x10x2@7.0 U3", vmx: `virtualHW.version = "19"\nnumvcpus = "4"` },
  ],
});
