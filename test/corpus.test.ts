import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeVmx, lint, requireHost, type Setting, type VmSpec } from "@vmlint/core";
import { parseVmx } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";

/**
 * Real files other people wrote, with values other programs read from them. They are not part of this repository:
 * VMLINT_CORPUS names the folder (files/, truth.json, libvirt-oracle.json); without it these tests skip.
 */
const corpus = process.env.VMLINT_CORPUS;

/** The values that an independent reader found in a .vmx; `null` if the key is missing. */
interface Truth {
  readonly not_vmx?: string;
  readonly vcpus: number | null;
  readonly cores_per_socket: number | null;
  readonly memory_mb: number | null;
  readonly scsi: readonly { readonly bus: number; readonly type: string | null }[];
  readonly other_controllers: Readonly<Record<string, readonly number[]>>;
  readonly nics: readonly { readonly n: number; readonly type: string | null }[];
  readonly latency: string | null;
  readonly affinity: string | null;
  readonly node_affinity: string | null;
  readonly cpu_hot_add: boolean | null;
  readonly mem_hot_add: boolean | null;
  readonly cpu_reservation_mhz: string | null;
  readonly mem_reservation_mb: string | null;
  readonly hw_version: number | null;
  readonly guest_os: string | null;
  readonly disks: readonly string[];
}

/** The values that libvirt reads from the same file. */
interface Libvirt {
  readonly vcpu: number;
  readonly cpuset: string | null;
  readonly topology: readonly [sockets: number, cores: number] | null;
  readonly memory_mb: number;
  readonly scsi: readonly (readonly [number, string | null])[];
  readonly nics: readonly (string | null)[];
}

const decode = (bytes: Uint8Array, label: string) => new TextDecoder(label).decode(bytes);
const textOf = (path: string) => decodeVmx(readFileSync(join(corpus ?? "", "files", path)), decode);
const ABSENT = { state: "absent" } as const;
const value = <T>(setting: Setting<T>): T | null => (setting.state === "known" ? setting.value : null);
const number = (text: string | null) => (text === null ? null : Number(text));
const list = (text: string | null) => {
  if (text === null || text === "all") return null;
  const parts = text.split(",").map((part) => part.split("-").map(Number));
  return parts.flatMap(([first = 0, last = first]) => Array.from({ length: last - first + 1 }, (_, i) => first + i)).sort((a, b) => a - b);
};

function asTruth(vm: VmSpec) {
  const { settings } = vm;
  const affinity = value(settings.cpuAffinity);
  return {
    vcpus: value(settings.vcpus),
    cores_per_socket: value(settings.coresPerSocket),
    memory_mb: value(settings.memoryMiB),
    hw_version: value(settings.hardwareVersion),
    guest_os: value(settings.guestOs),
    cpu_hot_add: value(settings.cpuHotAdd),
    mem_hot_add: value(settings.memoryHotAdd),
    cpu_reservation_mhz: value(settings.cpuReservationMHz),
    mem_reservation_mb: value(settings.memoryReservationMiB),
    latency: value(settings.latencySensitivity),
    affinity: affinity === "all" ? null : affinity,
    scsi: vm.scsiControllers.map(({ bus, type }) => ({ bus, type: value(type) })),
    nics: vm.devices().nics.map(({ index, type }) => ({ n: index, type: value(type) })),
    other: vm
      .devices()
      .otherControllers.map(({ kind, bus }) => `${kind}${bus}`)
      .sort(),
    disks: vm
      .devices()
      .disks.map(({ id }) => id)
      .sort(),
  };
}

describe.skipIf(corpus === undefined)("real .vmx files", () => {
  const read = (name: string) => JSON.parse(readFileSync(join(corpus ?? "", name), "utf8"));
  const truth: [string, Truth][] =
    corpus === undefined ? [] : Object.entries<Truth>(read("truth.json")).filter(([path]) => path.endsWith(".vmx"));
  const libvirt: [string, Libvirt][] =
    corpus === undefined
      ? []
      : Object.entries<Libvirt>(read("libvirt-oracle.json")).filter(([path]) => existsSync(join(corpus, "files", path)));

  test("there are some", () => {
    expect(truth.length).toBeGreaterThan(100);
    expect(libvirt.length).toBeGreaterThan(100);
  });

  // One difference: files older than 5.0 state the reservation as sched.mem.minsize alone, which the other reader passes over.
  test.each(truth.filter(([, { not_vmx }]) => not_vmx === undefined))("%s: the values an independent reader found", (path, expected) => {
    const [vm] = parseVmx(textOf(path)).vms;
    expect(vm && asTruth(vm)).toEqual({
      vcpus: expected.vcpus,
      cores_per_socket: expected.cores_per_socket,
      memory_mb: expected.memory_mb,
      hw_version: expected.hw_version,
      guest_os: expected.guest_os,
      cpu_hot_add: expected.cpu_hot_add,
      mem_hot_add: expected.mem_hot_add,
      cpu_reservation_mhz: number(expected.cpu_reservation_mhz),
      mem_reservation_mb: number(expected.mem_reservation_mb ?? (vm && value(vm.advanced().get("sched.mem.minsize") ?? ABSENT)) ?? null),
      latency: expected.latency,
      affinity: list(expected.affinity),
      scsi: expected.scsi.map(({ bus, type }) => ({ bus, type: type?.toLowerCase() ?? null })),
      nics: expected.nics,
      other: Object.entries(expected.other_controllers)
        .flatMap(([kind, buses]) => buses.map((bus) => `${kind}${bus}`))
        .sort(),
      disks: [...expected.disks].sort(),
    });
  });

  test.each(truth.filter(([, { not_vmx }]) => not_vmx !== undefined))("%s is no .vmx (%o)", (path) => {
    expect(parseVmx(textOf(path)).vms).toEqual([]);
  });

  /*
   * Differences from libvirt:
   * - It lists a SCSI controller only if the controller has a disk. The domains of tests/xml2vmxdata have implicit controllers,
   * so libvirt lists fewer buses than vmlint.
   * - In tests/xml2vmxdata it prints the memory before it rounds up to a multiple of 4 MB.
   */
  test.each(libvirt)("%s: the values libvirt found", (path, expected) => {
    const [vm] = parseVmx(textOf(path)).vms;
    if (!vm) throw new Error("no VM");
    const { settings } = vm;
    const affinity = value(settings.cpuAffinity);
    expect({
      vcpus: value(settings.vcpus) ?? vm.defaults.vcpus,
      coresPerSocket: value(settings.coresPerSocket) ?? 1,
      memoryMiB: value(settings.memoryMiB) ?? vm.defaults.memoryMiB,
      affinity: affinity === "all" ? null : affinity,
      nics: vm.devices().nics.length,
    }).toEqual({
      vcpus: expected.vcpu,
      coresPerSocket: expected.topology?.[1] ?? 1,
      memoryMiB: path.includes("xml2vmxdata") ? Math.ceil(expected.memory_mb / 4) * 4 : expected.memory_mb,
      affinity: list(expected.cpuset),
      nics: expected.nics.length,
    });
    const buses = vm.scsiControllers.map(({ bus }) => bus);
    expect(buses).toEqual(expect.arrayContaining(expected.scsi.map(([bus]) => bus)));
    const unlisted = buses.filter((bus) => !expected.scsi.some(([theirs]) => theirs === bus));
    if (!path.includes("xml2vmxdata")) {
      for (const bus of unlisted) expect(vm.devices().disks.filter(({ controller }) => controller === `scsi${bus}`)).toEqual([]);
    }
  });

  test("no error or warning that a vSphere expert would call wrong", () => {
    const found = truth.flatMap(([path]) =>
      lint(textOf(path), { target: { host: requireHost("4x10x2:1024@5.5") } })
        .diagnostics.filter(({ severity }) => severity === "error" || severity === "warning")
        // Files of later releases than the host that is made up for all of them.
        .filter(({ ruleId }) => ruleId !== "host/too-old")
        .map(({ ruleId, range }) => `${path}:${range[0]} ${ruleId}`),
    );
    // All were read. An annotation in Japanese whose closing quotes were lost, which VMware's reader drops too; a limit of
    // 118 MiB on a VM of 1,000; EFI, PVSCSI and VMXNET3 in files that libvirt made for hardware version 4, its default, and EFI with 4 MiB.
    const libvirt = (file: string, rule: string) =>
      expect.stringMatching(new RegExp(`^libvirt.*/${file.replace(".", "\\.")}:\\d+ ${rule}$`));
    expect(found.sort()).toEqual([
      expect.stringMatching(/^LanRenLan.*Windows 10 x64.vmx:\d+ vmx\/malformed-line$/),
      expect.stringMatching(/^LanRenLan.*Windows 10 x64.vmx:\d+ vmx\/malformed-line$/),
      libvirt("esx-in-the-wild-2.vmx", "cpu/limit-lt-size"),
      libvirt("esx-in-the-wild-2.vmx", "mem/limit-lt-size"),
      libvirt("scsi-driver.vmx", "storage/pvscsi-hw"),
      libvirt("xml2vmx-esx-in-the-wild-2.vmx", "mem/limit-lt-size"),
      libvirt("xml2vmx-esx-in-the-wild-6.vmx", "storage/pvscsi-hw"),
      libvirt("xml2vmx-esx-in-the-wild-6.vmx", "net/vmxnet3-hw"),
      libvirt("xml2vmx-esx-in-the-wild-7.vmx", "storage/pvscsi-hw"),
      libvirt("xml2vmx-esx-in-the-wild-7.vmx", "net/vmxnet3-hw"),
      libvirt("xml2vmx-firmware-efi.vmx", "power-on/conflict"),
      libvirt("xml2vmx-firmware-efi.vmx", "power-on/old-hardware"),
      libvirt("xml2vmx-scsi-driver.vmx", "storage/pvscsi-hw"),
    ]);
  });

  test("any file of any kind lints without throwing", () => {
    const root = join(corpus ?? "", "files");
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(300);
    for (const { parentPath, name } of files) {
      const text = decodeVmx(readFileSync(join(parentPath, name)), decode);
      for (const { range } of lint(text).diagnostics) expect(range[1]).toBeLessThanOrEqual(text.length);
    }
  });
});
