import type { SettingName, SettingTypes } from "../../model/spec.ts";
import * as read from "../../syntax/values.ts";
import { ADVANCED, spellingsIn } from "../advanced.ts";

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

/** The same, to be gone through. */
export const VMX_SPELLINGS = spellingsIn(VMX_KEYS);
