import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { COMMAND, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const CLEAN = `numvcpus = "4"\n`;
const TWICE = `numvcpus = "4"\nnumvcpus = "4"\n`;
const WAITING = "vmlint: waiting for changes; Ctrl-C ends.\n";

/** Starts the command with --watch. `next` returns the output of one run. */
function watching(cwd: string, args: readonly string[] = [], command: readonly string[] = [process.execPath, COMMAND]) {
  const [program = "", ...first] = command;
  const child: ChildProcess = spawn(program, [...first, ...args, "--watch"], { cwd, stdio: ["ignore", "pipe", "pipe"], detached: true });
  onTestFinished(() => endAll(child));
  let out = "";
  let err = "";
  child.stdout?.on("data", (data) => (out += data));
  child.stderr?.on("data", (data) => (err += data));
  /** Waits for a run whose output contains `said`, because one edit may cause two runs. */
  const until = async (said: string | RegExp): Promise<string> => {
    for (const end = Date.now() + 30_000; ; ) {
      if (Date.now() > end) throw new Error(`it has not said ${said}, but: ${err}${out}`);
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${err}`);
      const isSaid = typeof said === "string" ? `${err}${out}`.includes(said) : said.test(`${err}${out}`);
      if (isSaid && err.endsWith(WAITING)) {
        const all = out + err;
        out = "";
        err = "";
        return all;
      }
      await new Promise((later) => setTimeout(later, 20));
    }
  };
  return { child, until };
}

/** Ends a process and its children, such as the command of a shell. */
function endAll({ pid = 0 }: ChildProcess): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All have ended.
  }
}

const write = (cwd: string, path: string, text: string) => writeFileSync(join(cwd, path), text);

describe("--watch", () => {
  test("checks again when a file is edited, made, moved or removed, in folders that were not there before, too", async () => {
    const cwd = folder({ "a.vmx": CLEAN, "sub/b.vmx": CLEAN });
    const { until } = watching(cwd);
    expect(await until("2 VMs")).toContain("Nothing found so far in 2 VMs (2 files).");
    write(cwd, "a.vmx", TWICE);
    expect(await until("1 warning")).toContain("vmx/duplicate-key a.vmx:2:1");
    // Some editors write a temporary file and rename it.
    write(cwd, "a.tmp", CLEAN);
    renameSync(join(cwd, "a.tmp"), join(cwd, "a.vmx"));
    await until("Nothing found so far in 2 VMs");
    mkdirSync(join(cwd, "new/deep"), { recursive: true });
    write(cwd, "new/deep/c.vmx", CLEAN);
    await until("3 VMs");
    write(cwd, "new/deep/c.vmx", TWICE);
    await until("new/deep/c.vmx:2:1");
    rmSync(join(cwd, "new"), { recursive: true });
    await until("Nothing found so far in 2 VMs");
    mkdirSync(join(cwd, "new"));
    write(cwd, "new/d.vmx", CLEAN);
    await until("3 VMs");
    write(cwd, "new/d.vmx", TWICE);
    await until("new/d.vmx:2:1");
    renameSync(join(cwd, "sub"), join(cwd, "other"));
    write(cwd, "other/b.vmx", TWICE);
    await until("other/b.vmx:2:1");
  });

  test("a changed configuration in any folder starts a run, and an invalid one is watched until it is corrected", async () => {
    // Configurations are read inside of the repository alone, and 11 vCPUs are split unevenly enough for a warning.
    const root = folder({
      ".git/HEAD": "",
      "prod/vms/a.vmx": 'virtualHW.version = "17"\nnumvcpus = "11"\n',
      "base/hosts.yaml": "{}\n",
    });
    const cwd = join(root, "prod/vms");
    const { until } = watching(cwd);
    await until("name the host");
    write(root, "prod/vmlint.yaml", "extends: [../base/hosts.yaml]\nhost: lab\n");
    await until(/There is no host "lab"/);
    write(root, "base/hosts.yaml", "hosts: { lab: { sockets: 4, coresPerSocket: 10, threadsPerCore: 2, esxi: '7.0' } }\n");
    write(root, "prod/vmlint.yaml", "extends: [../base/hosts.yaml]\nhost: lab\n\n");
    await until("numa/wide-uneven");
    write(root, "base/hosts.yaml", "hosts: { lab: { sockets: 2, coresPerSocket: 24, threadsPerCore: 2, esxi: '7.0' } }\n");
    await until(/Nothing to report|Nothing found so far/);
    rmSync(join(root, "prod/vmlint.yaml"));
    await until("name the host");
  });

  test("changes of referenced files start a run: Terraform modules, Ansible variables", async () => {
    const tf =
      'variable "n" {}\nresource "vsphere_virtual_machine" "x" {\n  name = "x"\n  num_cpus = var.n\n  num_cores_per_socket = 4\n  memory = 4096\n}\n';
    const root = folder({ "live/main.tf": 'module "m" {\n  source = "../m"\n  n = 8\n}\n', "m/main.tf": tf });
    const { until } = watching(join(root, "live"));
    await until("Nothing found so far in 1 VM");
    write(root, "m/main.tf", tf.replace("= 4\n", "= 3\n"));
    await until("cpu/cps-divides");
  });

  test.each<[string, readonly string[], (command: string) => string]>([
    ["into a file", ["a.vmx"], (command) => `${command} > out.log 2> err.yaml`],
    ["through a pipe", ["a.vmx", "main.tf"], (command) => `${command} 2>&1 | tee out.log`],
  ])("output %s in the folder is not a change; a relevant file still is", async (_, names, shell) => {
    const tf = 'resource "vsphere_virtual_machine" "x" {\n  num_cpus = 4\n  memory   = 4096\n}\n';
    const cwd = folder(Object.fromEntries(names.map((name) => [name, name === "a.vmx" ? CLEAN : tf])));
    const command = shell(`exec "${process.execPath}" "${COMMAND}" --watch --format compact`);
    const child = spawn("bash", ["-c", command], { cwd, stdio: "ignore", detached: true });
    onTestFinished(() => endAll(child));
    const all = () =>
      ["out.log", "err.yaml"].map((name) => (existsSync(join(cwd, name)) ? readFileSync(join(cwd, name), "utf8") : "")).join("");
    const runs = () => all().split(WAITING).length - 1;
    await expect.poll(runs, { timeout: 30_000 }).toBeGreaterThan(0);
    await new Promise((later) => setTimeout(later, 1000));
    const before = runs();
    expect(before).toBeLessThan(3);
    write(cwd, "a.vmx", TWICE);
    await expect.poll(all, { timeout: 30_000 }).toContain("vmx/duplicate-key");
    await expect.poll(runs, { timeout: 30_000 }).toBeGreaterThan(before);
  });

  test("files that disappear during reading, and reports in the folder, do not end the watch", async () => {
    const cwd = folder(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}.vmx`, CLEAN])));
    const { until, child } = watching(cwd, ["--format", "text", "--format", "json:report.json"]);
    await until("300 VMs");
    for (let i = 0; i < 299; i++) rmSync(join(cwd, `${i}.vmx`));
    write(cwd, "299.vmx", TWICE);
    await until(/1 warning in 1 VM /);
    expect(JSON.parse(readFileSync(join(cwd, "report.json"), "utf8")).summary).toMatchObject({ files: 1, warning: 1 });
    // Only vmlint itself has changed files since.
    await new Promise((later) => setTimeout(later, 500));
    write(cwd, "299.vmx", CLEAN);
    expect((await until("Nothing found so far")).split(WAITING)).toHaveLength(2);
    expect(child.exitCode).toBe(null);
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends it with %i", async (signal, code) => {
    const { child, until } = watching(folder({ "a.vmx": CLEAN }));
    expect(await until("1 VM")).not.toContain("\u001b");
    child.kill(signal);
    expect((await once(child, "close"))[0]).toBe(code);
  });

  test.each<[readonly string[], string]>([
    [["--fix"], "--watch and --fix exclude each other."],
    [["--staged"], "--watch and --staged exclude each other."],
    [["-"], "--watch takes files and folders: the standard input can be read only once."],
    [["--fail-on", "x"], '--fail-on takes error, warning, info, hint or never, not "x".'],
  ])("%s is refused", (args, expected) => {
    expect(vmlint(folder({ "a.vmx": CLEAN }), [...args, "--watch"])).toEqual({ code: 2, out: "", err: `vmlint: ${expected}\n` });
  });
});

test.each(["| tee x.json", "| tee x.json y.json", "2>&1 | tee -a x.json"])(
  "--watch %s in the folder of its own output runs for changes alone, however soon they come",
  async (pipe) => {
    const cwd = folder({ "a.vmx": CLEAN, "x.json": "{}", "y.json": "{}" });
    watching(cwd, [], ["sh", "-c", `"$0" "$@" --format json ${pipe}`, process.execPath, COMMAND]);
    const printed = () => readFileSync(join(cwd, "x.json"), "utf8");
    const runs = () => printed().split('"schemaVersion"').length - 1;
    await expect.poll(runs, { timeout: 30_000 }).toBeGreaterThan(0);
    await new Promise((later) => setTimeout(later, 1500));
    expect(runs()).toBeLessThan(4);
    for (let i = 0; i < 20; i++) {
      write(cwd, "a.vmx", i % 2 === 0 ? CLEAN : TWICE);
      await new Promise((later) => setTimeout(later, 60));
    }
    await expect.poll(printed, { timeout: 30_000 }).toContain("vmx/duplicate-key");
  },
);

const hasTerminal = spawnSync("script", ["--version"]).status === 0;

/** Runs the command in a terminal of its own; gives what that shows. */
const inTerminal = (command: string) => ["-qefc", command, "/dev/null"];

describe.skipIf(!hasTerminal)("in a terminal (script of util-linux)", () => {
  test("--watch clears the screen before each run", async () => {
    const cwd = folder({ "a.vmx": CLEAN });
    const child = spawn("script", inTerminal(`${process.execPath} ${COMMAND} --watch`), { cwd, stdio: ["pipe", "pipe", "ignore"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let shown = "";
    child.stdout.on("data", (data) => (shown += data));
    const until = (text: string) => expect.poll(() => shown, { timeout: 30_000, interval: 20 }).toContain(text);
    await until("Ctrl-C ends");
    expect(shown.startsWith("\u001b[2J\u001b[3J\u001b[H")).toBe(true);
    shown = "";
    write(cwd, "a.vmx", TWICE);
    await until("vmx/duplicate-key");
    expect(shown.startsWith("\u001b[2J\u001b[3J\u001b[H")).toBe(true);
    // Ctrl-C in a terminal.
    child.stdin.write("\u0003");
    expect((await once(child, "close"))[0]).toBe(130);
  });

  test("a long run shows its progress, and erases it before the report", () => {
    const text = `${CLEAN}${Array.from({ length: 2000 }, (_, i) => `ethernet${i}.present = "TRUE"`).join("\n")}\n`;
    const cwd = folder({ "0.vmx": text, "vmlint.yaml": "rules: { net/max-cards: off }\n" });
    for (let i = 1; i < 2500; i++) linkSync(join(cwd, "0.vmx"), join(cwd, `${i}.vmx`));
    const { stdout } = spawnSync("script", inTerminal(`${process.execPath} ${COMMAND}`), { cwd, encoding: "utf8" });
    expect(stdout).toMatch(SHOWN);
    expect(afterErasing(stdout)).not.toContain("of 2500 files");
    expect(afterErasing(stdout)).toContain("Nothing found so far");
    // A short run shows no progress, and neither does a run without a terminal.
    expect(spawnSync("script", inTerminal(`${process.execPath} ${COMMAND} 1.vmx`), { cwd, encoding: "utf8" }).stdout).not.toContain(
      "\u001b[K",
    );
    expect(vmlint(cwd, []).err).toBe("");
  });
});

const ERASED = "\r\u001b[K";
const SHOWN = /vmlint: \d+ of 2500 files/;

/** The lines on the screen at the end. */
const afterErasing = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.split(ERASED).at(-1))
    .join("\n");
