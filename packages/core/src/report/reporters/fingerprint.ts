import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { pointedAt } from "../../model/source.ts";
import type { FindingAtPlace } from "./reporter.ts";

/**
 * Returns a stable id for each finding. It stays the same if lines move, messages change or hosts are renamed, because it only depends on
 * file, VM, rule, message id and the text of the finding. Equal findings also get a counter.
 */
export function fingerprints(findings: readonly FindingAtPlace[]): readonly string[] {
  const counts = new Map<string, number>();
  return findings.map(({ file, diagnostic: { vm, ruleId, messageId, range, cell } }) => {
    const key = JSON.stringify([file.path, vm, ruleId, messageId, cell?.value ?? pointedAt(file.text, range)]);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return bytesToHex(sha256(utf8ToBytes(`${key}${count}`))).slice(0, 32);
  });
}

/** The number of characters in the hash of a line, and the base of its polynomial: github/codeql-action, src/fingerprints.ts. */
const BLOCK = 100;
const BASE = 37;

/** Marks the end of the file in these hashes. */
const END = 65_535;

/**
 * Returns the `primaryLocationLineHash` of each line, as GitHub's upload action computes it. Code scanning uses it to recognise the same
 * finding. The hash of a line covers the following lines without blanks; equal hashes get a counter.
 */
export function lineHashes(text: string): readonly string[] {
  const { units, starts } = withoutBlanks(text);
  const counts = new Map<string, number>();
  return starts.map((start) => {
    // A 64-bit number as two 32-bit numbers. Each line of a file gets a hash, and BigInts took a quarter of a run over 10,000 `.vmx`.
    let [high, low] = [0, 0];
    for (let i = start; i < start + BLOCK; i++) {
      const next = low * BASE + (units[i] ?? 0);
      low = next >>> 0;
      high = (Math.imul(high, BASE) + Math.floor(next / 2 ** 32)) >>> 0;
    }
    const hex = high === 0 ? low.toString(16) : high.toString(16) + low.toString(16).padStart(8, "0");
    const count = (counts.get(hex) ?? 0) + 1;
    counts.set(hex, count);
    return `${hex}:${count}`;
  });
}

/** Returns the UTF-16 units to hash, with LF line ends, and the start of each line. */
function withoutBlanks(text: string): { readonly units: readonly number[]; readonly starts: readonly number[] } {
  const units: number[] = [];
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === " " || c === "\t" || (c === "\n" && text[i - 1] === "\r")) continue;
    const isEnd = c === "\n" || c === "\r";
    units.push(isEnd ? 10 : text.charCodeAt(i));
    if (isEnd) starts.push(units.length);
  }
  units.push(END);
  return { units, starts };
}
