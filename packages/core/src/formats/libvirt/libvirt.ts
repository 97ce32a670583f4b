import type { Parsed } from "../../model/parsed.ts";
import { readXml } from "../../syntax/xml/xml.ts";
import { readDirective } from "../directive.ts";
import { textFormat } from "../format.ts";
import { withOpenMachine } from "../open-machine.ts";
import { brokenAt, ifPointer } from "../unreadable.ts";
import { attribute } from "./domain.ts";
import { editDomain } from "./edit.ts";
import { isTemplated } from "./templated.ts";
import { QEMU, vmOf } from "./vm.ts";

/** Reads the domain of a file, of a snapshot or of a running VM (`domstatus`). */
function parseDomain(text: string): Parsed {
  const pointer = ifPointer(text);
  if (pointer) return pointer;
  const document = readXml(text);
  if ("message" in document) return brokenAt("XML", document, text);
  const { root, comments } = document;
  const domains = root.name === "domain" ? [root] : root.children.filter(({ name }) => name === "domain");
  if (domains.length === 0) return { vms: [], problems: [], foreign: "it has no element domain" };
  const type = attribute(domains[0], "type")?.value ?? "";
  if (!QEMU.has(type)) return { vms: [], problems: [], foreign: `it is a domain of ${type || "no type"}, which QEMU does not run` };
  const { directive, problems } = readDirective(text, comments);
  return {
    problems,
    vms: domains.map((domain) => {
      const own = vmOf(domain, directive);
      const vm = isTemplated(domain, text) ? withOpenMachine(own, "a template may bring in other elements", own.range) : own;
      return { ...vm, edit: (changes) => editDomain(text, domain, vm.settings, changes) };
    }),
  };
}

export const libvirt = textFormat({ name: "libvirt", parse: parseDomain });
