/** The deepest nesting that readers follow, so that they may use recursion. Real files stay far below. */
export const DEEPEST = 200;

/** Why a reader stopped. */
export const NESTED = `more than ${DEEPEST} levels of nesting`;

/** The same as the message of an error. */
export const TOO_DEEP = `Too deep; the rest is not read: ${NESTED}.`;

/** The bytes of memory that each part of a file takes until its report, measured with Node 22 on x64. */
const BYTES = {
  "JSON values": 160,
  "XML elements": 400,
  expressions: 350,
  "YAML tokens": 400,
  // A plan takes the most. Exports of 20,000 VMs are read.
  VMs: 15_000,
  // With their JSON report, which must fit into one string of V8: 512 MiB.
  mistakes: 5_000,
};

/**
 * The bytes of memory for the tree of one file. Node gives a process 2 GB or more. A plan of 24,000 VMs has 2 million values. Tests lower it.
 */
export const memory = { most: 1_000_000_000 };

/** Returns why a reader stops after so many parts of a file; `undefined` as long as it goes on. */
export const excessOf = (parts: number, kind: keyof typeof BYTES): string | undefined => {
  const most = Math.floor(memory.most / BYTES[kind]);
  return parts > most ? `more than ${most} ${kind}` : undefined;
};

/** The message of an error for why a reader stopped. */
export const tooLarge = (excess: string): string => `Too large; the rest is not read: ${excess}.`;

/** Why files are not checked that run out of memory. */
export const NO_MEMORY = "it needs more memory than there is";

/** Whether memory ran out, by the words of V8. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof RangeError && /allocation failed|^Invalid (?:string|array|typed array) length/.test(error.message);
