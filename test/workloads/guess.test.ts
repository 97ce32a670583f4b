import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../packages/core/src/index.ts";
import { known } from "../../packages/core/src/model/source.ts";
import { type Hint, NO_SETTINGS } from "../../packages/core/src/model/spec.ts";
import { guessWorkload } from "../../packages/core/src/workloads/guess.ts";
import { kindInName } from "../../packages/core/src/workloads/name-words.ts";

const vm = (name: string, guestOs?: string) => ({
  name,
  settings: guestOs === undefined ? NO_SETTINGS : { ...NO_SETTINGS, guestOs: known(guestOs, [0, 0]) },
});

describe("a name shows the workload of the VM", () => {
  test.each([
    ["sqlprod01", "mssql"],
    ["SQLPROD01", "mssql"],
    ["SqlProd-01", "mssql"],
    ["prd-mssql-02", "mssql"],
    ["sqlserver", "mssql"],
    ["sqldata", "mssql"],
    ["sqllog", "mssql"],
    ["eu-sqlag-a", "mssql"],
    ["oradb01", "oracle"],
    ["oracle-rac-node1", "oracle"],
    ["saphana-prd", "hana"],
    ["hana01", "hana"],
    ["hanadata", "hana"],
    ["postgres-primary", "postgresql"],
    ["pgsqlprod", "postgresql"],
    ["PostgreSQL_dev", "postgresql"],
    ["mysql1", "mysql"],
    ["MySQL-master", "mysql"],
    ["mariadb-galera", "mysql"],
    ["gemfire-03", "imdg"],
    ["vdi-pool-7", undefined],
    ["vdi-win-7", "vdi"],
  ])("%s: %s", (name, kind) => expect(kindInName(name)).toBe(kind));
});

describe("a name that only resembles a workload shows none", () => {
  test.each([
    "mysqlbackup",
    "mysql-backup-01",
    "sqlite",
    "sqlite-test",
    "oracle-linux",
    "oraclelinux8",
    "oracle-linux-9-template",
    "hanapark",
    "hannah",
    "web01",
    "app-sql-client",
    "postgres-exporter",
    "pgbouncer",
    "pgadmin",
    "phpmyadmin",
    "proxysql",
    "haproxy-mysql",
    "mysql-proxy",
    "sqlmonitor",
    "sql-mgmt",
    "veeam-sql-backup",
    "sqlreporting",
    "mysqlrouter",
    "corona",
    "laboratory",
    "ghana-branch",
    "coherent",
    "oracle-java",
    "oracle-cloud-agent",
    "sql-postgres-migration",
    "template-mssql",
    "nosql",
    "nosql-01",
    "graphql-api",
    "cockroachdb",
    "mongodb",
    "vdibroker",
    "vdi-connection-01",
    "db01",
    "database-01",
    "data-01",
    "dc01",
    "",
    "aurora",
    "flora",
    "storage",
  ])("%s", (name) => expect(kindInName(name)).toBeUndefined());
});

test("names the evidence, each piece once", () => {
  const hints: Hint[] = [
    { kind: "disk", text: "sqldata" },
    { kind: "disk", text: "sqllog" },
    { kind: "disk", text: "sqllog" },
    { kind: "folder", text: "web" },
  ];
  expect(guessWorkload(vm("sqlprod01", "windows2019srv_64Guest"), hints)).toEqual({
    kind: "mssql",
    evidence: ["name sqlprod01", "disk sqldata", "disk sqllog"],
  });
});

test("sql on a Linux guest is some database, mssql is SQL Server", () => {
  expect(guessWorkload(vm("sql01", "ubuntu64Guest"), [])?.kind).toBe("database");
  expect(guessWorkload(vm("mssql01", "rhel9_64Guest"), [])?.kind).toBe("mssql");
  expect(guessWorkload(vm("sql01"), [])?.kind).toBe("mssql");
});

test("contradicting evidence is no evidence", () => {
  expect(guessWorkload(vm("sqlprod01"), [{ kind: "role", text: "postgresql" }])).toBeUndefined();
});

test("packages and ports of one product count, others do not", () => {
  expect(guessWorkload(vm("vm1"), [{ kind: "package", text: "postgresql-server" }])).toEqual({
    kind: "postgresql",
    evidence: ["package postgresql-server"],
  });
  expect(guessWorkload(vm("vm1"), [{ kind: "package", text: "postgresql-client" }])).toBeUndefined();
  expect(guessWorkload(vm("vm1"), [{ kind: "package", text: "mysql-client" }])).toBeUndefined();
  expect(guessWorkload(vm("vm1"), [{ kind: "port", text: "1433" }])?.kind).toBe("mssql");
  expect(guessWorkload(vm("vm1"), [{ kind: "port", text: "8080" }])).toBeUndefined();
});

test("a configuration's address gives its last name", () => {
  expect(guessWorkload(vm("module.db.vsphere_virtual_machine.sql[0]"), [])?.evidence).toEqual(["name sql"]);
  expect(guessWorkload(vm('module.databases["sqlprod"].vsphere_virtual_machine.this[0]'), [])?.evidence).toEqual(["module sqlprod"]);
});

const guessIn = async (path: string, text: string) => {
  const { findings } = await openWorkspace({ files: { [path]: text } }).check([path]);
  return [...new Set(findings.flatMap(({ guess }) => guess?.evidence ?? []))];
};

test("disks, folders and notes of a configuration count", async () => {
  const vm = `resource "vsphere_virtual_machine" "app" {
  name     = "vm-0017"
  num_cpus = 12
  memory   = 65536
  guest_id = "windows2019srv_64Guest"
  folder   = "servers/mssql"
  annotation = "This one talks to the Oracle database of sales"
  network_interface { adapter_type = "e1000e" }
  disk {
    label = "sqldata"
  }
}
`;
  expect(await guessIn("main.tf", vm)).toEqual(["disk sqldata", "folder servers/mssql"]);
  expect(await guessIn("main.tf", vm.replace("vm-0017", "web-0017"))).toEqual([]);
  const task = `- vmware_guest:
    name: vm17
    guest_id: windows2019srv_64Guest
    annotation: SQL Server
    hardware: { num_cpus: 12, memory_mb: 65536 }
    networks: [{ name: a, device_type: e1000e }]
`;
  expect(await guessIn("play.yml", task)).toEqual(["note SQL Server"]);
});
