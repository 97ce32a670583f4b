import type { Parsed } from "../model/parsed.ts";

const LFS_POINTER = "version https://git-lfs.github.com/spec/";

/** Returns a result for a Git LFS pointer, whose file was not fetched; `undefined` for any other text. */
export const ifPointer = (text: string): Parsed | undefined =>
  text.startsWith(LFS_POINTER)
    ? { vms: [], problems: [{ ruleId: "vmx/unreadable", messageId: "lfs", data: {}, range: [0, LFS_POINTER.length] }] }
    : undefined;
