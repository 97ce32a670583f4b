import { type Setting, unknown } from "../../model/source.ts";
import type { Settings } from "../../model/spec.ts";
import { isMapping } from "../../syntax/hcl/value.ts";
import * as read from "../../syntax/values.ts";
import type { SettingReader } from "../hcl/setting-reader.ts";
import { vmOf } from "../hcl/vm-instance.ts";
import { flavorFacts, type Specs } from "../openstack/flavor.ts";
import type { ResourceType } from "./resource-type.ts";

const ARGUMENTS = { vcpus: ["vcpus", read.count], memoryMiB: ["ram", read.count] } as const;

/** The flavors of the OpenStack provider; `extra_specs` is a map of texts. */
export const openstackFlavor: ResourceType = {
  providers: ["terraform-provider-openstack/openstack"],
  arguments: ARGUMENTS,
  vm(instance) {
    const { resourceInstance: resource } = instance;
    const value = resource.get("extra_specs");
    const specsBy = (reader: SettingReader): Specs =>
      isMapping(value)
        ? new Map([...value.entries].map(([key, one]) => [key, reader.read(one, read.text, resource.range)]))
        : new Map<string, Setting<string>>(value.kind === "null" ? [] : [["hw:", unknown("extra_specs is unknown", resource.range)]]);
    const factsOf = ({ vcpus, memoryMiB }: Settings, reader: SettingReader) =>
      flavorFacts(vcpus, memoryMiB, specsBy(reader), resource.range);
    const made = vmOf(instance, ARGUMENTS, {
      platform: "kvm",
      alias: resource.get("name"),
      settings: (settings, reader) => factsOf(settings, reader).settings,
    });
    return { ...made, vm: { ...made.vm, kvm: factsOf(made.vm.settings, made.reader).kvm, template: true, hasUnknownCount: true } };
  },
};
