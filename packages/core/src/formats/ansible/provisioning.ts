import { known, unknown } from "../../model/source.ts";
import type { Provisioning } from "../../model/spec.ts";
import type { Read } from "../../syntax/values.ts";

/** As both modules name it; "thick" is zeroed lazily (community.vmware.vmware_guest, `disk.type`). */
const WORDS: ReadonlyMap<string, Provisioning> = new Map([
  ["thin", "thin"],
  ["thick", "lazy"],
  ["eagerzeroedthick", "eager"],
]);

/** Why the provisioning of an existing disk is unknown. */
export const OF_FILE = "the existing disk file decides it";

/** How a disk gets its space. */
export const provisioning: Read<Provisioning> = (text, range) => {
  const provisioningType = WORDS.get(text.toLowerCase());
  return provisioningType ? known(provisioningType, range) : unknown(`"${text}" is not a known disk type`, range);
};
