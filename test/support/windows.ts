import type * as FileSystem from "node:fs";

/** The functions of node:fs whose second argument is a path, too. */
const TWO_PATHS = new Set(["renameSync", "copyFileSync", "linkSync", "cpSync"]);

/**
 * Returns node:fs with the paths of Windows: `C:\fleet` is the folder `C/fleet` below `root`. Names keep their case and are found in any
 * case, as on NTFS. Other paths stay as they are.
 */
export function windowsFileSystem(fs: typeof FileSystem, root: string): typeof FileSystem {
  /** Returns the entry of a folder that a name means. */
  const entry = (folder: string, name: string): string => {
    if (fs.existsSync(`${folder}/${name}`) || !fs.existsSync(folder)) return name;
    return fs.readdirSync(folder).find((other) => other.toLowerCase() === name.toLowerCase()) ?? name;
  };
  const inside = (path: unknown): unknown => {
    const [, drive = "", rest = ""] = (typeof path === "string" && /^([A-Za-z]):[\\/](.*)$/s.exec(path)) || [];
    if (drive === "") return path;
    const names = rest.split(/[\\/]/).filter(Boolean);
    return names.reduce((folder, name) => `${folder}/${entry(folder, name)}`, `${root}/${drive.toUpperCase()}`);
  };
  const outside = (path: unknown): unknown => {
    if (typeof path !== "string" || !path.startsWith(`${root}/`)) return path;
    const [drive = "", ...names] = path.slice(root.length + 1).split("/");
    return `${drive}:\\${names.join("\\")}`;
  };
  const wrap =
    (name: string, call: (...args: unknown[]) => unknown) =>
    (...[first, second, ...rest]: unknown[]): unknown => {
      const args = [inside(first), TWO_PATHS.has(name) ? inside(second) : second, ...rest];
      const result = call(...args);
      return name.startsWith("realpath") ? outside(result) : result;
    };
  const wrapped: Record<string, unknown> = Object.fromEntries(
    Object.entries(fs).map(([name, value]) => [
      name,
      typeof value === "function" && /Sync$/.test(name) ? wrap(name, value as never) : value,
    ]),
  );
  wrapped.realpathSync = Object.assign(wrapped.realpathSync as object, { native: wrap("realpath", fs.realpathSync.native as never) });
  return { ...wrapped, default: wrapped } as never;
}
