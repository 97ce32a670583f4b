/** All rules with the texts of their pages. Commands load a smaller bundle without these texts. */
export { rules } from "./index.ts";
