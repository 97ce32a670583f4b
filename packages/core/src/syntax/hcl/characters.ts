/** The result of `Reader.peek` at the end of the text. */
export const END = -1;

export const TAB = 9;
export const LF = 10;
export const CR = 13;
export const SPACE = 32;
export const BANG = 33;
export const QUOTE = 34;
export const HASH = 35;
export const DOLLAR = 36;
export const PERCENT = 37;
export const AMPERSAND = 38;
export const OPEN_PAREN = 40;
export const CLOSE_PAREN = 41;
export const STAR = 42;
export const PLUS = 43;
export const COMMA = 44;
export const MINUS = 45;
export const DOT = 46;
export const SLASH = 47;
const ZERO = 48;
export const NINE = 57;
export const COLON = 58;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
export const QUESTION = 63;
export const UPPER_E = 69;
export const OPEN_BRACKET = 91;
export const BACKSLASH = 92;
export const CLOSE_BRACKET = 93;
export const LOWER_E = 101;
export const OPEN_BRACE = 123;
export const BAR = 124;
export const CLOSE_BRACE = 125;
export const TILDE = 126;
export const BYTE_ORDER_MARK = 0xfeff;

export const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

export const isOpener = (code: number): boolean => code === OPEN_PAREN || code === OPEN_BRACKET || code === OPEN_BRACE;

export const isCloser = (code: number): boolean => code === CLOSE_PAREN || code === CLOSE_BRACKET || code === CLOSE_BRACE;

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
const ASCII_STARTS_NAME = tableOf(LETTERS);
const ASCII_IN_NAME = tableOf(`${LETTERS}0123456789-`);

function tableOf(characters: string): Uint8Array {
  const table = new Uint8Array(128);
  for (const character of characters) table[character.charCodeAt(0)] = 1;
  return table;
}

/**
 * Non-ASCII characters of names, by UAX #31; like the reference implementation, names may also begin with an underscore. The expressions
 * are inline because Node needs half a millisecond to compile such properties, which would slow each start.
 */
const startsName = (character: string): boolean => /\p{ID_Start}/u.test(character);
const isInName = (character: string): boolean => /\p{ID_Continue}/u.test(character);

/** Returns the end of the name at an offset; the offset itself if there is no name. */
export function endOfName(text: string, start: number): number {
  let at = start + lengthAt(text, start, ASCII_STARTS_NAME, startsName);
  for (let length = at - start; length > 0; at += length) {
    while (ASCII_IN_NAME[text.charCodeAt(at)] === 1) at++;
    length = lengthAt(text, at, ASCII_IN_NAME, isInName);
  }
  return at;
}

/** Returns the length of the character at an offset; 0 if it is of another kind. */
function lengthAt(text: string, at: number, ascii: Uint8Array, accept: (character: string) => boolean): number {
  const code = text.charCodeAt(at);
  return code < 128 ? (ascii[code] as number) : match(text, at, accept);
}

function match(text: string, at: number, accept: (character: string) => boolean): number {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return accept(character) ? character.length : 0;
}
