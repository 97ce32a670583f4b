import { atLeast, type EsxiVersion, esxi } from "../model/esxi.ts";

/**
 * The most vCPUs that Fault Tolerance protects: one in 4.1 ("must not have multiple vCPUs", Turn On Fault Tolerance), 4 in 6.0, the
 * first that takes more than one ("Fault Tolerance Performance in vSphere 6"), 8 in 6.7 and 8.0 ("Fault Tolerance Requirements, Limits,
 * and Licensing", Enterprise Plus). No page of 6.5 was read: it gets the figure that no release goes beyond.
 */
export function mostFtVcpus(release: EsxiVersion | undefined): number {
  if (release && !atLeast(release, esxi(6, 0))) return 1;
  return release && isFirstSmp(release) ? 4 : 8;
}

/** Whether a page about the release was read. */
export const knowsFtVcpus = (release: EsxiVersion): boolean => !atLeast(release, esxi(6, 5)) || atLeast(release, esxi(6, 7));

/**
 * GiB that it protects; `undefined` for releases without a source: 64 in 6.0 (the same paper), and 128 on the hosts of a provider that ran
 * 7.0 and 8.0 when it published the figure (secondary).
 */
export function mostFtGiB(release: EsxiVersion): number | undefined {
  if (isFirstSmp(release)) return 64;
  return atLeast(release, esxi(7, 0)) && !atLeast(release, esxi(9, 0)) ? 128 : undefined;
}

/** vSphere 6.0, the first whose Fault Tolerance takes several vCPUs. */
const isFirstSmp = (release: EsxiVersion): boolean => atLeast(release, esxi(6, 0)) && !atLeast(release, esxi(6, 5));
