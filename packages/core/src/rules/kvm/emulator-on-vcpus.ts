import { LIBVIRT_FORMAT } from "../../model/sources.ts";
import { numberRuns } from "../../model/words.ts";
import { builtinRule, type PageOf } from "../define.ts";
import { domainOf, pinned } from "../domain-example.ts";

const FOUR = "<vcpu>4</vcpu>";
const emulator = (cpus: string): string => `  <emulatorpin cpuset='${cpus}'/>\n`;
const IO_THREAD = "  <iothreadpin iothread='1' cpuset='7'/>\n";

export const rule = builtinRule({
  id: "kvm/emulator-on-vcpus",
  severity: "info",
  for: ["kvm"],
  on: ["kvm"],
  messages: {
    shared: (d: { cpus: readonly number[] }) =>
      `The emulator threads share ${d.cpus.length === 1 ? "CPU" : "CPUs"} ${numberRuns(d.cpus, ", ")} with pinned vCPUs. Pin them to CPUs without vCPUs.`,
    ioThreads: (d: { threads: readonly number[]; cpus: readonly number[] }) => {
      const [isOne, isSingle] = [d.threads.length === 1, d.cpus.length === 1];
      return `I/O thread${isOne ? "" : "s"} ${numberRuns(d.threads, ", ")} ${isOne ? "shares" : "share"} ${isSingle ? "CPU" : "CPUs"} ${numberRuns(d.cpus, ", ")} with pinned vCPUs. Pin ${isOne ? "it" : "them"} to CPUs without vCPUs.`;
    },
  },
  *check({ vm: { kvm } }) {
    const { machine, pins, refused } = kvm ?? {};
    if (!machine || !pins || refused) return;
    const taken = new Set(machine.present.flatMap((vcpu) => pins.vcpus.get(vcpu)?.value ?? []));
    const shared = (cpus: readonly number[]): readonly number[] => cpus.filter((cpu) => taken.has(cpu));
    const cpus = shared(pins.emulator?.value ?? []);
    if (pins.emulator && cpus.length > 0) yield { messageId: "shared", data: { cpus }, at: pins.emulator.range };
    const threads = [...(pins.ioThreads ?? [])].filter(([, { value }]) => shared(value).length > 0);
    const [first] = threads;
    if (!first) return;
    const ofThreads = [...new Set(threads.flatMap(([, { value }]) => shared(value)))].sort((a, b) => a - b);
    yield { messageId: "ioThreads", data: { threads: threads.map(([id]) => id), cpus: ofThreads }, at: first[1].range };
  },
});

export const page = (): PageOf<typeof rule> => ({
  summary: "Emulator or I/O threads share CPUs with pinned vCPUs",
  why: "The emulator threads of QEMU serve devices and the console, and I/O threads serve disks. On the CPU of a pinned vCPU they interrupt it, and the vCPU can run nowhere else meanwhile.",
  whenNot: "When the VM needs every CPU more than a steady latency, or its devices are passed through and the emulator is idle.",
  sources: [LIBVIRT_FORMAT],
  bad: [
    { title: "Both on CPU 4", xml: domainOf(pinned([4, 5, 6, 7], emulator("0,4")), FOUR), expect: "shared" },
    {
      title: "An I/O thread on CPU 7",
      xml: domainOf(pinned([4, 5, 6, 7], IO_THREAD), `${FOUR}\n  <iothreads>1</iothreads>`),
      expect: "ioThreads",
    },
  ],
  good: [{ title: "CPUs of their own", xml: domainOf(pinned([4, 5, 6, 7], emulator("0-1")), FOUR) }],
});
