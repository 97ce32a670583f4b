/** Recognises files of vmlint by name and a text search; most files belong to other tools and load no further code. */
export { CONFIG_NAMES, holdsConfig, isNeverEntered } from "../config/config-names.ts";
export { formatsOf, isClaimed, projectsOf } from "../formats/index.ts";
export { nameOf } from "../model/files.ts";
