import { convert } from "../convert.ts";
import type { Type } from "../value.ts";
import { failure, stringValue, unknownValue } from "../value.ts";
import { ANY, BOOL, listOf, mapOf, NUMBER, STRING, setOf } from "../value-type.ts";
import { type Definition, holds, type Parameter } from "./define-function.ts";

const ONE: Parameter = { type: ANY, nulls: true, unknowns: "parts" };

const to = (type: Type): Definition => ({
  parameters: [ONE],
  call: ([value]) => (value ? convert(value, type) : failure("a value is needed")),
});

const same: Definition = { parameters: [ONE], call: ([value]) => value ?? failure("a value is needed") };

/** Only ASCII is decoded; other bytes depend on their encoding. */
const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function encode(text: string): string {
  const bytes = utf8(text);
  let out = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b, c] = bytes.slice(at, at + 3);
    const group = (a << 16) | ((b ?? 0) << 8) | (c ?? 0);
    const digits = [18, 12, 6, 0].map((shift) => BASE64.charAt((group >> shift) & 63));
    out += digits
      .slice(0, b === undefined ? 2 : c === undefined ? 3 : 4)
      .join("")
      .padEnd(4, "=");
  }
  return out;
}

const utf8 = (text: string): number[] =>
  Array.from(encodeURIComponent(text).matchAll(/%([0-9A-F]{2})|[^%]/g), ([whole, hex]) =>
    hex === undefined ? whole.charCodeAt(0) : Number.parseInt(hex, 16),
  );

function decode(text: string): string | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  let bits = 0;
  let held = 0;
  let out = "";
  for (const digit of text.replace(/=+$/, "")) {
    held = ((held << 6) | BASE64.indexOf(digit)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += `%${((held >> bits) & 255).toString(16).padStart(2, "0")}`;
  }
  try {
    return decodeURIComponent(out);
  } catch {
    return undefined;
  }
}

/** Lone surrogates have no bytes. */
const WELL_FORMED = /^(?:[^\ud800-\udfff]|[\ud800-\udbff][\udc00-\udfff])*$/;

const base64encode: Definition = {
  parameters: [{ type: STRING }],
  call: ([text]) => (WELL_FORMED.test(holds.text(text)) ? stringValue(encode(holds.text(text))) : unknownValue("the text has no bytes")),
};

const base64decode: Definition = {
  parameters: [{ type: STRING }],
  call: ([text]) => {
    const decoded = decode(holds.text(text));
    return decoded === undefined ? unknownValue("it is not base64 of a text") : stringValue(decoded);
  },
};

/** Terraform's "Type Conversion Functions" and base64, by the page functions/NAME. */
export const conversionFunctions: readonly (readonly [string, Definition])[] = [
  ["tostring", to(STRING)],
  ["tonumber", to(NUMBER)],
  ["tobool", to(BOOL)],
  ["tolist", to(listOf(ANY))],
  ["toset", to(setOf(ANY))],
  ["tomap", to(mapOf(ANY))],
  ["sensitive", same],
  ["nonsensitive", same],
  ["base64encode", base64encode],
  ["base64decode", base64decode],
];
