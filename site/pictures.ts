import { type HostModel, requireHost } from "@vmlint/core";

/** One VM on one host, to be drawn for the page about the layout. */
export interface PictureOf {
  readonly name: string;
  readonly vmx: string;
  readonly host: HostModel;
}

const lines = (settings: Readonly<Record<string, string | number>>): string =>
  Object.entries(settings)
    .map(([key, value]) => `${key} = "${value}"\n`)
    .join("");

const picture = (name: string, host: string, hardware: number, settings: Readonly<Record<string, string | number>>): PictureOf => ({
  name,
  vmx: lines({ "virtualHW.version": hardware, ...settings }),
  host: requireHost(host),
});

/** The pictures of the site by name. They are drawn at each build, so they match the current rules. */
export const pictures: readonly PictureOf[] = [
  picture("fits-one-node", "2x20x2@8.0", 20, { numvcpus: 16 }),
  picture("wide", "2x20x2@8.0", 20, { numvcpus: 24 }),
  picture("wide-on-5.5", "dl580g7", 10, { numvcpus: 64 }),
  picture("prefer-ht", "dl580g7", 10, { numvcpus: 64, "numa.vcpu.preferHT": "TRUE" }),
  picture("sockets-on-6.0", "4x10x2@6.0", 11, { numvcpus: 32, "cpuid.coresPerSocket": 4 }),
  picture("sockets-on-6.7", "4x10x2@6.7", 14, { numvcpus: 32, "cpuid.coresPerSocket": 4 }),
  picture("whole-sockets", "2x20x2@7.0", 17, { numvcpus: 30, "cpuid.coresPerSocket": 6 }),
  picture("below-nine", "2x6x2@7.0", 17, { numvcpus: 8 }),
  picture("hot-add", "2x20x2@7.0", 17, { numvcpus: 24, "vcpu.hotadd": "TRUE" }),
  picture("stored-size", "4x14x2@7.0", 17, {
    numvcpus: 36,
    "numa.autosize.vcpu.maxPerVirtualNode": 18,
    "numa.autosize.cookie": 360012,
  }),
  picture("sub-numa", "2x18x2/2@7.0", 17, { numvcpus: 10 }),
  picture("pinned", "dl580g7", 10, { numvcpus: 8, "sched.cpu.affinity": "0-7" }),
  picture("consolidate-off", "4x10x2@7.0", 17, { numvcpus: 8, "numa.consolidate": "FALSE" }),
];
