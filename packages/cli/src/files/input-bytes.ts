import type { Format } from "@vmlint/core";
import { decodeVmx } from "@vmlint/core/program";
import type { Chosen } from "../run/choose.ts";
import type { UnlessLost } from "./find-files.ts";
import { decode, readBytes, readParts, toSlashes } from "./read-files.ts";

/** Returns the bytes of a file, or the bytes of the descriptor in an archive. Empty if an archive has no descriptor. */
export function bytesOf(input: Chosen, format: Format | undefined): Uint8Array {
  const { path, bytes: piped } = input;
  const { unpack } = format ?? {};
  if (!unpack) return piped ?? readBytes(path);
  const bytes = unpackedOf.get(input) ?? unpackedBytes(path, piped, unpack);
  unpackedOf.set(input, bytes);
  return bytes;
}

/** The text of a file, or of the descriptor in an archive. */
const textOf = (input: Chosen, format: Format | undefined): string => decodeVmx(bytesOf(input, format), decode);

/** The texts of files that can be read, by path with forward slashes. */
export const textsOf = (inputs: readonly Chosen[], formats: ReadonlyMap<Chosen["entry"], Format>, unlessLost: UnlessLost) =>
  inputs.flatMap((input) => {
    const text = unlessLost(input, () => textOf(input, formats.get(input.entry)));
    return text === undefined ? [] : { path: toSlashes(input.path), text };
  });

/** A file that lists hosts is read twice, and unpacked once. */
const unpackedOf = new WeakMap<Chosen, Uint8Array>();

function unpackedBytes(path: string, piped: Uint8Array | undefined, unpack: NonNullable<Format["unpack"]>): Uint8Array {
  const unpacked = piped ? unpack((offset, length) => piped.subarray(offset, offset + length)) : readParts(path, unpack);
  return unpacked ?? NO_BYTES;
}

const NO_BYTES = new Uint8Array();
