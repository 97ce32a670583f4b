import { readFileSync } from "node:fs";
import { lint, topologyJson } from "@vmlint/core";
import { yaml } from "@vmlint/core/yaml";
import { describe, expect, test } from "vitest";
import { numberRuns } from "../../packages/core/src/model/words.ts";
import { guestOf } from "../../packages/core/src/platforms/kvm/guest.ts";
import { pinsOf } from "../../packages/core/src/platforms/kvm/pins.ts";

const { machines, definitions, pins } = JSON.parse(readFileSync(new URL("guests.json", import.meta.url), "utf8"));

describe("a guest sees of a machine what Linux showed when it booted", () => {
  test.each(machines as Machine[])("$case", ({ guest, nodes, l3, ...machine }) => {
    const shown = guestOf(machine);
    expect([shown.vcpus, shown.sockets, shown.cores, shown.threadsPerCore]).toEqual(guest);
    expect(shown.nodes).toEqual(nodes);
    // One case turns the cache off.
    if (l3 && l3.length > 0 && shown.sharedL3) expect(shown.sharedL3.map((vcpus) => numberRuns(vcpus, ","))).toEqual(l3);
  });
});

interface Machine {
  readonly case: string;
  readonly cores: number;
  readonly threads: number;
  readonly present: readonly number[];
  readonly cells: readonly (readonly number[])[];
  readonly guest: readonly number[];
  readonly nodes: readonly (readonly number[])[];
  readonly l3: readonly string[] | null;
}

describe("a definition of KubeVirt has the guest of its source", () => {
  test.each(definitions as Definition[])("$case", ({ guest, nodes, l3, refused, ...definition }) => {
    const [vm] = topologyJson([{ path: "vm.yaml", ...linted(textOf(definition)) }], TOOL).vms;
    const { topology, refused: by } = vm as unknown as { topology: Shown | null; refused: object | null };
    expect(by !== null).toBe(refused === true);
    expect(topology && [topology.vcpus, topology.sockets, topology.sockets * topology.coresPerSocket, topology.threadsPerCore]).toEqual(
      guest ?? null,
    );
    expect(topology?.vnumaNodes).toEqual(nodes);
    if (l3) expect(topology?.sharedL3).toHaveLength(l3);
  });
});

const TOOL = { name: "vmlint", version: "0" };

interface Shown {
  readonly vcpus: number;
  readonly sockets: number;
  readonly coresPerSocket: number;
  readonly threadsPerCore: number;
  readonly vnumaNodes: readonly number[];
  readonly sharedL3: readonly string[];
}

interface Definition {
  readonly case: string;
  readonly domain?: object;
  readonly instancetype?: string;
  readonly preference?: string;
  readonly definition?: string;
  readonly refused?: true;
  readonly guest?: readonly number[];
  readonly nodes?: readonly number[];
  readonly l3?: number;
}

const linted = (text: string) => ({ text, ...lint(text, { format: yaml }) });

function textOf({ definition, domain = {}, instancetype, preference }: Omit<Definition, "guest">): string {
  const named = instancetype && { instancetype: { name: instancetype }, preference: { name: preference } };
  const spec = { ...named, template: { spec: { domain: { devices: {}, ...domain } } } };
  return definition ?? JSON.stringify({ apiVersion: "kubevirt.io/v1", kind: "VirtualMachine", metadata: { name: "vm" }, spec });
}

describe("KubeVirt pins vCPUs to the host CPUs of its source", () => {
  test.each(pins as Pinned[])("$case", ({ cores, threads, host, cpus, keepsNodes, pins: placement, nodes, refused }) => {
    const found = pinsOf({ cores, threads }, host, new Set(cpus), keepsNodes);
    if (placement || refused) expect(found).toEqual(placement ?? refused);
    if (nodes && typeof found !== "string") {
      const counts = host.map((node) => found.filter((cpu) => node.flat().includes(cpu)).length);
      expect(counts.filter((count) => count > 0)).toEqual(nodes);
    }
  });
});

interface Pinned {
  readonly case: string;
  readonly cores: number;
  readonly threads: number;
  readonly host: readonly (readonly (readonly number[])[])[];
  readonly cpus: readonly number[];
  readonly keepsNodes: boolean;
  readonly pins?: readonly number[];
  readonly nodes?: readonly number[];
  readonly refused?: string;
}
