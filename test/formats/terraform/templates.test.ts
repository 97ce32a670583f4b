import { openWorkspace, type SettingName, type VmSpec } from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import { describe, expect, test } from "vitest";
import { vmlint } from "../../support/cli.ts";
import { editor } from "../../support/editor.ts";
import { folder } from "../../support/folder.ts";
import type { Texts } from "../../support/text-files.ts";
import { parse, shown } from "./support.ts";

// A data source that looks a template up has the values of the Packer source that makes it, or of `templates:`.

const AROUND = { topOf: () => "." };

const SOURCE = `source "vsphere-iso" "u" {
  vm_name = "\${var.name}-22.04"
  guest_os_type = "ubuntu64Guest"
  CPUs = 2
  cpu_cores = 5
  RAM = 4096
  vm_version = 15
  CPU_hot_plug = true
  disk_controller_type = ["lsilogic-sas", "pvscsi"]
  network_adapters {
    network_card = "e1000e"
  }
}
`;
const PACKER: Texts = {
  "packer/linux/22.04/a.pkr.hcl": SOURCE,
  "packer/linux/22.04/v.pkr.hcl": 'variable "name" { default = "ubuntu" }\n',
};

const data = (name: string, more = "") => `data "vsphere_virtual_machine" "t" {\n  name = ${name}\n${more}}\n`;
const machine = (lines: string, of = "data.vsphere_virtual_machine.t") =>
  `resource "vsphere_virtual_machine" "a" {\n${lines.replaceAll("T.", `${of}.`)}}\n`;

const ALL = `  num_cpus = T.num_cpus
  num_cores_per_socket = T.num_cores_per_socket
  memory = T.memory
  guest_id = T.guest_id
  hardware_version = T.hardware_version
  cpu_hot_add_enabled = T.cpu_hot_add_enabled
  memory_hot_add_enabled = T.memory_hot_add_enabled
  scsi_type = T.scsi_type
  network_interface {
    adapter_type = T.network_interface_types[0]
  }
  clone {
    template_uuid = T.id
  }
`;
const NAMES: readonly SettingName[] = ["vcpus", "coresPerSocket", "memoryMiB", "guestOs", "hardwareVersion", "cpuHotAdd", "memoryHotAdd"];

/** The settings above, the type of the controller and of the card. */
const seen = (vm: VmSpec | undefined): readonly unknown[] => {
  if (!vm) throw new Error("there is no VM");
  const type = vm.scsiControllers[0]?.type;
  const card = vm.devices().nics[0]?.type;
  return [...NAMES.map((name) => shown(vm.settings[name])), type && shown(type), card && shown(card)];
};
const inFiles = (files: Texts) => parse(files, AROUND).vms.map(seen);

const WHOLE = [2, 5, 4096, "ubuntu64Guest", 15, true, false, "lsisas1068", "e1000e"];
const WHEN_RUN = "<data.vsphere_virtual_machine.t is known when Terraform runs>";
const UNKNOWN = Array.from({ length: 9 }, () => WHEN_RUN);

describe("a template that Packer makes", () => {
  test("gives its settings, its controllers and its cards", () => {
    const main = `variable "os" { default = "ubuntu-22.04" }\n${data('"Templates/${var.os}"')}${machine(ALL)}`;
    expect(inFiles({ ...PACKER, "infra/prod/main.tf": main })).toEqual([WHOLE]);
  });

  test("is found for each of several names", () => {
    const main = `${data("each.key", '  for_each = toset(["ubuntu-22.04", "other"])\n')}${machine(ALL, 'data.vsphere_virtual_machine.t["ubuntu-22.04"]')}`;
    expect(inFiles({ ...PACKER, "main.tf": main })).toEqual([WHOLE]);
    const other = main.replace('t["ubuntu-22.04"]', 't["other"]');
    expect(inFiles({ ...PACKER, "main.tf": other.replaceAll('t["ubuntu-22.04"]', 't["other"]') })).toEqual([UNKNOWN]);
  });

  test("gives its values to a module that is called with them", () => {
    const main = `${data('"ubuntu-22.04"')}module "m" {\n  source = "./m"\n  guest = data.vsphere_virtual_machine.t.guest_id\n}\n`;
    const module = 'variable "guest" {}\nresource "vsphere_virtual_machine" "a" {\n  guest_id = var.guest\n}\n';
    const { vms } = parse({ ...PACKER, "main.tf": main, "m/main.tf": module }, AROUND);
    expect(vms.map(({ settings }) => shown(settings.guestOs))).toEqual(["ubuntu64Guest"]);
  });

  test("looks at as many controllers as the data source scans", () => {
    const main = `${data('"ubuntu-22.04"', "  scsi_controller_scan_count = 2\n")}${machine(ALL)}`;
    expect(inFiles({ ...PACKER, "main.tf": main })).toEqual([WHOLE.with(7, WHEN_RUN)]);
  });

  test("is unknown where two sources of one name differ, and where nothing makes it", () => {
    const main = data('"ubuntu-22.04"') + machine(ALL);
    const second = { "packer/b/b.pkr.hcl": SOURCE.replace("${var.name}", "ubuntu").replace("RAM = 4096", "RAM = 8192") };
    const why = "<2 sources of Packer make its template, with different values of memory>";
    expect(inFiles({ ...PACKER, ...second, "main.tf": main })).toEqual([WHOLE.with(2, why)]);
    expect(inFiles({ ...PACKER, "main.tf": main.replace("ubuntu-22.04", "ubuntu-24.04") })).toEqual([UNKNOWN]);
    expect(inFiles({ ...PACKER, "main.tf": main.replace('"ubuntu-22.04"', "var.missing") })).toEqual([UNKNOWN]);
    expect(parse({ ...PACKER, "main.tf": main }).vms.map(seen)).toEqual([UNKNOWN]);
  });
});

const PROD: Texts = {
  ...PACKER,
  "infra/main.tf": data('"ubuntu-22.04"') + machine(ALL.replace("T.num_cpus", "12")),
};
const HOST = "host: 2x12x2:256@8.0\n";
const FOUND = { ruleId: "cpu/cps-divides", path: "infra/main.tf" };
const SEE = { path: "packer/linux/22.04/a.pkr.hcl", message: "set by vsphere-iso.u, which makes the template ubuntu-22.04" };

describe("a finding with a value of the template", () => {
  test("leads to the source of Packer, and changes nothing there: in the command, the library and the editor", async () => {
    const texts = { ...PROD, "vmlint.yaml": HOST };
    const inCommand = JSON.parse(vmlint(folder(texts), ["infra", "--format", "json"]).out).diagnostics;
    const { findings } = await openWorkspace({ files: texts }).check(["infra"]);
    const config = parseConfig(HOST, "vmlint.yaml");
    const paths = Object.fromEntries(Object.entries(PROD).map(([path, text]) => [`/${path}`, text]));
    const checkup = await editor(paths, { config }).check("/infra/main.tf");
    const inEditor = (checkup?.result.diagnostics ?? []).map((one) => ({ ...one, path: "infra/main.tf" }));
    for (const [found, root] of [
      [inCommand, ""],
      [findings, ""],
      [inEditor, "/"],
    ] as const) {
      const one = found.find(({ ruleId }: { ruleId: string }) => ruleId === FOUND.ruleId);
      expect(one).toMatchObject(FOUND);
      expect(one.related).toContainEqual(expect.objectContaining({ ...SEE, path: root + SEE.path }));
      expect(one.fixes).toEqual([]);
    }
  });
});

describe("a template that the configuration describes", () => {
  const VMX = 'config.version = "8"\nguestOS = "rhel8-64"\nnumvcpus = "2"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "lsilogic"\n';
  const vmsWith = async (templates: string) => {
    const main = data('"ubuntu-22.04"') + machine(ALL);
    const { vms } = await openWorkspace({
      files: { ...PACKER, "t.vmx": VMX, "vmlint.yaml": `templates:\n${templates}`, "infra/main.tf": main },
    }).check(["infra"]);
    return vms.map(({ spec }) => seen(spec));
  };

  test("wins over the source of Packer, setting by setting", async () => {
    expect(await vmsWith("  ubuntu-*: { vcpus: 4, cpuHotAdd: false }\n")).toEqual([WHOLE.with(0, 4).with(5, false)]);
  });

  test("is a file, which is the whole template", async () => {
    const [vm] = await vmsWith("  ubuntu-22.04: t.vmx\n");
    expect(vm?.slice(0, 4)).toEqual([2, WHEN_RUN, 32, "rhel8-64"]);
    expect(vm?.[7]).toBe("lsilogic");
  });
});
