import type { Certainty } from "../../model/topology.ts";
import { MEDIUM, NARROW, totalWidth, WIDE } from "./sheet.ts";

/**
 * Colours by role, for light and dark. Text on `paper`, `socket` and `c0` to `c7` has a contrast of at least 4.5:1, meaningful lines and
 * fills at least 3:1 (WCAG 2.2, 1.4.3 and 1.4.11); tests compute it. Clients also differ by label.
 */
const COLOURS: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  paper: ["#ffffff", "#11161d"],
  socket: ["#f3f5f8", "#1a212b"],
  ink: ["#1b2330", "#e8edf4"],
  dim: ["#4f5a6b", "#aab4c3"],
  line: ["#828c9c", "#75818f"],
  idle: ["#e4e8ee", "#2a3441"],
  off: ["#cfd4dc", "#404b59"],
  on: ["#ffffff", "#11161d"],
  flaw: ["#b00020", "#ff8080"],
  c0: ["#1f5fbf", "#7fb0ff"],
  c1: ["#b5480b", "#ff9d5c"],
  c2: ["#0b7a5b", "#4fd1a5"],
  c3: ["#7b3fb8", "#c79bff"],
  c4: ["#7d6200", "#e0c04f"],
  c5: ["#b3246b", "#ff8bbd"],
  c6: ["#23708c", "#6fcdea"],
  c7: ["#7a4a2b", "#d8ae90"],
};

/** The number of clients with a colour of their own; later clients share one colour with stripes. */
export const HUES = 8;

/** The dashes of the frame around the doubts about a layout. */
const FRAMES: Readonly<Record<Exclude<Certainty, "documented">, string>> = { derived: "5 3", possible: "3 3", unknown: "1.5 2.5" };

const SIZES = [11, 12, 13, 14, 18];

const palette = (which: 0 | 1): string =>
  Object.entries(COLOURS)
    .map(([name, pair]) => `--${name}:${pair[which]}`)
    .join(";");

/** The elements of a picture that its style sheet is for, and a prefix for the ids of its patterns. */
export interface StyleScope {
  readonly selector: string;
  readonly prefix: string;
}

/** Returns the style sheet and the patterns of pictures. */
export function style({ selector, prefix }: StyleScope, scheme: Scheme): string {
  const rules = [
    `{${palette(scheme === "dark" ? 1 : 0)}}`,
    ` .t{font-family:system-ui,"Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif;fill:var(--ink);white-space:pre}`,
    ...SIZES.map((size) => ` .t${size}{font-size:${size}px}`),
    " .b{font-weight:600}",
    " .d{fill:var(--dim)}",
    " .n,#ID .n-off{text-anchor:middle;fill:var(--on)}",
    " .n-off{fill:var(--ink)}",
    " .paper{fill:var(--paper)}",
    " .socket{fill:var(--socket);stroke:var(--line)}",
    " .node{fill:var(--paper);stroke:var(--line)}",
    " .solid,#ID .dashed{fill:none;stroke:var(--line)}",
    " .dashed{stroke-dasharray:2 2}",
    ...Object.entries(FRAMES).map(([certainty, dashes]) => ` .${certainty}{fill:none;stroke:var(--ink);stroke-dasharray:${dashes}}`),
    " .core,#ID .halves{fill:none;stroke:var(--line)}",
    " .idle{fill:var(--idle)}",
    " .flawed{fill:var(--paper);stroke:var(--flaw);stroke-width:2.5}",
    " .wrong{fill:none;stroke:var(--flaw);stroke-width:2.5}",
    " .sign,#ID .disc{fill:var(--flaw)}",
    " .f{fill:var(--flaw)}",
    ...Array.from({ length: HUES }, (_, i) => ` .c${i}{fill:var(--c${i})}`),
    ...Array.from({ length: HUES }, (_, i) => ` .o${i}{stroke:var(--c${i});stroke-width:1.5}`),
    " .tint{fill-opacity:.22}",
    " .off{fill:var(--off)}",
    " .wait{fill-opacity:.22;stroke:var(--dim);stroke-width:.8}",
    ...PATTERNS.map(([name]) => ` .${name}{fill:url(#ID-${name})}`),
    " .mark{fill:none}",
    " .on{stroke:var(--on);stroke-width:1.6}",
    " .over{stroke:var(--dim);stroke-width:.9}",
  ];
  const scoped = (css: string) => css.replaceAll("#ID-", `#${prefix}-`).replaceAll("#ID", selector);
  const dark = scheme === "auto" ? `\n@media (prefers-color-scheme:dark){#ID{${palette(1)}}}` : "";
  const patterns = PATTERNS.map(
    ([name, marks, ink]) =>
      `<pattern id="${prefix}-${name}" width="6" height="6" patternUnits="userSpaceOnUse"><path class="mark ${ink}" d="${marks}"/></pattern>`,
  );
  return `<style>\n${scoped(rules.map((rule) => `#ID${rule}`).join("\n") + dark)}\n</style><defs>${patterns.join("")}</defs>`;
}

/** Returns the style sheet that shows the widest drawing whose natural width fits. */
export const roomStyle = ({ selector }: StyleScope): string => `<style>
${selector}{container-type:inline-size}
${selector} svg{display:block;width:100%;height:auto}
${selector} .styles{position:absolute}
${selector} .wide{max-width:${totalWidth(WIDE)}px}
${selector} .medium{max-width:${totalWidth(MEDIUM)}px;display:none}
${selector} .narrow{min-width:${totalWidth(NARROW)}px;max-width:22rem;display:none}
@container (max-width:${totalWidth(WIDE) - 0.02}px){${selector} .wide{display:none}${selector} .medium{display:block}}
@container (max-width:${totalWidth(MEDIUM) - 0.02}px){${selector} .medium{display:none}${selector} .narrow{display:block}}
</style>`;

/** The colours of a picture: `auto` follows the system of the reader. */
export type Scheme = "light" | "dark" | "auto";

/** The overlays of cells: name, strokes in a tile of 6 x 6, and the colour of the strokes. */
const PATTERNS: readonly (readonly [name: string, marks: string, ink: string])[] = [
  ["stripe", "M0 3h6", "on"],
  ["pin", "M3 1.5v3M1.5 3h3", "on"],
  ["sql", "M-1 7l8-8M-1 1l2-2M5 7l2-2", "over"],
  ["guest", "M-1 7l8-8M-1 1l2-2M5 7l2-2M-1-1l8 8", "over"],
];
