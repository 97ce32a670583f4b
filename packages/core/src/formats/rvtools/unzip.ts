import { Inflate } from "fflate";

/** An export of 20,000 VMs has about 230 MB of XML in 23 MB; a larger file is not an export. */
const MOST_PACKED = 100_000_000;
const MOST_UNPACKED = 500_000_000;
/** The ratio limit for archives that unpack to more than `ALWAYS_FINE`. Real workbooks shrink to a tenth or a fiftieth. */
const MOST_RATIO = 400;
const ALWAYS_FINE = 10_000_000;
/** A workbook of 30 sheets has about 70 files. */
const MOST_FILES = 5000;
/** The packed bytes to unpack at a time. They give at most 64 MB, because DEFLATE shrinks to a 1032nd at best. */
const PACKED_CHUNK = 1 << 16;

/** Why an export is not read. */
export class ExportError extends Error {}

/** The files of an archive. */
export interface Archive {
  readonly names: readonly string[];
  /** Unpacks a file part by part, so that it is never in memory as a whole. Does nothing if there is no such file. */
  readonly unpack: (name: string, push: (part: Uint8Array, isLast: boolean) => void) => void;
}

interface Part {
  readonly start: number;
  readonly size: number;
  readonly isStored: boolean;
}

/** Opens an archive by the directory at its end (PKWARE, APPNOTE.TXT, 4.3.12 and 4.3.16). */
export function openArchive(bytes: Uint8Array): Archive {
  if (bytes.length > MOST_PACKED) throw new ExportError("it is larger than an export of 100,000 VMs");
  const parts = directoryOf(bytes);
  let total = 0;
  const count = (size: number): void => {
    total += size;
    // It counts the bytes as they come, because an archive may state any size.
    if (total > MOST_UNPACKED || (total > ALWAYS_FINE && total > bytes.length * MOST_RATIO))
      throw new ExportError("it unpacks to far more than an export has");
  };
  return {
    names: [...parts.keys()],
    unpack: (name, push) => {
      const part = parts.get(name);
      if (!part) return;
      const { start, size, isStored } = part;
      const packed = bytes.subarray(start, start + size);
      if (isStored) {
        count(packed.length);
        push(packed, true);
        return;
      }
      let isComplete = false;
      const inflate = new Inflate((unpacked, isLast) => {
        count(unpacked.length);
        push(unpacked, isLast);
        isComplete = isLast;
      });
      for (let at = 0; at < packed.length; at += PACKED_CHUNK)
        sound(() => inflate.push(packed.subarray(at, at + PACKED_CHUNK), at + PACKED_CHUNK >= packed.length));
      if (!isComplete) throw new ExportError(DAMAGED);
    },
  };
}

/** Names the fault of a damaged archive. */
function sound<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (error instanceof ExportError) throw error;
    throw new ExportError(DAMAGED);
  }
}

const DAMAGED = "its archive is damaged or cut off";

const directoryOf = (bytes: Uint8Array): ReadonlyMap<string, Part> =>
  sound(() => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const [two, four] = [(at: number) => view.getUint16(at, true), (at: number) => view.getUint32(at, true)];
    const parts = new Map<string, Part>();
    let end = bytes.length - 22;
    while (four(end) !== 0x06054b50) end--;
    let at = four(end + 16);
    for (let left = two(end + 10); left > 0; left--, at += 46 + two(at + 28) + two(at + 30) + two(at + 32)) {
      const head = four(at + 42);
      if (four(at) !== 0x02014b50 || four(head) !== 0x04034b50) throw new Error("no entry");
      const name = String.fromCharCode(...bytes.subarray(at + 46, at + 46 + two(at + 28)));
      parts.set(name, { start: head + 30 + two(head + 26) + two(head + 28), size: four(at + 20), isStored: two(at + 10) === 0 });
      if (parts.size > MOST_FILES) throw new ExportError("it has more files than an export has");
    }
    return parts;
  });
