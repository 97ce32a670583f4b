import type { Format } from "../formats/format.ts";
import { list } from "../model/words.ts";
import { type ImportVm, importing } from "./import-vm.ts";
import { IMPORTERS } from "./index.ts";
import { TARGETS } from "./targets/index.ts";

interface FoundImport {
  /** The name of the format that reads the definitions. */
  readonly format: string;
  readonly open: (format: Format) => ImportVm;
}

/** Returns the import that a target and an importer name, the first of the target by default. `problem`: the names that exist. */
export function importNamed({
  to,
  by,
}: {
  readonly to: keyof typeof TARGETS;
  readonly by?: string;
}): FoundImport | { readonly problem: string } {
  const all = IMPORTERS.filter(({ target }) => target === to);
  const importer = by === undefined ? all[0] : all.find(({ name }) => name === by);
  const names = list(
    all.map(({ name }) => name),
    "or",
  );
  if (!importer) return { problem: `There is no importer "${by}" to ${to}: write ${names}.` };
  const target = TARGETS[to];
  return { format: target.format, open: (format) => importing(importer, target, format) };
}
