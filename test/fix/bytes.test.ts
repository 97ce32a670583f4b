import { decodeVmx } from "@vmlint/core";
import { editBytes } from "@vmlint/core/fix";
import type { Decode } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const decode: Decode = (bytes, label) => new TextDecoder(label).decode(bytes);

/** The bytes after MARK in them is replaced by `newText`, by way of the decoded text. */
function edited(bytes: Uint8Array, newText: string): Uint8Array | undefined {
  const start = decodeVmx(bytes, decode).indexOf("MARK");
  return editBytes(bytes, [{ range: [start, start + 4], newText }], decode);
}

/** The same by bytes alone. */
function replaced(bytes: Buffer, newText: string): Buffer {
  const at = bytes.indexOf("MARK");
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(newText), bytes.subarray(at + 4)]);
}

const LABELS = [
  "UTF-8",
  "Shift_JIS",
  "windows-1252",
  "GBK",
  "Big5",
  "EUC-KR",
  "EUC-JP",
  "windows-949-2000",
  "ISO-8859-15",
  "no-such-encoding",
];

describe("an edit keeps every other byte", () => {
  test.each(LABELS)("%s, with any bytes around it", (label) => {
    const anyBytes = fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.filter((byte) => byte !== 0x0a && byte !== 0x0d));
    fc.assert(
      fc.property(anyBytes, anyBytes, anyBytes, fc.constantFrom("\n", "\r\n", "\r"), (name, comment, rest, eol) => {
        const line = (text: string, bytes: Uint8Array) => Buffer.concat([Buffer.from(text), bytes, Buffer.from(eol)]);
        const bytes = Buffer.concat([
          Buffer.from(`.encoding = "${label}"${eol}`),
          line("displayName = ", name),
          line('numvcpus = "MARK" # ', comment),
          rest,
        ]);
        expect(Buffer.from(edited(bytes, "12") ?? [])).toEqual(replaced(bytes, "12"));
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ["a byte order mark", Buffer.from('\ufeffnumvcpus = "MARK" # \u65e5\ud83d\ude00\r\n')],
    ["no encoding named, bytes that are no UTF-8", Buffer.from('# \xe9\xff\nnumvcpus = "MARK"\n', "latin1")],
    ["characters beyond the first plane", Buffer.from('# \ud83d\ude00\ud83d\ude00\nnumvcpus = "MARK"')],
  ])("%s", (_, bytes) => {
    expect(Buffer.from(edited(bytes, "12") ?? [])).toEqual(replaced(bytes, "12"));
  });

  test("each of many edits looks at its own line alone", () => {
    const bytes = Buffer.from('displayName = "MARK" # \u65e5\u672c\r\n'.repeat(500));
    const text = bytes.toString();
    let decoded = 0;
    const counting: Decode = (part, label) => {
      decoded += part.length;
      return decode(part, label);
    };
    const edits = Array.from(text.matchAll(/MARK/g), ({ index }) => ({ range: [index, index + 4] as const, newText: "12" }));
    expect(Buffer.from(editBytes(bytes, edits, counting) ?? []).toString()).toBe(text.replaceAll("MARK", "12"));
    expect(decoded).toBeLessThan(50 * bytes.length);
  });

  test.each([
    ["little endian", (bytes: Buffer) => bytes],
    ["big endian", (bytes: Buffer) => bytes.swap16()],
  ])("UTF-16, %s", (_, order) => {
    const utf16 = (value: string) => order(Buffer.from(`\ufeff# \u65e5\ud83d\ude00\r\nnumvcpus = "${value}"\r\n`, "utf16le"));
    expect(Buffer.from(edited(utf16("MARK"), "12") ?? [])).toEqual(utf16("12"));
  });

  test("a character outside of the encoding is rejected", () => {
    expect(edited(Buffer.from('displayName = "MARK"'), "\u65e5")).toBeUndefined();
  });

  test("an edit that would make the file read otherwise is refused", () => {
    // The edit changes the encoding, so it would change every character that is not ASCII.
    const bytes = Buffer.from('.encoding = "MARK"\ndisplayName = "\u65e5\u672c"\n');
    expect(edited(bytes, "Shift_JIS")).toBeUndefined();
  });
});
