import type { Files, Sources } from "../../model/files.ts";
import { addTo } from "../../model/maps.ts";
import { literalText } from "../../syntax/hcl/convert.ts";
import { type ConfigBlock, configBlock, type ExpressionInFile, type PlacedBlock } from "../hcl/config-block.ts";
import { isWholeFolder } from "../hcl/variables.ts";
import { TEMPLATE } from "./data-template.ts";
import { isModuleFile, type ModuleFile, moduleFiles } from "./module-files.ts";

/** The blocks of a module, without evaluation. */
export interface ModuleSource {
  readonly folder: string;
  readonly files: readonly ModuleFile[];
  readonly variables: ReadonlyMap<string, ConfigBlock>;
  readonly locals: ReadonlyMap<string, ExpressionInFile>;
  readonly outputs: ReadonlyMap<string, ConfigBlock>;
  readonly calls: ReadonlyMap<string, ConfigBlock>;
  /** The resources of wanted types; `again` has duplicates. */
  readonly resources: readonly ConfigBlock[];
  /** The first resource of each name: `vsphere_virtual_machine.sql`. */
  readonly resourceOf: ReadonlyMap<string, ConfigBlock>;
  /** The data sources that look a cluster or a template up, by type and name. */
  readonly lookups: ReadonlyMap<string, ConfigBlock>;
  /** The `terraform` blocks. */
  readonly settings: readonly ConfigBlock[];
  /** Duplicate declarations. Terraform refuses such a folder, so the value of the name is unknown. */
  readonly duplicates: ReadonlyMap<string, readonly DuplicateDeclaration[]>;
  /**
   * Variables whose type an override file changes, if either type has `optional`: the defaults of the first type then apply to the second
   * (Terraform, configs.Variable.merge).
   */
  readonly retyped: ReadonlySet<string>;
  /** Whether its folder has all of its files, and each was read. */
  readonly isWhole: boolean;
}

/** A declaration with a name that is already used. */
interface DuplicateDeclaration {
  readonly configBlock: ConfigBlock;
  readonly first: ConfigBlock;
}

/** The data source that looks a cluster up by its name. */
export const CLUSTER = "vsphere_compute_cluster";

/** Reads the module in a folder; `wanted` selects the resource types. */
export function readModule(folder: string, files: Files, sources: Sources, isWanted: (type: string) => boolean): ModuleSource {
  const variables = new Map<string, ConfigBlock>();
  const outputs = new Map<string, ConfigBlock>();
  const calls = new Map<string, ConfigBlock>();
  const lookups = new Map<string, ConfigBlock>();
  const resources = new Map<string, ConfigBlock>();
  const locals = new Map<string, ExpressionInFile>();
  const settings: ConfigBlock[] = [];
  const duplicates = new Map<string, DuplicateDeclaration[]>();
  const retyped = new Set<string>();
  const moduleFileList: ModuleFile[] = [];
  const into = (map: Map<string, ConfigBlock>, key: string, { block, file }: PlacedBlock, isOverride: boolean): void => {
    const first = map.get(key);
    if (!first) map.set(key, configBlock(block, file));
    else if (isOverride) map.set(key, overridden(first, configBlock(block, file)));
    else {
      addTo(duplicates, `${block.type}.${key}`, { configBlock: configBlock(block, file), first });
    }
  };
  for (const moduleFile of moduleFiles(folder, files, sources, isWanted)) {
    moduleFileList.push(moduleFile);
    const { body, file, isOverride } = moduleFile;
    for (const block of body.blocks) {
      const [first, second] = block.labels;
      const placedBlock = { block, file };
      if (block.type === "locals") {
        for (const { name, value } of block.body.attributes) {
          if (isOverride || !locals.has(name)) locals.set(name, { value, file });
          else duplicates.set(`local.${name}`, []);
        }
      } else if (block.type === "terraform") settings.push(configBlock(block, file));
      else if (first === undefined) continue;
      else if (block.type === "variable") {
        const resourceType = isOverride && typeText(configBlock(block, file));
        if (resourceType && /\boptional\b/.test(resourceType + typeText(variables.get(first.value)))) retyped.add(first.value);
        into(variables, first.value, placedBlock, isOverride);
      } else if (block.type === "output") into(outputs, first.value, placedBlock, isOverride);
      else if (block.type === "module") into(calls, first.value, placedBlock, isOverride);
      else if (block.type === "data" && (first.value === CLUSTER || first.value === TEMPLATE) && second)
        into(lookups, `${first.value}.${second.value}`, placedBlock, isOverride);
      else if (block.type === "resource" && second !== undefined && isWanted(first.value)) {
        into(resources, `${first.value}.${second.value}`, placedBlock, isOverride);
      }
    }
  }
  const duplicateResources = [...duplicates.values()]
    .flat()
    .flatMap(({ configBlock }) => (configBlock.type === "resource" ? configBlock : []));
  return {
    folder,
    files: moduleFileList,
    variables,
    locals,
    outputs,
    calls,
    lookups,
    resources: [...resources.values(), ...duplicateResources],
    resourceOf: resources,
    settings,
    duplicates,
    retyped,
    isWhole: isWholeFolder(files.list(folder), isModuleFile, moduleFileList),
  };
}

function typeText(variable: ConfigBlock | undefined): string {
  const type = variable?.attributes.get("type");
  return type ? type.file.text.slice(type.value.start, type.value.end) : "";
}

/** Returns all module calls, including duplicates. */
export const callsIn = ({ calls, duplicates }: ModuleSource): readonly ConfigBlock[] => [
  ...calls.values(),
  ...[...duplicates.values()].flat().flatMap(({ configBlock }) => (configBlock.type === "module" ? configBlock : [])),
];

/**
 * Overrides replace attributes one by one, and nested blocks by type; `lifecycle` blocks are merged, so both are kept (Terraform,
 * files/override).
 */
function overridden(original: ConfigBlock, by: ConfigBlock): ConfigBlock {
  const typeOf = ({ block }: PlacedBlock): string => (block.type === "dynamic" ? (block.labels[0]?.value ?? "") : block.type);
  const replaced = new Set(by.blocks.map(typeOf));
  return {
    ...original,
    attributes: new Map([...original.attributes, ...by.attributes]),
    blocks: [...original.blocks.filter((block) => block.block.type === "lifecycle" || !replaced.has(typeOf(block))), ...by.blocks],
  };
}

/** The local folder of a module call, or its remote source. */
type Source = { readonly local: string } | { readonly remote: string };

/** Returns the source of a call if it is a literal. */
export function sourceOf(call: ConfigBlock): Source | undefined {
  const source = call.attributes.get("source");
  const text = source && literalText(source.value);
  return text === undefined ? undefined : sourceNamed(text);
}

/** Parses a source (Terraform, modules/sources: "Local Paths"). */
export const sourceNamed = (text: string): Source =>
  /^\.\.?(?:\/|\\|$)/.test(text) ? { local: text.replaceAll("\\", "/") } : { remote: text };
