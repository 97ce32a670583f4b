import { type FileContext, folderOf, joinPath } from "../../model/files.ts";
import type { Range } from "../../model/source.ts";
import { type Element, readXml } from "../../syntax/xml/xml.ts";
import { entriesOf, get, isNothing, rangeOf, spanOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import { editDomain } from "../libvirt/edit.ts";
import { QEMU, vmOf } from "../libvirt/vm.ts";
import type { Kind, ReadVm } from "../yaml/kind.ts";
import { tasksCalling } from "./find-tasks.ts";

const MODULES = ["community.libvirt.virt", "virt"];

/** Tasks that define a domain of libvirt (community.libvirt 1.3, plugins/modules/virt.py): its XML, or a lookup of a file with it. */
export const libvirtTasks: Kind = {
  name: "ansible-libvirt",
  sign: /^[ \t-]*(?:community\.libvirt\.)?virt[ \t]*:/m,
  lack: "no task in it has the XML of a domain",
  read: (root, _, { context }) => {
    const vms = tasksCalling(root, MODULES).flatMap(({ task, args }) => readTask(task, args, context));
    return vms.length > 0 ? vms : undefined;
  },
};

function readTask(task: Value, args: Value, context: FileContext | undefined): readonly ReadVm[] {
  const xml = get(args, "xml");
  const found = isNothing(xml) ? undefined : (writtenIn(xml) ?? lookedUp(xml, context));
  if (!found) return [];
  const { domain, text } = found;
  const type = domain.attributes.find(({ name }) => name === "type")?.value ?? "";
  if (!QEMU.has(type) && !type.includes("{{")) return [];
  const vm = vmOf(domain, new Map());
  const given = get(args, "name");
  const name = textOf(given);
  const range: Range = vm.name === "" ? rangeOf(isNothing(given) ? xml : given) : vm.range;
  const isRepeated = entriesOf(task).some(({ key }) => key === "loop" || key.startsWith("with_"));
  const edits: ReadVm["edits"] = (changes) => (text === undefined ? undefined : editDomain(text, domain, vm.settings, changes));
  return [
    {
      vm: { ...vm, name: vm.name || (name ?? ""), format: "ansible", range, ...(isRepeated && { hasUnknownCount: true }) },
      span: spanOf(task),
      place: { fields: {}, base: task, statedValues: new Map(), scsi: new Map(), options: undefined },
      edits,
    },
  ];
}

interface FoundDomain {
  readonly domain: Element;
  /** The text with the places of the domain; missing if they are in another file. */
  readonly text?: string;
}

/** Reads the XML in a task. Its source is XML, too: indents mean nothing there, and a text with escapes is no XML. */
function writtenIn(value: Value): FoundDomain | undefined {
  const { text } = value.source;
  const [from, to] = spanOf(value);
  const start = text.indexOf("<", from);
  const end = text.lastIndexOf(">", to - 1) + 1;
  if (start < 0 || start >= to || end <= start || !(textOf(value) ?? "").includes("<domain")) return undefined;
  const domain = domainIn(`${text.slice(0, start).replace(/[^\n]/g, " ")}${text.slice(start, end)}`);
  return domain && { domain, text };
}

const LOOKUP = /\blookup\(\s*['"](?:ansible\.builtin\.)?(file|template)['"]\s*,\s*['"]([^'"{}]+)['"]/;

/** Reads a file that a lookup names; all places are that of the lookup. */
function lookedUp(value: Value, context: FileContext | undefined): FoundDomain | undefined {
  const [, kind = "", path = ""] = LOOKUP.exec(textOf(value) ?? "") ?? [];
  if (!context || path === "") return undefined;
  const folder = folderOf(context.path);
  // Ansible looks in the role, then in the folder of the playbook (ansible-core, DataLoader.path_dwim_relative_stack).
  const folders = [`../${kind}s`, "..", `${kind}s`, "."].map((name) => joinPath(folder, name));
  for (const place of folders) {
    const text = context.files.read(joinPath(place, path));
    const domain = text === undefined ? undefined : domainIn(text);
    if (domain) return { domain: movedTo(domain, rangeOf(value)) };
  }
  return undefined;
}

/** Reads a domain; `undefined` if a template repeats or chooses parts of it. Expressions stay as unknown values. */
function domainIn(text: string): Element | undefined {
  if (/\{%/.test(text)) return undefined;
  const document = readXml(text.replace(/\{\{.*?\}\}/gs, (mark) => mark.replace(/[<>&"']/g, "_")));
  if ("message" in document) return undefined;
  return document.root.name === "domain" ? document.root : undefined;
}

function movedTo(element: Element, range: Range): Element {
  const { attributes, children, content } = element;
  return {
    ...element,
    attributes: attributes.map((one) => ({ ...one, range })),
    children: children.map((one) => movedTo(one, range)),
    content: { ...content, range },
    tag: range,
    end: range[1],
  };
}
