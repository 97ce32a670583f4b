import { importWords } from "../../importers/importer.ts";
import { FORKLIFT_VSPHERE, PROXMOX_IMPORT } from "../../model/sources.ts";
import { builtinRule, type PageOf } from "../define.ts";

const words = (d: { to: string; by: string; rule: string; text: string }): string => `${importWords(d)} leads to ${d.rule}: ${d.text}`;

export const rule = builtinRule({
  id: "migrate/new-finding",
  severity: "error",
  severities: { warning: "warning", info: "info" },
  over: "import",
  reads: ["vcpus"],
  messages: { error: words, warning: words, info: words },
  *check({ vm, importer, to, newFindings }) {
    for (const { ruleId, severity, message } of newFindings()) {
      if (severity === "hint") continue;
      const data = { to: to.title, by: importer.name, rule: ruleId, text: message };
      yield { messageId: severity, data, at: vm.vcpus?.range ?? vm.range };
    }
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "VM has a finding on the new platform only",
  why: "The same rules check sockets, cores and limits on both platforms. A licence that counts sockets, or a limit of the guest, may leave vCPUs unused that it used before.",
  whenNot: "When you accept the finding of the rule that it names.",
  evidence: {
    figure: "16 automatic vCPUs are 2 sockets of 8 on ESXi and 16 sockets after an import of the .vmx: SQL Server Standard then uses 4",
    source: PROXMOX_IMPORT,
    against: "Edition and licensing must be known",
  },
  sources: [FORKLIFT_VSPHERE],
  shared: { host: "2x12x2:512@8.0", migrate: { to: "proxmox", by: "wizard" }, vmx: `virtualHW.version = "20"` },
  bad: [
    {
      title: "SQL Server Standard in 16 sockets",
      workload: "mssql, standard, 2019, core",
      vmx: 'numvcpus = "16"\nmemSize = "65536"',
      expect: "error",
    },
    {
      title: "80 sockets for Windows Server",
      host: "2x64x1:2048@8.0",
      vmx: 'guestOS = "windows2019srv-64"\nnumvcpus = "80"\nmemSize = "65536"',
      expect: "warning",
    },
    { title: "A socket for each vCPU", vmx: 'numvcpus = "16"\nmemSize = "65536"', expect: "info" },
  ],
  good: [
    {
      title: "Six sockets on both sides",
      migrate: { to: "kubevirt", by: "forklift" },
      vmx: 'guestOS = "windows7-64"\nnumvcpus = "6"\ncpuid.coresPerSocket = "1"\nmemSize = "8192"',
    },
    {
      title: "Sockets and cores stay",
      workload: "mssql, standard, 2019, core",
      vmx: 'numvcpus = "16"\ncpuid.coresPerSocket = "8"\nmemSize = "65536"',
    },
  ],
});
