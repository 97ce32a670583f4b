import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const DEEP = `${"[".repeat(300)}${"]".repeat(300)}`;
const TF = 'variable "v" {}\nresource "vsphere_virtual_machine" "a" {\n  num_cpus = 4\n}\n';
const CLASS = '"apiVersion":"vmoperator.vmware.com/v1alpha1","kind":"VirtualMachineClass","metadata":{"name":"a"}';
const nested = (open: string, close: string) => `${open.repeat(300)}${close.repeat(300)}`;

test.each<[what: string, files: Readonly<Record<string, string>>, args?: readonly string[]]>([
  ["Terraform", { "a.tf": TF.replace("4", `4\n  x = ${DEEP}`) }],
  ["Terraform in JSON", { "a.tf.json": `{"resource":{"vsphere_virtual_machine":{"a":{"num_cpus":4,"x":${DEEP}}}}}` }],
  ["values", { "a.tf": TF, "terraform.tfvars": `v = ${DEEP}\n` }],
  ["values in JSON", { "a.tf": TF, "terraform.tfvars.json": `{"v": ${DEEP}}` }],
  ["a plan", { "a.json": `{"format_version":"1.2","terraform_version":"1.9.0","planned_values":${DEEP}}` }],
  ["Packer", { "a.pkr.hcl": `source "vsphere-iso" "a" {\n  CPUs = 4\n  x = ${DEEP}\n}\n` }],
  ["Packer in JSON", { "a.pkr.json": `{"source":{"vsphere-iso":{"a":{"CPUs":4,"x":${DEEP}}}}}` }],
  ["an old template of Packer", { "a.json": `{"builders":[{"type":"vsphere-iso","CPUs":4,"x":${DEEP}}]}` }],
  ["YAML", { "a.yaml": `{${CLASS},"spec":{"x":${DEEP}}}` }],
  ["YAML in JSON", { "a.json": `{${CLASS},"spec":{"x":${DEEP}}}` }],
  ["OVF", { "a.ovf": `<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1">${nested("<a>", "</a>")}</Envelope>` }],
  ["a configuration", { "vmlint.yaml": `hosts: ${DEEP}\n`, "a.vmx": 'numvcpus = "4"\n' }],
  ["a dump of a host", { "h.txt": `(vim.host.HardwareInfo) {\n${nested("x = (vim.X) {\n", "}")}}` }, ["host", "h.txt"]],
])("%s of 300 levels is refused in the same words", (_, files, args = []) => {
  const { code, out, err } = vmlint(folder(files), args);
  expect([code === 0, out + err]).toEqual([false, expect.stringContaining("more than 200 levels of nesting")]);
});
