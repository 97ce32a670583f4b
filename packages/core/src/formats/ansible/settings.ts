import { joinPath } from "../../model/files.ts";

/** The locations that ansible.cfg sets. */
export interface AnsibleSettings {
  /** The paths of the inventory; `undefined` if the file sets none. */
  readonly inventory: readonly string[] | undefined;
  /** Whether settings change how inventories are read: other files of a folder, other plugins, another order. */
  readonly readsOtherwise: boolean;
  /** Whether a mapping in several places has the keys of all of them (DEFAULT_HASH_BEHAVIOUR). */
  readonly merges: boolean;
  /** Folders of roles, in addition to the folders of a playbook. */
  readonly roles: readonly string[];
}

/** The settings without an ansible.cfg. */
export const NO_SETTINGS: AnsibleSettings = { inventory: undefined, readsOtherwise: false, merges: false, roles: [] };

/** Settings that change how inventories are read (Ansible, "Configuration settings"). */
const OTHERWISE =
  /^(?:inventory_ignore_\w+|ignore_(?:extensions|patterns)|enable_plugins|yaml_valid_extensions|force_valid_group_names|precedence)[ \t]*[=:]/im;

/** Reads the section `[defaults]`; paths are relative to the folder of the file (Ansible, "Configuration settings"). */
export function settingsIn(text: string, folder: string): AnsibleSettings {
  const defaults = /^\[defaults\][^\n]*\n((?:(?!\[)[^\n]*\n?)*)/m.exec(text)?.[1] ?? "";
  const value = (key: string): string | undefined => {
    const text = new RegExp(`^${key}[ \\t]*[=:][ \\t]*([^\\r\\n]*)`, "im").exec(defaults)?.[1];
    return text?.replace(/[ \t]+;.*$/, "").trim();
  };
  // Paths with a home folder or an environment variable stay in the list, but no file is found there.
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
