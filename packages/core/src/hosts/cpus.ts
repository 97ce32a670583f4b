export { type Cpu, cpus, type FoundCpu, findCpu, keyOf, matchingCpus, type NodeSetting } from "./cpu.ts";
export { type CpuFields, type CpuSettings, type FieldsFromCpu, fieldsFromCpu, type HostFromCpu, hostFromCpu } from "./host-from-cpu.ts";
