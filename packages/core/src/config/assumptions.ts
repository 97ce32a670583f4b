import { formatHolding } from "../formats/index.ts";
import { INHERITED } from "../formats/inherited.ts";
import { NOTHING_GIVEN } from "../formats/project.ts";
import type { Assumptions } from "../lint/target.ts";
import { nameOf } from "../model/files.ts";
import type { AssumedSettings, AssumedValue, NamedTemplate, SettingName, VmSpec } from "../model/spec.ts";
import { nameMatcher } from "./globs.ts";
import { type ConfigSources, type Layer, type Path, textOrError } from "./layers.ts";
import { whyNotRead } from "./mistakes.ts";

/** Templates by the path that the configuration has for their file, or what is wrong with the file. */
export type TemplateFiles = ReadonlyMap<string, VmSpec | string>;

/** Reads the files that `templates:` names. */
export function readTemplates(layers: readonly Layer[], { read, format }: ConfigSources): TemplateFiles {
  const templates = layers.flatMap(({ raw, resolve }) =>
    Object.values(raw.templates ?? {}).flatMap((template) =>
      typeof template === "string" ? [[template, resolve(template)] as const] : [],
    ),
  );
  return new Map(
    templates.map(([name, path]) => {
      const text = textOrError(read, path);
      return [path, typeof text === "string" ? templateIn(name, path, text, format) : whyNotRead(name, text)] as const;
    }),
  );
}

function templateIn(name: string, path: string, text: string, load: ConfigSources["format"]): VmSpec | string {
  const entry = formatHolding(path, text);
  const parsed = entry && load(entry).read({ paths: [path], files: undefined, text, bytes: undefined, inputs: NOTHING_GIVEN });
  const vms = parsed?.vms.filter(({ choiceOf }) => !choiceOf) ?? [];
  const [vm] = vms;
  if (vm && vms.length === 1) return vm;
  return vms.length > 1
    ? `${name} has ${vms.length} VMs: name a file with only the template.`
    : `${name} is not a .vmx, OVF or govc JSON file with a template.`;
}

/** Returns the `templates:` and `assume:` of all layers, or `undefined` without any. */
export function assumptionsOf(layers: readonly Layer[], files: TemplateFiles | undefined, ownFile: string): Assumptions | undefined {
  const templates = layers.flatMap((layer) =>
    Object.entries(layer.raw.templates ?? {}).flatMap(([name, template]): readonly NamedTemplate[] => {
      const at: Path = ["templates", name];
      if (!layer.isSound(at)) return [];
      if (typeof template !== "string")
        return [{ matches: nameMatcher([name]), settings: statedIn(layer, at, template, (place) => `set by the template (${place})`) }];
      const file = files?.get(layer.resolve(template)) ?? `${template} is ${ownFile}`;
      if (typeof file !== "string") {
        const origin = `set by the template (${nameOf(template)})`;
        return [{ matches: nameMatcher([name]), settings: settingsOf(file, origin), file: { vm: file, origin } }];
      }
      layer.report(at, file);
      return [];
    }),
  );
  const settings = new Map(
    layers.flatMap((layer) => [...statedIn(layer, ["assume"], layer.raw.assume ?? {}, (place) => `assumed in ${place}`)]),
  );
  return templates.length + settings.size > 0 ? { templates, settings } : undefined;
}

function statedIn(layer: Layer, at: Path, template: object, originAt: (place: string) => string): AssumedSettings {
  return new Map(
    Object.entries(template).map(([name, value]): [SettingName, AssumedValue] => {
      const { line } = layer.positionOf(layer.offsetOf([...at, name], true));
      return [name as SettingName, { value, origin: originAt(`${nameOf(layer.path)}:${line + 1}`) }];
    }),
  );
}

/** Returns the settings that clones inherit from a template. A setting missing in the template is absent in its clones. */
function settingsOf({ settings, defaults }: VmSpec, origin: string): AssumedSettings {
  const assumed = new Map<SettingName, AssumedValue>();
  for (const name of Object.keys(settings) as SettingName[]) {
    const setting = settings[name];
    const value = setting.state === "known" ? setting.value : setting.state === "absent" ? defaults[name] : undefined;
    const isAbsent = setting.state === "absent" && INHERITED.some((inherited) => inherited === name);
    if (value !== undefined || isAbsent) assumed.set(name, { value, origin });
  }
  return assumed;
}
