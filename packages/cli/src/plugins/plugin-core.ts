import * as module from "node:module";
import * as core from "@vmlint/core";

/** The name of this command's core in the process: a module of a plugin shares no other scope with the command. */
const KEY = "vmlint.core";

const moduleOf = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`;

/** Lets a plugin import `@vmlint/core` where no such package is installed: it gets the core of this command. An installed one wins. */
export function provideCore(): void {
  Object.assign(globalThis, { [Symbol.for(KEY)]: core });
  const names = Object.keys(core).map((name) => `export const ${name} = core.${name};`);
  const provided = moduleOf([`const core = globalThis[Symbol.for("${KEY}")];`, ...names].join("\n"));
  const hook = `export async function resolve(specifier, context, next) {
    try {
      return await next(specifier, context);
    } catch (error) {
      if (specifier !== "@vmlint/core" || error.code !== "ERR_MODULE_NOT_FOUND") throw error;
      return { url: ${JSON.stringify(provided)}, shortCircuit: true };
    }
  }`;
  module.register(moduleOf(hook));
}
