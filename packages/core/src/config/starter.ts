import type { HostModel } from "../model/host.ts";
import { REPOSITORY } from "../version.ts";
import { findHost } from "./config.ts";
import { type DeclaredHost, inOneLine } from "./host-edit.ts";
import type { ChosenHost } from "./host-questions.ts";
import { parseConfig } from "./read-config.ts";

/** The settings of a new configuration. */
interface Starter {
  readonly host?: ChosenHost | undefined;
  /** The other hosts to declare. */
  readonly hosts?: readonly DeclaredHost[];
  /** Comments below the hosts. */
  readonly remarks?: readonly string[];
  /** A workload in one line. */
  readonly workload?: string | undefined;
}

/** The line that leads editors to a schema of the latest release. */
export const schemaLine = (name: string): string =>
  REPOSITORY === undefined ? "" : `# yaml-language-server: $schema=${REPOSITORY}/releases/latest/download/${name}.schema.json\n`;

/** Returns the text of a new configuration: some settings, and examples of all settings as comments. */
export function starterConfig({ host, hosts = [], remarks = [], workload }: Starter): string {
  const name = typeof host === "string" ? host : host?.name;
  const declared = host === undefined || typeof host === "string" || hosts.some((other) => other.name === name) ? hosts : [host, ...hosts];
  const lines = [...declared.map(declaration), ...remarks.map((remark) => `# ${remark}`)].map((line) => `  ${line}\n`);
  return `${schemaLine("vmlint")}# vmlint --print-config PATH shows the settings of a file; vmlint schema config prints the JSON Schema.

# The host of the VMs: a name below, a built-in host (vmlint topology --help), processors or a short form.
${name === undefined ? `# host: ${hosts[0] ? inOneLine(hosts[0].name) : "2x24x2:768@8.0"}` : `host: ${inOneLine(name)}`}
${declared.length > 0 ? "hosts:" : "# hosts:"}
${lines.join("")}#   lab: { esxi: "8.0", sockets: 2, coresPerSocket: 24, threadsPerCore: 2, memoryGiB: 768, mhz: 2400 }
#   esx01: { esxi: "8.0", cpu: "2x Xeon Gold 6148", memoryGiB: 768 }
#   esx02: { from: esx02.txt } # what esxcli, govc host.info -json, lscpu ... print: vmlint host --help

# Hosts that VMs can move between.
# clusters: { prod: [r640, r930] }

# The workload of the VMs: rules for a workload run only if you declare it.
${workload === undefined ? `# workload: { kind: mssql, edition: standard, version: "2022", licensing: core }` : `workload: ${inOneLine(workload)}`}

# Presets: recommended (errors and warnings), strict (also notes), all (also hints); mssql, oracle ...: rules for that workload.
# extends: [recommended, mssql]
# rules: { numa/wide-uneven: error, latency/high: off } # vmlint rules lists them

# For some files or VMs only; the last that matches counts.
# overrides: [{ vms: ["sql-*"], workload: { kind: mssql } }, { files: ["lab/**"], rules: { latency/high: off } }]

# Ignored files and accepted findings.
# ignore: ["old/**"]
# suppress: [{ rule: affinity/ht-siblings, vm: "lab-*", reason: the lab measures hyper-threading }]
`;
}

const declaration = ({ name, facts, note }: DeclaredHost): string =>
  `${inOneLine(name)}: ${inOneLine(facts)}${note === undefined ? "" : ` # ${note}`}`;

/** Returns the model of a chosen host; `declared` has the hosts of the configuration. Throws CONFIG_INVALID if it cannot exist. */
export function modelOf(chosen: ChosenHost, declared: ReadonlyMap<string, HostModel>): HostModel | undefined {
  const known = typeof chosen === "string" ? declared.get(chosen) : undefined;
  if (known) return known;
  const config = parseConfig(starterConfig({ host: chosen }), "vmlint.yaml");
  const found = findHost(config.host ?? "", config);
  return "host" in found ? found.host : undefined;
}
