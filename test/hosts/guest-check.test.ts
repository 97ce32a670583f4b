import { readFileSync } from "node:fs";
import { type Format, lint, requireHost } from "@vmlint/core";
import { checkGuest, guestCheckText, seeGuest } from "@vmlint/core/verify";
import { yaml } from "@vmlint/core/yaml";
import { describe, expect, test } from "vitest";
import { libvirt } from "../../packages/core/src/formats/libvirt/libvirt.ts";
import { proxmox } from "../../packages/core/src/formats/proxmox/proxmox.ts";
import { vmx } from "../../packages/core/src/formats/vmx/vmx.ts";
import { numberRuns } from "../../packages/core/src/model/words.ts";

interface Guest {
  readonly vcpus: number;
  readonly sockets: number;
  readonly cores: number;
  readonly threadsPerCore: number;
  readonly nodes: readonly (readonly number[])[];
}

interface Recorded {
  readonly case: string;
  readonly definition?: string;
  readonly guest?: Guest;
}

const recorded = JSON.parse(readFileSync(new URL("../kvm/stacks.json", import.meta.url), "utf8")) as Readonly<
  Record<string, readonly Recorded[]>
>;

/** Booted guests whose definitions are recorded as files. Even sockets only: otherwise lscpu's count of cores is a matter of its release. */
const BOOTED = (["libvirt", "proxmox"] as const).flatMap((stack) =>
  (recorded[stack] ?? []).flatMap(({ case: name, definition, guest }) =>
    definition && guest && guest.cores % guest.sockets === 0
      ? [{ name, text: definition, guest, format: stack === "libvirt" ? libvirt : proxmox }]
      : [],
  ),
);

const lscpu = ({ vcpus, sockets, cores, threadsPerCore, nodes }: Guest): string =>
  [
    ["CPU(s)", vcpus],
    ["Thread(s) per core", threadsPerCore],
    ["Core(s) per socket", cores / sockets],
    ["Socket(s)", sockets],
    ["Hypervisor vendor", "KVM"],
    ["NUMA node(s)", nodes.length],
    ...nodes.map((ids, node) => [`NUMA node${node} CPU(s)`, numberRuns(ids)]),
  ]
    .map(([key, value]) => `${`${key}:`.padEnd(24)}${value}\n`)
    .join("");

const numactl = ({ nodes }: Guest): string =>
  `available: ${nodes.length} nodes (0-${nodes.length - 1})\n${nodes.map((ids, node) => `node ${node} cpus:${ids.map((id) => ` ${id}`).join("")}\nnode ${node} size: 100 MB\n`).join("")}`;

const coreinfo = ({ vcpus, nodes }: Guest): string =>
  `Logical Processor to NUMA Node Map:\n${nodes.length === 1 ? "No NUMA nodes.\n" : nodes.flatMap((ids, node) => (ids.length === 0 ? [] : [`${Array.from({ length: vcpus }, (_, id) => (ids.includes(id) ? "*" : "-")).join("")}  NUMA Node ${node}\n`])).join("")}`;

const checked = (text: string, format: Format, dump: string, host?: string) => {
  const [vm] = lint(text, { format, ...(host !== undefined && { host }) }).vms;
  if (!vm) throw new Error("no VM");
  return checkGuest(vm, "vm", seeGuest(dump, "guest.txt"), "guest.txt");
};

describe("each booted guest shows the prediction, and another guest does not", () => {
  test("there are some of both stacks", () => {
    expect(BOOTED.length).toBeGreaterThan(20);
  });

  test.each(BOOTED)("$name", ({ text, format, guest }) => {
    for (const dump of [lscpu(guest), numactl(guest)]) {
      const { same, facts } = checked(text, format, dump);
      expect(facts.filter((fact) => fact.same === false)).toEqual([]);
      expect(same).toBe(true);
    }
    const other = { ...guest, sockets: guest.sockets * 2, cores: guest.cores * 2 };
    expect(checked(text, format, lscpu(other)).facts.filter(({ same }) => same === false)).toMatchObject([{ fact: "sockets" }]);
    const moved = { ...guest, nodes: [...guest.nodes, []] };
    expect(checked(text, format, numactl(moved)).facts.filter(({ same }) => same === false)).toMatchObject([{ fact: "NUMA nodes" }]);
  });

  test("Windows lists no node without CPUs", () => {
    for (const { text, format, guest } of BOOTED.filter(
      (one) => one.guest.vcpus > 1 && one.guest.nodes.filter((ids) => ids.length > 0).length !== 1,
    ))
      expect(checked(text, format, coreinfo(guest)).facts.filter(({ same }) => same === false)).toEqual([]);
  });
});

const WIDE = 'virtualHW.version = "19"\nnumvcpus = "24"\nmemsize = "65536"\ncpuid.coresPerSocket = "12"\n';
const ON_ESXI: Guest = { vcpus: 24, sockets: 2, cores: 24, threadsPerCore: 1, nodes: [range(0, 12), range(12, 12)] };

function range(first: number, size: number): readonly number[] {
  return Array.from({ length: size }, (_, i) => first + i);
}

describe("a VM of ESXi", () => {
  test("is compared on its host", () => {
    expect(requireHost("2x16x2@8.0").numaNodes).toBe(2);
    const same = checked(WIDE, vmx, lscpu(ON_ESXI), "2x16x2@8.0");
    expect(same).toMatchObject({ same: true, host: "2x16x2@8.0" });
    const { facts } = checked(WIDE, vmx, lscpu({ ...ON_ESXI, nodes: [range(0, 24)] }), "2x16x2@8.0");
    expect(facts.filter((fact) => fact.same === false)).toEqual([
      { fact: "NUMA nodes", predicted: "0-11 | 12-23", seen: "0-23", same: false },
    ]);
  });

  test("without a host has no prediction", () => {
    expect(checked(WIDE, vmx, lscpu(ON_ESXI))).toMatchObject({ same: null, facts: [], prediction: expect.stringContaining("host") });
  });
});

test("a flavor without pinning has no NUMA, and a dump of a server is doubted", () => {
  const flavor = JSON.stringify({ "OS-FLV-DISABLED:disabled": false, name: "m1", properties: {}, ram: 4096, vcpus: 4 });
  const dump = lscpu({ vcpus: 8, sockets: 1, cores: 8, threadsPerCore: 1, nodes: [range(0, 8)] }).replace(
    "Hypervisor vendor:",
    "Vendor ID:",
  );
  const found = checked(flavor, yaml, dump);
  expect(found.notes).toEqual(["lscpu shows no hypervisor: was it taken inside the VM?"]);
  expect(guestCheckText([found])).toContain("The guest differs from the prediction in 4 of 5 facts.");
});
