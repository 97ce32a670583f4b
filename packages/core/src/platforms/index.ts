import type { HostModel } from "../model/host.ts";
import type { SettingValues, VmSpec } from "../model/spec.ts";
import type { Workload } from "../model/workload.ts";
import { esxi } from "./esxi/esxi.ts";
import { kvm } from "./kvm/kvm.ts";
import type { Answer, Platform } from "./platform.ts";

/** The first platform that runs a VM answers for it. ESXi is last: a VM without evidence is one for ESXi. */
export const PLATFORMS: readonly Platform[] = [kvm, esxi];

/**
 * Returns the view of a guest on its platform, or why there is none; `undefined` if the view needs a host and none is given.
 *
 * @example
 * const answer = answerFor(vm, requireHost("2x20x2:768@8.0"));
 */
export function answerFor(
  vm: VmSpec,
  host: HostModel | undefined,
  workload?: Workload,
  override: SettingValues = {},
  platforms: readonly Platform[] = PLATFORMS,
): Answer | undefined {
  const platform = platformOf(vm, platforms);
  return platform.needsHost && !host ? undefined : platform.answer(vm, host, workload, override);
}

const platformOf = (vm: VmSpec, platforms: readonly Platform[]): Platform => platforms.find(({ runs }) => runs(vm)) ?? esxi;

/** Whether the view of a guest needs a host. */
export const needsHost = (vm: VmSpec): boolean => platformOf(vm, PLATFORMS).needsHost;

/** Returns how a user names the host of a VM. */
export const hostHint = (vm: VmSpec): string => platformOf(vm, PLATFORMS).hostHint;
