import { joinPath } from "../../model/files.ts";

/** What ansible.cfg says about where things are. */
export interface AnsibleSettings {
  /** The paths of the inventory; `undefined` where none is named. */
  readonly inventory: readonly string[] | undefined;
  /** Whether inventories are read in another way than usual: other files of a folder, other plugins, another order. */
  readonly readsOtherwise: boolean;
  /** Whether a variable that is a mapping in several places has the keys of all of them (DEFAULT_HASH_BEHAVIOUR). */
  readonly merges: boolean;
  /** Folders of roles beside those of a playbook. */
  readonly roles: readonly string[];
}

/** Where there is no file of settings. */
export const NO_SETTINGS: AnsibleSettings = { inventory: undefined, readsOtherwise: false, merges: false, roles: [] };

/** Settings by which inventories are read in another way (Ansible, "Configuration settings"). */
const OTHERWISE =
  /^(?:inventory_ignore_\w+|ignore_(?:extensions|patterns)|enable_plugins|yaml_valid_extensions|force_valid_group_names|precedence)[ \t]*[=:]/im;

/** Reads the section `[defaults]`; paths start from the file's own folder (Ansible, "Configuration settings"). */
export function settingsIn(text: string, folder: string): AnsibleSettings {
  const defaults = /^\[defaults\][^\n]*\n((?:(?!\[)[^\n]*\n?)*)/m.exec(text)?.[1] ?? "";
  const value = (key: string): string | undefined => {
    const written = new RegExp(`^${key}[ \\t]*[=:][ \\t]*([^\\r\\n]*)`, "im").exec(defaults)?.[1];
    return written?.replace(/[ \t]+;.*$/, "").trim();
  };
  // What a path of the user's or of the environment means is known there alone: it is kept, and nothing is found at it.
  const paths = (list: string | undefined, separator: string): readonly string[] =>
    (list ?? "")
      .split(separator)
      .flatMap((part) => (part.trim() === "" ? [] : [/^[~$]|\{\{/.test(part.trim()) ? part.trim() : joinPath(folder, part.trim())]));
  const inventory = value("inventory");
  return {
    inventory: inventory === undefined ? undefined : paths(inventory, ","),
    readsOtherwise: OTHERWISE.test(text),
    merges: value("hash_behaviour") === "merge",
    roles: paths(value("roles_path"), ":"),
  };
}
