import type { HostModel, SettingName, Topology, Workload } from "@vmlint/core";

type Fields = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** `{ int: "a b" }` as `{ a: "int", b: "int" }`. */
const byName = (namesByType: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(namesByType).flatMap(([type, names]) => names.split(" ").map((name) => [name, type])));

const ESXI = byName({ int: "major minor update" });

/** The settings that expressions of YAML rules can use, with their types in CEL. */
export const SETTING_TYPES = byName({
  int:
    "vcpus coresPerNumaNode threadsPerCore memoryMiB hardwareVersion cpuReservationMHz memoryReservationMiB vnumaMinVcpus maxVcpusPerVnumaNode " +
    "maxVcpusPerPhysicalNode maxVcpusPerClient storedNodeSize storedCookie maxVcpusByHotAdd balloonLimitMiB",
  'int or "auto"': "coresPerSocket",
  'int or "unlimited"': "cpuLimitMHz memoryLimitMiB",
  bool:
    "cpuHotAdd memoryHotAdd cpuReservationLocked memoryReservationLocked preferHt followCoresPerSocket numaConsolidate numaAutosize " +
    "numaAutosizeOnce exposeVnumaOnHotAdd numaFixedAutoAffinity hugePages memoryTiering consolidateCaches",
  string: "guestOs latencySensitivity cpuShares memoryShares hyperthreadSharing mmuVirtualization cpuVirtualization",
  "list<int>": "numaNodeAffinity",
  'list<int> or "all"': "cpuAffinity memoryAffinity",
}) as Readonly<Record<SettingName, string>>;

/** The facts besides the settings, each by the name of its need. */
export const FACT_TYPES = {
  host: {
    ...byName({
      string: "name cpu powerPolicy source",
      int: "sockets coresPerSocket threadsPerCore numaNodes coresPerL3",
      double: "memoryGiB nvmeTierGiB mhz",
      bool: "unevenMemory preferHt followCoresPerSocket hyperthreadingOff",
      "list<string>": "assumed",
      "list<list<int>>": "pcpusOfNode",
    }),
    esxi: ESXI,
  } as Fields satisfies Partial<Record<keyof HostModel, unknown>>,
  topology: {
    ...byName({
      int: "vcpus sockets coresPerSocket threadsPerCore nodeCapacity usableVcpus guestUsableVcpus",
      "list<int>": "vnumaNodes numaClients nodeAffinity",
      bool: "numaManaged",
      string: "certainty",
    }),
    esxi: ESXI,
    pinning: byName({ int: "pcpus cores siblingPairs", "list<int>": "numbers perNode outOfRange" }),
    certainties: byName({ string: "sockets vnumaNodes numaClients placement" }),
  } as Fields satisfies Partial<Record<keyof Topology, unknown>>,
  workload: byName({
    string: "kind edition version licensing profile environment",
    int: "update maxdop costThreshold concurrency",
    bool: "faultTolerance",
    "list<string>": "data log",
  }) as Fields satisfies Partial<Record<keyof Workload, unknown>>,
};
