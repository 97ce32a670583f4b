export { isAskedOf, type Silenced, type Silencers, type SuppressOptions, silence, suppress } from "./suppress.ts";
