import { type Config, findHost, targetOf } from "../config/config.ts";
import { lint, type Target } from "../lint.ts";
import type { VmSpec } from "../model/spec.ts";
import { DISABLE } from "../parse/directive.ts";
import type { Format } from "../parse/format.ts";
import type { Language } from "../parse/language.ts";
import { suppress } from "../suppress/suppress.ts";
import type { OpenDocument } from "./document.ts";

export interface CheckOptions {
  readonly format: Format;
  readonly language?: Language | undefined;
  readonly config: Config;
  /** Of the document, relative to the configuration's folder. */
  readonly path: string;
  /** The host of the editor's own setting, as `--host` takes it; empty: what the configuration says. */
  readonly host: string;
  /** As 2026-12-31. */
  readonly today: string;
}

export interface CheckedText extends OpenDocument {
  /** Why the host of the setting cannot be used. */
  readonly badHost: string | undefined;
}

/** Checks a text as it is in an editor, saved or not; suppressed findings are left out, as on the command line. */
export function checkText(text: string, { format, language, config, path, host: word, today }: CheckOptions): CheckedText {
  const asked = word === "" ? undefined : findHost(word, config);
  const host = asked && "host" in asked ? asked.host : undefined;
  const byConfig = targetOf(config, host);
  // A host that was asked for and does not exist is never replaced by another one.
  const target = (vm: VmSpec): Target => ({ ...byConfig(vm, () => path), ...(asked && !host && { host: undefined }) });
  const result = lint(text, { format, target });
  const { below = [], entries = [] } = config.suppress ?? {};
  const declared = [...below, ...entries].filter(({ inFile }) => inFile(path));
  const comments = text.includes(DISABLE) ? (format.comments?.(text) ?? []) : [];
  const badHost = asked && "reason" in asked ? `${asked.reason}${asked.nearest ? ` Did you mean "${asked.nearest}"?` : ""}` : undefined;
  if (declared.length + comments.length === 0) return { text, result, format, language, badHost };
  const file = { path, text, diagnostics: result.diagnostics, skipped: result.skipped, placed: [], vmCount: result.vms.length };
  const silencers = new Map([[path, { text, comments, declared, vms: result.vms }]]);
  const [shown] = suppress([file], { silencers, configs: [], isWhole: () => false, today, rules: "ours" });
  return { text, result: { ...result, diagnostics: shown?.diagnostics ?? [] }, format, language, badHost };
}
