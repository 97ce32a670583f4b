/** Every rule with the texts of its page. The built command keeps those out of what it loads at every start, and in this module. */
export { rules } from "./index.ts";
