import { known, unknown } from "../../model/source.ts";
import type { Provisioning } from "../../model/spec.ts";
import type { Read } from "../../syntax/values.ts";

/** As both modules name it; "thick" is zeroed lazily (community.vmware.vmware_guest, `disk.type`). */
const WORDS: ReadonlyMap<string, Provisioning> = new Map([
  ["thin", "thin"],
  ["thick", "lazy"],
  ["eagerzeroedthick", "eager"],
]);

/** Why it is not known of a disk that is there already. */
export const OF_FILE = "the existing disk file decides it";

/** How the space of a disk is given out. */
export const provisioning: Read<Provisioning> = (text, range) => {
  const provisioningType = WORDS.get(text.toLowerCase());
  return provisioningType ? known(provisioningType, range) : unknown(`"${text}" is not a known disk type`, range);
};
