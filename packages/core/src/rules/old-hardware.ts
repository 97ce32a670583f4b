import { mayRun } from "../limits/hardware.ts";
import type { HostModel } from "../model/host.ts";
import type { Range } from "../model/source.ts";
import type { OtherController, Settings } from "../model/spec.ts";
import { holds, type View } from "./define.ts";

/** What a message about a controller that came with a later hardware version prints. */
export interface LackedController {
  readonly controller: string;
  readonly hardwareVersion: number;
  readonly needs: number;
  /** Whether the host may run that version. */
  readonly upgrade: boolean;
}

/** Whether a VM's hardware version is stated and older than the one that brought a device. */
export const isBefore =
  (needs: number) =>
  ({ hardwareVersion }: Pick<Settings, "hardwareVersion">): boolean | undefined =>
    holds(hardwareVersion, (version) => version !== undefined && version < needs);

/** The controllers of a kind, of a VM whose hardware version has none. */
export function* controllersBefore(
  needs: number,
  kind: OtherController["kind"],
  vm: View<"hardwareVersion">,
  host: HostModel | undefined,
): Iterable<{ readonly data: LackedController; readonly at: Range }> {
  if (!vm.hardwareVersion) return;
  const shared = { hardwareVersion: vm.hardwareVersion.value, needs, upgrade: mayRun(host?.esxi, needs) };
  for (const { kind: found, bus, range } of vm.devices().otherControllers) {
    if (found === kind) yield { data: { controller: `${kind}${bus}`, ...shared }, at: range };
  }
}

/** Words it. `instead`: what to put where. */
export const lacksController = ({ controller, hardwareVersion, needs, upgrade }: LackedController, instead: string): string =>
  `${controller} needs hardware version ${needs}, and this VM has ${hardwareVersion}. ${upgrade ? "Upgrade the virtual hardware, or put" : "Put"} its ${instead}.`;
