import { createHash } from "node:crypto";
import type { FileSet } from "@vmlint/core";

const MODULUS = 1n << 256n;

/** The count of some paths, and the sum of their SHA-256 digests: sets that share no path add up to the digest of both. */
export function fileSetOf(paths: Iterable<string>): FileSet {
  let [count, sum] = [0, 0n];
  for (const path of paths) {
    count++;
    sum += BigInt(`0x${createHash("sha256").update(path).digest("hex")}`);
  }
  return { paths: count, digest: hex(sum) };
}

/** The set of all files of some sets. */
export const joined = (sets: readonly FileSet[]): FileSet => ({
  paths: sets.reduce((total, { paths }) => total + paths, 0),
  digest: hex(sets.reduce((total, { digest }) => total + BigInt(`0x${digest}`), 0n)),
});

const hex = (sum: bigint): string => (sum % MODULUS).toString(16).padStart(64, "0");

export const isSameSet = (a: FileSet, b: FileSet): boolean => a.paths === b.paths && a.digest === b.digest;
