import type { Severity } from "../../../model/diagnostic.ts";
import { wordOf } from "../../counts.ts";
import { escapeXml } from "../../picture/text.ts";

/** A severity in its colour. */
export const badge = (severity: Severity): string => `<span class="badge ${severity}">${wordOf(severity)}</span>`;

/** A link that tells its target nothing of the page. */
export const link = (text: string, url: string): string =>
  url === "" ? escapeXml(text) : `<a href="${escapeXml(url)}" rel="noreferrer">${escapeXml(text)}</a>`;
