import { rangeIn, type SourceFile } from "../../model/files.ts";
import type { Block } from "../../syntax/hcl/ast.ts";
import { configBlock } from "../hcl/config-block.ts";
import { evaluatedIn, expressionAt, type NamedScope, secretBy, sensitiveAmong } from "../hcl/expression-at.ts";
import { repetitionOf, scopesWith } from "../hcl/scopes.ts";
import type { EvaluatedPlace } from "../project.ts";
import type { Instance } from "./instance.ts";
import type { ModuleFile } from "./module-files.ts";
import type { Modules } from "./modules.ts";

/** The modules of a run, for queries by offset. */
interface ReadModules {
  readonly roots: readonly Instance[];
  readonly modules: Modules;
}

/** Hovers show at most this many instances and elements. */
const MOST_SCOPES = 100;

/** Blocks whose arguments are expressions over the names of a module. */
const EVALUATED = new Set(["locals", "resource", "data", "module", "output", "provider"]);

/** Returns the value of the expression at an offset of the joined files, in every instance of its module. */
export function evaluatedAt(offset: number, { roots, modules }: ReadModules): EvaluatedPlace | undefined {
  const file = modules.sources.at(offset);
  const moduleFile = file && modules.fileOf.get(file);
  if (!moduleFile) return undefined;
  const looked = expressionAt(moduleFile.body, offset - file.start, EVALUATED);
  if (!looked) return undefined;
  const scopes = instancesWith(moduleFile, roots).flatMap((instance) => scopesOf(instance, looked.block, file));
  // Modules may pass sensitive values on under other names.
  const sensitive = sensitiveAmong([...modules.byFolder.values()].flatMap((source) => [...(source?.variables ?? [])]));
  return evaluatedIn(looked, rangeIn(file, looked.range), scopes.slice(0, MOST_SCOPES), secretBy(sensitive));
}

/** Returns the instances of a file's module, from all roots. */
function instancesWith(file: ModuleFile, roots: readonly Instance[]): readonly Instance[] {
  const instances: Instance[] = [];
  const stack = [...roots].reverse();
  for (let visited = 0; stack.length > 0 && instances.length < MOST_SCOPES && visited < MOST_SEEN; visited++) {
    const instance = stack.pop();
    if (!instance) break;
    if (instance.source.files.includes(file)) instances.push(instance);
    for (const child of [...instance.children()].reverse()) stack.push(child);
  }
  return instances;
}

const MOST_SEEN = 20_000;

/** Returns the scopes of a block, one for each instance of `count` or `for_each`. */
function scopesOf({ address, variant, scopeIn }: Instance, block: Block, file: SourceFile): readonly NamedScope[] {
  const named = (name: string): string => [name, variant && `(${variant})`].filter(Boolean).join(" ");
  const repeats = block.type === "resource" || block.type === "module" || block.type === "data";
  if (!repeats) return [{ of: named(address), scope: scopeIn(file) }];
  return repetitionOf(configBlock(block, file), scopeIn).items.map(({ suffix, names }) => {
    const own = block.type === "module" ? `module.${block.labels[0]?.value}` : block.labels.map(({ value }) => value).join(".");
    const name = suffix === "" ? address : `${address && `${address}.`}${own}${suffix}`;
    return { of: named(name), scope: scopesWith(scopeIn, names)(file) };
  });
}
