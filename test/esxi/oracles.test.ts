import { deriveTopology, requireHost } from "@vmlint/core";
import { atLeast, type EsxiVersion, esxi, formatEsxi } from "@vmlint/core/program";
import { expect, test } from "vitest";
import { latencyRequirement } from "../../packages/core/src/limits/latency.ts";
import { BEHAVIOURS } from "../../packages/core/src/platforms/esxi/derive.ts";
import { RELEASES } from "../../packages/core/src/platforms/esxi/possible.ts";
import { topologyOf, vmOf } from "../support/sample-vm.ts";
import { ORACLES } from "./oracles.ts";

const refused = ORACLES.filter(({ expect: { refused } }) => refused !== undefined);
const latency = ORACLES.filter(({ expect: { latency } }) => latency !== undefined);
const running = ORACLES.filter((oracle) => !refused.includes(oracle) && !latency.includes(oracle));

test.each(running)("$id: $host ($kind, $source)", ({ host, vmx, expect: expected }) => {
  const topology = topologyOf(vmx.join("\n"), host, expected.workload);
  const { vnumaNodes, numaClients, sockets, coresPerSocket, pinning } = topology;
  expect({
    nodes: vnumaNodes,
    nodeCount: vnumaNodes.length,
    clients: numaClients.length,
    sockets,
    coresPerSocket,
    pinning,
    usable: topology.usableVcpus,
    guestUsable: topology.guestUsableVcpus,
    workload: expected.workload,
  }).toMatchObject(expected);
});

// No layout of the oldest is published: its hosts show no virtual NUMA.
test.each(BEHAVIOURS.slice(0, -1).map((behaviour) => [formatEsxi(behaviour.since), behaviour] as const))(
  "the behaviour since ESXi %s has a published layout, and is a possible one",
  (_, behaviour) => {
    const behaviourOf = (release: EsxiVersion) => BEHAVIOURS.find(({ since }) => atLeast(release, since));
    expect(RELEASES.map(behaviourOf)).toContain(behaviour);
    expect(ORACLES.map(({ host }) => behaviourOf(requireHost(host).esxi ?? esxi(4, 0)))).toContain(behaviour);
  },
);

test.each(refused)("$id does not power on ($source)", ({ host, vmx, expect: expected }) => {
  const result = deriveTopology(vmOf(vmx.join("\n")), requireHost(host));
  expect(result).toMatchObject({ ok: false, because: "no-power-on" });
  expect(result.ok ? "" : result.reasons.map((reason) => reason.text).join()).toContain(expected.refused);
});

test.each(latency)("$id: full CPU reservation ($source)", ({ vmx, expect: expected }) => {
  const { vcpus, threadsPerCore } = vmOf(vmx.join("\n")).settings;
  if (vcpus.state !== "known" || threadsPerCore.state !== "known" || !expected.latency) throw new Error("the row states all three");
  const { mhz, cores, reservation } = expected.latency;
  expect(latencyRequirement(vcpus.value, threadsPerCore.value, mhz)).toEqual({ cpuReservationMHz: reservation, exclusiveCores: cores });
});

test("KB 67996 (6.5 U3, 6.7 U2) is not published, so the nodes of a narrow VM on small nodes are unknown", () => {
  const eight = `virtualHW.version = "13"\nnumvcpus = "8"`;
  expect(topologyOf(eight, "2x24x2/4@6.7 U1").certainty).toBe("documented");
  expect(topologyOf(eight, "2x24x2/4@6.7 U2").certainty).toBe("possible");
  expect(topologyOf(eight, "2x24x2/4@6.5 U2").certainty).toBe("documented");
  expect(topologyOf(eight, "2x24x2/4@6.5 U3").certainty).toBe("possible");
  expect(topologyOf(eight, "2x24x2/4@6.5").certainty).toBe("possible");
});

test("the sockets of 8 vCPUs never make two nodes, against a common rule of thumb", () => {
  const twoByFour = `virtualHW.version = "13"\nnumvcpus = "8"\ncpuid.coresPerSocket = "4"`;
  expect(topologyOf(twoByFour, "2x10x2@6.5").vnumaNodes).toEqual([8]);
});
