import type { Range } from "../../model/source.ts";
import { type Devices, type Directive, NO_SETTINGS, type VmSpec } from "../../model/spec.ts";
import { checkSettings } from "../check-settings.ts";
import { proxmoxFacts } from "./facts.ts";

type Facts = Parameters<typeof proxmoxFacts>[0];

/** The parts of a VM of Proxmox that its notation decides. */
interface Parts extends Facts {
  readonly name: string;
  readonly range: Range;
  readonly nics: Devices["nics"];
  readonly directive: Directive;
  readonly isTemplate: boolean;
}

/** Returns a VM of Proxmox. `ostype: win10` is also Server 2016 and 2019, so that its guest is unknown. */
export function proxmoxVm({ setting, name, range, nics, directive, isTemplate }: Parts): VmSpec {
  const { settings: stated, facts } = proxmoxFacts({ setting, range });
  const checked = checkSettings({ ...NO_SETTINGS, ...stated });
  return {
    name,
    format: "proxmox",
    platform: "kvm",
    kvm: facts(checked.settings),
    remade: (settings) => ({ kvm: facts(settings) }),
    range,
    ...checked,
    defaults: { vcpus: 1, coresPerSocket: 1, memoryMiB: 512 },
    scsiControllers: [],
    devices: () => ({ otherControllers: [], disks: [], nics }),
    advanced: () => new Map(),
    directive,
    template: isTemplate,
  };
}

/** The model of a card: `virtio=BC:24:11:00:00:01,bridge=vmbr0`. */
export const nicModel = (value: string): string => /^(?:model=)?(\w+)/.exec(value)?.[1] ?? "";
