// Writes the parts of the pages that come from core: the table of rules and the pictures. scripts/docs.mjs bundles and runs it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  builtinHosts,
  deriveTopology,
  EMPTY_CONFIG,
  formatEsxi,
  isIn,
  lint,
  PRESETS,
  parseVmx,
  RELEASE_NAMES,
  requireHost,
  rules,
  targetOf,
  textReport,
  VERSION,
} from "@vmlint/core";
import { configSchema } from "@vmlint/core/config-schema";
import { FAMILIES, familyOf } from "@vmlint/core/docs";
import { topologySvg } from "@vmlint/core/picture";
import { type PictureOf, pictures } from "./pictures.ts";

/** Writes `rules.json`, `choices.json`, `finding.json`, `layouts.json` and a picture in each colour scheme; `root`: the repository. */
export function generate(root: string, out: string): void {
  mkdirSync(join(out, "pictures"), { recursive: true });
  const write = (path: string, data: unknown) => writeFileSync(join(out, path), JSON.stringify(data));
  write("rules.json", { version: VERSION, families: families() });
  write("choices.json", choices());
  write("finding.json", finding(join(root, "examples")));
  write("layouts.json", Object.fromEntries(pictures.map((one) => [one.name, layout(one, out)])));
}

/** Rules by family, in the order and with the titles of the index that core writes. */
function families() {
  return Object.entries(FAMILIES).map(([family, title]) => ({
    title,
    rules: rules
      .filter(({ id }) => familyOf(id) === family)
      .map((rule) => {
        const { id, severity, summary, optIn = false, needs } = rule;
        return {
          id,
          severity,
          summary,
          optIn,
          needsHost: needs.some((need) => need !== "workload"),
          presets: PRESETS.filter((p) => isIn(rule, p)),
        };
      }),
  }));
}

/** Returns the output of `vmlint sql01.vmx --host 2x20x2:768@8.0`, for an example that declares its workload in a comment. */
function finding(examples: string): string {
  const example = readFileSync(join(examples, "sql-licences", "standard-8x1.vmx"), "utf8").replace("Standard 8 sockets x 1 core", "sql01");
  const text = `${example}# vmlint: workload=mssql edition=standard version=2022\n`;
  const against = targetOf(EMPTY_CONFIG, requireHost("2x20x2:768@8.0"));
  const path = "sql01.vmx";
  const { vms, diagnostics } = lint(text, { target: (vm) => against(vm, () => path) });
  return textReport([{ path, text, diagnostics, skipped: [], hostedVms: [], vmCount: vms.length }]).trim();
}

/** The part of a JSON Schema that this file reads. A workload is one line or a mapping; the mapping has properties. */
interface Schema {
  readonly anyOf: readonly { readonly properties?: Readonly<Record<string, { readonly enum?: readonly unknown[] }>> }[];
}

/** Returns the choices of the playground. */
function choices() {
  const { workload } = (configSchema as { readonly properties: { readonly workload: Schema } }).properties;
  const fields = workload.anyOf.find(({ properties }) => properties)?.properties ?? {};
  const words = (field: string) => (fields[field]?.enum ?? []).filter((value) => typeof value === "string").toSorted();
  return {
    hosts: builtinHosts.map(({ name, sockets, coresPerSocket, cpu = "", esxi }) => ({
      name,
      title: `${name}: ${sockets} x ${coresPerSocket} cores, ${cpu}${esxi ? `, ESXi ${formatEsxi(esxi)}` : ""}`,
    })),
    releases: RELEASE_NAMES,
    presets: PRESETS,
    workload: Object.fromEntries(["kind", "edition", "version", "licensing"].map((field) => [field, words(field)])),
  };
}

function layout({ name, vmx, host }: PictureOf, out: string) {
  const [spec] = parseVmx(vmx).vms;
  const result = spec && deriveTopology(spec, host);
  if (!spec || !result?.ok) throw new Error(`the VM of picture ${name} has no layout`);
  const { topology } = result;
  const draw = (sheet: "medium" | "narrow") => {
    const [light = "", dark = ""] = (["light", "dark"] as const).map((scheme) =>
      topologySvg(host, topology, { id: name, scheme, sheet, vm: { spec, target: { host } } }),
    );
    const ending = sheet === "narrow" ? "-narrow" : "";
    writeFileSync(join(out, "pictures", `${name}-light${ending}.svg`), light);
    writeFileSync(join(out, "pictures", `${name}-dark${ending}.svg`), dark);
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)/.exec(light) ?? [];
    return { width: Number(width), height: Number(height) };
  };
  return {
    vmx,
    wide: draw("medium"),
    narrow: draw("narrow"),
    reasons: topology.reasons.map(({ text, source, certainty }) => ({
      text,
      certainty,
      source: source && { title: source.title, url: source.url ?? null },
    })),
  };
}
