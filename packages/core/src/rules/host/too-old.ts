import { firstRelease, newestHardware, runs } from "../../limits/hardware.ts";
import { formatEsxi } from "../../model/esxi.ts";
import type { HostModel } from "../../model/host.ts";
import { GOVMOMI, HARDWARE_DOC } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "host/too-old",
  severity: "error",
  severities: { cluster: "warning" },
  refused: ["newer"],
  on: ["hardwareVersion"],
  needs: ["host"],
  reads: ["hardwareVersion"],
  messages: {
    newer: (d: { hardwareVersion: number; esxi: string; newest: number; first: string | null }) =>
      `Hardware version ${d.hardwareVersion}${d.first ? ` came with ESXi ${d.first} and` : ""} does not run on ESXi ${d.esxi}, so ESXi will not power on the VM. Set hardware version ${d.newest}, or run it on a newer host.`,
    cluster: (d: { hardwareVersion: number; host: string; esxi: string; newest: number }) =>
      `Hardware version ${d.hardwareVersion} does not run on ${d.host} of the same cluster (ESXi ${d.esxi}), so the VM cannot move there. Set hardware version ${d.newest}, or keep it on newer hosts.`,
  },
  *check({ vm, host, onOtherHosts }) {
    if (!vm.hardwareVersion) return;
    if (!host.esxi) return yield { skip: "no-esxi-version" };
    const hardwareVersion = vm.hardwareVersion.value;
    const at = vm.hardwareVersion.range;
    if (runs(host.esxi, hardwareVersion) !== false) {
      const oldest = oldestWithout(
        hardwareVersion,
        onOtherHosts().map((clusterHost) => clusterHost.host),
      );
      if (oldest) yield { messageId: "cluster", data: { hardwareVersion, ...oldest }, at };
      return;
    }
    const first = firstRelease(hardwareVersion);
    yield {
      messageId: "newer",
      data: { hardwareVersion, esxi: formatEsxi(host.esxi), newest: newestHardware(host.esxi), first: first ? formatEsxi(first) : null },
      at,
    };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Hardware version is too new for the host",
  why: "Each ESXi release knows the hardware versions up to its own. ESXi will not power on a VM of a later version, so choose the version for the oldest host of the VM.",
  whenNot: "When the host is upgraded before the VM is started on it: state its new release.",
  evidence: {
    figure: "ESXi 7.0 U3 runs hardware versions up to 19, ESXi 8.0 is the first with 20, and 8.0 U2 with 21",
    source: HARDWARE_DOC,
  },
  sources: [GOVMOMI],
  bad: [
    { title: "8.0's on 7.0 U3", host: "2x10x2@7.0 U3", vmx: `virtualHW.version = "20"\nnumvcpus = "4"`, expect: "newer" },
    {
      title: "8.0's in a cluster with 7.0",
      host: "2x10x2@8.0",
      otherHosts: ["2x10x2@7.0 U3"],
      vmx: `virtualHW.version = "20"\nnumvcpus = "4"`,
      expect: "cluster",
    },
  ],
  good: [
    { title: "The newest of 7.0 U3", host: "2x10x2@7.0 U3", vmx: `virtualHW.version = "19"\nnumvcpus = "4"` },
    { title: "Some update of 7.0 runs it", host: "2x10x2@7.0", vmx: `virtualHW.version = "19"\nnumvcpus = "4"` },
    { title: "An older one", host: "2x10x2@8.0", vmx: `virtualHW.version = "13"\nnumvcpus = "4"` },
  ],
});

/** Returns the host with the oldest hardware version among the hosts that do not support this one. */
function oldestWithout(hardwareVersion: number, hosts: readonly HostModel[]) {
  const without = hosts.flatMap(({ name, esxi }) =>
    esxi && runs(esxi, hardwareVersion) === false ? [{ host: name, esxi: formatEsxi(esxi), newest: newestHardware(esxi) }] : [],
  );
  return without.sort((a, b) => a.newest - b.newest)[0];
}
