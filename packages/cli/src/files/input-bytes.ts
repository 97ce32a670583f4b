import type { Format } from "@vmlint/core";
import type { Chosen } from "../run/choose.ts";
import { readBytes, readParts } from "./read-files.ts";

/** Returns the bytes of a file, or the bytes of the descriptor in an archive. Empty if an archive has no descriptor. */
export function bytesOf({ input, format }: { readonly input: Chosen; readonly format: Format | undefined }): Uint8Array {
  const { path, bytes: piped } = input;
  const { unpack } = format ?? {};
  if (!unpack) return piped ?? readBytes(path);
  const bytes = unpackedOf.get(input) ?? unpackedBytes(path, piped, unpack);
  unpackedOf.set(input, bytes);
  return bytes;
}

/** A file that lists hosts is read twice, and unpacked once. */
const unpackedOf = new WeakMap<Chosen, Uint8Array>();

function unpackedBytes(path: string, piped: Uint8Array | undefined, unpack: NonNullable<Format["unpack"]>): Uint8Array {
  const unpacked = piped ? unpack((offset, length) => piped.subarray(offset, offset + length)) : readParts(path, unpack);
  return unpacked ?? NO_BYTES;
}

const NO_BYTES = new Uint8Array();
