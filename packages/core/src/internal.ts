// All names, for tests, pages and types.

export * from "./bundled.ts";
export * from "./index.ts";
