// An archive is a file like any other: its text has one character for each byte.

/** Whether a file is a zip archive, as workbooks are (PKWARE, APPNOTE.TXT, 4.3.7 and 4.3.16). */
export const isZip = (bytes: Uint8Array): boolean => bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);

/** Engines take longer lists of arguments, but slower. */
const CHUNK = 1 << 12;

/** Spreading would first copy each byte into a list. */
const fromCharCodes = (bytes: Uint8Array): string => String.fromCharCode.apply(null, bytes as unknown as number[]);

/** Returns the bytes of an archive as a text. */
export function textOfBytes(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += CHUNK) text += fromCharCodes(bytes.subarray(at, at + CHUNK));
  return text;
}

/** Returns the bytes of such a text. */
export function bytesOfText(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
