import { failure, sequenceValue, stringValue, unknownValue, type Value } from "../value.ts";
import { NUMBER, STRING } from "../value-type.ts";
import { type Definition, holds } from "./define-function.ts";

/** An IPv4 prefix: a 32-bit address and the number of its network bits. */
interface Prefix {
  readonly address: number;
  readonly bits: number;
}

const SIZE = 32;

/** Returns the number of addresses in a prefix. */
const sizeOf = (bits: number): number => 2 ** (SIZE - bits);

/** Octets with leading zeros are unknown, because versions of Go differ. */
const OCTET = "(0|[1-9]\\d{0,2})";
const PREFIX = new RegExp(`^${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}/(0|[1-9]\\d?)$`);

/** Returns unknown for IPv6 and for unusual notations, which vmlint does not evaluate. */
function prefixOf(text: string): Prefix | Value {
  const parts = PREFIX.exec(text)?.slice(1).map(Number);
  const [a = 0, b = 0, c = 0, d = 0, bits = 0] = parts ?? [];
  if (!parts || bits > SIZE || [a, b, c, d].some((octet) => octet > 255)) return unknownValue("only prefixes of IPv4 are followed");
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  return { address: address - (address % sizeOf(bits)), bits };
}

const addressText = (address: number): string => [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join(".");

const prefixText = ({ address, bits }: Prefix): string => `${addressText(address)}/${bits}`;

/** Returns a whole number if a double holds it exactly; `undefined` otherwise. */
function wholeOf(value: Value | undefined): number | undefined {
  const number = holds.number(value);
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}

const NOT_WHOLE = "only whole numbers are followed";

/** A negative number counts from the end (Terraform, functions/cidrhost). */
function host([text, number]: readonly Value[]): Value {
  const prefix = prefixOf(holds.text(text));
  if ("kind" in prefix) return prefix;
  const index = wholeOf(number);
  if (index === undefined) return unknownValue(NOT_WHOLE);
  const size = sizeOf(prefix.bits);
  if (index >= size || index < -size) return failure("the prefix has no such host");
  return stringValue(addressText(prefix.address + (index < 0 ? size + index : index)));
}

function netmask([text]: readonly Value[]): Value {
  const prefix = prefixOf(holds.text(text));
  return "kind" in prefix ? prefix : stringValue(addressText(2 ** SIZE - sizeOf(prefix.bits)));
}

function subnet([text, more, number]: readonly Value[]): Value {
  const prefix = prefixOf(holds.text(text));
  if ("kind" in prefix) return prefix;
  const [newBits, index] = [wholeOf(more), wholeOf(number)];
  if (newBits === undefined || index === undefined || newBits < 0 || index < 0) return unknownValue(NOT_WHOLE);
  const bits = prefix.bits + newBits;
  if (bits > SIZE || index >= 2 ** newBits) return failure("the prefix has no such subnet");
  return stringValue(prefixText({ address: prefix.address + index * sizeOf(bits), bits }));
}

/** Allocates subnets one after the other, each aligned to its size (Terraform, functions/cidrsubnets). */
function subnets([text, ...more]: readonly Value[]): Value {
  const prefix = prefixOf(holds.text(text));
  if ("kind" in prefix) return prefix;
  if (prefix.address === 0 && more.length > 0) return unknownValue("Terraform refuses to cut up prefixes that begin with 0.0.0.0");
  const subnets: Value[] = [];
  let next = prefix.address;
  for (const value of more) {
    const newBits = wholeOf(value);
    if (newBits === undefined) return unknownValue(NOT_WHOLE);
    const bits = prefix.bits + newBits;
    if (newBits < 1 || bits > SIZE) return failure("the prefix cannot be extended by so many bits");
    const size = sizeOf(bits);
    const address = Math.ceil(next / size) * size;
    if (address >= prefix.address + sizeOf(prefix.bits)) return failure("the prefix has no room for that many subnets");
    subnets.push(stringValue(prefixText({ address, bits })));
    next = address + size;
  }
  return sequenceValue("list", subnets, STRING);
}

const TEXT = { type: STRING };
const COUNT = { type: NUMBER };

/** Terraform's "IP Network Functions", by the page functions/NAME. */
export const networkFunctions: readonly (readonly [string, Definition])[] = [
  ["cidrhost", { parameters: [TEXT, COUNT], call: host }],
  ["cidrnetmask", { parameters: [TEXT], call: netmask }],
  ["cidrsubnet", { parameters: [TEXT, COUNT, COUNT], call: subnet }],
  ["cidrsubnets", { parameters: [TEXT], rest: COUNT, call: subnets }],
];
