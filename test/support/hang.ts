/**
 * A module for `--import` that makes `String.prototype.slice` endless for a text with this word, as a bug of vmlint would, and shortens
 * the time limits, which are too long for a test.
 */
export const hangOn = (word: string): string => `const { slice, includes } = String.prototype;
String.prototype.slice = function (...at) {
  while (at.length > 0 && includes.call(this, ${JSON.stringify(word)}));
  return slice.apply(this, at);
};
${SHORT_LIMITS}`;

/** Code that shortens the time limits. */
export const SHORT_LIMITS = `import { Script } from "node:vm";
const { runInContext } = Script.prototype;
Script.prototype.runInContext = function (context, options) {
  return runInContext.call(this, context, { ...options, timeout: 500 });
};
`;
