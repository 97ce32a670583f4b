import { type Range, unknown } from "../model/source.ts";
import type { Settings } from "../model/spec.ts";

/** Since hardware version 20, ESXi may choose the cores per socket, so a number does not show who chose it (vSphere 8.0). */
const FIRST_AUTOMATIC = 20;

/** Returns the settings with unknown cores per socket if an export only has a number that ESXi may have chosen. */
export function withUnknownChooser(settings: Settings, range: Range, exporter: string): Settings {
  const { hardwareVersion, vcpus, coresPerSocket } = settings;
  const isManual = hardwareVersion.state === "known" && hardwareVersion.value < FIRST_AUTOMATIC;
  if (isManual || coresPerSocket.state !== "known" || (vcpus.state === "known" && vcpus.value === 1)) return settings;
  const reason = `${exporter} does not say whether ESXi chose ${coresPerSocket.value}`;
  return { ...settings, coresPerSocket: unknown(reason, range, ["auto", coresPerSocket.value]) };
}
