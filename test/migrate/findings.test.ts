import { lint, openWorkspace, requireHost } from "@vmlint/core";
import { readConfig } from "@vmlint/core/config";
import { lensesOf } from "@vmlint/core/editor";
import { expect, test } from "vitest";
import { importNamed } from "../../packages/core/src/importers/import-named.ts";
import { IMPORTERS } from "../../packages/core/src/importers/index.ts";
import { TARGETS } from "../../packages/core/src/importers/targets/index.ts";
import { migrator } from "../../packages/core/src/migrate/migrate.ts";
import { rules } from "../../packages/core/src/rules/index.ts";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const VMX = 'virtualHW.version = "20"\nnumvcpus = "16"\nmemSize = "65536"\nsched.cpu.min = "20000"\n';
const SQL = "workload: { kind: mssql, edition: standard, version: 2019, licensing: core }\n";

async function found(config: string, files: Readonly<Record<string, string>> = { "sql01.vmx": VMX }): Promise<readonly string[]> {
  const { out } = await vmlint(folder({ "vmlint.yaml": config, ...files }), ["--format", "json"]);
  const { diagnostics } = JSON.parse(out) as { diagnostics: { ruleId: string; severity: string }[] };
  return diagnostics.flatMap(({ ruleId, severity }) => (ruleId.startsWith("migrate/") ? `${ruleId} ${severity}` : []));
}

test("rules about imports run where the configuration names a target", async () => {
  const host = `host: 2x12x2:512@8.0\n${SQL}`;
  expect(await found(host)).toEqual([]);
  expect(await found(`${host}migrate: { to: proxmox }\n`)).toEqual([
    "migrate/lost-nodes info",
    "migrate/new-finding error",
    "migrate/lost-reservation info",
  ]);
  expect(await found(`${host}migrate: { to: kubevirt, by: forklift }\nrules: { migrate/lost-nodes: off }\n`)).toEqual([
    "migrate/lost-reservation info",
  ]);
});

test("a VM of another platform is not imported", async () => {
  const domain = "<domain type='kvm'><name>a</name><memory unit='MiB'>1024</memory><vcpu>4</vcpu><os><type>hvm</type></os></domain>";
  expect(await found("migrate: { to: proxmox }\n", { "a.xml": domain })).toEqual([]);
});

test("SARIF has the finding with its place", async () => {
  const cwd = folder({ "vmlint.yaml": `host: 2x12x2:512@8.0\n${SQL}migrate: { to: proxmox }\n`, "sql01.vmx": VMX });
  const { out } = await vmlint(cwd, ["--format", "sarif"]);
  const { runs } = JSON.parse(out) as { runs: { results: { ruleId: string; locations: { physicalLocation: { region: object } }[] }[] }[] };
  const result = runs[0]?.results.find(({ ruleId }) => ruleId === "migrate/new-finding");
  expect(result?.locations[0]?.physicalLocation.region).toMatchObject({ startLine: 2 });
});

test.each([
  ["migrate: { to: kubevirt, by: harvestr }\n", 'There is no importer "harvestr" to kubevirt: write forklift,'],
  ["migrate: { to: xen }\n", "proxmox, kubevirt, openstack"],
])("%j is refused", async (config, sentence) => {
  const { err, code } = await vmlint(folder({ "vmlint.yaml": config, "sql01.vmx": VMX }), []);
  expect([err.includes(sentence), code]).toEqual([true, 2]);
});

test("without a host, sockets that ESXi chooses count as checks without an answer", async () => {
  const cwd = folder({ "vmlint.yaml": "migrate: { to: kubevirt, by: harvester }\n", "sql01.vmx": VMX });
  const { skipped } = JSON.parse((await vmlint(cwd, ["--format", "json"])).out) as { skipped: { ruleId: string; reason: string }[] };
  expect(skipped).toContainEqual(expect.objectContaining({ ruleId: "migrate/changed-vcpus", reason: "no-host" }));
});

test("a finding that depends on what the .vmx states is none", async () => {
  const csv = "Name,NumCpu,CoresPerSocket,MemoryGB,PowerState\nweb,16,8,64,PoweredOn\n";
  // Sixteen sockets, or two: only the first has the finding of a licence.
  expect(await found(`host: 2x12x2:512@8.0\n${SQL}migrate: { to: proxmox }\n`, { "vms.csv": csv })).toEqual([]);
});

test("the command and the rules see the same changes", async () => {
  for (const { target, name } of IMPORTERS) {
    const importer = IMPORTERS.find((one) => one.target === target && one.name === name);
    const named = importNamed({ to: target, by: name });
    if (!importer || "problem" in named) throw new Error(name);
    const config = await readConfig(`host: 2x12x2:512@8.0\n${SQL}migrate: { to: ${target}, by: ${name} }\n`, "vmlint.yaml", {
      read: async () => "",
    });
    const { findings } = await openWorkspace({ files: { "a.vmx": VMX }, config }).check(["a.vmx"]);
    const [vm] = lint(VMX, { target: { host: requireHost("2x12x2:512@8.0"), workload: config.workload } }).vms;
    const migrated = vm && (await migrator(importer, TARGETS[target], rules))(vm, "a.vmx");
    const changes = migrated?.outcomes[0]?.changes.map(({ id, severity }) => `${id} ${severity}`);
    const own = findings.flatMap(({ ruleId, severity, data }) =>
      ruleId.startsWith("migrate/") ? `${data["rule"] ?? ruleId} ${severity}` : [],
    );
    expect([...own].sort(), name).toEqual([...(changes ?? [])].sort());
  }
});

test("a lens shows the guest after the import", async () => {
  const config = await readConfig("migrate: { to: kubevirt, by: forklift }\n", "vmlint.yaml", { read: async () => "" });
  const result = lint(VMX, { target: { host: requireHost("2x12x2:512@8.0"), ...(config.imports && { imports: config.imports }) } });
  const document = { text: VMX, result, comments: () => [], edit: () => undefined, language: undefined };
  expect(lensesOf(document).map(({ title }) => title)[1]).toBe("after import to KubeVirt (forklift): 16 vCPUs, 2 x 8");
});
