import { type EsxiVersion, formatEsxi, parseEsxi } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import {
  excess,
  FIRST_HARDWARE,
  hardwareFor,
  type Limit,
  MAX_CONTROLLERS,
  MAX_VCPUS,
  MEMORY_STEP_MIB,
  maxCards,
  maxDisks,
  newestHardware,
  runs,
  SCSI_CONTROLLER_UNIT,
  safeCoresPerSocket,
} from "../../packages/core/src/limits/hardware.ts";

const release = (text: string): EsxiVersion => {
  const version = parseEsxi(text);
  if (!version) throw new Error(text);
  return version;
};

/** The last release that is not yet an ESX 9.0, and that one. */
const [OLDER, NEWER] = [release("8.0 U3"), release("9.0")];

/**
 * The figures as published. First release and the last release before it: govmomi, hardware_version.go. vCPUs, cores per socket
 * and GiB: "Hardware Features Available with Virtual Machine Compatibility Settings" of vSphere 8.0 (4 and 7: also of 6.7; 22:
 * vinfrastructure.it). The figure after a slash is from the VirtualMachineConfigOption of an ESX 9 host, if it differs.
 */
const PUBLISHED = `
  4   3.0     none    4        1        64
  7   4.0     3.5     8        8        256
  8   5.0     4.1     32       32       1011
  9   5.1     5.0     64       64       1011
  10  5.5     5.1     64       64       1011
  11  6.0     5.5     128      64/128   4080
  13  6.5     6.0     128      64/128   6128
  14  6.7     6.5     128      64/128   6128
  15  6.7 U2  6.7 U1  256      64/128   6128
  17  7.0     6.7 U3  256/768  64/128   6128/24560
  18  7.0 U1  7.0 GA  768      64/128   24560
  19  7.0 U2  7.0 U1  768      64/128   24560
  20  8.0     7.0 U3  768      256      24560
  21  8.0 U2  8.0 U1  768      256      24560
  22  9.0     8.0 U3  960      960      24560
`;
const figure = (text = ""): { documented: number; reported: number | null } => {
  const [documented, reported] = text.split("/").map(Number);
  return { documented: documented ?? 0, reported: reported ?? null };
};
const ROWS = PUBLISHED.trim()
  .split("\n")
  .map((line) => line.trim().split(/ {2,}/))
  .map(([hardware, since = "", before = "", ...figures]) => {
    const [vcpus, coresPerSocket, memoryGiB] = figures.map(figure);
    return { hardware: Number(hardware), since, before, limits: { vcpus, coresPerSocket, memoryGiB } };
  });
const LIMITS = ROWS.flatMap(({ hardware, limits }) =>
  Object.entries(limits).map(([limit, value = figure()]) => [hardware, limit as Limit, value] as const),
);

describe("limits of a hardware version", () => {
  test.each(LIMITS)("version %i: %s %o", (hardware, limit, { documented, reported }) => {
    const most = reported ?? documented;
    const over = { documented, reported, most };
    expect(excess(limit, documented, hardware)).toBeUndefined();
    expect(excess(limit, documented + 1, hardware)).toEqual({ ...over, certain: reported === null });
    expect(excess(limit, most, hardware, NEWER)).toBeUndefined();
    expect(excess(limit, most, hardware, OLDER)).toEqual(reported === null ? undefined : { ...over, certain: false });
    expect(excess(limit, most + 1, hardware)).toEqual({ ...over, certain: true });
    expect(excess(limit, most + 1, hardware, NEWER)).toEqual({ ...over, certain: true });
  });

  // For 11 and 13, the page of 6.5 lists 128 cores per socket; the pages of 6.7, 7.0 and 8.0 list 64.
  test.each<[number, string, number, boolean]>([
    [11, "6.0", 128, false],
    [13, "6.5 U3", 128, false],
    [13, "6.5 U3", 129, true],
    [13, "6.7", 65, true],
    [10, "6.5", 65, true],
  ])("version %i on ESXi %s, with a socket of %i cores: %s", (hardware, text, cores, isOver) => {
    expect(excess("coresPerSocket", cores, hardware, release(text)) !== undefined).toBe(isOver);
  });

  test("limits of every version, and none for a version that never existed", () => {
    expect(MAX_VCPUS).toBe(960);
    expect([MEMORY_STEP_MIB, MAX_CONTROLLERS, SCSI_CONTROLLER_UNIT]).toEqual([4, 4, 7]);
    // No page has 5 and 6, which were the desktop products' own.
    expect([4, 5, 7, 22, undefined].map(maxCards)).toEqual([4, 10, 10, 10, 10]);
    expect(FIRST_HARDWARE).toEqual({
      pvscsi: 7,
      vmxnet3: 7,
      sata: 10,
      nvme: 13,
      virtualTopology: 20,
      hyperthreading: 20,
      fixedAutoAffinity: 23,
    });
    expect(["vcpus", "coresPerSocket", "memoryGiB"].map((limit) => excess(limit as Limit, 99_999, 12))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test.each<[Limit, number, number | null]>([
    ["vcpus", 4, 4],
    ["vcpus", 5, 7],
    ["vcpus", 9, 8],
    ["vcpus", 33, 9],
    ["vcpus", 65, 11],
    ["vcpus", 129, 15],
    ["vcpus", 257, 18],
    ["vcpus", 769, 22],
    ["vcpus", 961, null],
    ["coresPerSocket", 65, 20],
    ["coresPerSocket", 257, 22],
    ["memoryGiB", 1012, 11],
    ["memoryGiB", 4081, 13],
    ["memoryGiB", 6129, 18],
    ["memoryGiB", 24561, null],
  ])("room for %s = %i is in version %s first, by both figures", (limit, value, version) => {
    expect(hardwareFor(limit, value)).toBe(version);
  });

  test("a version that the host does not run has no limits", () => {
    expect(hardwareFor("vcpus", 257, release("7.0 U1"))).toBe(18);
    expect(hardwareFor("vcpus", 257, release("7.0"))).toBeNull();
    expect(newestHardware(release("7.0"))).toBe(17);
  });
});

test.each(ROWS)("version $hardware runs from ESXi $since on, and not on $before", ({ hardware, since, before }) => {
  expect(runs(release(since), hardware)).toBe(true);
  if (before !== "none") expect(runs(release(before), hardware)).toBe(false);
  expect(newestHardware(release(since))).toBe(hardware);
});

test.each([
  ["7.0", 19, undefined],
  ["7.0", 20, false],
  ["8.0", 21, undefined],
  ["8.0", 22, false],
  ["6.7", 15, undefined],
  ["6.7.0", 15, undefined],
  ["6.7", 16, false],
  ["7.0", 16, undefined],
  ["7.0.0", 18, false],
  ["7.0.1", 18, true],
])("ESXi %s, of no stated update unless its version numbers them, and hardware version %i: %s", (text, hardware, expected) => {
  expect(runs(release(text), hardware)).toBe(expected);
});

test("the oldest ESXi has the first version of the list; a version of no list is left open", () => {
  expect(parseEsxi("2.5")).toBeUndefined();
  expect(newestHardware(release("3.0"))).toBe(4);
  expect(runs(NEWER, 12)).toBeUndefined();
});

test.each<[number | undefined, number]>([
  [4, 1],
  [7, 8],
  [10, 64],
  [11, 64],
  [19, 64],
  [20, 256],
  [22, 960],
  [12, 64],
  [undefined, 64],
])("cores per socket that hardware version %s allows: at most %i, the lower of both figures", (version, most) => {
  expect(safeCoresPerSocket(version)).toBe(most);
});

/** The disks of a controller by the ESX 9 dumps of versions 10 to 22; 15 on PVSCSI before 14 and on NVMe before 21. */
test.each<[...Parameters<typeof maxDisks>, most: number]>([
  ["sata", undefined, 10, 30],
  ["sata", undefined, undefined, 30],
  ["nvme", undefined, 13, 15],
  ["nvme", undefined, 20, 15],
  ["nvme", undefined, 21, 64],
  ["nvme", undefined, undefined, 64],
  ["scsi", "pvscsi", 13, 15],
  ["scsi", "pvscsi", 14, 64],
  ["scsi", "pvscsi", undefined, 64],
  ["scsi", "lsisas1068", 14, 15],
  ["scsi", "lsilogic", 22, 15],
  ["scsi", "buslogic", undefined, 15],
  ["scsi", undefined, 13, 15],
  ["scsi", undefined, 14, 64],
  ["scsi", undefined, undefined, 64],
])("%s, %s, hardware version %s: %i disks", (kind, type, version, most) => {
  expect(maxDisks(kind, type, version)).toBe(most);
});

test.each(["6.7", "6.7 GA", "6.7 U3", "7.0", "7.0 GA", "8.0 U2"])("ESXi %s is written as it was read", (text) => {
  expect(formatEsxi(release(text))).toBe(text);
  expect(release(text.replace(" ", "").toLowerCase())).toEqual(release(text));
});

test.each([
  ["6.7.0", "6.7"],
  ["7.0.0", "7.0 GA"],
  ["8.0.3", "8.0 U3"],
  // Version texts of esxcli, vmware -v, vmware -l and the dumps of vSphere.
  ["6.7.0 Update 3", "6.7 U3"],
  ["VMware ESXi 6.7.0 Update 3", "6.7 U3"],
  ["VMware ESXi 7.0 Update 3", "7.0 U3"],
  ["VMware ESXi 8.0.2", "8.0 U2"],
  ["VMware ESXi 8.0.2 build-22380479", "8.0 U2"],
  ["8.0.2-22380479", "8.0 U2"],
  ["7.0.3 U3", "7.0 U3"],
  ["9.0.0.0", "9.0 GA"],
  ["ESX 3.5", "3.5"],
  ["7.0.1 U3", undefined],
  ["8.0.1 GA", undefined],
  ["2.4", undefined],
  ["0.1", undefined],
  ["1.0", undefined],
  ["3.9", undefined],
  ["8.0.2.1.0", undefined],
  ["8.0 build", undefined],
])("ESXi %s is %s", (text, expected) => {
  const version = parseEsxi(text);
  expect(version && formatEsxi(version)).toBe(expected);
});
