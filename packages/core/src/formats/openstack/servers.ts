import type { Setting } from "../../model/source.ts";
import * as read from "../../syntax/values.ts";
import { type Entry, entriesOf, get, isMapping, isNothing, itemsOf, settingOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { tasksCalling } from "../ansible/find-tasks.ts";

/** A flavor or an image with the names that servers use for it. */
export interface Named {
  readonly names: readonly string[];
  readonly value: Value;
  /** The resource of Heat that makes it. */
  readonly resource?: Pick<Entry, "key" | "keyRange">;
}

/** A server with the names of its flavor and its image. */
export interface Server {
  readonly value: Value;
  readonly name: Value;
  readonly flavor: string;
  readonly image: string;
  readonly resource?: Named["resource"];
}

/** Returns the resources of a template of Heat with a type, by their keys. */
export const heatResources = (object: Value, type: string): readonly (Pick<Entry, "key" | "keyRange"> & { readonly properties: Value })[] =>
  entriesOf(get(object, "resources")).flatMap(({ key, keyRange, value }) =>
    textOf(get(value, "type")) === type ? [{ key, keyRange, properties: get(value, "properties") }] : [],
  );

/** The intrinsic functions of Heat and of CloudFormation (Heat template guide, "Intrinsic functions"). */
const FUNCTION =
  /^(?:get_(?:attr|file|param|resource)|list_\w+|str_\w+|map_\w+|if|and|or|not|equals|contains|digest|repeat|filter|yaql|make_url|resource_facade|Ref|Fn::\w+)$/;

/** Returns why a value is unknown if a function of Heat computes it. */
export function computedBy(value: Value): string | undefined {
  const [only, ...others] = isMapping(value) ? entriesOf(value) : [];
  if (!only || others.length > 0 || !FUNCTION.test(only.key)) return undefined;
  const parameter = only.key === "get_param" ? textOf(only.value) : undefined;
  return parameter === undefined ? "Heat computes it" : `the parameter ${parameter} of the stack sets it`;
}

/** A name, or the key of a resource: `{ get_resource: web }`. */
const nameIn = (value: Value): string => textOf(value) ?? textOf(get(value, "get_resource")) ?? "";

export const namesOf = (value: Value, ...keys: readonly string[]): readonly string[] =>
  keys.flatMap((key) => textOf(get(value, key)) ?? []);

/** Returns the servers that a document makes: tasks of Ansible, and resources of Heat. */
export function serversIn(object: Value): readonly Server[] {
  const ofTasks = tasksCalling(object, ["openstack.cloud.server", "os_server"]).map(({ args }) => ({ value: args }));
  const ofHeat = heatResources(object, "OS::Nova::Server").map(({ properties, ...resource }) => ({ value: properties, resource }));
  return [...ofTasks, ...ofHeat].map(({ value, ...resource }) => ({
    ...resource,
    value,
    name: get(value, "name"),
    flavor: nameIn(get(value, "flavor")),
    image: nameIn(get(value, "image")),
  }));
}

/** Returns the properties of images: `openstack image show -f json`, tasks of Ansible, and resources of Heat. */
export function imagesIn(object: Value): readonly Named[] {
  const isShown = ["disk_format", "container_format"].every((key) => !isNothing(get(object, key)));
  const lists = isShown ? [object] : itemsOf(object).filter((one) => !isNothing(get(one, "disk_format")));
  const shown = lists.map((one) => ({ names: namesOf(one, "name", "id"), value: get(one, "properties") }));
  const ofTasks = tasksCalling(object, ["openstack.cloud.image", "os_image"]).map(({ args }) => ({
    names: namesOf(args, "name"),
    value: get(args, "properties"),
  }));
  const ofHeat = heatResources(object, "OS::Glance::WebImage").map(({ key, properties }) => ({
    names: [key, ...namesOf(properties, "name")],
    value: get(properties, "extra_properties"),
  }));
  return [...shown, ...ofTasks, ...ofHeat];
}

/** Returns the properties of an image that Nova reads; `undefined` if they are no mapping. */
export const imageProperties = (value: Value): ReadonlyMap<string, Setting<string>> | undefined =>
  isMapping(value) || isNothing(value)
    ? new Map(
        entriesOf(value)
          .filter(({ key }) => key.startsWith("hw_"))
          .map(({ key, value: one }) => [key, settingOf(one, read.text, key)]),
      )
    : undefined;
