import { atLeast, type EsxiVersion, esxi, formatEsxi } from "../model/esxi.ts";
import { MEMORY_TIERING_91, MEMORY_TIERING_BLOG_91, type Source } from "../model/sources.ts";
import { NEWEST_RELEASE, newestHardware } from "./hardware.ts";

/** A release after the newest one whose virtual hardware is documented, with the parts that its documentation describes. */
interface LaterRelease {
  readonly release: EsxiVersion;
  readonly describes: string;
  readonly source: Source | null;
}

/** Their pages of virtual NUMA were not found, so the layout of a VM is derived from NEWEST_RELEASE. */
const LATER: readonly LaterRelease[] = [{ release: esxi(9, 1), describes: "memory tiering", source: MEMORY_TIERING_91 }];

/**
 * From the first release on, a host can have an NVMe tier. It starts no VM that must stay in DRAM; the second one keeps the memory of such a
 * VM there (MEMORY_TIERING_91, MEMORY_TIERING_BLOG_91).
 */
export const MEMORY_TIERS = { since: esxi(9, 0), keepsInDram: esxi(9, 1), source: MEMORY_TIERING_BLOG_91 } as const;

/** Above both figures together, a VM may be slower on an NVMe tier: tiering off and a full reservation are advised (MEMORY_TIERING_91). */
export const LARGE_TIERED_VM = { memoryGiB: 512, vcpus: 64 } as const;

/** The first release that may start a VM with exclusive cores next to ordinary VMs: KB_430776 promises it for "an upcoming vSphere 9.x release". */
export const PLACES_LATENCY_SENSITIVE: EsxiVersion = esxi(9, 1);

const isSame = (a: EsxiVersion, b: EsxiVersion): boolean => a.major === b.major && a.minor === b.minor;

/** Returns what sources describe of a release or a hardware version without documented virtual NUMA; `undefined` for all others. */
export function beyondSources(release: EsxiVersion, hardware = 0): (Pick<LaterRelease, "source"> & { readonly text: string }) | undefined {
  const isLater = atLeast(release, NEWEST_RELEASE) && !isSame(release, NEWEST_RELEASE);
  if (!isLater && hardware <= newestHardware(NEWEST_RELEASE)) return undefined;
  const known = LATER.find((one) => isSame(one.release, release));
  const name = formatEsxi(NEWEST_RELEASE);
  if (known)
    return {
      text: `of ESXi ${formatEsxi(known.release)} sources describe ${known.describes}, not virtual NUMA: vmlint takes the layout of ${name}`,
      source: known.source,
    };
  return {
    text: `no source describes ${isLater ? "this release" : "this hardware version"}: vmlint takes the layout of ${name}`,
    source: null,
  };
}
