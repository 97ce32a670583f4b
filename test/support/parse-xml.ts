import { SaxesParser } from "saxes";

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

/** The root of a document; throws unless it is well-formed XML with declared namespaces. */
export function parseXml(source: string): Element {
  const open: { name: string; attributes: Record<string, string>; children: Element[]; text: string }[] = [];
  let root: Element | undefined;
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const values = Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value]));
    open.push({ name, attributes: values, children: [], text: "" });
  });
  parser.on("text", (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on("closetag", () => {
    const element = open.pop();
    const parent = open.at(-1);
    if (element && parent) parent.children.push(element);
    else root = element;
  });
  parser.write(source).close();
  if (!root) throw new Error("no element");
  return root;
}

/** An element and all below it. */
export const everything = (element: Element): readonly Element[] => [element, ...element.children.flatMap(everything)];

/** Whether an element has a class. */
export const hasClass = ({ attributes }: Element, name: string): boolean => (attributes.class ?? "").split(" ").includes(name);
