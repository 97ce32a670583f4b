/** The packages that `npm install @vmlint/core` installs. */
export const BROUGHT = [
  "@huggingface/jinja",
  "@noble/hashes",
  "balanced-match",
  "brace-expansion",
  "fflate",
  "leven",
  "saxes",
  "xmlchars",
  "yaml",
  "zod",
];
