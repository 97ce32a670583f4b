import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeVmx, type Format, lint, requireHost, type Setting, type VmSpec } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { ovf } from "../packages/core/src/formats/ovf/ovf.ts";
import { govc } from "../packages/core/src/formats/vi-json/govc.ts";

/** Real descriptors and API objects other people wrote, with values other programs read from them: see corpus.test.ts. */
const corpus = process.env.VMLINT_CORPUS;

interface OvfSystem {
  readonly vcpus?: number;
  readonly cores_per_socket?: number | null;
  readonly memory_mb?: number;
  readonly cpu?: readonly { readonly reservation: string | null }[];
  readonly scsi: readonly string[];
  readonly nics: readonly (string | null)[];
  readonly other_controllers: readonly string[];
  readonly hw_version?: string | null;
  readonly guest_os?: string | null;
  readonly cpu_hot_add: boolean | null;
  readonly config: Readonly<Record<string, string>>;
}

interface Truth {
  readonly kind: string;
  readonly systems?: readonly OvfSystem[];
  readonly parse_error_of_reference_tool?: string;
  readonly numCPU?: readonly number[];
  readonly memoryMB?: readonly number[];
}

const decode = (bytes: Uint8Array, label: string) => new TextDecoder(label).decode(bytes);
const textOf = (path: string) => decodeVmx(readFileSync(join(corpus ?? "", "files", path)), decode);
const value = <T>(setting: Setting<T>): T | null => (setting.state === "known" ? setting.value : null);
const truth: [string, Truth][] =
  corpus === undefined ? [] : Object.entries<Truth>(JSON.parse(readFileSync(join(corpus, "truth.json"), "utf8")));
const ofKind = (kind: string) => truth.filter(([, { kind: each }]) => each === kind);

/** Subtypes as descriptors write them, in the words of a .vmx. */
const WORDS: Readonly<Record<string, string>> = {
  lsilogicsas: "lsisas1068",
  virtualscsi: "pvscsi",
  pcnet32: "vlance",
  "vmware.sata.ahci": "sata",
  ahci: "sata",
};
const word = (subtype: string) => WORDS[subtype.toLowerCase()] ?? subtype.toLowerCase();
const KNOWN_SCSI = ["lsilogic", "lsilogicsas", "buslogic", "virtualscsi"];

const asTruth = (vm: VmSpec) => ({
  vcpus: value(vm.settings.vcpus),
  coresPerSocket: value(vm.settings.coresPerSocket),
  memoryMiB: value(vm.settings.memoryMiB),
  hardware: value(vm.settings.hardwareVersion),
  guestOs: value(vm.settings.guestOs),
  cpuHotAdd: value(vm.settings.cpuHotAdd),
  memoryHotAdd: value(vm.settings.memoryHotAdd),
  cpuReservation: value(vm.settings.cpuReservationMHz),
  scsi: vm.scsiControllers.map(({ type }) => value(type)),
  nics: vm.devices().nics.map(({ type }) => value(type)),
  other: vm
    .devices()
    .otherControllers.map(({ kind }) => kind)
    .sort(),
});

const number = (text: string | null | undefined) => (text === null || text === undefined ? null : Number(text));
const flag = (text: string | undefined) => (text === undefined ? null : text === "true");

describe.skipIf(corpus === undefined)("real OVF descriptors", () => {
  test("there are some", () => {
    expect(ofKind("ovf").length).toBeGreaterThan(40);
    expect(ofKind("api-json")).toHaveLength(3);
  });

  /*
   * Differences from the other reader:
   * - It reads no systems in two files whose sections have only a type (OVF 0.9). vmlint reads them.
   * - It quotes all subtypes. vmlint uses VMware's first subtype, and reads VirtualBox's IDE chips as IDE.
   * - It quotes both families of "vmx-04 xen-3". vmlint accepts only VMware's family.
   * - vmlint does not know NVDIMM controllers.
   */
  test.each(ofKind("ovf").filter(([, { systems = [] }]) => systems.length > 0))("%s", (path, { systems = [] }) => {
    expect(ovf.parse(textOf(path)).vms.map(asTruth)).toEqual(
      systems.map((system) => ({
        vcpus: system.vcpus ?? null,
        coresPerSocket: system.cores_per_socket ?? null,
        memoryMiB: system.memory_mb ?? null,
        hardware: number(/vmx-(\d+)/.exec(system.hw_version ?? "")?.[1]),
        guestOs: system.guest_os ?? null,
        cpuHotAdd: system.cpu_hot_add,
        memoryHotAdd: flag(system.config.memoryHotAddEnabled),
        cpuReservation: number(system.cpu?.[0]?.reservation),
        scsi: system.scsi.map((types) => {
          const first = types.split(/[\s,]+/).find((type) => KNOWN_SCSI.includes(type.toLowerCase()));
          return first === undefined ? null : word(first);
        }),
        nics: system.nics.map((type) => type && word(type)),
        other: system.other_controllers
          .filter((type) => !type.startsWith("vmware.nvdimm"))
          .map((type) => (["PIIX4", "ICH6"].includes(type) ? "ide" : word(type)))
          .sort(),
      })),
    );
  });

  test.each(ofKind("ovf").filter(([, { systems = [] }]) => systems.length === 0))(
    "%s: unreadable for the other reader",
    (path, { parse_error_of_reference_tool: error }) => {
      const { vms, problems, foreign } = ovf.parse(textOf(path));
      if (error === undefined) expect([vms.length, problems, foreign]).toEqual([1, [], undefined]);
      else expect([vms.length, problems, foreign]).toEqual([0, [], "it has no Envelope element"]);
    },
  );
});

describe.skipIf(corpus === undefined)("real objects of the API", () => {
  test.each(ofKind("api-json"))("%s", (path, expected) => {
    const { vms, problems } = govc.parse(textOf(path));
    expect(problems).toEqual([]);
    expect(vms.map(({ settings }) => value(settings.vcpus))).toEqual(expected.numCPU);
    expect(vms.map(({ settings }) => value(settings.memoryMiB))).toEqual(expected.memoryMB);
    // They say numCoresPerSocket 1 and autoCoresPerSocket true: ESXi chooses at the next power-on.
    expect(vms.map(asTruth)).toMatchObject([
      { coresPerSocket: "auto", hardware: 20, scsi: ["pvscsi"], nics: ["vmxnet3"], other: ["ide", "ide", "sata"] },
    ]);
  });
});

test.skipIf(corpus === undefined)("no error or warning in them that a vSphere expert would call wrong", () => {
  const FORMATS: Readonly<Record<string, Format>> = { ovf, "api-json": govc };
  const found = truth.flatMap(([path, { kind }]) => {
    const format = FORMATS[kind];
    if (!format) return [];
    return lint(textOf(path), { format, target: { host: requireHost("r640") } })
      .diagnostics.filter(({ severity }) => severity === "error" || severity === "warning")
      .map(({ ruleId, message }) => `${path.split("/").at(-1)} ${ruleId}: ${message}`);
  });
  // All were read. VM Operator names a test file by its fault. Two test files do limit their VMs so, to 345 MHz and 256 MHz a vCPU; VirtualBox calls its machine vmx-6 and gives it a SATA controller; win19.ovf states 4 MB.
  expect(found).toEqual([
    expect.stringMatching(/^computeResource.ovf cpu\/limit-lt-size: The CPU limit \(345 MHz\) lets 1 vCPU run 14 %/),
    expect.stringMatching(/^computeResource.ovf mem\/limit-lt-size: ESXi backs at most 128 of these 512 MiB/),
    expect.stringMatching(/^vbox5_0.9.ovf sata\/hw: sata0 needs hardware version 10, and this VM has 6/),
    expect.stringMatching(/^WinXP-Mini.ovf cpu\/limit-lt-size: The CPU limit \(512 MHz\) lets 2 vCPUs run 10 %/),
    expect.stringMatching(/^vbs-unsupported-hw-version.ovf power-on\/old-hardware: .* needs hardware version 14, and this VM has 13/),
    expect.stringMatching(/^win19.ovf power-on\/conflict: A VM with EFI firmware needs 96 MiB/),
  ]);
});
