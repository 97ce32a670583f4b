import { sequence } from "../../model/sequence.ts";
import { valueIfKnown } from "../../model/source.ts";
import type { Platform, Settings } from "../../model/spec.ts";
import * as read from "../../syntax/values.ts";
import { type Key, keyOf } from "./dictionary.ts";
import type { Lookup } from "./lookup.ts";

/** Hardware versions only Workstation and Fusion ever wrote (govmomi, hardware_version.go). */
const DESKTOP_HARDWARE = [6, 12, 16];

/** The evidence in a value; without a test, the key alone is evidence. */
interface Sign {
  readonly key: Key;
  readonly value: RegExp | undefined;
}

const sign = (key: string, value?: RegExp): Sign => ({ key: keyOf(key), value });

const perDevice = (count: number, make: (index: number) => Sign): readonly Sign[] => sequence(count, (i) => make(i));

/** Features ESXi does not have, by the keys Workstation, Player and Fusion write for them. */
const DESKTOP: readonly Sign[] = [
  sign("gui.exitonclihlt"),
  sign("gui.fitguestusingnativedisplayresolution"),
  sign("gui.lastpoweredviewmode"),
  sign("sharedfolder.maxnum"),
  sign("sharedfolder0.present"),
  sign("sound.present"),
  sign("sound.autodetect"),
  sign("usb.vbluetooth.startconnected"),
  sign("mainmem.backing"),
  sign("ulm.disablemitigations"),
  sign("hgfs.maprootshare"),
  ...perDevice(4, (i) => sign(`ethernet${i}.vnet`)),
  ...perDevice(4, (i) => sign(`ethernet${i}.connectiontype`, /^(?:nat|hostonly|custom)$/i)),
  ...perDevice(2, (i) => sign(`serial${i}.filetype`, /^thinprint$/i)),
];

/** Keys that only ESXi and vCenter write. `virtualHW.productCompatibility` is not evidence, because it is "hosted" on ESXi too. */
const ESXI: readonly Sign[] = [
  sign("sched.cpu.units"),
  sign("sched.cpu.shares"),
  sign("sched.cpu.min"),
  sign("sched.mem.shares"),
  sign("sched.swap.derivedname", /^\/vmfs\//),
  sign("vc.uuid"),
  sign("viv.moid"),
  ...perDevice(4, (i) => sign(`ethernet${i}.dvs.switchid`)),
  ...perDevice(4, (i) => sign(`ethernet${i}.addresstype`, /^vpx$/i)),
];

/** Returns whether ESXi or Workstation wrote a file; `unknown` without evidence or with evidence for both. */
export function platformOf(lookup: Lookup, settings: Settings): Platform {
  const isThere = ({ key, value }: Sign): boolean => {
    const setting = lookup(key, read.text);
    return setting.state !== "absent" && (value === undefined || value.test(valueIfKnown(setting) ?? ""));
  };
  const desktop = DESKTOP_HARDWARE.includes(valueIfKnown(settings.hardwareVersion) ?? 0) || DESKTOP.some(isThere);
  const esxi = ESXI.some(isThere);
  if (desktop === esxi) return "unknown";
  return desktop ? "desktop" : "esxi";
}
