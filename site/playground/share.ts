/** What a link to the playground holds: the text, and all that was chosen. */
export interface Shared {
  readonly text: string;
  readonly file: string;
  readonly host: string;
  readonly esxi: string;
  readonly preset: string;
  readonly workload: Readonly<Record<string, string>>;
}

const SIGN = "#v1=";

/**
 * Longest text a link may unpack to, and be: what is larger was not made here. An address of Chromium's has 2 MB at most
 * (docs/security/url_display_guidelines).
 */
const MOST = 2_000_000;

/** The part of an address behind `#`, which a browser sends to nobody; `undefined` for a text that is too long for it. */
export async function toFragment(shared: Shared): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  if (bytes.length > MOST) return undefined;
  // What cannot be packed gets a little longer.
  const packed = await through(bytes, new CompressionStream("deflate-raw"), 2 * MOST);
  const base64 = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return base64.length > MOST ? undefined : `${SIGN}${base64.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

/** The same back; `undefined` for any other text. */
export async function fromFragment(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith(SIGN)) return undefined;
  try {
    const base64 = fragment.slice(SIGN.length).replace(/-/g, "+").replace(/_/g, "/");
    const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw"), MOST)));
    return isShared(value) ? value : undefined;
  } catch {
    // Whatever is wrong with it, it is no link of ours.
    return undefined;
  }
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream, most: number): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: number[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Uint8Array.from(parts);
    for (const byte of value) parts.push(byte);
    if (parts.length > most) {
      await reader.cancel();
      throw new Error("too long");
    }
  }
}

const isText = (value: unknown): value is string => typeof value === "string";
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null;

const isShared = (value: unknown): value is Shared =>
  isObject(value) &&
  [value.text, value.file, value.host, value.esxi, value.preset].every(isText) &&
  isObject(value.workload) &&
  Object.values(value.workload).every(isText);
