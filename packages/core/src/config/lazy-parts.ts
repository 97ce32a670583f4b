import type { Memo } from "../memo/memo.ts";
import type { ConfigSources } from "./layers.ts";

/** Returns the parts that few configurations need, which are loaded on first use. */
export function lazyParts(memo: Memo): Pick<ConfigSources, "hosts" | "importers"> {
  const hosts = memo.input("hostReader", () => import("../hosts/index.ts"));
  const importers = memo.input("importers", () => import("../importers/import-named.ts"));
  return { hosts: () => hosts(""), importers: () => importers("") };
}
