import { valueIfKnown } from "../model/source.ts";
import type { Completion } from "../syntax/language.ts";
import { type OpenDocument, vmAt } from "./document.ts";

/** Returns the completions at an offset that suit the VM's hardware version and vCPUs. */
export function completionsAt(document: OpenDocument, offset: number): readonly Completion[] {
  const settings = vmAt(document, offset)?.spec.settings;
  const knownOfVm = {
    hardwareVersion: settings && valueIfKnown(settings.hardwareVersion),
    vcpus: settings && valueIfKnown(settings.vcpus),
  };
  return document.language?.complete(document.text, offset, knownOfVm) ?? [];
}
