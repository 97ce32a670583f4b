import type { Config, HostModel } from "@vmlint/core";
import { type SizeRequest, size, sizeJson, sizeText } from "@vmlint/core/size";
import { json, TOOL, usage, wholeNumber } from "../args/command-output.ts";
import { type Flags, workloadOf } from "../args/options.ts";
import type { Io } from "../io.ts";
import { configFinder } from "../run/disk-workspace.ts";
import { hostFinder, tellAssumptions } from "../run/host-finder.ts";

/** Returns the output of `vmlint size` for a number of vCPUs and the options. */
export async function sizeReport(vcpus: number, flags: Flags, io: Io): Promise<string> {
  const { config } = await configFinder(io.cwd, { config: flags.config, plugins: flags.plugins?.rules })(io.cwd);
  const names = flags.host === undefined ? hostsOf(config) : [flags.host].flat();
  const hosts = await Promise.all(names.map((name) => hostFinder(name, io)(config)));
  const printed = new Set<HostModel>();
  for (const host of hosts) tellAssumptions(host, printed, io);
  const sizing = size(requestOf(vcpus, flags), hosts);
  if (flags.format === "text") return sizeText(sizing, io.palette);
  return json(sizeJson(sizing, TOOL));
}

/** Returns the host of a configuration and all hosts of its clusters. */
const hostsOf = ({ host, clusters }: Config): readonly string[] =>
  host === undefined ? [] : [...new Set([host, ...[...clusters.values()].filter((hosts) => hosts.includes(host)).flat()])];

function requestOf(vcpus: number, flags: Flags): SizeRequest {
  const workload = workloadOf(flags);
  const hardware = flags["hardware-version"];
  return {
    vcpus,
    ...(flags.memory !== undefined && { memoryMiB: memoryMiB(flags.memory) }),
    ...(workload && { workload }),
    ...(hardware !== undefined && { hardwareVersion: wholeNumber("--hardware-version", hardware.replace(/^vmx-/, "")) }),
    ...(flags.range !== undefined && { range: rangeOf(flags.range) }),
  };
}

const MIB: Readonly<Record<string, number>> = { m: 1, g: 1024, t: 1024 * 1024 };

/** `300GiB`, `300 GB`, `307200M`: GB means GiB, as everywhere in vSphere. */
function memoryMiB(text: string): number {
  const [, amount = "", unit = ""] = /^(\d+(?:\.\d+)?)\s*([mgt])i?b?$/i.exec(text.trim()) ?? [];
  const mib = Number(amount) * (MIB[unit.toLowerCase()] ?? 0);
  if (!Number.isInteger(mib) || mib === 0) throw usage(`--memory takes an amount with its unit, such as 300GiB or 512MiB, not "${text}".`);
  return mib;
}

function rangeOf(text: string): readonly [number, number] {
  const match = /^(\d+)-(\d+)$/.exec(text);
  if (!match) throw usage(`--range takes two vCPU counts, such as 16-32, not "${text}".`);
  return [Number(match[1]), Number(match[2])];
}
