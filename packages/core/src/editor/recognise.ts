/** What tells by a file's name and a look at its words whether there is anything to say of it; most files are of others, and load no more. */
export { CONFIG_NAMES, holdsConfig, isNeverEntered } from "../config/names.ts";
export { formatsOf, isClaimed, projectsOf } from "../formats/index.ts";
export { nameOf } from "../model/files.ts";
