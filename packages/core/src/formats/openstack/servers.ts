import type { Setting } from "../../model/source.ts";
import * as read from "../../syntax/values.ts";
import { entriesOf, get, isMapping, isNothing, itemsOf, settingOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { tasksCalling } from "../ansible/find-tasks.ts";

/** A flavor or an image with the names that servers use for it. */
export interface Named {
  readonly names: readonly string[];
  readonly value: Value;
}

/** A server with the names of its flavor and its image. */
export interface Server {
  readonly value: Value;
  readonly name: Value;
  readonly flavor: string;
  readonly image: string;
}

/** Returns the resources of a template of Heat with a type, by their keys. */
export const heatResources = (object: Value, type: string): readonly { readonly key: string; readonly properties: Value }[] =>
  entriesOf(get(object, "resources")).flatMap(({ key, value }) =>
    textOf(get(value, "type")) === type ? [{ key, properties: get(value, "properties") }] : [],
  );

/** A name, or the key of a resource: `{ get_resource: web }`. */
const nameIn = (value: Value): string => textOf(value) ?? textOf(get(value, "get_resource")) ?? "";

export const namesOf = (value: Value, ...keys: readonly string[]): readonly string[] =>
  keys.flatMap((key) => textOf(get(value, key)) ?? []);

/** Returns the servers that a document makes: tasks of Ansible, and resources of Heat. */
export function serversIn(object: Value): readonly Server[] {
  const ofTasks = tasksCalling(object, ["openstack.cloud.server", "os_server"]).map(({ args }) => args);
  const ofHeat = heatResources(object, "OS::Nova::Server").map(({ properties }) => properties);
  return [...ofTasks, ...ofHeat].map((value) => ({
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
