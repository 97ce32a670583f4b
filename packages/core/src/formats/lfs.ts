import type { Parsed } from "../model/parsed.ts";

const LFS_POINTER = "version https://git-lfs.github.com/spec/";

/** What there is to say of a text that stands for a file which was not fetched; `undefined` for any other. */
export const ifPointer = (text: string): Parsed | undefined =>
  text.startsWith(LFS_POINTER)
    ? { vms: [], problems: [{ ruleId: "vmx/unreadable", messageId: "lfs", data: {}, range: [0, LFS_POINTER.length] }] }
    : undefined;
