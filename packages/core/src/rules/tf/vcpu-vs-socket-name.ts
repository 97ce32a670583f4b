import { TERRAFORM_532, TERRAFORM_PROVIDER } from "../../model/sources.ts";
import { plural } from "../../model/words.ts";
import { builtinRule, coresPerSocketOf, type PageOf, vcpusOf } from "../define.ts";
import { vsphereVm } from "../vsphere-example.ts";

/** The last part of `var.cpu_sockets`, but not of a name that counts cores per socket. */
const SOCKETS = /(?:[._-][sS]|[a-z]S)ockets?(?:_?(?:[cC]ount|[nN]umber))?$/;
const CORES = /core|per_?socket/i;

const vm = (sockets: string, arguments_: string): string => `variable "${sockets}" {\n  default = 4\n}\n\n${vsphereVm(arguments_)}`;

export const rule = builtinRule({
  id: "tf/vcpu-vs-socket-name",
  severity: "hint",
  on: ["configured"],
  reads: ["vcpus", "coresPerSocket", "hardwareVersion"],
  messages: {
    sockets: (d: { name: string; vcpus: number; coresPerSocket: number }) =>
      `${d.name} is named like a number of sockets, but num_cpus counts vCPUs: ${d.vcpus} vCPUs are ${plural(d.vcpus / d.coresPerSocket, "socket")} of ${d.coresPerSocket}. Set num_cpus = ${d.vcpus * d.coresPerSocket} for ${d.vcpus} sockets, or rename it.`,
  },
  *check({ vm: view }) {
    const name = view.configured?.().vcpusFrom?.find((variable) => SOCKETS.test(variable) && !CORES.test(variable));
    const vcpus = vcpusOf(view);
    const coresPerSocket = coresPerSocketOf(view);
    if (name === undefined || !view.vcpus || coresPerSocket === undefined || coresPerSocket < 2 || vcpus % coresPerSocket !== 0) return;
    yield { messageId: "sockets", data: { name, vcpus, coresPerSocket }, at: view.vcpus.range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "num_cpus counts vCPUs, but gets a number of sockets",
  why: "num_cpus is the number of all vCPUs, and num_cores_per_socket divides them into sockets. Other tools multiply a number of sockets by the cores of each. If you expect that here, the VM is smaller than you meant.",
  whenNot: "When only the name is wrong and the VM has the right size: rename the variable.",
  sources: [TERRAFORM_532, TERRAFORM_PROVIDER],
  bad: [
    {
      title: "Four sockets of two cores were meant",
      terraform: vm("sockets", "num_cpus             = var.sockets\n  num_cores_per_socket = 2"),
    },
  ],
  good: [
    { title: "Multiplied", terraform: vm("sockets", "num_cpus             = var.sockets * 2\n  num_cores_per_socket = 2") },
    { title: "One core per socket: both numbers are the same", terraform: vm("sockets", "num_cpus = var.sockets") },
    { title: "A number of vCPUs", terraform: vm("cpus", "num_cpus             = var.cpus\n  num_cores_per_socket = 2") },
  ],
});
