import { formatHolding, projectHolding } from "../formats/index.ts";
import { asChanges } from "../formats/plain.ts";
import { NOTHING_GIVEN } from "../formats/project.ts";
import { RESOURCE_FORMS } from "../formats/resources.ts";
import { readWhole } from "../lint/lint-project.ts";
import type { Parsed } from "../model/parsed.ts";
import { record, refuse, shape, text } from "./arguments.ts";
import { AGAINST, targetFor, withDump } from "./library-target.ts";
import { type LintVmOptions, type LintVmResult, lintedSettings } from "./lint-vm.ts";
import { writtenValues } from "./written-values.ts";

const OPTIONS = shape(AGAINST);
const RESOURCE = shape({ type: text, values: record, name: text }, ["type", "values"]);

/**
 * Checks a resource that a tool has in hand, with the reader of the tool's own format: the attributes of a VM of Terraform
 * (`vsphere_virtual_machine`) or Pulumi (`vsphere:index/virtualMachine:VirtualMachine`, or the same type with names in camel case), the
 * arguments of an Ansible module (`community.vmware.vmware_guest`), an object of Kubernetes (`VirtualMachineClass`, `VSphereMachineTemplate`).
 * Units are the units of the tool. A value that is not known yet is `{ unknown: "reason" }`, or a text with `${...}` of Terraform. The
 * `path` of a finding leads to the attribute in `values`. Rejects with USAGE for a type without a VM, and for values that JSON does not have.
 *
 * @example
 * const values = { name: "sql01", num_cpus: 8, num_cores_per_socket: 3, memory: 65_536 };
 * const { findings } = await lintResource({ type: "vsphere_virtual_machine", values }, { host: "2x20x2:768@8.0" });
 * for (const { path, message } of findings) console.log(path.join("."), message);
 */
export async function lintResource(
  resource: { readonly type: string; readonly values: Readonly<Record<string, unknown>>; readonly name?: string | undefined },
  options: LintVmOptions = {},
): Promise<LintVmResult> {
  RESOURCE(resource, "lintResource");
  OPTIONS(options, "lintResource");
  const target = targetFor({ ...options, host: await withDump(options.host) }, "lintResource");
  const { type, values } = resource;
  const form = RESOURCE_FORMS.find(({ fits }) => fits(type, values));
  if (!form) return refuse(`lintResource: ${JSON.stringify(type)} is no type of a resource that vmlint reads.`);
  const implied = Object.entries(form.implied?.(type) ?? {});
  for (const [key, value] of implied)
    if (values[key] !== undefined && values[key] !== value) refuse(`lintResource: values.${key} is not ${value}, and type is ${type}.`);
  const name = resource.name ?? (typeof values.name === "string" ? values.name : "resource");
  const whole = { ...Object.fromEntries(implied), ...values };
  const written = (offset: number) => writtenValues(whole, "lintResource: values", offset, form);
  const [before, after] = form.around({ type, name, later: written(0).later });
  const { text: json, pathAt } = written(before.length);
  const parsed = await read(form.path, before + json + after);
  if (parsed.foreign !== undefined || parsed.vms.length + parsed.problems.length === 0)
    refuse(`lintResource: ${type} describes no VM that vmlint reads${parsed.foreign === undefined ? "" : `: ${parsed.foreign}`}.`);
  return lintedSettings(parsed, { ...options, target, pathAt });
}

/** Reads a document by itself, with the format that its name and text select. */
async function read(path: string, text: string): Promise<Parsed> {
  const entry = projectHolding(path, text) ?? formatHolding(path, text);
  if (!entry) return { vms: [], problems: [] };
  const format = await entry.load();
  const files = { read: (other: string) => (other === path ? text : undefined), list: () => [path] };
  const reading = { paths: [path], files, text, inputs: NOTHING_GIVEN };
  const { vms, problems, foreign } = await readWhole(format, reading);
  return { vms: vms.map(asChanges), problems, ...(foreign !== undefined && { foreign }) };
}
