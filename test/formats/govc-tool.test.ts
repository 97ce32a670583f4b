import type { VmSpec } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { govc } from "../../packages/core/src/formats/vi-json/govc.ts";
import { spawned } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { hasVcenter, withVcenter } from "../support/vcenter.ts";

const vmsOf = (text: string): readonly VmSpec[] => {
  const { vms, problems, foreign } = govc.parse(text);
  expect([problems, foreign]).toEqual([[], undefined]);
  return vms;
};
const known = ({ settings }: VmSpec) =>
  Object.fromEntries(Object.entries(settings).flatMap(([name, setting]) => (setting.state === "known" ? [[name, setting.value]] : [])));

describe.runIf(hasVcenter)("govc, on a simulated vCenter", () => {
  test("every notation of a VM gives the same VM", async () => {
    await withVcenter((run) => {
      const place = ["-pool", "/DC0/host/DC0_C0/Resources", "-net", "VM Network", "-net.adapter", "vmxnet3"];
      const size = ["-c", "16", "-m", "65536", "-disk", "10G", "-disk.controller", "pvscsi"];
      run("vm.create", "-on=false", ...place, ...size, "sql01");
      run("vm.change", "-vm", "sql01", "-e", "numa.vcpu.preferHT=TRUE", "-latency", "high", "-cpu-hot-add-enabled=true");
      const [path = ""] = run("find", "/", "-type", "m", "-name", "sql01").split("\n");

      const [vm] = vmsOf(run("vm.info", "-json", "sql01"));
      if (!vm) throw new Error("no VM");
      expect(vm.name).toBe("sql01");
      expect(known(vm)).toMatchObject({
        vcpus: 16,
        memoryMiB: 65536,
        cpuHotAdd: true,
        preferHt: true,
        latencySensitivity: "high",
      });
      expect(vm.devices().disks).toHaveLength(1);
      // govc leaves out the types, and vcsim's summaries are names of its own.
      expect(vm.scsiControllers).toMatchObject([{ id: "scsi0", type: { state: "unknown" } }]);
      expect(vm.devices().nics).toMatchObject([{ type: { state: "unknown" } }]);

      const [collected] = vmsOf(run("object.collect", "-json", path, "config", "name"));
      expect(collected && [collected.name, known(collected)]).toEqual(["sql01", known(vm)]);
      const [everything] = vmsOf(run("object.collect", "-json", path));
      expect(everything && [everything.name, known(everything)]).toEqual(["sql01", known(vm)]);
      const [parts] = vmsOf(run("object.collect", "-json", path, "config.hardware", "config.extraConfig"));
      expect(parts && known(parts)).toMatchObject({ vcpus: 16, memoryMiB: 65536, preferHt: true });
      expect(parts?.settings.cpuHotAdd.state).toBe("unknown");

      const [devices] = vmsOf(run("device.info", "-json", "-vm", "sql01"));
      expect(devices?.scsiControllers).toMatchObject([{ id: "scsi0", type: { value: "pvscsi" } }]);
      expect(devices?.devices().nics).toMatchObject([{ type: { value: "vmxnet3" } }]);
      expect(devices?.devices().disks.map(({ id }) => id)).toEqual(vm.devices().disks.map(({ id }) => id));

      // The pipe of the README, over all five VMs of the inventory.
      const { out, err } = spawned(folder({}), ["-", "--host", "r640", "--format", "json"], {}, run("vm.info", "-json", "/DC0/vm/*"));
      const { diagnostics, summary } = JSON.parse(out);
      expect([err, summary.vms]).toEqual(["", 5]);
      const found = diagnostics.map(({ ruleId, vm: name }: { ruleId: string; vm: string }) => `${name} ${ruleId}`);
      // The simulator makes VMs of an old hardware version.
      const others = found.filter((each: string) => !each.startsWith("sql01 latency/") && !each.endsWith(" host/hardware-behind"));
      expect(others).toEqual([]);
      expect(found).toContain("sql01 latency/high");
    });
  });
});
