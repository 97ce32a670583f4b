import type { SettingName, SettingTypes } from "../../model/spec.ts";
import { ADVANCED } from "../advanced.ts";
import * as read from "../values.ts";
import { type Key, keyOf } from "./dictionary.ts";

type Keys = { readonly [K in SettingName]: readonly [key: string, read: read.Read<SettingTypes[K]>] };

/** How .vmx spells each setting (spelling and types: libvirt's vmx.c, govmomi, the vSphere documentation). */
export const VMX_KEYS: Keys = {
  vcpus: ["numvcpus", read.count],
  coresPerSocket: ["cpuid.coresPerSocket", read.count],
  memoryMiB: ["memSize", read.count],
  hardwareVersion: ["virtualHW.version", read.count],
  guestOs: ["guestOS", read.text],
  cpuHotAdd: ["vcpu.hotadd", read.bool],
  memoryHotAdd: ["mem.hotadd", read.bool],
  ...ADVANCED,
};

export interface VmxKey {
  readonly name: SettingName;
  /** As VMware spells it. */
  readonly key: string;
  readonly lower: Key;
  readonly read: read.Read<unknown>;
}

/** The same, ready to be looked for. */
export const KEYS = Object.entries(VMX_KEYS).map(
  ([name, [key, readValue]]): VmxKey => ({ name: name as SettingName, key, lower: keyOf(key.toLowerCase()), read: readValue }),
);
