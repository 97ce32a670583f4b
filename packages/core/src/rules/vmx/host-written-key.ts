import { DENNEMAN_2022_MISMATCH } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { vsphereVm } from "../vsphere-example.ts";

/** Values that ESXi stores at power-on, by lower-case key. */
const RECORDS: Readonly<Record<string, string>> = {
  "numa.autosize.cookie": "the shape it sized the NUMA nodes for",
  "numa.autosize.vcpu.maxpervirtualnode": "the node size it chose at a power-on",
  "cpuid.corespersocket.cookie": "the cores per socket it saw at a power-on",
  "sched.swap.derivedname": "the path of the swap file",
  "uuid.location": "the path of the VM",
};

const vm = (extra: string): string => vsphereVm(`num_cpus = 16\n  extra_config = {\n    ${extra}\n  }`);

export const rule = builtinRule({
  id: "vmx/host-written-key",
  severity: "info",
  on: ["configured"],
  messages: {
    record: (d: { key: string; what: string }) => `${d.key} is ESXi's own record of ${d.what}. Remove it from the configuration.`,
  },
  *check({ vm: { configured } }) {
    for (const { key, range } of configured?.().options ?? []) {
      const lower = key.toLowerCase();
      const record = Object.hasOwn(RECORDS, lower) ? RECORDS[lower] : undefined;
      if (record !== undefined) yield { messageId: "record", data: { key, what: record }, at: range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Configuration sets a key that ESXi writes itself",
  why: "These keys are records of the host, copied from a VM that has run. In a configuration they give a new VM the record of another VM, with nodes for another host. ESXi rewrites them, so the configuration and the VM drift apart.",
  whenNot: "When a node size is kept on purpose, for VMs that move between kinds of host.",
  evidence: {
    figure: "36 vCPUs sized on 2 x 20 cores and moved to 4 x 14: the guest keeps 2 nodes of 18, but the VM spans 3",
    source: DENNEMAN_2022_MISMATCH,
  },
  bad: [
    { title: "A node size from another VM", terraform: vm('"numa.autosize.vcpu.maxPerVirtualNode" = "8"') },
    {
      title: "In Ansible",
      yaml: `- community.vmware.vmware_guest:\n    name: sql01\n    advanced_settings:\n      - key: sched.swap.derivedName\n        value: /vmfs/volumes/ds1/sql01/sql01.vswp\n`,
    },
  ],
  good: [
    { title: "Only settings, no records", terraform: vm('"numa.autosize.once" = "FALSE"') },
    { title: "A .vmx is the file where ESXi writes it", vmx: `numvcpus = "16"\nnuma.autosize.vcpu.maxPerVirtualNode = "8"` },
  ],
});
