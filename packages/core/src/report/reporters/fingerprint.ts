import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { pointedAt } from "../../model/source.ts";
import type { FindingAtPlace } from "./reporter.ts";

/**
 * A name for each finding that it keeps when lines are moved, messages reworded or hosts renamed: made of its file, VM, rule,
 * message id and what it points at: of its line there may be one alone. Findings that share all these are counted, so that each
 * name stands for one.
 */
export function fingerprints(findings: readonly FindingAtPlace[]): readonly string[] {
  const seen = new Map<string, number>();
  return findings.map(({ file, diagnostic: { vm, ruleId, messageId, range } }) => {
    const key = JSON.stringify([file.path, vm, ruleId, messageId, pointedAt(file.text, range)]);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return bytesToHex(sha256(utf8ToBytes(`${key}${count}`))).slice(0, 32);
  });
}

/** How many characters a line's hash looks at, and the base of its polynomial: github/codeql-action, src/fingerprints.ts. */
const BLOCK = 100;
const BASE = 37;

/** Stands for the end of the file in these hashes. */
const END = 65_535;

/**
 * `primaryLocationLineHash` of each line, as GitHub's upload action computes it: code scanning tells by it whether two
 * findings are the same. Each line is hashed with those after it, blanks left out; equal hashes are counted.
 */
export function lineHashes(text: string): readonly string[] {
  const { units, starts } = withoutBlanks(text);
  const counts = new Map<string, number>();
  return starts.map((start) => {
    // 64 bits as two numbers of 32: each line of a file has a hash, and BigInts took a quarter of a run over 10,000 `.vmx`.
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

/** The UTF-16 units that are hashed, with every line end as one LF, and where in them each line starts. */
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
