// The names that the command and the extension import, whose start must not reach the library with its processors. No package has this entry.

export { type Declared, EMPTY_CONFIG, findHost, requireHost, targetOf } from "./config/config.ts";
export { BASELINE, CONFIG_KEYS, CONFIG_NAMES, holdsConfig, isIgnoredBy, isNeverEntered, NEVER_ENTERED } from "./config/config-names.ts";
export { extendedIn, globMatcher, isTooWide } from "./config/globs.ts";
export type { FormatEntry, ReadBytes } from "./formats/format.ts";
export { defaultFormat, firstHolding, formatHolding, formats, formatsOf, isAlone, projectsOf, searchedFormatsOf } from "./formats/index.ts";
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
export { hostInWords, hostNameOf } from "./hosts/host-facts.ts";
export { usableVcpus } from "./limits/sql-server.ts";
export { applyEdits } from "./lint/apply-edits.ts";
export { lintedVm } from "./lint/assume.ts";
export { type CheckedFile, checkAcrossVms, meetsOthers } from "./lint/check-across-vms.ts";
export { faultOf } from "./lint/check-vm.ts";
export { docsUrl, isSilent } from "./lint/finding.ts";
export { hostedVms, sameHost } from "./lint/hosted-vms.ts";
export { joinConsequences, joinConsequencesIn } from "./lint/join-consequences.ts";
export { type LintResult, lintParsed } from "./lint/lint.ts";
export { type LintedFile, lintText } from "./lint/lint-project.ts";
export { isNotIn } from "./lint/new-findings.ts";
export type { LintedVm } from "./lint/target.ts";
export { builtinHosts } from "./model/builtin-hosts.ts";
export { messageInCell } from "./model/cell.ts";
export { fixTitle, SEVERITIES } from "./model/diagnostic.ts";
export { VmlintError } from "./model/errors.ts";
export { atLeast, type EsxiVersion, esxi, formatEsxi, parseEsxi } from "./model/esxi.ts";
export { folderOf, joinPath, pathFrom } from "./model/files.ts";
export { coresOf, coresPerNode, invalidHost, shortFormOf, threadsOf } from "./model/host.ts";
export type { ListedHost } from "./model/inventory-host.ts";
export { addTo, getOrInsert, grouped } from "./model/maps.ts";
export { once } from "./model/memoize.ts";
export { hint } from "./model/nearest.ts";
export type { Problem } from "./model/problem.ts";
export { LineIndex } from "./model/source.ts";
export type { Source } from "./model/sources.ts";
export { type Change, type Devices, NO_SETTINGS, type Platform } from "./model/spec.ts";
export type { GuestView } from "./model/topology.ts";
export { dayOf, list, plural } from "./model/words.ts";
export { parseWorkload, WORKLOAD_KINDS } from "./model/workload.ts";
export { isSure } from "./platforms/esxi/certainty.ts";
export { deriveTopology } from "./platforms/esxi/derive.ts";
export { groupText } from "./platforms/esxi/layout.ts";
export { agreesInSockets, type Comparison, compareObserved } from "./platforms/esxi/observed.ts";
export { pinningOf } from "./platforms/esxi/pinning.ts";
export { type Completion, type PossibleTopologies, possibleTopologies, RELEASE_NAMES } from "./platforms/esxi/possible.ts";
export { answerFor, needsHost } from "./platforms/index.ts";
export { type Counts, countBySeverity, fixLine, foundAtLeast } from "./report/counts.ts";
export { worstFirst } from "./report/finding-groups.ts";
export { acrossHosts, compareText } from "./report/host-comparison.ts";
export { hostJson, hostText } from "./report/host-report.ts";
export { lintJson, SCHEMA_VERSION, topologyJson } from "./report/json-report.ts";
export { type LinkTarget, type Paint, type Palette, PLAIN } from "./report/palette.ts";
export { asJson, padded, printable, widthOf } from "./report/printable.ts";
export { quotedLine } from "./report/quoted-line.ts";
export { REPORT_FORMATS, type ReportFormat } from "./report/reporters/formats.ts";
export { summarize, type Tool, withPaths } from "./report/result.ts";
export { textReport } from "./report/text-report.ts";
export { topologyText } from "./report/topology-text.ts";
export { wrapped } from "./report/wrap.ts";
export { isCrossVm } from "./rules/define.ts";
export { rules } from "./rules/index.ts";
export { evidenceOf, pagesOf } from "./rules/page-of.ts";
export { PRESETS, type Preset } from "./rules/preset-names.ts";
export { isIn } from "./rules/presets.ts";
export { isOutOfMemory, NO_MEMORY } from "./syntax/extent.ts";
export { BUGS, REPOSITORY, VERSION } from "./version.ts";
export type { FoundConfig } from "./workspace/configs.ts";
export { type EarlierResult, earlierResult, type Recalled } from "./workspace/earlier-results.ts";
export type { FixedPart, Fixer } from "./workspace/fix-run.ts";
export { inventoryReader } from "./workspace/inventory-reader.ts";
export { type Formats, formatsOfAll, type Run, type RunHost } from "./workspace/run.ts";
export { openRuns, type RunOptions, type Runs } from "./workspace/runs.ts";
export { withoutDerived } from "./workspace/select-files.ts";
export { editorLimit, type Scripts, TooSlow, timeLimit } from "./workspace/time-limit.ts";
export { EMPTY } from "./workspace/unit.ts";
