import { HOST_WORDS } from "../formats/vi-json/recognise.ts";
import { hostSystemsIn } from "../hosts/host-systems.ts";
import type { FileContext } from "../model/files.ts";
import type { InventoryHost } from "../model/inventory-host.ts";
import { readJson } from "../syntax/json/json.ts";
import { modelOf } from "./model.ts";
import { exportedHosts } from "./rvtools-hosts.ts";

/** Returns the hosts of an inventory; an empty list if it has only VMs. */
export function hostsIn(text: string, context: FileContext): readonly InventoryHost[] {
  return /^\s*[[{]/.test(text) ? apiHosts(text, context.path) : exportedHosts(text, context);
}

/** Reads the output of govc or the vSphere API. */
function apiHosts(text: string, path: string): readonly InventoryHost[] {
  if (!HOST_WORDS.test(text)) return [];
  const read = readJson(text);
  if ("message" in read) return [];
  return read.documents.flatMap(({ range: [start, end] }) => {
    const document = text.slice(start, end);
    if (!HOST_WORDS.test(document)) return [];
    return hostSystemsIn(JSON.parse(document)).map(({ name, id, cluster, facts }) => {
      return { name, id, cluster, path, model: modelOf({ name, title: "the inventory", path, facts }) };
    });
  });
}
