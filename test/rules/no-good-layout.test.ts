import { possibleTopologies, requireHost } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { layoutFault } from "../../packages/core/src/advice/layout-faults.ts";
import { lintParsed } from "../../packages/core/src/lint/lint.ts";
import { bestShape } from "../../packages/core/src/size/size.ts";
import { vmOf } from "../support/sample-vm.ts";

const HOSTS = [
  ["2x10x2@6.7", 14],
  ["2x24x2@7.0", 19],
  ["4x10x2@8.0", 20],
] as const;

/** All VMs wider than a node in sockets that fit one, with their possible layouts and their findings. */
const shapes = HOSTS.flatMap(([name, hardware]) => {
  const host = requireHost(name);
  const node = (host.sockets * host.coresPerSocket) / host.numaNodes;
  const counts = Array.from({ length: host.sockets * host.coresPerSocket - node }, (_, i) => node + 1 + i);
  return counts.flatMap((vcpus) => {
    const sizes = Array.from({ length: node - 1 }, (_, i) => i + 2).filter((cores) => vcpus % cores === 0);
    return sizes.map((cores) => ({ host, hardware, vcpus, cores, title: `${vcpus} vCPUs, ${cores} per socket, on ${name}` }));
  });
}).map((shape) => {
  const vm = vmOf(`virtualHW.version = "${shape.hardware}"\nnumvcpus = "${shape.vcpus}"\ncpuid.coresPerSocket = "${shape.cores}"`);
  const result = possibleTopologies(vm, shape.host);
  const cases = result.ok ? result.cases : [];
  const faults = cases.map(({ topology }) => layoutFault(topology, shape.host, true));
  const { diagnostics } = lintParsed({ vms: [vm], problems: [] }, { target: { host: shape.host } });
  return { ...shape, faults, diagnostics: diagnostics.filter(({ ruleId }) => /^(numa|cpu)\//.test(ruleId)) };
});

describe("a VM wider than a node", () => {
  test("has a warning exactly if each possible layout is bad, and an info if one of them is bad by little", () => {
    const seen = { warning: 0, slight: 0, good: 0 };
    for (const { title, faults, diagnostics } of shapes) {
      const severities = diagnostics.map(({ severity }) => severity);
      const all = faults.every((fault) => fault !== undefined);
      const kind = !all ? "good" : faults.includes("slight") ? "slight" : "warning";
      seen[kind]++;
      if (kind === "warning") expect(severities, title).toContain("warning");
      else expect(severities, title).not.toContain("error");
      if (kind === "slight") expect(severities, title).toContain("info");
    }
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
  });

  test("has one finding about its shape", () => {
    const double = shapes.filter(({ diagnostics }) => diagnostics.length > 1 && diagnostics.some(isOwn));
    expect(double.map(({ title }) => title)).toEqual([]);
  });

  test("is told the shape that size puts first", () => {
    let compared = 0;
    for (const { title, host, hardware, vcpus, diagnostics } of shapes) {
      const best = bestShape(vcpus, { vcpus, hardwareVersion: hardware }, [host]);
      const [placement] = best.placements;
      const fix = diagnostics.find(isOwn)?.fixes[0];
      if (!fix || !best.isFlawless || !placement?.topology) continue;
      compared++;
      const { coresPerSocket, numaClients } = placement.topology;
      const { vcpus: _, hardwareVersion: __, ...settings } = best.settings;
      // A VM that states its sockets gets the number.
      const wanted = { ...settings, coresPerSocket };
      expect(Object.fromEntries((fix.changes ?? []).map(({ setting, value }) => [setting, value])), title).toEqual(wanted);
      expect(diagnostics.find(isOwn)?.message, title).toContain(`${numaClients.join("+")} on`);
    }
    expect(compared).toBeGreaterThan(10);
  });
});

const isOwn = ({ ruleId }: { readonly ruleId: string }): boolean => ruleId === "numa/no-good-layout";
