import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { estate } from "../support/estate.ts";
import { folder } from "../support/folder.ts";
import { csvFiles, workbook } from "../support/write-workbook.ts";

const ESTATE = estate({ vms: 20, hosts: 9 });
const RULE = "host/hyperthreading-off";

/** Hyper-threading is off on every fourth host. */
const OFF = ["esx04.corp.example", "esx08.corp.example"];

interface Finding {
  readonly ruleId: string;
  readonly vm: string | null;
  readonly vms: readonly string[];
  readonly subject: unknown;
  readonly cell: { readonly sheet: string; readonly row: number };
}

async function report(files: Readonly<Record<string, string | Uint8Array>>, ...args: readonly string[]) {
  const { out } = await vmlint(folder(files), [...args, "--format", "json"]);
  const { diagnostics, summary } = JSON.parse(out) as { diagnostics: readonly Finding[]; summary: Record<string, number> };
  return { found: diagnostics.filter(({ ruleId }) => ruleId === RULE), summary };
}

test("a fact of a host is said once, of the host, with its VMs", async () => {
  for (const files of [{ "e.xlsx": workbook(ESTATE) }, csvFiles(ESTATE)]) {
    const { found, summary } = await report(files);
    expect(found.map(({ subject }) => subject)).toEqual(OFF.map((name) => ({ kind: "host", name })));
    expect(found.map(({ vm, cell: { sheet, row } }) => [vm, sheet, row])).toEqual([
      [null, "vHost", 5],
      [null, "vHost", 9],
    ]);
    expect(found[0]?.vms).toHaveLength(3);
    expect(summary).toMatchObject({ vms: 20, hostsWithFindings: 9 });
  }
});

test("a host without VMs is checked, with the configuration beside it", async () => {
  const empty = estate({ vms: 3, hosts: 4 });
  const { found } = await report({ "e.xlsx": workbook(empty) });
  expect(found.map(({ vms }) => vms)).toEqual([[]]);
  const off = await report({ "e.xlsx": workbook(empty), "vmlint.yaml": `rules: { ${RULE}: off }\n` });
  expect(off.found).toEqual([]);
});

test("pseudonyms replace the name of a host without VMs", async () => {
  const { out } = await vmlint(folder({ "e.xlsx": workbook(estate({ vms: 3, hosts: 4 })) }), ["--anonymise", "key", "--format", "json"]);
  expect(out).toContain(RULE);
  expect(out).not.toContain("esx04");
});

test("a VM with findings in two files is one VM", async () => {
  const files = {
    "main.tf": `module "vm" {\n  source = "./vm"\n  cpus = 6\n  cores = 4\n  memory = 4095\n}\n`,
    "vm/main.tf": `variable "cpus" {}\nvariable "cores" {}\nvariable "memory" {}\nresource "vsphere_virtual_machine" "app" {\n  name = "app"\n  num_cpus = var.cpus\n  num_cores_per_socket = var.cores\n  memory = var.memory\n  cpu_limit = 10\n  cpu_reservation = 20\n}\n`,
  };
  const { out } = await vmlint(folder(files), ["--format", "json"]);
  const { diagnostics, summary } = JSON.parse(out);
  expect(new Set(diagnostics.map(({ path }: { path: string }) => path)).size).toBe(2);
  expect(summary.vmsWithFindings).toBe(1);
  const { out: shown } = await vmlint(folder(files), ["--format", "summary"]);
  expect(shown.match(/^ {2}module\.vm.*$/gm)).toHaveLength(1);
});

test("notes count VMs by cluster, in one line for each rule, and the first screen fits 40 lines", async () => {
  const files = { "e.xlsx": workbook(estate({ vms: 133 })) };
  for (const format of ["text", "summary"]) {
    const { out } = await vmlint(folder(files), ["--format", format]);
    expect(out.trimEnd().split("\n").length, format).toBeLessThanOrEqual(40);
    expect(out).toMatch(/^Errors or warnings on \d+ of 133 VMs\. Start with "[\w -]+" \([\w/-]+\): /);
    // A sentence about a VM that does not start is not about the 18 that run.
    expect(out).toMatch(/^ {2}1 VM \(prod 1\): Hardware version 20 .* Also 18 infos\.$/m);
    expect(out).toMatch(/^ {2}38 VMs \(prod 28, dev 10\) +Emulated network card +net\/emulated-card$/m);
    expect(out).toMatch(/^ {2}9 hosts \(prod 6, dev 3\) +Host saves power +host\/power-policy$/m);
    expect(out).toMatch(/^ {2}19 VMs \(.*\) +Hardware version is two releases older than the host +host\/hardware-behind$/m);
  }
});

test("notes are for inventories without presets of their own, and each can be turned off", async () => {
  const rules = async (files: Readonly<Record<string, string | Uint8Array>>) => {
    const { out } = await vmlint(folder(files), ["--format", "json"]);
    return new Set((JSON.parse(out).diagnostics as readonly Finding[]).map(({ ruleId }) => ruleId));
  };
  const e = workbook(estate({ vms: 133 }));
  expect(await rules({ "e.xlsx": e })).toContain("net/emulated-card");
  expect(await rules({ "e.xlsx": e, "vmlint.yaml": "extends: [recommended]\n" })).not.toContain("net/emulated-card");
  expect(await rules({ "e.xlsx": e, "vmlint.yaml": "rules: { net/emulated-card: off }\n" })).not.toContain("net/emulated-card");
  const card = `numvcpus = "2"\nethernet0.present = "TRUE"\nethernet0.virtualDev = "e1000"\n`;
  expect(await rules({ "a.vmx": card })).not.toContain("net/emulated-card");
  expect(await rules({ "a.vmx": card, "vmlint.yaml": "extends: [inventory]\n" })).toContain("net/emulated-card");
});
