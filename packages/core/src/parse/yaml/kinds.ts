import type { Kind } from "./kind.ts";
import { spec } from "./spec.ts";

/** Every kind of document that vmlint reads from YAML and JSON. */
export const KINDS: readonly Kind[] = [spec];
