import { valueIfKnown } from "../../model/source.ts";
import { INSTALLER_6822 } from "../../model/sources.ts";
import { at, get, isMapping, isNothing, itemsOf, rangeOf, scoped, settingOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import type { GeneratorRecord } from "../generator.ts";
import { OF_TEMPLATE } from "../inherited.ts";
import { describe, field, type VmDescription } from "../yaml/describe.ts";
import type { Fields, Kind, ReadVm } from "../yaml/kind.ts";
import * as units from "../yaml/units.ts";

/*
 * OpenShift's install-config.yaml, openshift/installer pkg/types/vsphere/machinepool.go: other names than in the machine API. The defaults
 * are of 4.11 and later (pkg/asset/machines/worker.go, defaultVSphereMachinePoolPlatform); 4.10 has 2 vCPUs in one socket for workers.
 */
const INSTALLER: GeneratorRecord = {
  name: "The OpenShift installer",
  source: INSTALLER_6822,
  refuses: ["cpu/cps-divides"],
  defaults: { vcpus: 4, coresPerSocket: 4, memoryMiB: 16384 },
};

/** The same for a pool that it accepts. */
const ACCEPTING: GeneratorRecord = { ...INSTALLER, refuses: [] };

/** The fields of a machine pool. */
export const POOL_FIELDS: Fields = {
  vcpus: field("cpus", units.count),
  coresPerSocket: field("coresPerSocket", units.cores("mistake"), units.writeCores("mistake")),
  memoryMiB: field("memoryMB", units.count),
};

/** install-config.yaml of OpenShift: a VM for each machine pool with a size. */
export const installConfig: Kind = {
  name: "install-config",
  sign: /^["']?controlPlane["']?[ \t]*:/m,
  read: (document) => {
    const [platform, control, compute] = [get(document, "platform"), get(document, "controlPlane"), get(document, "compute")];
    if (textOf(get(document, "apiVersion")) !== "v1" || !isNothing(get(document, "kind"))) return undefined;
    if (isNothing(get(platform, "vsphere")) && isNothing(at(control, ["platform", "vsphere"]))) return undefined;
    const defaults = at(platform, ["vsphere", "defaultMachinePlatform"]);
    return [control, ...itemsOf(compute)].flatMap((pool) => readPool(pool, defaults));
  },
};

function readPool(pool: Value, defaults: Value): readonly ReadVm[] {
  const root = scoped(pool);
  const platform = at(root, ["platform", "vsphere"]);
  if (!isMapping(platform) && !isMapping(defaults)) return [];
  const vm = describe({
    format: "install-config",
    root,
    name: get(root, "name"),
    fields: POOL_FIELDS,
    base: platform,
    find: (base, path) => (isNothing(at(base, path)) ? at(defaults, path) : at(base, path)),
    template: true,
    ...checkPool(platform, defaults),
    inherits: OF_TEMPLATE,
  });
  return [vm];
}

/**
 * The installer checks a pool without the default pool (pkg/types/vsphere/validation/machinepool.go), and creates machines with both
 * (pkg/asset/machines/worker.go).
 */
function checkPool(platform: Value, defaults: Value): Pick<VmDescription, "generator" | "dropped"> {
  const [own, both] = [[platform], [platform, defaults]].map((pools) => ({
    cpus: firstOf(pools, "cpus"),
    coresPerSocket: firstOf(pools, "coresPerSocket"),
  })) as [Shape, Shape];
  if (!isMapping(platform) || divides(own)) return { generator: ACCEPTING };
  if (!divides(both)) return { generator: INSTALLER };
  const [argument, other] = isNothing(get(platform, "cpus")) ? ["coresPerSocket", "cpus"] : ["cpus", "coresPerSocket"];
  const because = { by: INSTALLER.name, message: "incomplete", other } as const;
  const value = get(platform, argument);
  return { generator: ACCEPTING, dropped: [{ argument, value: textOf(value) ?? "", range: rangeOf(value), because }] };
}

interface Shape {
  readonly cpus: number;
  readonly coresPerSocket: number;
}

/** The number in the first pool that states it; both defaults are 4. */
function firstOf(pools: readonly Value[], key: keyof Shape): number {
  const stating = pools.find((pool) => !isNothing(get(pool, key)));
  return stating ? (valueIfKnown(settingOf(get(stating, key), units.count)) ?? Number.NaN) : 4;
}

/** An unknown number decides nothing, so the rule about the shape does. */
const divides = ({ cpus, coresPerSocket }: Shape): boolean => cpus % coresPerSocket === 0;
