// The part of vitest's interface that single-process tests use. Tests are collected first, then run one by one.
import { readFileSync } from "node:fs";
import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

// Files are read once, because each mutant reads the same ones.
const files = new Map();
chai.use((_, { addMethod }) =>
  addMethod(chai.Assertion.prototype, "toMatchFileSnapshot", function (path) {
    if (!files.has(path)) files.set(path, readFileSync(path, "utf8"));
    this.assert(this._obj === files.get(path), `it is not what ${path} holds`, "");
  }),
);

export const expect = chai.expect;
export const tests = [];
const around = [];

/** A table's rows: `run` gets a row as arguments, or its one object. */
const each = (register) => (table) => (name, run) => {
  for (const row of table) register(name, () => run(...(Array.isArray(row) ? row : [row])));
};

export function test(name, ...rest) {
  const run = rest.find((one) => typeof one === "function");
  tests.push({ name: [...around, name].join(" > "), run });
}
test.each = each(test);
test.skip = () => {};
test.skipIf = (skips) => (skips ? Object.assign(() => {}, { each: () => () => {} }) : test);
test.runIf = (runs) => test.skipIf(!runs);
export const it = test;

export function describe(name, run) {
  around.push(name);
  run();
  around.pop();
}
describe.each = each(describe);
describe.skip = () => {};
describe.runIf = (runs) => describe.skipIf(!runs);
describe.skipIf = (skips) => (skips ? describe.skip : describe);

const ignored = () => {};

export { ignored as afterAll, ignored as afterEach, ignored as beforeAll, ignored as beforeEach, ignored as onTestFinished };
