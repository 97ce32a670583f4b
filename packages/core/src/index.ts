export { type Config, requireHost } from "./config/config.ts";
export type { Format } from "./formats/format.ts";
export type { PlainVm } from "./formats/plain.ts";
export type { Unknown } from "./formats/plain-devices.ts";
export { decodeVmx } from "./formats/vmx/encoding.ts";
export { applyEdits } from "./lint/apply-edits.ts";
export type { Target } from "./lint/target.ts";
export { builtinHosts } from "./model/builtin-hosts.ts";
export {
  type Diagnostic,
  type Evidence,
  type Fix,
  type Related,
  SEVERITIES,
  type Severity,
  type Skip,
  type Suppressed,
} from "./model/diagnostic.ts";
export { type ErrorCode, VmlintError } from "./model/errors.ts";
export type { Files } from "./model/files.ts";
export type { HostModel } from "./model/host.ts";
export { LineIndex, type Range, type Setting, type TextEdit } from "./model/source.ts";
export type { SettingName, SettingTypes, VmSpec } from "./model/spec.ts";
export type { Certainty } from "./model/topology.ts";
export { WORKLOAD_KINDS, type Workload } from "./model/workload.ts";
export { deriveTopology, type Topology, type TopologyResult } from "./platforms/esxi/derive.ts";
export { lintJson, topologyJson } from "./report/json-report.ts";
export type { FileResult } from "./report/result.ts";
export { textReport } from "./report/text-report.ts";
export { topologyText } from "./report/topology-text.ts";
export { defineRule, type Rule } from "./rules/define.ts";
export { rules } from "./rules/index.ts";
export { VERSION } from "./version.ts";
export { lintResource } from "./workspace/lint-resource.ts";
export { type LintTextOptions, type LintTextResult, lint } from "./workspace/lint-text.ts";
export {
  type LintVmOptions,
  type LintVmResult,
  lintVm,
  type VmFinding,
  type VmFix,
} from "./workspace/lint-vm.ts";
export {
  type CheckedWorkspace,
  type FixedWorkspace,
  openWorkspace,
  type PlacedFinding,
  type Workspace,
  type WorkspaceLayout,
  type WorkspaceOptions,
  type WorkspaceVm,
} from "./workspace/workspace.ts";
