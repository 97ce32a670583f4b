export type { ConfigFiles, ConfigProblem, TypedConfig, UsableConfig } from "./parse.ts";
export { isRoot, parseConfig, pluginsIn, readConfig, readConfigTyped, readUsableConfig } from "./parse.ts";
