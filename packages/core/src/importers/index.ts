import { forklift } from "./forklift.ts";
import { forkliftOva } from "./forklift-ova.ts";
import { harvester } from "./harvester.ts";
import { harvesterOva } from "./harvester-ova.ts";
import type { Importer } from "./importer.ts";
import { virtV2vKubevirt } from "./virt-v2v-kubevirt.ts";

/** Without `--by`, reports show the first importer of a target. */
export const IMPORTERS: readonly Importer[] = [forklift, forkliftOva, harvester, harvesterOva, virtV2vKubevirt];
