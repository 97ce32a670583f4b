import type { Severity } from "../../../model/diagnostic.ts";
import { escapeXml } from "../../picture/svg-text.ts";

export const badge = (severity: Severity): string => `<span class="badge ${severity}">${severity}</span>`;

/** Returns a link that sends no referrer. */
export const link = (text: string, url: string): string =>
  url === "" ? escapeXml(text) : `<a href="${escapeXml(url)}" rel="noreferrer">${escapeXml(text)}</a>`;
