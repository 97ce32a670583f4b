import type { Config } from "@vmlint/core";
import { type CheckResult, Checks, type EditorHost } from "@vmlint/core/editor";
import { EMPTY_CONFIG } from "@vmlint/core/program";

/** An editor over files in memory. Each read takes a moment. */
export interface FakeEditor {
  readonly checks: Checks;
  /** The files on disk. A test changes them as another program would. */
  readonly disk: Map<string, string>;
  /** Opens a file, or types into it: the texts that are to be checked again. */
  readonly type: (path: string, text?: string) => Promise<readonly string[]>;
  readonly close: (path: string) => Promise<readonly string[]>;
  readonly check: (path: string, host?: string) => Promise<CheckResult | undefined>;
  /** The rules of the findings in an open text. */
  readonly rules: (path: string) => Promise<readonly string[]>;
  /** The paths read so far, in order. */
  readonly read: readonly string[];
}

/** `config`: the one of all files, unless `configOf` finds that of a folder. With `findsConfigs`, the files have their own. */
export function editor(
  files: Readonly<Record<string, string>>,
  {
    config = EMPTY_CONFIG,
    configOf = async () => ({ config, folder: "/", relative: (path) => path.slice(1) }),
    findsConfigs = false,
    environment = {},
    isInside = () => true,
    isSearched = () => true,
  }: Partial<Pick<EditorHost, "environment" | "isInside" | "isSearched">> & {
    readonly config?: Config;
    readonly configOf?: NonNullable<EditorHost["config"]>;
    readonly findsConfigs?: boolean;
  } = {},
): FakeEditor {
  const disk = new Map(Object.entries(files));
  const open = new Map<string, string>();
  const read: string[] = [];
  const later = <T>(value: T): Promise<T> => new Promise((resolve) => setImmediate(() => resolve(value)));
  const checks = new Checks({
    read: (path) => {
      read.push(path);
      return later(disk.get(path));
    },
    list: (folder) => {
      const below = folder === "/" ? "/" : `${folder}/`;
      const names = [...disk.keys()].filter((path) => path.startsWith(below)).map((path) => path.slice(below.length).split("/")[0] ?? "");
      return later([...new Set(names)]);
    },
    openText: (path) => open.get(path),
    openPaths: () => open.keys(),
    isSearched,
    search: (endings, folder = "") => {
      const found = [...disk.keys()].filter((path) => path.startsWith(`${folder}/`) && isSearched(path));
      return later(found.filter((path) => endings.some((ending) => path.endsWith(ending))));
    },
    ...(findsConfigs ? { homeOf: () => "/" } : { config: async (folder) => later(await configOf(folder)) }),
    isInside,
    environment,
    today: () => "2026-01-01",
  });
  const check = (path: string, host = "") => checks.check({ path, text: open.get(path) ?? disk.get(path) ?? "", host });
  return {
    checks,
    disk,
    read,
    check,
    async type(path, text = disk.get(path) ?? "") {
      open.set(path, text);
      return [...(await checks.changed(path, "text"))];
    },
    async close(path) {
      open.delete(path);
      checks.close(path);
      return [...(await checks.changed(path, "text"))];
    },
    async rules(path) {
      const checkup = await check(path);
      return checkup?.result.diagnostics.map(({ ruleId }) => ruleId) ?? [];
    },
  };
}
