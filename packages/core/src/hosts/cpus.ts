export { type Cpu, cpus, type FoundCpu, findCpu, keyOf, matchingCpus } from "./cpu.ts";
export type { NodeSetting } from "./cpu-table.ts";
export { type CpuFields, type CpuSettings, type FieldsFromCpu, fieldsFromCpu, type HostFromCpu, hostFromCpu } from "./host-from-cpu.ts";
export { hostOfText, isDump, release, withoutDump } from "./host-of-text.ts";
export { importHost } from "./index.ts";
