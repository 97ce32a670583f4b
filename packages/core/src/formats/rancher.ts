import { RANCHER_DRIVER } from "../model/sources.ts";
import type { GeneratorRecord } from "./generator.ts";

/** Rancher's driver, which its own objects and its Terraform provider use. */
export const RANCHER: GeneratorRecord = {
  name: "Rancher",
  source: RANCHER_DRIVER,
  refuses: [],
  defaults: { vcpus: 2, memoryMiB: 2048 },
};
