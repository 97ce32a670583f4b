import { known, type Setting } from "../../model/source.ts";
import type { Read } from "../../syntax/values.ts";
import { entriesOf, get, isMapping, isNothing, rangeOf, scoped, settingOf, spanOf, textOf, type Value } from "../../syntax/yaml/tree.ts";
import type { Kind, ReadVm } from "../yaml/kind.ts";
import { nicModel, proxmoxVm } from "./vm.ts";

/** The configuration of a VM as the API prints it: `pvesh get /nodes/NODE/qemu/ID/config --output-format json`. */
export const proxmoxApi: Kind = {
  name: "proxmox-api",
  sign: /["']?\b(?:vmgenid|scsihw|smbios1)["']?\s*:/,
  read: (root) => {
    const config = isMapping(get(root, "data")) ? get(root, "data") : root;
    return isConfig(config) ? [readConfig(scoped(config))] : undefined;
  },
};

/** Whether an object has the digest of the API, and a key that only VMs have. */
const isConfig = (config: Value): boolean =>
  !isNothing(get(config, "digest")) &&
  isNothing(get(config, "rootfs")) &&
  ["vmgenid", "scsihw", "smbios1", "sockets", "cores"].some((key) => !isNothing(get(config, key)));

function readConfig(config: Value): ReadVm {
  const setting = <T>(key: string, reader: Read<T>): Setting<T> => settingOf(get(config, key), reader, key);
  const name = get(config, "name");
  const [first] = entriesOf(config);
  const vm = proxmoxVm({
    setting,
    name: textOf(name) ?? "",
    range: isNothing(name) ? (first?.keyRange ?? rangeOf(config)) : rangeOf(name),
    nics: entriesOf(config)
      .filter(({ key }) => /^net\d+$/.test(key))
      .map(({ value }, index) => ({ index, type: known(nicModel(textOf(value) ?? ""), rangeOf(value)) })),
    directive: new Map(),
    isTemplate: textOf(get(config, "template")) === "1",
  });
  return {
    vm,
    span: spanOf(config),
    place: { fields: {}, base: config, statedValues: new Map(), scsi: new Map(), options: undefined },
    // The server reads another file.
    edits: () => undefined,
  };
}
