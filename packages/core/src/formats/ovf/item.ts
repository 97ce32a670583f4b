import { grouped } from "../../model/maps.ts";
import type { Located, Range } from "../../model/source.ts";
import type { Element } from "../../syntax/xml/xml.ts";

/** Namespaces of the envelope: OVF 0.9, 1.x and 2.x (DSP0243, and VMware's earlier ones). */
export const isEnvelope = (namespace: string): boolean =>
  /^http:\/\/schemas\.dmtf\.org\/ovf\/envelope\/\d+$/.test(namespace) || namespace === "http://www.vmware.com/schema/ovf/1/envelope";

export const VMW = "http://www.vmware.com/schema/ovf";
const XSI = "http://www.w3.org/2001/XMLSchema-instance";

/** Returns the kind of an element. Before OVF 1.0, only the type named a section: `<Section xsi:type="ovf:DiskSection_Type">`. */
export function kindOf({ name, attributes }: Element): string {
  if (name !== "Section" && name !== "Content") return name;
  const type = attributes.find((attribute) => attribute.name === "type" && attribute.namespace === XSI)?.value ?? "";
  return type.replace(/^.*:/, "").replace(/_Type$/, "");
}

/** Returns an attribute of the envelope; some writers omit its prefix. */
export const attributeOf = ({ attributes }: Element, name: string): Located<string> | undefined =>
  attributes.find((attribute) => attribute.name === name && (isEnvelope(attribute.namespace) || attribute.namespace === ""));

export const vmwAttribute = ({ attributes }: Element, name: string): Located<string> | undefined =>
  attributes.find((attribute) => attribute.name === name && attribute.namespace === VMW);

/** One device or amount of a virtual machine. */
export interface Item {
  readonly element: Element;
  /**
   * CIM resource type: 3 CPU, 4 memory, 5 IDE, 6 SCSI, 10 Ethernet, 17 disk, 20 other storage (DSP0243, CIM_ResourceAllocationSettingData).
   */
  readonly type: number;
  readonly id: string;
  /** The range for findings without a better one. */
  readonly range: Range;
}

/** Returns the content of a child by name; the names of CIM's and VMware's elements do not overlap. */
export const child = ({ element }: Item, name: string): Located<string> | undefined =>
  element.children.find((c) => c.name === name)?.content;

/**
 * Returns the items of a hardware section that apply in a configuration: common items and its own. Items of one type and id are one device,
 * whose later children win (DSP0243, DeploymentOptionSection). Items that bound a range are not part of the VM.
 */
export function itemsIn(section: Element, configuration: string | undefined): readonly Item[] {
  const byId = new Map<string, Item>();
  for (const element of section.children) {
    if (!isItem(element) || !isInEffect(element, configuration)) continue;
    const item = itemOf(element);
    const key = item.id === "" ? `#${byId.size}` : `${item.type} ${item.id}`;
    const former = byId.get(key);
    byId.set(key, former ? itemOf(merged(former.element, element)) : item);
  }
  return [...byId.values()];
}

const isItem = (element: Element): boolean =>
  /^(?:Storage|EthernetPort)?Item$/.test(element.name) && (attributeOf(element, "bound")?.value ?? "normal") === "normal";

function isInEffect(element: Element, configuration: string | undefined): boolean {
  const ids = attributeOf(element, "configuration")?.value.split(/\s+/);
  return !ids || (configuration !== undefined && ids.includes(configuration));
}

function merged(former: Element, later: Element): Element {
  const names = new Set(later.children.map(({ name }) => name));
  return { ...later, children: [...former.children.filter(({ name }) => !names.has(name)), ...later.children] };
}

function itemOf(element: Element): Item {
  const of = (pattern: RegExp) => element.children.find(({ name }) => pattern.test(name))?.content;
  const id = of(/^InstanceI[Dd]$/);
  const type = of(/^ResourceType$/);
  return { element, type: Number(type?.value), id: id?.value ?? "", range: (type ?? id ?? { range: [0, 0] as const }).range };
}

/**
 * Returns the deployment options, with the default first: the one with the default mark, otherwise the first of the file (DSP0243,
 * DeploymentOptionSection).
 */
export function configurationsOf(envelope: Element): readonly string[] {
  const options = envelope.children.find((section) => kindOf(section) === "DeploymentOptionSection")?.children ?? [];
  const configurations = options.filter(({ name }) => name === "Configuration");
  const preferred = configurations.find((child) => ["true", "1"].includes(attributeOf(child, "default")?.value ?? ""));
  return [...new Set([...(preferred ? [preferred] : []), ...configurations].flatMap((child) => attributeOf(child, "id")?.value ?? []))];
}

/** Groups the options with equal items of a section; the group of the default comes first. */
export function choicesIn(section: Element, configurations: readonly string[]): readonly (readonly string[])[] {
  const ranges = new Map<string, number[]>(configurations.map((id) => [id, []]));
  section.children.forEach((element, i) => {
    if (!isItem(element)) return;
    for (const id of new Set(attributeOf(element, "configuration")?.value.split(/\s+/))) ranges.get(id)?.push(i);
  });
  return [...grouped(ranges.keys(), (id) => ranges.get(id)?.join()).values()];
}
