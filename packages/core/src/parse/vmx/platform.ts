import { valueIfKnown } from "../../model/source.ts";
import type { Platform, Settings } from "../../model/spec.ts";
import { type Dictionary, entryValue } from "./dictionary.ts";

/** Hardware versions only Workstation and Fusion ever wrote (govmomi, hardware_version.go). */
const HOSTED_HARDWARE = [6, 12, 16];

/** Features ESXi does not have, and the keys by which Workstation, Player and Fusion write them. */
const HOSTED_KEYS = /^(?:gui\.|sharedfolder|usb\.vbluetooth|sound\.|mainmem\.backing$|ulm\.|ethernet\d+\.vnet$|hgfs\.)/;
const HOSTED_VALUES: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^ethernet\d+\.connectiontype$/, /^(?:nat|hostonly|custom)$/i],
  [/^serial\d+\.filetype$/, /^thinprint$/i],
];

/** What only ESXi and vCenter write. `virtualHW.productCompatibility` says "hosted" on ESXi too: no sign. */
const ESXI_KEYS = /^(?:sched\.cpu\.(?:units|shares|min)|sched\.mem\.shares|vc\.uuid|viv\.moid|ethernet\d+\.dvs\.)/;
const ESXI_VALUES: readonly (readonly [key: RegExp, value: RegExp])[] = [
  [/^sched\.swap\.derivedname$/, /^\/vmfs\//],
  [/^ethernet\d+\.addresstype$/, /^vpx$/i],
];

/** Tells ESXi's files from Workstation's as far as the file allows; signs of both, or of neither, are `unknown`. */
export function platformOf({ text, entries }: Dictionary, settings: Settings): Platform {
  let hosted = HOSTED_HARDWARE.includes(valueIfKnown(settings.hardwareVersion) ?? 0);
  let esxi = false;
  for (const [key, entry] of entries) {
    hosted ||= HOSTED_KEYS.test(key) || HOSTED_VALUES.some(([k, v]) => k.test(key) && v.test(entryValue(text, entry)));
    esxi ||= ESXI_KEYS.test(key) || ESXI_VALUES.some(([k, v]) => k.test(key) && v.test(entryValue(text, entry)));
  }
  if (hosted === esxi) return "unknown";
  return hosted ? "hosted" : "esxi";
}
