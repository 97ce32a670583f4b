import { FIRST_HARDWARE, mayRun } from "../limits/hardware.ts";
import type { HostModel } from "../model/host.ts";
import type { Range } from "../model/source.ts";
import type { OtherController, Settings } from "../model/spec.ts";
import { builtinRule, holds, type View } from "./define.ts";

/** The data of a message about a controller that needs a later hardware version. */
interface LackedController {
  readonly controller: string;
  readonly hardwareVersion: number;
  readonly needs: number;
  /** Whether the host may support that version. */
  readonly upgrade: boolean;
}

/** Whether the declared hardware version of a VM is too old for a device. */
const isBefore =
  (needs: number) =>
  ({ hardwareVersion }: Pick<Settings, "hardwareVersion">): boolean | undefined =>
    holds(hardwareVersion, (version) => version !== undefined && version < needs);

/** Returns the controllers of a kind if the hardware version does not support them. */
function* controllersBefore(
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

/** Returns the message. `instead` describes the replacement. */
const lacksController = ({ controller, hardwareVersion, needs, upgrade }: LackedController, instead: string): string =>
  `${controller} needs hardware version ${needs}, and this VM has ${hardwareVersion}. ${upgrade ? "Upgrade the virtual hardware, or put" : "Put"} its ${instead}.`;

/** Returns the rule about controllers of a kind that are newer than the hardware version. */
export const oldHardwareRule = (kind: "nvme" | "sata", instead: string) =>
  builtinRule({
    id: `${kind}/hw`,
    severity: "error",
    refused: ["old"],
    on: ["hardwareVersion"],
    reads: ["hardwareVersion"],
    messages: { old: (d: LackedController) => lacksController(d, instead) },
    applies: isBefore(FIRST_HARDWARE[kind]),
    *check({ vm, host }) {
      for (const controller of controllersBefore(FIRST_HARDWARE[kind], kind, vm, host)) yield { messageId: "old", ...controller };
    },
  });
