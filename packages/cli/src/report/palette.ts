import { resolve } from "node:path";
import { type LinkTarget, type Paint, type Palette, PLAIN } from "@vmlint/core/program";

const sgr =
  (open: number, close: number): Paint =>
  (text) =>
    `\u001b[${open}m${text}\u001b[${close}m`;

/** Eight of the terminal's own colours. A library for them asks process.stdout, which is what bin.ts avoids loading. */
const COLOURS: Palette = {
  bold: sgr(1, 22),
  dim: sgr(2, 22),
  underline: sgr(4, 24),
  red: sgr(31, 39),
  green: sgr(32, 39),
  yellow: sgr(33, 39),
  blue: sgr(34, 39),
  cyan: sgr(36, 39),
};

/** The colours of a report, and on a terminal its width and its links. */
export const palette = (coloured: boolean, { width, link }: Pick<Palette, "width" | "link"> = {}): Palette => ({
  ...(coloured ? COLOURS : PLAIN),
  ...(width !== undefined && { width }),
  ...(coloured && link && { link }),
});

/** The variables that tell a terminal with links (OSC 8). Others may print the escape sequence. */
const WITH_LINKS: Readonly<Record<string, RegExp>> = {
  TERM_PROGRAM: /^(?:iTerm\.app|vscode|WezTerm|ghostty|Hyper|Tabby)$/,
  TERM: /kitty|alacritty|ghostty|foot/,
  WT_SESSION: /./,
  KONSOLE_VERSION: /./,
  VTE_VERSION: /^[5-9]\d{3}$/,
};

/** Returns a function that makes links, if the terminal shows them. */
export function linksOf(env: Readonly<Record<string, string | undefined>>, cwd: string): Palette["link"] {
  if (!Object.entries(WITH_LINKS).some(([name, known]) => known.test(env[name] ?? ""))) return undefined;
  const addressOf = (to: LinkTarget): string => ("url" in to ? to.url : fileUrl(resolve(cwd, to.path)));
  return (text, to) => `\u001b]8;;${addressOf(to)}\u001b\\${text}\u001b]8;;\u001b\\`;
}

/** A URL has no control character, which would end the link. */
const fileUrl = (path: string): string =>
  `file://${encodeURI(path.replaceAll("\\", "/").replace(/^(?!\/)/, "/"))
    .replaceAll("#", "%23")
    .replaceAll("?", "%3F")}`;
