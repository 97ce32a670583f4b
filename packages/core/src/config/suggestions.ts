import { isMap, isScalar } from "yaml";
import { cpus } from "../hosts/cpu.ts";
import { docsUrl } from "../lint/finding.ts";
import { builtinHosts } from "../model/builtin-hosts.ts";
import { formatEsxi } from "../model/esxi.ts";
import { coresOf, type HostModel, threadsOf } from "../model/host.ts";
import type { Rule } from "../rules/define.ts";
import { rules } from "../rules/index.ts";
import { pageOf } from "../rules/page-of.ts";
import { PRESETS } from "../rules/preset-names.ts";
import { isIn } from "../rules/presets.ts";
import type { Word } from "../syntax/yaml/schema-language.ts";

/** Returns the hosts to complete: from the text, from the extended files, and built-in. */
export function hostWords(config: unknown, configHosts: ReadonlyMap<string, HostModel>): readonly Word[] {
  const hosts = isMap(config) ? config.get("hosts", true) : undefined;
  const names = isMap(hosts) ? hosts.items.flatMap(({ key }) => (isScalar(key) ? [String(key.value)] : [])) : [];
  const hostsByName = new Map([...builtinHosts.map((host) => [host.name, host] as const), ...configHosts]);
  return [...new Set([...names, ...configHosts.keys(), ...builtinHosts.map(({ name }) => name)])].map((text) => {
    const host = hostsByName.get(text);
    return {
      text,
      detail: names.includes(text) ? "in this file" : configHosts.has(text) ? "" : "built-in",
      markdown: host ? aboutHost(host) : "",
    };
  });
}

function aboutHost(host: HostModel): string {
  const { cpu, sockets, coresPerSocket, memoryGiB, esxi } = host;
  const facts = [
    ...(cpu ? [cpu] : []),
    `${sockets} x ${coresPerSocket} cores (${coresOf(host)} cores, ${threadsOf(host)} logical CPUs)`,
    ...(memoryGiB === undefined ? [] : [`${memoryGiB} GiB`]),
    ...(esxi ? [`ESXi ${formatEsxi(esxi)}`] : []),
  ];
  return facts.join(" · ");
}

const COUNT = /^\d+\s*x\s*/i;

/** Returns the processors of the catalogue with the number in the text, or with their usual number. */
export function cpuWords(text: string): readonly Word[] {
  const count = COUNT.exec(text)?.[0];
  return cpus().map(({ name, cores, threadsPerCore, mhz, family, maxSockets }) => ({
    text: `${count ?? (maxSockets === 1 ? "1x " : "2x ")}${name}`,
    detail: family,
    markdown: `${cores} cores, ${cores * threadsPerCore} threads${mhz === undefined ? "" : `, ${mhz} MHz`}`,
  }));
}

/** Returns every rule that a configuration can name. */
export const ruleWords = (): readonly Word[] => rules.map((rule) => ({ text: rule.id, detail: rule.severity, markdown: aboutRule(rule) }));

function aboutRule(rule: Rule): string {
  const { summary, why } = pageOf(rule);
  const url = docsUrl(rule.id);
  const presets = PRESETS.filter((preset) => isIn(rule, preset)).map((preset) => `\`${preset}\``);
  return `${summary}.\n\n${why}\n\nSeverity: ${rule.severity} · presets: ${presets.join(", ") || "none"}${url === "" ? "" : ` · [page](${url})`}`;
}
