export { type Config, type Declared, EMPTY_CONFIG, findHost, requireHost, severitiesIn, targetOf } from "./config/config.ts";
export { BASELINE, CONFIG_NAMES, holdsConfig, isIgnoredBy, isNeverEntered, NEVER_ENTERED } from "./config/names.ts";
export type { Certainties } from "./esxi/certainty.ts";
export { deriveTopology, type Topology, type TopologyResult } from "./esxi/derive.ts";
export type { Candidate, Certainty, Fact, Reason } from "./esxi/layout.ts";
export { type Compared, compareObserved } from "./esxi/observed.ts";
export { type Pinning, pinningOf } from "./esxi/pinning.ts";
export {
  type Case,
  type Completion,
  type PossibleResult,
  type PossibleTopologies,
  possibleTopologies,
} from "./esxi/possible.ts";
export { type AppliedFixes, applyFixes, type Chosen, type FixOptions } from "./fix/apply.ts";
export { DISABLE } from "./formats/directive.ts";
export { type Format, type FormatEntry, isProject, type ReadBytes } from "./formats/format.ts";
export { defaultFormat, formatHolding, formats, formatsOf, isAlone, isTemplate, projectsOf } from "./formats/index.ts";
export {
  NOTHING_GIVEN,
  type ParsedProject,
  type ProjectInputs,
  type Reading,
  type VariableOption,
  type WithoutVm,
} from "./formats/project.ts";
export { STARTER } from "./formats/spec/starter.ts";
export { type Dictionary, type Entry, entryValue, type Key, keyOf } from "./formats/vmx/dictionary.ts";
export { type Decode, decodeVmx } from "./formats/vmx/encoding.ts";
export { readDictionary } from "./formats/vmx/scan.ts";
export { parseVmx } from "./formats/vmx/vmx.ts";
export type { ImportedHost } from "./hosts/combine.ts";
export { usableVcpus } from "./limits/sql-server.ts";
export { applyEdits } from "./lint/apply-edits.ts";
export { lintedVm } from "./lint/assume.ts";
export { type CheckedFile, checkAcrossVms } from "./lint/check-across-vms.ts";
export { docsUrl, isSilent } from "./lint/finding.ts";
export { type HostedVm, hostedVms, sameHost } from "./lint/hosted-vms.ts";
export { type LintOptions, type LintResult, lintParsed, lintText, type Withheld } from "./lint/lint.ts";
export type { LintedVm, Severities, Target } from "./lint/target.ts";
export {
  type Diagnostic,
  type Evidence,
  type Fix,
  type Related,
  SEVERITIES,
  type Severity,
  type Skip,
  type SkipReason,
  type Suppressed,
} from "./model/diagnostic.ts";
export { type ErrorCode, VmlintError } from "./model/errors.ts";
export { atLeast, type EsxiVersion, esxi, formatEsxi, parseEsxi } from "./model/esxi.ts";
export { type FileContext, type Files, folderOf } from "./model/files.ts";
export { coresOf, coresPerNode, type HostModel, invalidHost, isCountedProcessors, shortFormOf, threadsOf } from "./model/host.ts";
export { builtinHosts } from "./model/hosts.ts";
export { once } from "./model/memoize.ts";
export { nearest } from "./model/nearest.ts";
export type { Parsed } from "./model/parsed.ts";
export type { Problem } from "./model/problem.ts";
export type { TextEdit } from "./model/source.ts";
export { LineIndex, type Located, type Position, type Range, type Setting } from "./model/source.ts";
export type { Source } from "./model/sources.ts";
export type {
  Change,
  Devices,
  Disk,
  Nic,
  OtherController,
  Platform,
  ScsiController,
  ScsiType,
  SettingName,
  SettingTypes,
  VmSpec,
} from "./model/spec.ts";
export { dayOf, list, plural } from "./model/words.ts";
export { parseWorkload, WORKLOAD_KINDS, type Workload } from "./model/workload.ts";
export { type Counts, countBySeverity, foundAtLeast } from "./report/counts.ts";
export { hostJson, hostText } from "./report/host.ts";
export { acrossHosts, compareText } from "./report/host-comparison.ts";
export { lintJson, SCHEMA_VERSION, topologyJson } from "./report/json.ts";
export { type Paint, type Palette, PLAIN } from "./report/palette.ts";
export { REPORT_FORMATS, type ReportFormat } from "./report/reporters/formats.ts";
export { type FileResult, type FileSet, type LintedFile, type Shard, summarize, type Tool } from "./report/result.ts";
export { printable, textReport } from "./report/text.ts";
export { topologyText } from "./report/topology-text.ts";
export { defineRule, isCrossVm, type Rule } from "./rules/define.ts";
export { rules } from "./rules/index.ts";
export { PRESETS, type Preset } from "./rules/preset-names.ts";
export { isIn } from "./rules/presets.ts";
export { BUGS, VERSION } from "./version.ts";
export { checkProject, type FolderTarget, silencersOf, targetInProject, targetsIn } from "./workspace/check-file.ts";
export { type LintTextOptions, type LintTextResult, lint } from "./workspace/lint-text.ts";
export {
  type LintVmOptions,
  type LintVmResult,
  lintVm,
  type PlainVm,
  type Unknown,
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
