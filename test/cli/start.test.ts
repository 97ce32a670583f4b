import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { COMMAND, runCommand } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const VM = 'virtualHW.version = "10"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"\n';
const TERRAFORM = 'resource "vsphere_virtual_machine" "a" {\n  num_cpus = 6\n  num_cores_per_socket = 4\n  memory = 4096\n}\n';

test.each<[string, (cache: string) => void]>([
  ["that is missing", (cache) => rmSync(cache)],
  ["that is another program's", (cache) => writeFileSync(cache, "no code of V8")],
  ["of which a half is there", (cache) => writeFileSync(cache, "")],
])("a compiled form %s changes nothing", (_, spoil) => {
  const cwd = folder({ "a.vmx": VM, "b.tf": TERRAFORM, "vmlint.yaml": "host: 2x10x2@8.0\n" });
  const copy = join(folder({}), "dist");
  cpSync(dirname(COMMAND), copy, { recursive: true });
  const whole = runCommand(COMMAND, cwd, ["."]);
  expect(whole.code).toBe(1);
  expect(whole.out).toContain("2 VMs");
  const forms = readdirSync(copy).filter((name) => /^(command|read-config-\w+|terraform-\w+)\.cache$/.test(name));
  expect(forms.length).toBe(3);
  for (const form of forms) {
    spoil(join(copy, form));
    expect(runCommand(join(copy, "vmlint.cjs"), cwd, ["."])).toEqual(whole);
  }
});

/** Runs `script` in a shell and returns its output. `$V` in the script is the command. */
function inShell(cwd: string, script: string) {
  const env = { ...process.env, V: COMMAND, NODE: process.execPath };
  const { status, stdout, stderr } = spawnSync("bash", ["-c", script], { cwd, env, encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}

test.skipIf(!existsSync("/dev/full"))("a full disk is no bug of vmlint, and no clean run", () => {
  const cwd = folder({ "a.vmx": VM });
  const err = "vmlint: The report cannot be written to the standard output (ENOSPC).\n";
  for (const args of ["a.vmx", "a.vmx --format json", "rules", "nope.vmx --format json"]) {
    const { code, err: said } = inShell(cwd, `"$NODE" "$V" ${args} > /dev/full`);
    expect([code, said.endsWith(err)]).toEqual([2, true]);
  }
  expect(inShell(cwd, `"$NODE" "$V" a.vmx nope-* 2> /dev/full`)).toMatchObject({ code: 1, out: expect.stringContaining("1 error") });
});

test("the reader of stderr may close it: the run ends normally, and every file is fixed", () => {
  const twice = 'numvcpus = "4"\nnumvcpus = "4"\n';
  const names = Array.from({ length: 50 }, (_, i) => `${i}.vmx`);
  const cwd = folder(Object.fromEntries(names.map((name) => [name, twice])));
  const { out } = inShell(cwd, `{ "$NODE" "$V" --fix 2>&1 1>&3 | true; echo "\${PIPESTATUS[0]}"; } 3>&1`);
  expect(out).toMatch(/^Nothing found so far in 50 VMs \(50 files\)\. .*\n(.|\n)*\n0\n$/);
  for (const name of names) expect(readFileSync(join(cwd, name), "utf8")).toBe('numvcpus = "4"\n');
  const failed = inShell(cwd, `{ "$NODE" "$V" nope.vmx --format json 2>&1 1>&3 | true; echo "\${PIPESTATUS[0]}"; } 3>&1`);
  expect(failed.out).toMatch(/"error"(.|\n)*\n2\n$/);
});

test.skipIf(process.platform === "win32")("a folder that is removed during the run is reported", () => {
  const run = 'mkdir gone && cd gone && rmdir ../gone && "$NODE" "$V"';
  expect(inShell(folder({}), run)).toEqual({ code: 2, out: "", err: "vmlint: The current folder no longer exists.\n" });
});
