import { type Setting, unknown } from "../model/source.ts";
import type { Settings, VmSpec } from "../model/spec.ts";

/** Since hardware version 20, ESXi may choose the cores per socket, so a number does not show who chose it (vSphere 8.0). */
const FIRST_AUTOMATIC = 20;

/** Returns the settings with unknown cores per socket if an export only has a number that ESXi may have chosen. */
export function withUnknownChooser(settings: Settings, exporter: string): Settings {
  const { hardwareVersion, vcpus, coresPerSocket } = settings;
  const isManual = hardwareVersion.state === "known" && hardwareVersion.value < FIRST_AUTOMATIC;
  if (isManual || coresPerSocket.state !== "known" || (vcpus.state === "known" && vcpus.value === 1)) return settings;
  const reason = `${exporter} does not say whether ESXi chose ${coresPerSocket.value}`;
  return { ...settings, coresPerSocket: unknown(reason, coresPerSocket.range, ["auto", coresPerSocket.value]) };
}

/** Returns the state of a running VM. ESXi uses the reported cores per socket, even if it chose them itself. */
export function runningOf(isRunning: boolean, coresPerSocket: Setting<unknown>, source: string): Pick<VmSpec, "running" | "observed"> {
  if (!isRunning) return {};
  const number = coresPerSocket.state === "unknown" ? coresPerSocket.among?.find((value) => typeof value === "number") : undefined;
  if (coresPerSocket.state !== "unknown" || typeof number !== "number") return { running: true };
  return { running: true, observed: { value: { coresPerSocket: number, source }, range: coresPerSocket.range } };
}
