import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { BUGS, CONFIG_NAMES, plural, printable, VERSION } from "@vmlint/core/program";
import { isVmlintError, jsonAnswer, lines, usage } from "../args/command-output.ts";
import type { Flags } from "../args/options.ts";
import { foldersBelow } from "../files/disk.ts";
import { fromSlashes, shownPath, toSlashes } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { baselinePath, configFinder, openDisk } from "../run/disk-workspace.ts";
import { lintFiles } from "../run/lint-files.ts";
import { hiddenFiles } from "../run/paths-without-vm.ts";

/** Returns a bug report: the machine, the configuration and the files as vmlint sees them. */
export async function doctor(args: readonly string[], flags: Flags, io: Io): Promise<string> {
  if (args.length > 0) throw usage("vmlint doctor has no arguments: it checks the current folder.");
  const rows: (readonly [what: string, found: string])[] = [
    ["vmlint", VERSION],
    ["Node", `${process.version} on ${process.platform} ${process.arch}`],
    ["git", gitVersion()],
    ["plugins", [...new Set(flags.plugins?.rules.map(({ id }) => id.slice(0, id.indexOf("/"))))].join(", ") || "none"],
  ];
  const failing = async (what: string, look: () => Promise<string>) => {
    try {
      rows.push([what, await look()]);
    } catch (error) {
      if (!isVmlintError(error)) throw error;
      rows.push([what, `WRONG: ${error.message}`]);
    }
  };
  await failing("configuration", async () => {
    const found = await configFinder(io.cwd, { config: flags.config, plugins: flags.plugins?.rules })(io.cwd);
    if (found.path === undefined) return "none: vmlint init writes one";
    const { hosts, host } = found.config;
    const baseline = baselinePath(found);
    rows.push(["hosts", hosts.size > 0 ? [...hosts.keys()].join(", ") : "none declared"]);
    rows.push(["default host", host ?? "none: rules about hosts are skipped unless an override or a comment sets a host"]);
    rows.push(["baseline", existsSync(baseline) ? shownPath(baseline, io.cwd) : "none"]);
    const turned = Object.entries(found.config.rules).map(([id, severity]) => `${id} ${severity}`);
    rows.push(["rules", turned.length > 0 ? turned.join(", ") : "the severities of the presets"]);
    return shownPath(fromSlashes(found.path), io.cwd);
  });
  await failing("files", async () => {
    const run = await lintFiles({ patterns: [], config: flags.config, plugins: flags.plugins, rules: [], tolerates: ["lost"] }, io);
    const files = [...run.files()];
    const vms = files.flatMap((file) => file.vms);
    const placed = vms.filter(({ target }) => target.host).length;
    const configs = run.configs.filter(({ path }) => path !== undefined).length;
    const others = (await foreignConfigs(io.cwd)).map((path) => shownPath(path, io.cwd));
    if (others.length > 0) rows.push(["not ours", `${others.join(", ")}: no key of a configuration, or below a folder with a dot`]);
    const hidden = vms.length > 0 ? undefined : await hiddenFiles(".", { patterns: [], config: flags.config }, io);
    const found = `${files.length} with ${plural(vms.length, "VM")}, ${placed} of them with a host; ${plural(configs, "configuration")}`;
    return hidden === undefined ? found : `${found}; ${hidden}`;
  });
  if (flags.format === "json") return jsonAnswer({ found: Object.fromEntries(rows) });
  const width = Math.max(...rows.map(([what]) => what.length));
  const table = rows.map(([what, found]) => lines(`${what.padEnd(width)}  ${printable(found)}`, io.palette.width, width + 2)).join("");
  const where = BUGS === undefined ? "" : ` at ${BUGS}`;
  const advice = `To report a bug${where}, paste these lines, the command you ran, and the smallest VM that shows it. Change names that are secret.`;
  return `${table}\n${lines(advice, io.palette.width)}`;
}

/** Files with the name of a configuration that are none. */
async function foreignConfigs(cwd: string): Promise<readonly string[]> {
  const { runs } = openDisk(cwd);
  const names = CONFIG_NAMES.filter((name) => name !== "package.json");
  const foreign: string[] = [];
  for (const { folder, entries } of foldersBelow(cwd)) {
    const own = entries.filter((entry) => names.includes(entry.name) && entry.isFile());
    // One that cannot be read may be a configuration.
    if (own.length === 0 || (await runs.configIn(toSlashes(folder)).catch(() => "")) !== undefined) continue;
    foreign.push(...own.map((entry) => join(folder, entry.name)));
  }
  return foreign;
}

function gitVersion(): string {
  const { status, stdout } = spawnSync("git", ["--version"], { encoding: "utf8", windowsHide: true });
  return status === 0 ? stdout.trim().replace(/^git version /, "") : "none: --changed and --staged need it";
}
