import { ORACLE_LICENSING, ORACLE_SE2_DBI } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";

/** The most sockets of a server, and the most CPU threads that a database uses at a time (ORACLE_LICENSING, ORACLE_SE2_DBI). */
const MOST = { sockets: 2, threads: 16 };

export const rule = builtinRule({
  id: "oracle/standard-edition",
  severity: "info",
  for: "any",
  on: ["vcpus"],
  needs: ["workload"],
  about: "oracle",
  reads: ["vcpus"],
  messages: {
    sockets: (d: { sockets: number; most: number }) =>
      `Oracle licenses Standard Edition 2 only on servers with at most ${d.most} sockets, and this host has ${d.sockets}. Use a host of ${d.most} sockets, or check the contract.`,
    threads: (d: { vcpus: number; most: number }) =>
      `A database of Standard Edition 2 uses at most ${d.most} CPU threads at a time, and this VM has ${plural(d.vcpus, "vCPU")}. Use ${d.most}.`,
  },
  applies: (_, __, workload) => workload?.kind === "oracle" && workload.edition === "se2",
  *check({ vm, host }) {
    if (host && host.sockets > MOST.sockets)
      yield { messageId: "sockets", data: { sockets: host.sockets, most: MOST.sockets }, at: vm.vcpus?.range ?? vm.range };
    if (vm.vcpus && vm.vcpus.value > MOST.threads)
      yield { messageId: "threads", data: { vcpus: vm.vcpus.value, most: MOST.threads }, at: vm.vcpus.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Server or VM is larger than Oracle Standard Edition 2 allows",
  why: "Oracle licenses Standard Edition 2 only on servers with room for at most two sockets, and a database uses at most 16 CPU threads at a time. With RAC, each of two servers has one socket. Licences by Named User Plus number at least 10 per server.",
  whenNot: "When another edition runs in the VM. Your contract decides, and this note is no legal advice.",
  evidence: {
    figure: "Standard Edition 2: servers with a maximum capacity of 2 sockets, 16 CPU threads per database",
    source: ORACLE_SE2_DBI,
  },
  sources: [ORACLE_LICENSING, ORACLE_SE2_DBI],
  bad: [
    { title: "4 sockets", host: "r930", workload: "oracle, se2", vmx: `numvcpus = "8"`, expect: "sockets" },
    { title: "24 vCPUs", workload: "oracle, se2", vmx: `numvcpus = "24"`, expect: "threads" },
  ],
  good: [
    { title: "2 sockets and 16 vCPUs", host: "r640", workload: "oracle, se2", vmx: `numvcpus = "16"` },
    { title: "Another edition", host: "r930", workload: "oracle", vmx: `numvcpus = "24"` },
  ],
});
