/** Paths are matched with forward slashes on every system; a leading dot in a name is nothing special. */
export const POSIX = { windows: false, dot: true } as const;
