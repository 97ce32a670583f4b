const SURROGATE = /[\ud800-\udfff]/;

/** Orders text by its UTF-8 bytes, as Terraform does: by code points, not by UTF-16 units. */
export function compareUtf8(a: string, b: string): number {
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return a < b ? -1 : a > b ? 1 : 0;
  const x = Array.from(a, codePoint);
  const y = Array.from(b, codePoint);
  const differs = x.findIndex((point, at) => point !== y[at]);
  return differs < 0 ? x.length - y.length : (x[differs] ?? 0) - (y[differs] ?? -1);
}

const codePoint = (character: string): number => character.codePointAt(0) ?? 0;
