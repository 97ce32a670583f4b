/** Repeats a sign over the terminal columns of a text. */
export const inColumns = (text: string, sign: string): string =>
  ASCII.test(text) ? sign.repeat(text.length) : [...text].map((character) => sign.repeat(columnsOf(character))).join("");

/** Pads a text with blanks to a number of columns. */
export const padded = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - widthOf(text)));

/** Returns the number of terminal columns of a text. */
export const widthOf = (text: string): number => inColumns(text, " ").length;

const ASCII = /^[\x20-\x7e]*$/;

/**
 * Returns two for wide characters (Unicode UAX #11: the blocks that are wide as a whole, and emoji), and zero for combining marks and for
 * the vowels and final consonants of Hangul. The expressions are inline because Node needs a third of a millisecond to compile such
 * properties, which would slow each start.
 */
function columnsOf(character: string): number {
  if (/[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7ff\u200b-\u200f\ufeff]/u.test(character)) return 0;
  const isWide =
    /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{17000}-\u{18cff}\u{20000}-\u{3fffd}]/u;
  return isWide.test(character) ? 2 : 1;
}

/**
 * Replaces control characters, which a hostile file could send to the terminal, and characters that change the text direction (Unicode UAX
 * #9). Splits what a CI service would take from the output as a command.
 */
export function printable(text: string): string {
  const plain = CONTROL.test(text) ? text.replace(/[\t\n\r]/g, " ").replace(CONTROLS, "\ufffd") : text;
  return withoutCommands(plain, "# #").replace(/^(\s*):(?=:)/, "$1: ");
}

/**
 * Replaces the beginning of commands that Azure Pipelines, GitHub and TeamCity find anywhere in a line (`##vso[`, `##[`, `##teamcity[`).
 * GitHub also takes lines that begin with `::`.
 */
export const withoutCommands = (text: string, replacement: string): string =>
  text.includes("##") ? text.replace(/##(?=[\w.-]*\[)/g, replacement) : text;

/** Returns a value as JSON without such commands. */
export const asJson = (value: unknown, indent?: number): string => withoutCommands(JSON.stringify(value, null, indent), "#\\u0023");

/** Like printable, but keeps line ends and tabs. */
export const visible = (text: string): string => text.replace(/[^\t\n\r]+/g, printable);

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
const CONTROL = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;
const CONTROLS = new RegExp(CONTROL, "g");
