export type { ConfigFiles, ConfigProblem, TypedConfig } from "./parse.ts";
export { isRoot, parseConfig, pluginsIn, readConfig, readConfigTyped } from "./parse.ts";
