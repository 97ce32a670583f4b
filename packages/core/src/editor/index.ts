export { type Baseline, openBaseline } from "../baseline/baseline.ts";
export {
  type Completion,
  type Hover,
  type KnownOfVm,
  type Language,
  type OutlinePart,
  TOKEN_KINDS,
  type Token,
} from "../syntax/language.ts";
export { type FoundConfig, UnusableConfig } from "../workspace/configs.ts";
export type { TextToCheck } from "../workspace/documents.ts";
export type { ConfigOfFolder, EditorHost, SlowFiles } from "../workspace/host.ts";
export { type Acceptable, type Action, acceptableAt, actionsAt, safeFixes, suppressionsAt } from "./actions.ts";
export { type CheckedText, type CheckOptions, type CheckSettings, checkText } from "./check-text.ts";
export { bugSentence, type CheckResult, Checks } from "./checks.ts";
export { completionsAt } from "./completion.ts";
export { type ConfigText, ConfigTexts } from "./config-texts.ts";
export { layoutOf, namesIn, type OpenDocument, type Place, type Row, settingAt, vmAt } from "./document.ts";
export { hoverAt, type LinkTo } from "./hover.ts";
export { guestTextOf, type LayoutText, layoutTextOf } from "./layout-text.ts";
export { type Hint, hintsOf, type Lens, layoutLine, lensesOf } from "./lenses.ts";
export { type FileFindings, OtherFileFindings } from "./other-file-findings.ts";
export { outlineOf } from "./outline.ts";
export { type Span, spansIn } from "./spans.ts";
