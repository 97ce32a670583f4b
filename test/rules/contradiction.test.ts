import { rules } from "@vmlint/core";
import { lintExample } from "@vmlint/core/docs";
import { expect, test } from "vitest";

const only = rules.filter(({ id }) => id === "spec/contradiction");

/** Returns the settings that differ between a .vmx and a spec of the same VM. */
async function differing(vmx: string, spec: string): Promise<readonly unknown[]> {
  const [rule] = only;
  if (!rule) throw new Error("no such rule");
  const yaml = `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: orders }\nspec: { ${spec} }\n`;
  const found = await lintExample(rule, { title: "", vmx: `displayName = "orders"\n${vmx}`, yaml });
  return found.flatMap(({ data }) => [data.there, data.here]);
}

test.each<[string, string, readonly string[]]>([
  ['vcpu.hotadd = "TRUE"', "cpuHotAdd: false", ["CPU hot add on", "CPU hot add off"]],
  ['mem.hotadd = "FALSE"', "memoryHotAdd: true", ["memory hot add off", "memory hot add on"]],
  ['sched.cpu.affinity = "3,0-2"', "cpuAffinity: [0, 1, 2]", ["CPU affinity 0-3", "CPU affinity 0-2"]],
  ['sched.cpu.affinity = "all"', "cpuAffinity: [10, 9, 2]", ["CPU affinity all", "CPU affinity 2,9-10"]],
  ['numa.nodeAffinity = "1"', "numaNodeAffinity: [0, 1]", ["NUMA node affinity 1", "NUMA node affinity 0-1"]],
  ['numa.vcpu.coresPerNode = "0"', "coresPerNumaNode: 4", []],
  ['numa.vcpu.coresPerNode = "1"', "coresPerNumaNode: 4", ["NUMA nodes of 1 vCPU", "NUMA nodes of 4 vCPUs"]],
])("%s against %s", async (vmx, spec, expected) => {
  expect(await differing(vmx, spec)).toEqual(expected);
});
