import { requireHost } from "@vmlint/core";
import { possibleTopologies } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import { layoutFault } from "../../packages/core/src/advice/layout-faults.ts";
import { lintParsed } from "../../packages/core/src/lint/lint.ts";
import { coresOf, coresPerNode } from "../../packages/core/src/model/host.ts";
import { bestShape } from "../../packages/core/src/size/size.ts";
import { vmOf } from "../support/sample-vm.ts";

const HOSTS = [
  ["2x14x2@6.5", 13],
  ["2x10x2@6.7", 14],
  ["2x20x2@7.0", 17],
  ["2x24x2@7.0", 19],
  ["4x8x2@7.0", 17],
  ["2x16x2@8.0", 20],
  ["2x20x2@8.0", 20],
  ["4x10x2@8.0", 20],
  ["2x32x2/2@8.0", 20],
  ["4x18x2@9.0", 22],
] as const;

/** All VMs wider than a node that fit the host, with every size of sockets but 1, with their possible layouts and their findings. */
const shapes = HOSTS.flatMap(([name, hardware]) => {
  const host = requireHost(name);
  const counts = Array.from({ length: coresOf(host) - coresPerNode(host) }, (_, i) => coresPerNode(host) + 1 + i);
  return counts.flatMap((vcpus) => {
    const sizes = Array.from({ length: vcpus - 1 }, (_, i) => i + 2).filter((cores) => vcpus % cores === 0);
    return sizes.map((cores) => ({ host, hardware, vcpus, cores, title: `${vcpus}/${cores} on ${name}` }));
  });
}).map((shape) => {
  const vm = vmOf(`virtualHW.version = "${shape.hardware}"\nnumvcpus = "${shape.vcpus}"\ncpuid.coresPerSocket = "${shape.cores}"`);
  const result = possibleTopologies(vm, shape.host);
  if (!result.ok || !result.isComplete) throw new Error(`${shape.title} has no list of layouts`);
  const faults = result.cases.map(({ topology }) => layoutFault(topology, shape.host, true));
  const { diagnostics } = lintParsed({ vms: [vm], problems: [] }, { target: { host: shape.host } });
  return { ...shape, faults, diagnostics: diagnostics.filter(({ ruleId }) => /^(numa|cpu)\//.test(ruleId)) };
});

/**
 * The VMs that are bad in each layout and have no warning, as vCPUs/cores per socket, with the reason. Denneman (2021-12) does not
 * expect 16+14 to be noticed, and no source has measured a smaller difference than 12.5 %. An info reports them.
 */
const NO_WARNING = {
  "the only layout is uneven by an eighth at most": {
    "2x20x2@7.0": "30/2 34/2 38/2",
    "2x24x2@7.0": "30/2 34/2 38/2 42/2 45/3 46/2",
    "2x16x2@8.0": "30/2",
    "2x20x2@8.0": "30/2 34/2 38/2",
    "2x32x2/2@8.0": "30/2 46/2 62/2",
    "4x18x2@9.0": "30/2 34/2 46/2 52/2 62/2 70/2",
  },
  "a source leaves open whether the last client is much smaller, or all differ by an eighth at most": {
    "2x32x2/2@8.0": "44/2 58/2 60/2",
    "4x18x2@9.0": "44/2 50/2 58/2 60/2 66/2 68/2",
  },
};

const namesOf = (ofHosts: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(ofHosts).flatMap(([host, vms]) => vms.split(" ").map((vm) => `${vm} on ${host}`));

describe("a VM wider than a node", () => {
  test("has a warning exactly if each possible layout is bad, but for a list of VMs that are bad by little", () => {
    const unwarned = { only: [] as string[], open: [] as string[] };
    const seen = { bad: 0, good: 0 };
    for (const { title, faults, diagnostics } of shapes) {
      const severities = diagnostics.map(({ severity }) => severity);
      const isBad = faults.every((fault) => fault !== undefined);
      const isWarned = severities.includes("warning") || severities.includes("error");
      seen[isBad ? "bad" : "good"]++;
      if (!isBad) expect(isWarned, title).toBe(false);
      else if (!isWarned) {
        expect(severities, title).toEqual(["info"]);
        expect(faults, title).toContain("slight");
        unwarned[faults.every((fault) => fault === "slight") ? "only" : "open"].push(title);
      }
    }
    const [only = [], open = []] = Object.values(NO_WARNING).map(namesOf);
    expect({ only: unwarned.only.sort(), open: unwarned.open.sort() }).toEqual({ only: [...only].sort(), open: [...open].sort() });
    expect(seen).toEqual({ bad: 607, good: 327 });
  });

  test("has one finding about its shape", () => {
    const double = shapes.filter(({ diagnostics }) => diagnostics.length > 1 && diagnostics.some(isOwn));
    expect(double.map(({ title }) => title)).toEqual([]);
  });

  test("is told the shape that size puts first", () => {
    let compared = 0;
    for (const { title, host, hardware, vcpus, cores, diagnostics } of shapes) {
      const best = bestShape(vcpus, { vcpus, hardwareVersion: hardware }, [host]);
      const [placement] = best.placements;
      const fix = diagnostics.find(isOwn)?.fixes[0];
      if (!fix || !best.isFlawless || !placement?.topology) continue;
      compared++;
      const { coresPerSocket, numaClients } = placement.topology;
      const { vcpus: _, hardwareVersion: __, coresPerSocket: ___, ...settings } = best.settings;
      // The advice to a VM with stated sockets names their size, if it changes.
      const wanted = { ...settings, ...(coresPerSocket !== cores && { coresPerSocket }) };
      expect(Object.fromEntries((fix.changes ?? []).map(({ setting, value }) => [setting, value])), title).toEqual(wanted);
      expect(diagnostics.find(isOwn)?.message, title).toContain(`${numaClients.join("+")} on`);
    }
    expect(compared).toBeGreaterThan(10);
  });
});

const isOwn = ({ ruleId }: { readonly ruleId: string }): boolean => ruleId === "numa/no-good-layout";
