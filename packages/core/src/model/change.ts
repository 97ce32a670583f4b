import type { ScsiType, SettingName, SettingTypes } from "./spec.ts";

/** What a fix wants a VM to say, in no format's words: each format writes it in its own. */
export type Change =
  | { readonly [K in SettingName]: { readonly setting: K; readonly value: SettingTypes[K] } }[SettingName]
  | { readonly setting: "scsiType"; readonly controller: string; readonly value: ScsiType };
