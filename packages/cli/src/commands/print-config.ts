import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { HostModel, VmSpec } from "@vmlint/core";
import type { EffectiveValue, Origin } from "@vmlint/core/config-origins";
import { printable } from "@vmlint/core/program";
import { jsonAnswer } from "../args/command-output.ts";
import { type Flags, inputOf, workloadOf } from "../args/options.ts";
import { fromSlashes, readText, shownPath, statsOf, toSlashes } from "../files/read-files.ts";
import type { Io } from "../io.ts";
import { configFinder, openDisk } from "../run/disk-workspace.ts";
import { hostFinder } from "../run/host-finder.ts";
import { lintFiles } from "../run/lint-files.ts";

interface Explained {
  /** The path in reports. */
  readonly path: string;
  /** `null` where the path has no VM in it. */
  readonly vm: string | null;
  /** The configuration files, extended ones first. */
  readonly configurations: readonly string[];
  readonly values: readonly EffectiveValue[];
}

/** Returns the settings that apply to a path, each with the file that sets it. */
export async function printConfig(path: string, flags: Flags, io: Io): Promise<string> {
  const file = resolve(io.cwd, path);
  const folder = statsOf(file)?.isDirectory() ? file : dirname(file);
  // Reads it again, because this reader throws on each mistake.
  const found = await configFinder(io.cwd, { config: flags.config, plugins: flags.plugins?.rules })(folder);
  const { explainConfig } = await import("@vmlint/core/config-origins");
  const explained =
    found.path === undefined
      ? await explainConfig("", "", { read: () => Promise.reject(new Error("ENOENT")) })
      : await explainConfig(
          readText(fromSlashes(found.path)),
          shownPath(fromSlashes(found.path), io.cwd),
          openDisk(io.cwd, { config: flags.config, plugins: flags.plugins?.rules }).runs.filesOf(found.path),
        );
  const [word] = flags.host ?? [];
  const host: HostModel | undefined = word === undefined ? undefined : await hostFinder(word, io)(explained.config);
  const configurations = found.path === undefined ? [] : explained.paths;
  const about = (path: string, text: string, vm: VmSpec | undefined): Explained => ({
    path,
    vm: vm?.name ?? null,
    configurations,
    values: explained.valuesOf({
      path,
      pathInConfig: found.relative(toSlashes(resolve(io.cwd, path))),
      text,
      vm: vm ?? NO_VM,
      host,
      workload: workloadOf(flags),
    }),
  });
  const files =
    folder !== file && existsSync(file)
      ? [...(await lintFiles({ ...inputOf(flags), patterns: [path], config: flags.config, rules: [] }, quietly(io))).files()]
      : [];
  const vms = files.flatMap(({ path: of, text, vms: linted }) => linted.map(({ spec }) => about(of, text, spec)));
  const all = vms.length > 0 ? vms : [about(shownPath(file, io.cwd), "", undefined)];
  if (flags.format === "json") return jsonAnswer({ checked: all });
  return all.map(textOf).join("\n");
}

const NO_VM = { name: "", directive: new Map() };

const quietly = (io: Io): Io => ({ ...io, err: () => {} });

function textOf({ path, vm, configurations, values }: Explained): string {
  const rows = values.map(
    ({ key, value, origin }) => [key, typeof value === "string" ? value : JSON.stringify(value), wordOf(origin)] as const,
  );
  const [keys, widest] = [0, 1].map((column) => Math.min(60, Math.max(...rows.map((row) => row[column]?.length ?? 0)))) as [number, number];
  const lines = rows.map(([key, value, origin]) => printable(`  ${key.padEnd(keys)}  ${value.padEnd(widest)}  ${origin}`));
  const by = configurations.length > 0 ? configurations.toReversed().join(", which extends ") : "no configuration";
  return `${printable(`${path}${vm === null ? "" : `  ${vm}`}  by ${by}`)}\n${lines.join("\n")}\n`;
}

function wordOf(origin: Origin): string {
  if (origin.from === "file") return `${origin.path}:${origin.line + 1}:${origin.column + 1}`;
  return origin.from === "dump" ? `dump ${origin.path}` : origin.from;
}
