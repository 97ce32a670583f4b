import type { WorkloadKind } from "../model/workload.ts";

/**
 * Words that name a workload, alone or joined to neutral words ("sqlprod01", "oradb"). Product names come from the vendors; short forms
 * from Microsoft's "Abbreviation recommendations for Azure resources" (Cloud Adoption Framework: sql, psql, mysql) and from the tools of
 * Oracle and SAP (ora, hdb). Ambiguous words such as "db2", "sap" and "pg" are missing on purpose.
 */
export const WORKLOAD_NAMES: ReadonlyMap<string, WorkloadKind> = new Map<string, WorkloadKind>([
  ["mssql", "mssql"],
  ["sqlserver", "mssql"],
  ["sqlsrv", "mssql"],
  ["sql", "mssql"],
  ["sqlvm", "mssql"],
  ["oracle", "oracle"],
  ["oracledb", "oracle"],
  ["ora", "oracle"],
  ["hana", "hana"],
  ["saphana", "hana"],
  ["postgres", "postgresql"],
  ["postgresql", "postgresql"],
  ["psql", "postgresql"],
  ["pgsql", "postgresql"],
  ["pgdb", "postgresql"],
  ["mysql", "mysql"],
  ["mariadb", "mysql"],
  ["percona", "mysql"],
  ["hazelcast", "imdg"],
  ["gemfire", "imdg"],
  ["coherence", "imdg"],
  ["infinispan", "imdg"],
  ["vdi", "vdi"],
  ["xendesktop", "vdi"],
]);

/** Words for an environment, a number or a part of a workload. They do not change its kind. */
export const NEUTRAL_WORDS: ReadonlySet<string> = new Set([
  ..."prod prd production dev devel development test tst testing qa uat sit int stg stage staging pre preprod acc acceptance lab demo poc dr".split(
    " ",
  ),
  ..."db dbs database databases data log logs tempdb temp tmp redo arch archive undo index idx bin binlog wal system sys os root boot".split(
    " ",
  ),
  ..."srv svr server servers node nodes vm vms host inst instance cl clu cluster ag aag fci rac dg asm primary secondary replica master slave standby witness".split(
    " ",
  ),
  ..."win windows lin linux rhel ubuntu debian core main east west north south eu us uk de ap dc site prim sec a b c d e f p s t q x".split(
    " ",
  ),
  ..."disk disks vol volume lun drive vmdk large small big medium erp crm sales finance fin hr".split(" "),
]);

/**
 * Words for a machine that serves, monitors or uses a workload, so the name is not evidence. "linux" only rules out Oracle, which also
 * makes a Linux.
 */
export const REFUSING_WORDS: ReadonlySet<string> = new Set([
  ..."backup backups bkp bak veeam exporter exporters monitor monitoring mon metrics grafana zabbix agent proxy proxies haproxy proxysql pooler pool".split(
    " ",
  ),
  ..."bouncer pgbouncer router gateway gw lb loadbalancer vip client clients web app apps frontend ui admin phpmyadmin pgadmin mgmt management".split(
    " ",
  ),
  ..."jump jumphost bastion tools tool workbench studio migration migrate restore dump dumps report reports reporting ssrs ssis developer".split(
    " ",
  ),
  ..."broker connection uag license lic template tmpl tpl image builder build iso installer repo mirror docs training example sample".split(
    " ",
  ),
]);

/** Package names that belong to one product, as plays install them. */
export const PACKAGE_NAMES: readonly (readonly [RegExp, WorkloadKind])[] = [
  [/^mssql-server(?:-\w+)*$/, "mssql"],
  [/^oracle-(?:database|rdbms)-(?:preinstall|server|ee|se2|xe)[\w.-]*$/, "oracle"],
  [/^postgresql(?:-?\d+(?:\.\d+)?)?(?:-server)?$/, "postgresql"],
  [/^(?:mysql|mariadb|percona)-server(?:-[\w.]+)*$/, "mysql"],
];

/** Ports that one product uses by default, from IANA's registry (ms-sql-s, postgresql, mysql) and the guides of Oracle Net and SAP. */
export const SERVICE_PORTS: ReadonlyMap<number, WorkloadKind> = new Map<number, WorkloadKind>([
  [1433, "mssql"],
  [1521, "oracle"],
  [5432, "postgresql"],
  [3306, "mysql"],
]);
