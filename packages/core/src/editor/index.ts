export type { Completion, Hover, KnownOfVm, Language, Part } from "../parse/language.ts";
export { type Acceptable, type Action, acceptableAt, actionsAt, safeFixes, suppressionsAt } from "./actions.ts";
export { type CheckedText, type CheckOptions, checkText } from "./check.ts";
export { completionsAt } from "./completion.ts";
export { layoutOf, type OpenDocument, settingAt, vmAt } from "./document.ts";
export { hoverAt } from "./hover.ts";
export { type LayoutText, layoutTextOf } from "./layout-text.ts";
export { type Hint, hintsOf, type Lens, lensesOf } from "./lenses.ts";
export { outlineOf } from "./outline.ts";
