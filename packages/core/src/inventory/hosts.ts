import { HOST_WORDS } from "../formats/vi-json/signs.ts";
import { combine } from "../hosts/combine.ts";
import type { Fail } from "../hosts/facts.ts";
import { type HostSystem, hostSystemsIn } from "../hosts/vsphere.ts";
import { VmlintError } from "../model/errors.ts";
import type { InventoryHost } from "../model/inventory.ts";
import { readJson } from "../syntax/json/json.ts";

/** The hosts that a text of an inventory lists; none where it lists VMs alone. */
export function hostsIn(text: string, path: string): readonly InventoryHost[] {
  if (!HOST_WORDS.test(text)) return [];
  const read = readJson(text);
  if ("message" in read) return [];
  return read.documents.flatMap(({ range: [start, end] }) => {
    const document = text.slice(start, end);
    return HOST_WORDS.test(document) ? hostSystemsIn(JSON.parse(document)).map((host) => modelled(host, path)) : [];
  });
}

function modelled({ name, id, cluster, facts }: HostSystem, path: string): InventoryHost {
  return { name, id, cluster, path, model: modelOf({ name, title: "the inventory", path, facts }) };
}

interface Stated extends Pick<HostSystem, "name" | "facts"> {
  readonly title: string;
  readonly path: string;
}

/** A host's model, or why none can be made of what is said of it. */
export function modelOf({ name, title, path, facts }: Stated): InventoryHost["model"] {
  const fail: Fail = (message) => {
    throw new VmlintError("HOST_UNREADABLE", message);
  };
  try {
    return { host: combine([{ title, facts: facts(fail) }], { name, file: path }, fail).host };
  } catch (error) {
    if (error instanceof VmlintError) return { reason: error.message };
    throw error;
  }
}
