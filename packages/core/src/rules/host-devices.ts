import type { PassthroughDevice } from "../model/spec.ts";
import type { View } from "./define.ts";

/** The devices of the host that a VM's guest drives itself, as far as its file tells of them. */
export function hostDevices(vm: Pick<View<never>, "devices">): readonly PassthroughDevice[] {
  const { passthrough = [], nics } = vm.devices();
  // Where an SR-IOV card is listed among the devices, it is there as a card, too.
  if (passthrough.length > 0) return passthrough;
  return nics.flatMap(({ index, type }) =>
    type.state === "known" && type.value === "sriov" ? [{ id: `ethernet${index}`, range: type.range }] : [],
  );
}
