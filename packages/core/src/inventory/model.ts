import { combine } from "../hosts/combine.ts";
import type { Fail } from "../hosts/facts.ts";
import type { HostSystem } from "../hosts/host-systems.ts";
import { VmlintError } from "../model/errors.ts";
import type { InventoryHost } from "../model/inventory-host.ts";

interface HostDescription extends Pick<HostSystem, "name" | "facts"> {
  readonly title: string;
  readonly path: string;
}

/** Returns the model of a host, or the reason why its facts are not enough. */
export function modelOf({ name, title, path, facts }: HostDescription): InventoryHost["model"] {
  const fail: Fail = (message) => {
    throw new VmlintError("HOST_UNREADABLE", message);
  };
  try {
    return { host: combine([{ title, facts: facts(fail) }], { name, file: path, isExport: true }, fail).host };
  } catch (error) {
    if (error instanceof VmlintError) return { reason: error.message };
    throw error;
  }
}
