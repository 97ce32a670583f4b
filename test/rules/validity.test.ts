import { lint, requireHost, rules } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { said, written } from "../support/findings-of-rule.ts";

type Row = readonly [lines: string, host: string | undefined, expected: readonly string[]];

const NINE = "2x48x2:2048@9.0";
const EIGHT = "2x24x2:768@8.0";
const SEVEN = "2x24x2:768@7.0";

const cards = (count: number): string => Array.from({ length: count }, (_, index) => `ethernet${index}.present TRUE`).join("; ");

const TABLES: Readonly<Record<string, readonly Row[]>> = {
  "cpu/cps-divides": [
    ["vcpus 7; cps 4", undefined, ["remainder error"]],
    ["vcpus 8; cps 4", undefined, []],
    ["vcpus 9; cps 4", undefined, ["remainder error"]],
    ["vcpus 3; cps 4", undefined, ["remainder error"]],
    ["vcpus 1; cps 4", undefined, []],
    ["cps 4", undefined, []],
    ["vcpus 7", undefined, []],
  ],
  // The documentation and ESX 9 agree, except for version 17; see hardware.ts.
  "cpu/max-vcpus-hw": [
    ["vcpus 4; hw 4", undefined, []],
    ["vcpus 5; hw 4", undefined, ["over error"]],
    ["vcpus 8; hw 7", undefined, []],
    ["vcpus 9; hw 7", undefined, ["over error"]],
    ["vcpus 32; hw 8", undefined, []],
    ["vcpus 33; hw 8", undefined, ["over error"]],
    ["vcpus 64; hw 10", undefined, []],
    ["vcpus 65; hw 10", undefined, ["over error"]],
    ["vcpus 128; hw 14", undefined, []],
    ["vcpus 129; hw 14", undefined, ["over error"]],
    ["vcpus 256; hw 15", undefined, []],
    ["vcpus 257; hw 15", undefined, ["over error"]],
    ["vcpus 256; hw 17", undefined, []],
    ["vcpus 257; hw 17", undefined, ["documented warning"]],
    ["vcpus 257; hw 17", EIGHT, ["documented warning"]],
    ["vcpus 257; hw 17", NINE, []],
    ["vcpus 768; hw 17", undefined, ["documented warning"]],
    ["vcpus 769; hw 17", NINE, ["over error"]],
    ["vcpus 768; hw 21", undefined, []],
    ["vcpus 769; hw 21", undefined, ["over error"]],
    ["vcpus 960; hw 22", undefined, []],
    ["vcpus 961; hw 22", undefined, ["over error"]],
    ["vcpus 999; hw 12", undefined, []],
    ["vcpus 999", undefined, []],
  ],
  "cpu/max-cps-hw": [
    ["vcpus 2; cps 1; hw 4", undefined, []],
    ["vcpus 2; cps 2; hw 4", undefined, ["over error"]],
    ["vcpus 64; cps 64; hw 10", undefined, []],
    ["vcpus 65; cps 65; hw 10", undefined, ["over error"]],
    ["vcpus 64; cps 64; hw 19", undefined, []],
    ["vcpus 65; cps 65; hw 19", undefined, ["documented warning"]],
    ["vcpus 128; cps 128; hw 19", SEVEN, ["documented warning"]],
    ["vcpus 128; cps 128; hw 19", NINE, []],
    ["vcpus 129; cps 129; hw 19", NINE, ["over error"]],
    ["vcpus 256; cps 256; hw 20", undefined, []],
    ["vcpus 257; cps 257; hw 20", undefined, ["over error"]],
  ],
  // The documentation of 6.7 and 7.0, and ESX 9 for 11 to 21; see hardware.ts.
  "cpu/max-sockets-hw": [
    ["vcpus 128; hw 19", undefined, []],
    ["vcpus 129; hw 19", undefined, ["over error"]],
    ["vcpus 129; hw 15", undefined, ["over error"]],
    ["vcpus 256; cps 2; hw 19", undefined, []],
    ["vcpus 258; cps 2; hw 19", undefined, ["over error"]],
    ["vcpus 129; cps 1; hw 21", undefined, ["over error"]],
    ["vcpus 129; cps 1; hw 22", NINE, []],
    ["vcpus 129; hw 21", undefined, []],
    ["vcpus 129; cps 1", undefined, []],
    ["vcpus 129; hw 14", undefined, []], // too many vCPUs are at fault
    ["vcpus 257; cps 2; hw 19", undefined, []], // Sockets that do not divide the vCPUs.
  ],
  "guest/max-sockets": [
    ["vcpus 4; hw 19; guest windows9-64", undefined, []],
    ["vcpus 5; hw 19; guest windows9-64", undefined, ["idle error"]],
    ["vcpus 2; hw 19; guest windows7-64", undefined, []],
    ["vcpus 3; hw 19; guest windows7-64", undefined, ["idle error"]],
    ["vcpus 8; cps 2; hw 20; guest windows11-64", undefined, []],
    ["vcpus 10; cps 2; hw 20; guest windows11-64", undefined, ["idle error"]],
    ["vcpus 8; hw 20; guest windows11-64", EIGHT, []],
    ["vcpus 8; hw 20; guest windows11-64", SEVEN, []], // such a VM does not start there, and its sockets are not stated
    ["vcpus 64; hw 19; guest windows2019srv-64", undefined, []],
    ["vcpus 65; hw 19; guest windows2019srv-64", undefined, ["server warning"]],
    ["vcpus 65; hw 19; guest rhel8-64", undefined, []],
  ],
  "host/too-old": [
    ["hw 17", "2x24x2:768@6.7 U3", ["newer error"]],
    ["hw 15", "2x24x2:768@6.7 U1", ["newer error"]],
    ["hw 15", "2x24x2:768@6.7", []],
    ["hw 19", SEVEN, []],
    ["hw 20", SEVEN, ["newer error"]],
    ["hw 21", EIGHT, []],
    ["hw 22", EIGHT, ["newer error"]],
    ["hw 22", NINE, []],
    ["hw 20", "2x24x2", []],
    ["hw 20", undefined, []],
    ["vcpus 4", SEVEN, []],
  ],
  "cpu/exceeds-host-threads": [
    ["vcpus 95", EIGHT, []],
    ["vcpus 96", EIGHT, []],
    ["vcpus 97", EIGHT, ["more error"]],
    ["vcpus 49", "2x24x1@8.0", ["more error"]],
  ],
  "cpu/exceeds-physical-cores": [
    ["vcpus 47", EIGHT, []],
    ["vcpus 48", EIGHT, []],
    ["vcpus 49", EIGHT, ["shared warning"]],
    ["vcpus 96", EIGHT, ["shared warning"]],
    ["vcpus 97", EIGHT, []],
    ["vcpus 49", "2x24x1@8.0", []],
    ["vcpus 49; preferHt TRUE", EIGHT, []],
    ["vcpus 49; preferHt FALSE", EIGHT, ["shared warning"]],
    ["vcpus 48; latency high", EIGHT, []],
    ["vcpus 49; latency high", EIGHT, ["exclusive error"]],
    ["vcpus 49; latency high; preferHT TRUE", EIGHT, ["exclusive error"]],
    ["vcpus 50; latency high; smt 2; hw 20", EIGHT, []],
    ["vcpus 49; latency high", "2x24x2@5.1", ["shared warning"]],
    ["vcpus 97; latency high", EIGHT, []],
  ],
  "cpu/limit-lt-reservation": [
    ["cpuMin 1000; cpuMax 999", undefined, ["below error"]],
    ["cpuMin 1000; cpuMax 1000", undefined, []],
    ["cpuMin 1000; cpuMax 1001", undefined, []],
    ["cpuMin 1000; cpuMax 0", undefined, []],
    ["cpuMin 1000; cpuMax -1", undefined, []],
    ["cpuMin 1000; cpuMax unlimited", undefined, []],
    ["cpuMax 1", undefined, []],
  ],
  "mem/limit-lt-reservation": [
    ["memMin 1000; memMax 999", undefined, ["below error"]],
    ["memMin 1000; memMax 1000", undefined, []],
    ["memMin 1000; memMax 0", undefined, []],
    ["memMin 1000; memMax -1", undefined, []],
    ["sched.mem.minsize 1000; memMax 999", undefined, ["below error"]],
  ],
  "mem/limit-lt-size": [
    ["mem 4096; memMax 4092", undefined, ["below warning"]],
    ["mem 4096; memMax 4093", undefined, []],
    ["mem 4096; memMax 4096", undefined, []],
    ["mem 4096; memMax 0", undefined, []],
    ["mem 4096; memMax -1", undefined, []],
    ["mem 4096; memMax 2048; pin TRUE", undefined, []],
    ["memMax 16", undefined, []],
  ],
  "mem/reservation-gt-size": [
    ["mem 4096; memMin 4095", undefined, []],
    ["mem 4096; memMin 4096", undefined, []],
    ["mem 4096; memMin 4097", undefined, ["more error"]],
    ["memMin 4096", undefined, []],
  ],
  "mem/reserve-all-conflict": [
    ["mem 4096; pin TRUE; memMin 4095", undefined, ["reservation error"]],
    ["mem 4096; pin TRUE; memMin 4096", undefined, []],
    ["mem 4096; pin TRUE; memMin 0", undefined, []],
    ["mem 4096; pin TRUE; memMax 4095", undefined, ["limit error"]],
    ["mem 4096; pin TRUE; memMax 4096", undefined, []],
    ["mem 4096; pin TRUE; memMax 0", undefined, []],
    ["mem 4096; pin TRUE; memMin 1; memMax 1", undefined, ["reservation error", "limit error"]],
    ["mem 4096; pin FALSE; memMin 1; memMax 1", undefined, []],
  ],
  "mem/max-hw": [
    ["mem 65536; hw 4", undefined, []],
    ["mem 65540; hw 4", undefined, ["over error"]],
    ["mem 262144; hw 7", undefined, []],
    ["mem 262148; hw 7", undefined, ["over error"]],
    ["mem 1035264; hw 10", undefined, []],
    ["mem 1035268; hw 10", undefined, ["over error"]],
    ["mem 6275072; hw 17", undefined, []],
    ["mem 6275076; hw 17", undefined, ["documented warning"]],
    ["mem 6275076; hw 17", NINE, []],
    ["mem 25149440; hw 21", undefined, []],
    ["mem 25149444; hw 21", undefined, ["over error"]],
  ],
  "mem/exceeds-host": [
    ["mem 786428", EIGHT, []],
    ["mem 786432", EIGHT, ["swaps warning"]],
    ["mem 786432; memMin 786428", EIGHT, ["swaps warning"]],
    ["mem 786432; memMin 786432", EIGHT, ["reserved error"]],
    ["mem 786436; pin TRUE", EIGHT, ["reserved error"]],
    ["mem 786436", "2x24x2@8.0", []],
  ],
  "mem/step-4mb": [
    ["mem 4095", undefined, ["step warning"]],
    ["mem 4096", undefined, []],
    ["mem 4097", undefined, ["step warning"]],
  ],
  "numa/cores-per-node-divides": [
    ["vcpus 23; node 12; hw 20", undefined, ["remainder error"]],
    ["vcpus 24; node 12; hw 20", undefined, []],
    ["vcpus 25; node 12; hw 20", undefined, ["remainder error"]],
    ["vcpus 11; node 12; hw 20", undefined, []],
    ["vcpus 25; node 0; hw 20", undefined, []],
    ["vcpus 25; node 12; hw 19", EIGHT, []],
    ["vcpus 36; cps 18; node 5; hw 20", EIGHT, ["remainder error"]],
    ["vcpus 25; node 12; hw 19", SEVEN, []],
  ],
  "numa/node-socket-multiple": [
    ["vcpus 12; cps 4; node 6", undefined, ["crosses error"]],
    ["vcpus 12; cps 3; node 6", undefined, []],
    ["vcpus 12; cps 12; node 6", undefined, []],
    ["vcpus 12; cps 4; node 6", SEVEN, []],
    ["vcpus 12; cps 4; node 6; hw 19", EIGHT, []],
    ["vcpus 12; node 6; hw 20", undefined, []],
    ["vcpus 12; cps 4; node 0", undefined, []],
  ],
  "numa/cores-per-node-requires-cps": [
    ["vcpus 12; node 6; hw 19", undefined, []],
    ["vcpus 12; node 6; hw 20", undefined, ["unset warning"]],
    ["vcpus 12; node 6; hw 20", SEVEN, []],
    ["vcpus 12; node 6", undefined, []],
    ["vcpus 12; node 6; cps 6; hw 20", undefined, []],
    ["vcpus 12; node 0; hw 20", undefined, []],
  ],
  "numa/cores-per-node-hw": [
    ["node 6; hw 19", undefined, ["old warning"]],
    ["node 6; hw 20", undefined, []],
    ["node 6", undefined, []],
    ["node 0; hw 19", undefined, []],
    ["node 6; hw 19", SEVEN, []],
  ],
  "numa/expose-hotadd-hw": [
    ["hotadd TRUE; allow TRUE; hw 19", undefined, ["old warning"]],
    ["hotadd TRUE; allow TRUE; hw 20", undefined, []],
    ["hotadd TRUE; allow TRUE", undefined, []],
    ["hotadd FALSE; allow TRUE; hw 19", undefined, []],
    ["hotadd TRUE; allow FALSE; hw 19", undefined, []],
  ],
  "numa/expose-hotadd-dead": [
    ["allow TRUE", undefined, ["dead info"]],
    ["hotadd FALSE; allow TRUE", undefined, ["dead info"]],
    ["hotadd TRUE; allow TRUE", undefined, []],
    ["hotadd FALSE; allow FALSE", undefined, []],
  ],
  "numa/manual-nodes-with-hotadd": [
    ["vcpus 24; node 23; hotadd TRUE; hw 20", undefined, ["single warning"]],
    ["vcpus 24; node 24; hotadd TRUE; hw 20", undefined, []],
    ["vcpus 24; node 12; hotadd TRUE; allow TRUE; hw 20", undefined, []],
    ["vcpus 24; node 12; hotadd FALSE; hw 20", undefined, []],
    ["vcpus 24; node 12; hotadd TRUE; hw 19", undefined, []],
    ["vcpus 24; node 0; hotadd TRUE; hw 20", undefined, []],
    ["vcpus 24; node 12; hotadd TRUE; hw 20", SEVEN, []],
  ],
  "smt/num-smt-multiple": [
    ["vcpus 7; smt 2", undefined, ["half error"]],
    ["vcpus 8; smt 2", undefined, []],
    ["smt 2", undefined, ["half error"]],
    ["vcpus 7; smt 1", undefined, []],
    // num-smt-host reports some of these. No source documents that the rest stop the VM from starting.
    ["vcpus 7; smt 2; hw 19", undefined, []],
    ["vcpus 7; smt 2; hw 20", EIGHT, ["half error"]],
    ["vcpus 7; smt 2; hw 20", "2x24x1@8.0", []],
    ["vcpus 7; smt 3; hw 20", undefined, []],
    ["vcpus 7; smt 2", SEVEN, []],
  ],
  "smt/num-smt-host": [
    ["smt 2; hw 19", undefined, ["hardware error"]],
    ["smt 2; hw 20", undefined, []],
    ["smt 2", undefined, []],
    ["smt 2; hw 20", EIGHT, []],
    ["smt 2; hw 20", "2x24x1@8.0", ["host error"]],
    ["smt 3; hw 20", undefined, ["most error"]],
    ["smt 1; hw 19", "2x24x1@8.0", []],
  ],
  "latency/hw-version": [
    ["latency high; hw 19", EIGHT, ["old info"]],
    ["latency high; hw 20", EIGHT, []],
    ["latency high; hw 19", SEVEN, []],
    ["latency normal; hw 19", EIGHT, []],
    ["latency high", EIGHT, []],
  ],
  "latency/low-medium-no-effect": [
    ["latency low", undefined, ["same info"]],
    ["latency medium", undefined, ["same info"]],
    ["latency normal", undefined, []],
    ["latency high", undefined, []],
    ["latency custom", undefined, []],
  ],
  "scsi/max-controllers": [
    ["scsi3.present TRUE", undefined, []],
    ["scsi4.present TRUE", undefined, ["fifth error"]],
    ["scsi4.present FALSE", undefined, []],
    ["sata3.present TRUE; nvme3.present TRUE", undefined, []],
    ["sata4.present TRUE", undefined, ["fifth error"]],
    ["nvme4.present TRUE", undefined, ["fifth error"]],
    ["ide4:0.present TRUE", undefined, []],
  ],
  "scsi/unit-7": [
    ["scsi1.present TRUE; scsi1:6.present TRUE", undefined, []],
    ["scsi1.present TRUE; scsi1:7.present TRUE", undefined, ["taken error"]],
    ["scsi1.present TRUE; scsi1:8.present TRUE", undefined, []],
    ["scsi0.present TRUE; sata0.present TRUE; sata0:7.present TRUE", undefined, []],
  ],
  "nvme/hw": [
    ["nvme0.present TRUE; hw 11", undefined, ["old error"]],
    ["nvme0.present TRUE; hw 13", undefined, []],
    ["nvme0.present TRUE", undefined, []],
    ["sata0.present TRUE; hw 11", undefined, []],
  ],
  "sata/hw": [
    ["sata0.present TRUE; hw 9", undefined, ["old error"]],
    ["sata0.present TRUE; hw 10", undefined, []],
    ["sata0.present TRUE", undefined, []],
    ["ide0:0.present TRUE; hw 9", undefined, []],
    ["nvme0.present TRUE; hw 9", undefined, []],
  ],
  "net/max-cards": [
    [cards(10), undefined, []],
    [cards(11), undefined, ["many error"]],
    [`${cards(10)}; ethernet10.present FALSE`, undefined, []],
    [`${cards(10)}; ethernet10.present TRUE; ethernet10.virtualDev sriov`, undefined, []],
    [`${cards(4)}; hw 4`, undefined, []],
    [`${cards(5)}; hw 4`, undefined, ["many error"]],
    [`${cards(5)}; hw 7`, undefined, []],
    [`${cards(10)}; hw {{hw}}`, undefined, []],
  ],
  "passthrough/mem-reservation": [
    ["mem 4096; pciPassthru0.present TRUE", undefined, ["refused error"]],
    ["mem 4096; pciPassthru0.present TRUE; pciPassthru1.present TRUE", undefined, ["refused error"]],
    ["mem 4096; pciPassthru0.present TRUE; memMin 4095", undefined, ["refused error"]],
    ["mem 4096; pciPassthru0.present TRUE; memMin 4096", undefined, []],
    ["mem 4096; pciPassthru0.present TRUE; pin TRUE", undefined, []],
    ["mem 4096; pciPassthru0.present FALSE", undefined, []],
    ["mem 4096; ethernet0.present TRUE; ethernet0.virtualDev sriov", undefined, ["refused error"]],
    ["mem 4096; ethernet0.present TRUE; ethernet0.virtualDev vmxnet3", undefined, []],
    ["mem 4096; pciPassthru0.present TRUE; memMin {{min}}", undefined, []],
    ["pciPassthru0.present TRUE", undefined, []],
    ["mem 4096; pciPassthru0.present TRUE", "2x10x2@6.5 U3", []],
    ["mem 4096; pciPassthru0.present TRUE", "2x10x2@6.7", ["refused error"]],
  ],
  "guest/max-memory": [
    ["guest windows7; mem 4096", undefined, []],
    ["guest windows7; mem 4100", undefined, ["unused warning"]],
    ["guest windows9Guest; mem 8192", undefined, ["unused warning"]],
    ["guest windows9-64; mem 8192", undefined, []],
    ["guest windows9_64Guest; mem 8192", undefined, []],
    ["guest windows7-64; mem 196608", undefined, []],
    ["guest windows7-64; mem 196612", undefined, ["unused warning"]],
    ["guest rhel7; mem 8192", undefined, []],
    ["guest {{os}}; mem 8192", undefined, []],
    ["mem 8192", undefined, []],
  ],
  "storage/pvscsi-hw": [
    ["scsi0.present TRUE; scsi0.virtualDev pvscsi; hw 4", undefined, ["old error"]],
    ["scsi0.present TRUE; scsi0.virtualDev pvscsi; hw 7", undefined, []],
    ["scsi0.present TRUE; hw 4", undefined, []],
  ],
  "net/vmxnet3-hw": [
    ["ethernet0.present TRUE; ethernet0.virtualDev vmxnet3; hw 4", undefined, ["old error"]],
    ["ethernet0.present TRUE; ethernet0.virtualDev vmxnet3; hw 7", undefined, []],
    ["ethernet0.present TRUE; hw 4", undefined, []],
  ],
};

for (const [id, rows] of Object.entries(TABLES)) {
  describe(id, () => {
    test.each(rows)("%s on %s", (lines, host, expected) => {
      expect(said(id, written(lines), host)).toEqual(expected);
    });
  });
}

describe("scsi/max-disks", () => {
  const disks = (controller: string, count: number): readonly string[] =>
    Array.from({ length: count + 1 }, (_, unit) => unit)
      .filter((unit) => unit !== 7)
      .map((unit) => `${controller}:${unit}.present = "TRUE"`);
  test.each([
    ["lsilogic", 14, 15],
    ["buslogic", 20, 15],
    ["pvscsi", 13, 15],
    ["pvscsi", 14, 64],
    [undefined, 13, 15],
    [undefined, 14, 64],
  ])("%s on hardware version %i holds %i", (type, hw, most) => {
    const head = [`virtualHW.version = "${hw}"`, `scsi0.present = "TRUE"`, ...(type ? [`scsi0.virtualDev = "${type}"`] : [])];
    expect(said("scsi/max-disks", [...head, ...disks("scsi0", most)], undefined)).toEqual([]);
    expect(said("scsi/max-disks", [...head, ...disks("scsi0", most + 1)], undefined)).toEqual(["full error"]);
  });
  test("of IDE no figure is known", () => {
    expect(said("scsi/max-disks", ['virtualHW.version = "17"', ...disks("ide0", 20)], undefined)).toEqual([]);
  });
  test("without a stated version the larger figure applies", () => {
    expect(said("scsi/max-disks", [`scsi0.present = "TRUE"`, `scsi0.virtualDev = "pvscsi"`, ...disks("scsi0", 64)], undefined)).toEqual([]);
  });
});

test("these rules do not fire on Workstation files or on values from a template", () => {
  const hosted = `ethernet0.connectionType = "nat"\nvirtualHW.version = "8"\nnumvcpus = "99"\ncpuid.coresPerSocket = "40"\nmemSize = "4095"\ncpuid.numSMT = "2"`;
  const template = `numvcpus = "{{ a }}"\ncpuid.coresPerSocket = "{{ b }}"\nmemSize = "{{ c }}"\nsched.mem.min = "{{ d }}"\nvirtualHW.version = "{{ e }}"`;
  const only = rules.filter(({ id, onDesktop }) => id in TABLES && !onDesktop);
  for (const text of [hosted, template])
    expect(lint(text, { rules: only, target: { host: requireHost("1x4x1:16@8.0") } }).diagnostics).toEqual([]);
});
