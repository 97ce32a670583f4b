import { deriveTopology, requireHost } from "@vmlint/core";
import { esxi } from "@vmlint/core/program";
import fc from "fast-check";
import { expect, test } from "vitest";
import { storedSize } from "../../packages/core/src/platforms/esxi/stored-size.ts";
import { anyHost, anyVmx } from "../support/arbitraries.ts";
import { topologyOf, vmOf } from "../support/sample-vm.ts";

const sum = (groups: readonly number[]) => groups.reduce((a, b) => a + b, 0);

test("for any VM and host: nodes and clients sum to the vCPUs, sockets multiply to them, and the result gives its reasons", () => {
  let derived = 0;
  fc.assert(
    fc.property(anyVmx, anyHost, (text, machine) => {
      const vm = vmOf(text);
      const result = deriveTopology(vm, machine);
      expect(deriveTopology(vmOf(text), { ...machine })).toEqual(result);
      expect(result.ok ? result.topology.reasons : result.reasons).not.toEqual([]);
      if (!result.ok) return;
      derived++;
      const { topology } = result;
      const count = vm.settings.vcpus.state === "known" ? vm.settings.vcpus.value : 1;
      expect(topology.vcpus).toBe(count);
      expect([sum(topology.vnumaNodes), sum(topology.numaClients)]).toEqual([count, count]);
      expect(Math.min(...topology.vnumaNodes, ...topology.numaClients)).toBeGreaterThan(0);
      if (topology.sockets * topology.coresPerSocket !== count) {
        // Only sockets that ESXi chooses at power-on for uneven nodes do not multiply to the vCPUs, and vmlint treats this layout
        // as unknown.
        expect([vm.settings.coresPerSocket.state, topology.certainty]).toEqual(["absent", "unknown"]);
      }
      expect(topology.usableVcpus).toBe(count);
    }),
    { numRuns: 3000 },
  );
  expect(derived).toBeGreaterThan(300);
});

test.each([
  ["that fits", "18", "360001", "2x20x2@6.5", [18, true, "18+18"]],
  ["that does not", "9", "360001", "2x20x2@6.5", [9, false, "18+18"]],
  ["of another host", "18", "360001", "4x14x2@7.0", [18, false, "12+12+12"]],
  ["of a former number of vCPUs", "18", "320001", "2x20x2@6.5", null],
])("a stored node size %s is compared with the layout without it", (_, size, cookie, host, expected) => {
  const stored = `numa.autosize.vcpu.maxPerVirtualNode = "${size}"\nnuma.autosize.cookie = "${cookie}"`;
  const text = `virtualHW.version = "13"\nnumvcpus = "36"\n${stored}`;
  const result = storedSize(vmOf(text), requireHost(host), topologyOf(text, host));
  expect(result && [result.size, result.fits, result.anew.vnumaNodes.join("+")]).toEqual(expected);
});

test("a stale or disabled cookie is ignored", () => {
  const plain = `virtualHW.version = "13"\nnumvcpus = "36"`;
  const stored = `${plain}\nnuma.autosize.vcpu.maxPerVirtualNode = "9"`;
  const at = (text: string) => {
    const result = deriveTopology(vmOf(text), {
      name: "a",
      sockets: 2,
      coresPerSocket: 20,
      threadsPerCore: 2,
      numaNodes: 2,
      esxi: esxi(6, 5),
    });
    return result.ok ? result.topology.vnumaNodes : result;
  };
  expect(at(plain)).toEqual([18, 18]);
  expect(at(`${stored}\nnuma.autosize.cookie = "360001"`)).toEqual([9, 9, 9, 9]);
  expect(at(`${stored}\nnuma.autosize.cookie = "360022"`)).toEqual([9, 9, 9, 9]);
  expect(at(stored)).toEqual([18, 18]);
  expect(at(`${stored}\nnuma.autosize.cookie = "320001"`)).toEqual([18, 18]);
  expect(at(`${stored}\nnuma.autosize.cookie = "360001"\nnuma.autosize.once = "FALSE"`)).toEqual([18, 18]);
  expect(at(`${stored}\nnuma.autosize.cookie = "360001"\nnuma.autosize = "TRUE"`)).toEqual([18, 18]);
});
