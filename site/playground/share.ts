/** The content of a link to the playground: the text and the chosen settings. */
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
 * The maximum length of a link and of its unpacked text. Chromium limits an address to 2 MB
 * (docs/security/url_display_guidelines).
 */
const MOST = 2_000_000;

/** Returns the fragment of an address, which browsers do not send to a server, or `undefined` if the text is too long. */
export async function toFragment(shared: Shared): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  if (bytes.length > MOST) return undefined;
  // Packing makes an incompressible text slightly longer, so the limit is doubled.
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
    // The text was not created by `toFragment`.
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
