import { expect, test } from "vitest";
import { vmwareLog } from "../../packages/core/src/formats/vmware-log/vmware-log.ts";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

/** The form of ESXi 6.5 and later, with the places of vCPUs as F. Denneman shows them for 16 vCPUs on 2 x 10 cores (denneman-2016-12). */
const places = (vcpus: number, nodeOf: (vcpu: number) => number): readonly string[] =>
  Array.from(Array(vcpus).keys(), (vcpu) => `numaHost: VCPU ${vcpu} VPD ${nodeOf(vcpu)} PPD ${nodeOf(vcpu)}`);

const logOf = (lines: readonly string[], { vcpus = 16, product = "ESX" } = {}): string =>
  [
    `Log for VMware ${product} pid=67822 version=6.5.0 build=build-4564106 option=Release`,
    "Host is VMkernel 6.5.0",
    "Hostname=esx01",
    "DICT --- GLOBAL SETTINGS /usr/lib/vmware/settings",
    'DICT                numvcpus = "99"',
    "DICT --- CONFIGURATION /vmfs/volumes/5824/sql01/sql01.vmx ",
    'DICT       virtualHW.version = "13"',
    'DICT             displayName = "sql 01"',
    `DICT                numvcpus = "${vcpus}"`,
    'DICT      cpuid.coresPerSocket = "2"',
    'DICT                 memSize = "32768"',
    "DICT --- USER DEFAULTS ~/.vmware/config ",
    'DICT                 memSize = "1"',
    "numaHost: NUMA config: consolidation= 1 preferHT= 0",
    ...lines,
  ]
    .map((line) => `2016-12-10T11:02:03.123Z| vmx| I125: ${line}`)
    .join("\r\n");

const read = (text: string) => vmwareLog.parse(text);

test("the settings are those of the VM's own dictionary, at their place in the log", () => {
  const text = logOf([]);
  const [vm] = read(text).vms;
  expect(vm).toMatchObject({ name: "sql 01", format: "vmware-log", platform: "esxi", runsOn: { name: "esx01" } });
  const { vcpus, coresPerSocket, memoryMiB, hardwareVersion } = vm?.settings ?? {};
  expect([vcpus, coresPerSocket, memoryMiB, hardwareVersion]).toMatchObject([16, 2, 32_768, 13].map((value) => ({ value })));
  for (const setting of [vcpus, memoryMiB])
    if (setting?.state === "known") expect(text.slice(...setting.range)).toBe(String(setting.value));
  expect(vm?.edit).toBeUndefined();
});

test.each([
  ["since 6.5", places(16, (vcpu) => Math.floor(vcpu / 8))],
  ["before 6.5", Array.from(Array(16).keys(), (vcpu) => `numa: VCPU ${vcpu}: VPD ${Math.floor(vcpu / 8)} (PPD ${Math.floor(vcpu / 8)})`)],
])("the layout is counted by vCPU: %s", (_, lines) => {
  const [vm] = read(logOf(lines)).vms;
  expect(vm?.observed?.value).toEqual({ vnumaNodes: [8, 8], numaClients: [8, 8], source: "vmware.log" });
});

test("a log that is cut off has no layout", () => {
  expect(read(logOf(places(16, () => 0).slice(0, 9))).vms[0]?.observed).toBeUndefined();
});

test("a log of Workstation is a desktop VM, and another log is not a VM", () => {
  expect(read(logOf([], { product: "Workstation" })).vms[0]?.platform).toBe("desktop");
  expect(read("DICT --- CONFIGURATION\nnothing").foreign).toMatch(/it has no settings of a VM/);
});

test("the command prints the observed layout, with and without a host, and reports a difference", async () => {
  const root = folder({
    "same.log": logOf(places(16, (vcpu) => Math.floor(vcpu / 8))),
    "differs.log": logOf(places(16, (vcpu) => Math.floor(vcpu / 4))),
  });
  expect((await vmlint(root, ["topology", "same.log"])).out).toContain("vmware.log reports NUMA nodes of 8+8 on NUMA clients of 8+8.");
  const host = ["--host", "2x10x2:256@6.5"];
  expect((await vmlint(root, ["topology", "same.log", ...host])).out).toContain("on NUMA clients of 8+8; computed: the same.");
  const { out, err } = await vmlint(root, ["same.log", "differs.log", ...host, "--format", "compact"]);
  expect(out.split("\n").filter((line) => line.includes("topo/observed-differs"))).toEqual([
    expect.stringMatching(
      /^differs\.log:\d+:\d+: info topo\/observed-differs: According to vmware\.log, the guest sees NUMA nodes of 4\+4\+4\+4/,
    ),
  ]);
  expect(err).toContain("the computed layout agrees for 1 of 2 VMs that report theirs.");
});

test("a search of a folder leaves logs alone, because the .vmx is there, too", async () => {
  const root = folder({ "vmware.log": logOf([]), "a.vmx": 'numvcpus = "2"\n' });
  const { out } = await vmlint(root, [".", "--format", "json"]);
  expect(JSON.parse(out).summary.files).toBe(1);
});
