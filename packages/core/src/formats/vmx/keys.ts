import type { SettingName, SettingTypes } from "../../model/spec.ts";
import * as read from "../../syntax/values.ts";
import { ADVANCED, spellingsIn } from "../advanced.ts";

/** Settings of the API whose key in .vmx no source shows. */
type WithoutKey = "cpuReservationLocked" | "numaFixedAutoAffinity";

type Keys = { readonly [K in Exclude<SettingName, WithoutKey>]: readonly [key: string, read: read.Read<SettingTypes[K]>] };

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

const entryOf = (name: SettingName): readonly [string, read.Read<unknown>] | undefined =>
  (VMX_KEYS as { readonly [K in SettingName]?: readonly [string, read.Read<unknown>] })[name];

/** Returns the key of a setting; `undefined` for a setting without one. */
export const vmxKey = (name: SettingName): string | undefined => entryOf(name)?.[0];

/** Returns how the text of a setting is read; settings without a key are flags. */
export const readerOf = (name: SettingName): read.Read<unknown> => entryOf(name)?.[1] ?? read.bool;

/** The same, to be gone through. */
export const VMX_SPELLINGS = spellingsIn(VMX_KEYS);
