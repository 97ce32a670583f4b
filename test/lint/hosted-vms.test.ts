import { requireHost, type Target } from "@vmlint/core";
import { hostedVms } from "@vmlint/core/program";
import fc from "fast-check";
import { expect, test } from "vitest";
import { clusterOf, hostCounts, hostKeys, mayMeet, sameHost } from "../../packages/core/src/lint/hosted-vms.ts";
import { vmOf } from "../support/sample-vm.ts";

const spec = vmOf('numvcpus = "2"');
const [r640, r930] = [requireHost("r640"), requireHost("r930")];
/** The most VMs of a machine. */
const LIMIT = 1024;

/** Another object with the same facts. */
const copy = { ...r640 };

const anyTarget: fc.Arbitrary<Target> = fc.record(
  {
    host: fc.constantFrom(r640, copy, r930),
    machine: fc.constantFrom("one", "two"),
    otherHosts: fc.subarray([r640, r930, requireHost("dl580g7")]),
  },
  { requiredKeys: [] },
);

test("more VMs than a machine runs are left out, in any files, unless their machine is declared", () => {
  const crowd = (target: Target) => Array.from({ length: LIMIT - 1 }, () => ({ spec, target }));
  const start = [...crowd({ host: r640 }), ...crowd({ host: r930, machine: "one" })];
  fc.assert(
    fc.property(fc.array(anyTarget, { maxLength: 12 }), fc.nat(12), (targets, cut) => {
      const vms = [...start, ...targets.map((target) => ({ spec, target }))];
      const counts = hostCounts();
      const place = hostedVms();
      const found = [vms.slice(0, start.length + cut), vms.slice(start.length + cut)].flatMap((file) => {
        counts.add(file);
        return place(file);
      });
      const undeclared = (host: typeof r640) => vms.filter(({ target }) => target.host?.name === host.name && target.machine === undefined);
      for (const host of [r640, r930]) expect(counts.isFull(sameHost(host))).toBe(undeclared(host).length > LIMIT);
      const wanted = vms.filter((vm) => {
        if (!vm.target.host || vm.target.machine !== undefined) return vm.target.host !== undefined;
        return undeclared(vm.target.host).indexOf(vm) <= LIMIT;
      });
      // One more than the limit shows that it is a cluster.
      expect(found).toEqual(wanted);
    }),
    { numRuns: 20 },
  );
});

test("two VMs may meet on one declared machine, or in one cluster, whichever host each is on", () => {
  fc.assert(
    fc.property(anyTarget, anyTarget, (one, other) => {
      const namesOf = ({ host, otherHosts = [] }: Target) =>
        host && otherHosts.length > 0 ? [host, ...otherHosts].map(({ name }) => name).sort() : undefined;
      const cluster = namesOf(one);
      expect(clusterOf(one) !== undefined).toBe(cluster !== undefined);
      const isOneCluster = cluster !== undefined && String(cluster) === String(namesOf(other));
      const isOneMachine = one.machine !== undefined && one.machine === other.machine;
      expect(mayMeet(one, other)).toBe(isOneCluster || isOneMachine);
    }),
    { numRuns: 500 },
  );
});

test.each<[string, Parameters<typeof hostKeys>[0], readonly (string | null)[]]>([
  ["each host is named once", [r640, copy, r930].map((host) => ({ spec, target: { host } })), [r640, r930].map(sameHost)],
  ["a declared machine needs all of its VMs", [{ spec, target: { host: r640, machine: "one" } }], [null]],
  [
    "so does an observed VM",
    [{ spec: { ...spec, observed: { range: [0, 1], value: { source: "vCenter" } } }, target: { host: r640 } }],
    [null],
  ],
  ["a host that nothing describes", [{ spec: { ...spec, runsOn: { name: "esx01" } }, target: {} }], [null]],
  ["by its id", [{ spec: { ...spec, runsOn: { id: "host-1" } }, target: {} }], [null]],
  ["a VM of a cluster", [{ spec: { ...spec, runsOn: { cluster: "prod" } }, target: {} }], []],
  ["a VM without a host", [{ spec, target: {} }], []],
  ["a host that an inventory describes", [{ spec: { ...spec, runsOn: { name: "esx01" } }, target: { host: r640 } }], [sameHost(r640)]],
])("hosts of VMs that a run counts: %s", (_, vms, expected) => {
  expect(hostKeys(vms)).toEqual(expected);
});
