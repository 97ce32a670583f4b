/** The deepest nesting that readers follow, so that they may use recursion. Real files stay far below. */
export const DEEPEST = 200;

/** Why a reader stopped. */
export const NESTED = `more than ${DEEPEST} levels of nesting`;

/** The same as the message of an error. */
export const TOO_DEEP = `Too deep; the rest is not read: ${NESTED}.`;
