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
    expect(summary).toMatchObject({ vms: 20, hostsWithFindings: 2 });
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
