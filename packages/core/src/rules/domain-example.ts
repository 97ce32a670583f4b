import type { HostModel } from "../model/host.ts";

/** 4 cores of 2 threads, numbered as most machines are: CPU 4 is the other thread of core 0. */
export const SIBLINGS: HostModel = {
  name: "1x4x2",
  sockets: 1,
  coresPerSocket: 4,
  threadsPerCore: 2,
  numaNodes: 1,
  linuxCpus: [0, 1, 2, 3, 0, 1, 2, 3].map((core) => ({ core, node: 0 })),
};

/** Returns a domain of libvirt for examples: 8 vCPUs, and the parts between the vCPUs and the end. */
export const domainOf = (parts: string, vcpus = "<vcpu>8</vcpu>"): string =>
  `<domain type='kvm'>\n  <name>vm</name>\n  <memory unit='GiB'>16</memory>\n  ${vcpus}\n${parts
    .split("\n")
    .map((line) => `  ${line}\n`)
    .join("")}</domain>`;

/** Returns pins, the host CPU of each vCPU in order. */
export const pinned = (cpus: readonly number[], more = ""): string =>
  `<cputune>\n${cpus.map((cpu, vcpu) => `  <vcpupin vcpu='${vcpu}' cpuset='${cpu}'/>\n`).join("")}${more}</cputune>`;

/** Returns a CPU with a topology and NUMA cells. */
export const cpuOf = (topology: string, ...cells: readonly string[]): string =>
  [
    "<cpu mode='host-passthrough'>",
    `  <topology ${topology}/>`,
    ...(cells.length > 0 ? ["  <numa>", ...cells.map((cell) => `    <cell ${cell}/>`), "  </numa>"] : []),
    "</cpu>",
  ].join("\n");
