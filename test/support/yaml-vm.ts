import type { Setting, VmSpec } from "@vmlint/core";
import { yaml } from "@vmlint/core/yaml";

/** The VMs of a YAML or JSON text. */
export const vmsOf = (text: string): readonly VmSpec[] => yaml.parse(text).vms;

/** The one VM of a text. */
export function yamlVm(text: string): VmSpec {
  const [vm, second] = vmsOf(text);
  if (!vm || second) throw new Error(`${vm ? "several VMs" : "no VM"} in: ${text}`);
  return vm;
}

/** Returns the value of each setting, or the reason why it is unknown. Absent settings are omitted. */
export const said = (vm: VmSpec): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries<Setting<unknown>>(vm.settings).flatMap(([name, setting]) => {
      if (setting.state === "absent") return [];
      return [[name, setting.state === "known" ? setting.value : `? ${setting.reason}`]];
    }),
  );

/** Returns the known settings, each with its value and the text of that value. */
export const knownOf = (text: string, vm: VmSpec): Record<string, readonly [value: unknown, written: string]> =>
  Object.fromEntries(
    Object.entries<Setting<unknown>>(vm.settings).flatMap(([name, setting]) =>
      setting.state === "known" ? [[name, [setting.value, text.slice(...setting.range)]]] : [],
    ),
  );

/** Controllers with their types and whether they are shared, disks and cards in short. */
export const devicesOf = (vm: VmSpec) => ({
  scsi: vm.scsiControllers.map(
    ({ id, type, shared }) => `${id} ${type.state === "known" ? type.value : type.state}${shared ? " shared" : ""}`,
  ),
  others: vm.devices().otherControllers.map(({ kind, bus }) => `${kind}${bus}`),
  disks: vm.devices().disks.map(({ id }) => id),
  nics: vm.devices().nics.map(({ type }) => (type.state === "known" ? type.value : type.state)),
});
