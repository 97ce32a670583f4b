export type { ConfigFiles, ConfigProblem, TypedConfig, UsableConfig } from "./read-config.ts";
export { isRoot, parseConfig, pluginsIn, readConfig, readConfigTyped, readUsableConfig } from "./read-config.ts";
