const BLOCK = 512;

/** A tar archive (ustar) of files by name, or of members of another type. */
export function tar(files: Readonly<Record<string, string | Uint8Array>>, type = "0"): Uint8Array {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    return [header(name, bytes.length, type), bytes, new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...parts, new Uint8Array(2 * BLOCK)]);
}

function header(name: string, size: number, type: string): Uint8Array {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write("0000644\0", 100);
  block.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  block.write(" ".repeat(8), 148);
  block.write(type, 156);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}
