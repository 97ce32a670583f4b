// Writes the parts of the pages that come from core: the table of rules and the pictures. scripts/docs.mjs bundles and runs it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  deriveTopology,
  type HostModel,
  lint,
  type Rule,
  requireHost,
  rules,
  type Topology,
  textReport,
  VERSION,
  type Workload,
} from "@vmlint/core";
import { configSchema } from "@vmlint/core/config-schema";
import { FAMILIES, familyOf, lintExample, pageOf, type RulePage } from "@vmlint/core/docs";
import { flawSentences, topologySvg } from "@vmlint/core/picture";
import { EMPTY_CONFIG, isIn, type LintedVm, PRESETS, parseVmx, possibleTopologies, RELEASE_NAMES, targetOf } from "@vmlint/core/program";
import { type PictureOf, pictures } from "./pictures.ts";
import { toFragment } from "./playground/share.ts";

/** Writes `rules.json`, `choices.json`, `finding.json`, `layouts.json` and a picture in each colour scheme; `root`: the repository. */
export async function generate(root: string, out: string): Promise<void> {
  mkdirSync(join(out, "pictures"), { recursive: true });
  const write = (path: string, data: unknown) => writeFileSync(join(out, path), JSON.stringify(data));
  write("rules.json", { version: VERSION, families: await families() });
  write("choices.json", choices());
  write("finding.json", finding(join(root, "examples")));
  write("layouts.json", Object.fromEntries(pictures.map((one) => [one.name, layout(one, out)])));
  writeHomePicture(out);
  write("rule-pictures.json", Object.fromEntries(rules.flatMap((rule) => rulePicture(rule, out))));
}

/** Draws the first example of a rule whose picture shows a flaw. Returns the id of the rule, and the words and sizes of its picture. */
function rulePicture(rule: Rule, out: string): readonly (readonly [id: string, picture: object])[] {
  const { id } = rule;
  for (const { vmx, host: named, workload } of pageOf(rule).bad) {
    const host = typeof named === "string" ? requireHost(named) : named;
    if (typeof vmx !== "string" || !host) continue;
    const { vms } = lint(vmx, { target: { host, workload: workload as Workload | undefined }, rules: [] });
    const [vm] = vms;
    const result = vm && possibleTopologies(vm.spec, host, vm.target.workload);
    if (!vm || !result?.ok) continue;
    const [{ topology }] = result.cases;
    const flaws = flawSentences(host, topology, vm);
    if (flaws.length === 0) continue;
    const folder = join(out, "public", "pictures");
    mkdirSync(folder, { recursive: true });
    const name = id.replace("/", "-");
    return [[id, { alt: flaws.join(" "), ...drawInto(folder, name, { host, topology, name: "An example", vm }) }]];
  }
  return [];
}

/** The picture of README, in each colour scheme. */
function writeHomePicture(out: string): void {
  const found = pictures.find(({ name }) => name === "wide-on-5.5");
  const [spec] = found ? parseVmx(found.vmx).vms : [];
  const result = found && spec && deriveTopology(spec, found.host);
  if (!found || !spec || !result?.ok) throw new Error("the picture of the home page has no layout");
  const vm = { spec: { ...spec, name: "64 vCPUs" }, target: { host: found.host } };
  for (const scheme of ["light", "dark"] as const)
    writeFileSync(
      join(out, "pictures", `home-${scheme}.svg`),
      topologySvg(found.host, result.topology, { id: "home", name: "64 vCPUs", scheme, vm }),
    );
}

/** Rules by family, in the order and with the titles of the index that core writes. */
const families = () =>
  Promise.all(
    Object.entries(FAMILIES).map(async ([family, title]) => ({
      title,
      rules: await Promise.all(rules.filter(({ id }) => familyOf(id) === family).map(listed)),
    })),
  );

async function listed(rule: Rule) {
  const { id, severity, optIn = false, needs } = rule;
  const { summary, bad } = pageOf(rule);
  const found = await Promise.all(bad.map((example) => lintExample(rule, example)));
  return {
    id,
    severity,
    summary,
    optIn,
    needsHost: needs.some((need) => need !== "workload"),
    hasFix: found.flat().some(({ fixes }) => fixes.length > 0),
    platforms: rule.for === "any" ? ["esxi", "kvm"] : (rule.for ?? ["esxi"]),
    presets: PRESETS.filter((p) => isIn(rule, p)),
    example: await playable(bad),
  };
}

/** Returns the fragment of the playground for the first example of one text; missing without one. */
async function playable(bad: RulePage["bad"]): Promise<string | undefined> {
  const texts = bad.flatMap(({ vmx, yaml, host, workload = {} }) => {
    const [text, file] = typeof vmx === "string" ? [vmx, "example.vmx"] : [yaml, "example.yaml"];
    const facts = Object.entries(workload).filter((fact): fact is [string, string] => typeof fact[1] === "string");
    const name = typeof host === "string" ? host : "";
    return typeof text === "string" && (host === undefined || name !== "")
      ? { text, file, host: name, workload: Object.fromEntries(facts) }
      : [];
  });
  return texts[0] && toFragment({ esxi: "", preset: "", ...texts[0] });
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
  return {
    vmx,
    ...drawInto(join(out, "pictures"), name, { host, topology, vm: { spec, target: { host } } }),
    reasons: topology.reasons.map(({ text, source, certainty }) => ({
      text,
      certainty,
      source: source && { title: source.title, url: source.url ?? null },
    })),
  };
}

/** A VM on its host, for a picture. */
interface Drawn {
  readonly host: HostModel;
  readonly topology: Topology;
  readonly name?: string;
  readonly vm: LintedVm;
}

/** Writes the pictures of a VM for pages and phones, in each colour scheme. Returns their sizes. */
function drawInto(folder: string, file: string, { host, topology, ...options }: Drawn) {
  const draw = (sheet: "medium" | "narrow", ending: string) => {
    const [light = "", dark = ""] = (["light", "dark"] as const).map((scheme) =>
      topologySvg(host, topology, { id: file, scheme, sheet, ...options }),
    );
    writeFileSync(join(folder, `${file}-light${ending}.svg`), light);
    writeFileSync(join(folder, `${file}-dark${ending}.svg`), dark);
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)/.exec(light) ?? [];
    return { width: Number(width), height: Number(height) };
  };
  return { wide: draw("medium", ""), narrow: draw("narrow", "-narrow") };
}
