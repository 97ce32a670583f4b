import { type Source, SPEC_CPU2017, SQL_CAPACITY, VTOPO80 } from "../model/sources.ts";

const source = (key: string, title: string, url?: string): Source => ({ key, title, ...(url && { url }) });

/** The sources of a row's cores, threads, MHz, sockets and L3 groups, by the letter in its last column. */
export const FIGURE_SOURCES: Readonly<Record<string, Source>> = {
  a: source("intel-ark", "Intel ARK product pages, as collected in JosuaCarl/cpu-spec-dataset (February 2025)", "https://github.com/JosuaCarl/cpu-spec-dataset/blob/edf12ad/dataset/intel-cpus.csv"),
  m: source("amd-specifications", "AMD processor specifications, as exported in felixsteinke/cpu-spec-dataset (July 2023)", "https://github.com/felixsteinke/cpu-spec-dataset/blob/4c08d88/dataset/amd-cpus.csv"),
  s: SPEC_CPU2017,
  q: source("quattor-hardware", "quattor/template-library-standard, hardware/cpu (February 2025)", "https://github.com/quattor/template-library-standard/tree/6fa9032/hardware/cpu"),
  b: VTOPO80,
};

/** The sources of the nodes per socket. */
export const MODE_SOURCES: readonly Source[] = [
  source("dell-haswell-snoop", "Dell, Haswell snoop modes in HPC: Cluster on Die needs a processor of 10 cores or more", "https://manuzoid.com/manuals/qegdj-Dell%20High%20Performance%20Computing%20Solution%20Resources%20Owner's%20manual"),
  source("fujitsu-bdw-settings", "Fujitsu, SPEC CPU 2017 platform settings for Broadwell: Cluster on Die", "https://spec.org/cpu2017/flags/Fujitsu-Platform-Settings-V1.2-BDW-RevD.html"),
  source("anandtech-xeon-e5-v4", "AnandTech, The Intel Xeon E5 v4 Review (2016), page 2: the 10-core die has one dual ring, both larger dies have two", "https://www.anandtech.com/show/10158/the-intel-xeon-e5-v4-review/2"),
  source("gigabyte-purley-settings", "GIGA-BYTE, SPEC CPU 2017 platform settings for Intel Purley: SNC Enable is two clusters, off by default", "https://spec.org/cpu2017/flags/GIGA-BYTE-Platform-SPECcpu2017-Flags-V1.0-Intel-Purley.html"),
  source("oci-ice-lake-numa", "Oracle Cloud, bare-metal Ice Lake platform configuration: one or two NUMA nodes per socket", "https://docs.oracle.com/en-us/iaas/tools/dotnet/latest/api/Oci.CoreService.Models.IntelIcelakeBmPlatformConfig.html"),
  source("cisco-m7-bios", "Cisco, BIOS settings of UCS M7 servers: SNC2 and SNC4, none below 12 cores, off by default", "https://www.cisco.com/c/en/us/products/collateral/servers-unified-computing/ucs-b-series-blade-servers/ucs-m7-platforms-wp.html"),
  source("wikipedia-sapphire-rapids", "Wikipedia, Sapphire Rapids: one die (MCC) with few cores, four tiles (XCC) with many", "https://en.wikipedia.org/wiki/Sapphire_Rapids"),
  source("servethehome-sapphire-rapids", "ServeTheHome, 4th Gen Intel Xeon Scalable Sapphire Rapids Leaps Forward: one DSA in each of the four tiles, one in a single die", "https://www.servethehome.com/4th-gen-intel-xeon-scalable-sapphire-rapids-leaps-forward/5/"),
  source("amd-comparison-8592v", "System configuration of a published GPU comparison by AMD: 2 x Xeon Platinum 8592V, 2 NUMA nodes per socket"),
  source("phoronix-6980p-snc3", "Phoronix, Intel Xeon 6980P SNC3 vs. HEX: SNC3 is the default of the Xeon 6900P", "https://phoronix.com/review/xeon-6980p-snc3-hex"),
  source("cisco-m8-bios", "Cisco, BIOS settings of UCS M8 servers with Xeon 6: two-way sub-NUMA clustering"),
  source("granite-rapids-dies", "Intel launches 8-channel Granite Rapids: two compute dies up to 86 cores, one up to 48", "https://news24usp.com/hardware-releases/intel-launches-8-channel-granite-rapids-as-xeon-6-6700-6500"),
  source("dell-naples-numa", "Dell EMC, NUMA Configuration for AMD EPYC (Naples): four dies, at most four NUMA nodes per socket"),
  source("dell-r6525-nps", "Dell EMC PowerEdge R6525 manual, table 41: NPS options by dies, core complexes and cores", "https://manualshive.com/en/manual/dell-emc/poweredge-r6525/2468301?page=72"),
  source("dell-r6515-nps", "Dell EMC PowerEdge R6515 manual, table 15: 7543P, 7443P and 7313P support NPS 4, 2 and 1; the default is 1", "https://www.manualshelf.com/manual/dell/poweredge-r6515/4-3-2-1-owners-manual-german/page-52.html"),
  source("chips-and-cheese-nps", "Chips and Cheese, Evaluating Uniform Memory Access: NPS on two EPYC 9575F"),
  SQL_CAPACITY,
];
