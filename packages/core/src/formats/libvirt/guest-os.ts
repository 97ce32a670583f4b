import { ABSENT, known, type Setting } from "../../model/source.ts";
import type { Element } from "../../syntax/xml/xml.ts";
import { guestOsOf } from "../kubevirt/shipped.ts";

/** Reads the system that libosinfo names: `<libosinfo:os id="http://microsoft.com/win/2k22"/>`. */
export function guestOsIn(domain: Element): Setting<string> {
  const metadata = domain.children.find(({ name }) => name === "metadata");
  const os = metadata?.children.find(({ name }) => name === "libosinfo")?.children.find(({ name }) => name === "os");
  const id = os?.attributes.find(({ name }) => name === "id");
  const guestOs = guestOsOf(`windows.${/^http:\/\/microsoft\.com\/win\/(\w+)$/.exec(id?.value ?? "")?.[1] ?? ""}`);
  return id && guestOs ? known(guestOs, id.range) : ABSENT;
}
