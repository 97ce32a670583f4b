import { cpSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { COMMAND, folder, runCommand } from "../support/cli.ts";

const VM = 'virtualHW.version = "10"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"\n';

test.each<[string, (cache: string) => void]>([
  ["that is missing", (cache) => rmSync(cache)],
  ["that is another program's", (cache) => writeFileSync(cache, "no code of V8")],
  ["of which a half is there", (cache) => writeFileSync(cache, "")],
])("a compiled form %s changes nothing", (_, spoil) => {
  const cwd = folder({ "a.vmx": VM });
  const copy = join(folder({}), "dist");
  cpSync(dirname(COMMAND), copy, { recursive: true });
  spoil(join(copy, "command.cache"));
  const whole = runCommand(COMMAND, cwd, ["a.vmx"]);
  expect(whole.code).toBe(1);
  expect(runCommand(join(copy, "vmlint.cjs"), cwd, ["a.vmx"])).toEqual(whole);
});
