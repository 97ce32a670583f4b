import type { PassthroughDevice } from "../model/spec.ts";
import type { View } from "./define.ts";

/** Returns the host devices that the guest drives directly. */
export function hostDevices(vm: Pick<View<never>, "devices">): readonly PassthroughDevice[] {
  const { passthrough = [], nics } = vm.devices();
  // An SR-IOV card in the device list is also in the list of network cards.
  if (passthrough.length > 0) return passthrough;
  return nics.flatMap(({ index, type }) =>
    type.state === "known" && type.value === "sriov" ? [{ id: `ethernet${index}`, range: type.range }] : [],
  );
}
