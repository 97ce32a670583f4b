import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { vmlint } from "./support/cli.ts";

const examples = new URL("../examples/", import.meta.url);
/** Examples of the command have a vmlint.yaml. Examples for other programs have their own tests. */
const names = readdirSync(examples, { withFileTypes: true }).filter(({ name }) => existsSync(new URL(`${name}/vmlint.yaml`, examples)));

describe.each(names)("examples/$name", ({ name }) => {
  const cwd = fileURLToPath(new URL(name, examples));

  test("prints expected.txt (npm run gen)", async () => {
    const { code, out, err } = vmlint(cwd, []);
    await expect(`${out}${err}exit ${code}\n`).toMatchFileSnapshot(`../examples/${name}/expected.txt`);
  });

  test("lays out topology.txt (npm run gen)", async () => {
    const { code, out, err } = vmlint(cwd, ["topology"]);
    await expect(`${out}${err}exit ${code}\n`).toMatchFileSnapshot(`../examples/${name}/topology.txt`);
  });

  test.each(readdirSync(cwd).filter((file) => file.endsWith(".svg")))("draws %s (npm run gen)", async (file) => {
    const { code, out, err } = vmlint(cwd, ["topology", file.replace(/svg$/, "vmx"), "--format", "svg"]);
    expect([code, err]).toEqual([0, ""]);
    await expect(out).toMatchFileSnapshot(`../examples/${name}/${file}`);
  });
});

test("examples/vmotion/compare.txt: the two hosts side by side (npm run gen)", async () => {
  const { code, out, err } = vmlint(fileURLToPath(new URL("vmotion", examples)), ["topology", "--host", "dual", "--host", "quad"]);
  await expect(`${out}${err}exit ${code}\n`).toMatchFileSnapshot("../examples/vmotion/compare.txt");
});
