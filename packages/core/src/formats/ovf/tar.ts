import type { ReadBytes } from "../format.ts";
import { refused } from "../unreadable.ts";

const BLOCK = 512;
/** A descriptor comes before the disks (DSP0243), after at most a manifest, a certificate and a few pax headers. */
const MOST_MEMBERS = 1000;
const LARGEST = 20_000_000;
const LONGEST_NAME = 10_000;

/**
 * Returns the first `.ovf` in a tar archive. Reads its bytes and the 512-byte headers before it, never a disk. A text file is a descriptor
 * with the file name of a package.
 */
export function descriptorOf(readBytes: ReadBytes): Uint8Array {
  let offset = 0;
  let longName: string | undefined;
  for (let i = 0; i < MOST_MEMBERS; i++) {
    const header = readBytes(offset, BLOCK);
    if (offset === 0 && isText(header)) return textIn(readBytes);
    if (header.length < BLOCK || !isHeader(header)) return refused("OVA", offset === 0 ? "it is not a tar archive" : NO_DESCRIPTOR);
    const size = numberAt(header, 124, 12);
    if (!Number.isSafeInteger(size) || size < 0) return refused("OVA", "a header has no size");
    const type = textAt(header, 156, 1);
    if (isDescriptor(longName ?? textAt(header, 0, 100)) && (type === "0" || type === "")) {
      if (size > LARGEST) return refused("OVA", MORE_BYTES);
      const descriptor = readBytes(offset + BLOCK, size);
      return descriptor.length < size ? refused("OVA", "it ends within its descriptor") : descriptor;
    }
    longName = size > LONGEST_NAME ? undefined : longNameIn(type, () => readBytes(offset + BLOCK, size));
    offset += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return refused("OVA", NO_DESCRIPTOR);
}

const NO_DESCRIPTOR = "it has no descriptor (.ovf)";
const MORE_BYTES = `more than ${LARGEST} bytes in its descriptor`;

/** macOS adds a metadata file `._NAME` before a file. */
const isDescriptor = (name: string): boolean => /(?:^|\/)(?!\._)[^/]*\.ovf$/i.test(name);

/** Returns the name of the next member if it is too long for a header: GNU tar stores it as a member, pax as one of several records. */
function longNameIn(type: string, content: () => Uint8Array): string | undefined {
  if (type !== "L" && type !== "x") return undefined;
  const bytes = content();
  const text = textAt(bytes, 0, bytes.length);
  return type === "L" ? text : /^\d+ path=(.*)$/m.exec(text)?.[1];
}

function textIn(readBytes: ReadBytes): Uint8Array {
  const text = readBytes(0, LARGEST + 1);
  return text.length > LARGEST ? refused("OVA", MORE_BYTES) : text;
}

/** The fields of an archive's first header end in zeros, as in other archive types and compressed files; UTF-16 has a mark. */
const isText = (start: Uint8Array): boolean =>
  !start.includes(0) || (start[0] === 0xff && start[1] === 0xfe) || (start[0] === 0xfe && start[1] === 0xff);

/** The checksum of a header is the sum of its bytes with the checksum field as blanks. */
function isHeader(header: Uint8Array): boolean {
  const sum = header.reduce((total, byte, i) => total + (i >= 148 && i < 156 ? 0x20 : byte), 0);
  return sum === numberAt(header, 148, 8);
}

const textAt = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length)).replace(/\0.*$/s, "");

/** Octal digits, or from 8 GiB on a binary number after a set bit. */
function numberAt(bytes: Uint8Array, from: number, length: number): number {
  const field = bytes.subarray(from, from + length);
  if (((field[0] ?? 0) & 0x80) === 0) return Number.parseInt(textAt(bytes, from, length).trim() || "0", 8);
  return field.reduce((value, byte, i) => value * 256 + (i === 0 ? byte & 0x7f : byte), 0);
}
