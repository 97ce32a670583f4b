import { openWorkspace } from "@vmlint/core";
import { formats, NOTHING_GIVEN } from "@vmlint/core/program";
import { strToU8, zipSync } from "fflate";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { textFormat } from "../../packages/core/src/formats/format.ts";
import { memory } from "../../packages/core/src/syntax/extent.ts";
import { evaluate } from "../../packages/core/src/syntax/hcl/evaluate.ts";
import { FUNCTIONS } from "../../packages/core/src/syntax/hcl/functions/function-table.ts";
import { parseHcl } from "../../packages/core/src/syntax/hcl/parse.ts";
import { Meter } from "../../packages/core/src/syntax/hcl/scope.ts";
import { unknownValue } from "../../packages/core/src/syntax/hcl/value.ts";
import { tar } from "../support/write-tar.ts";
import { workbook } from "../support/write-workbook.ts";

const GOOD = 'virtualHW.version = "19"\nnumvcpus = "4"\nnumvcpus = "6"\n';
const many = (text: string, times = 8_000) => text.repeat(times);
const numbered = (line: (i: number) => string, times = 8_000) => Array.from({ length: times }, (_, i) => line(i)).join("");
const OVF = (inside: string) =>
  `<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1"><VirtualSystem><VirtualHardwareSection/>${inside}</VirtualSystem></Envelope>`;
const VINFO = [["VM", "Powerstate", "CPUs"]];
const book = workbook({ vInfo: VINFO });
const tf = (more: string) => `resource "vsphere_virtual_machine" "a" {\n  num_cpus = 4\n}\n${more}`;
const CLASS = "apiVersion: vmoperator.vmware.com/v1alpha1\nkind: VirtualMachineClass\n";
const cut = (bytes: Uint8Array, length: number) => bytes.subarray(0, length);
const lying = (bytes: Uint8Array, digits: string) => {
  const copy = Buffer.from(bytes);
  copy.write(digits, 124);
  copy.write(" ".repeat(8), 148);
  const sum = copy.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  copy.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return copy;
};

const PLAN = (resources: string) =>
  `{"format_version":"1.2","terraform_version":"1.9.0","planned_values":{"root_module":{"resources":[${resources}{}]}}}`;

/** Files that would take too much memory, and archives with false sizes or without an end, with the words of their one finding. */
const BOMBS: readonly (readonly [what: string, name: string, content: string | Uint8Array, says: string])[] = [
  ["a table with one line of columns", "a.csv", `VM,Powerstate,${many(",", 17_000)}`, "more than 16384 columns"],
  ["a table with one long cell", "a.csv", `VM,Powerstate,CPUs\n${many("a", 40_000)},`, "more than 32767 characters in a cell"],
  ["a table with a quote that stays open", "a.csv", `VM,Powerstate,CPUs\na,b,"4\n${many("c,d,4\n", 10)}`, "a quote is not closed"],
  ["a table with many VMs", "a.csv", `Name,NumCpu\n${many("a,\n", 400)}`, "more than 66 VMs"],
  [
    "a plan with many VMs",
    "a.json",
    PLAN(many('{"address":"a","mode":"managed","type":"vsphere_virtual_machine","name":"a","values":{}},', 400)),
    "more than 66 VMs",
  ],
  ["JSON of govc with many VMs", "a.json", `{"VirtualMachines":[${many('{"Config":{}},', 400)}{}]}`, "more than 66 VMs"],
  ["a comment with many rules", "a.vmx", `numvcpus = "4"\n# vmlint-disable-file ${many("a/b,")}`, "more than 200 mistakes"],
  ["many comments in Terraform", "main.tf", tf(many("# vmlint-disable-next-line\n")), "more than 200 mistakes"],
  ["a comment with many facts", "a.vmx", `numvcpus = "4"\n# vmlint: ${many("a=b ")}`, "more than 200 mistakes"],
  ["a .vmx with many broken lines", "a.vmx", GOOD + many("?\n"), "more than 200 mistakes"],
  ["a .vmx with one key many times", "a.vmx", many(GOOD), "more than 200 mistakes"],
  ["a table in JSON that is cut off", "a.json", '[{"Name":"a","NumCpu":4,"MemoryMB":4096', "brackets still open"],
  ["Terraform with many values", "main.tf", tf(`locals {\n  x = [${many("1,")}]\n}\n`), "expressions"],
  ["Terraform with many blocks", "main.tf", tf(many("locals {}\n")), "expressions"],
  ["Terraform in JSON", "a.tf.json", `{"resource":{"vsphere_virtual_machine":{"a":{"x":[${many("1,")}1]}}}}`, "JSON values"],
  ["Packer", "a.pkr.hcl", `source "vsphere-iso" "a" {\n  CPUs = 4\n  x = [${many("1,")}]\n}\n`, "expressions"],
  ["a Packer template in JSON", "a.json", `{"builders":[{"type":"vsphere-iso","CPUs":4,"x":[${many("1,")}1]}]}`, "JSON values"],
  ["a plan", "a.json", `{"format_version":"1.2","terraform_version":"1.9.0","x":[${many("1,")}1]}`, "JSON values"],
  ["YAML with many values", "a.yaml", `${CLASS}x: [${many("a,")}]\n`, "YAML tokens"],
  ["YAML with many keys", "a.yaml", CLASS + numbered((i) => `k${i}: 1\n`), "YAML tokens"],
  ["OVF with many elements", "a.ovf", OVF(many("<a/>")), "XML elements"],
  ["OVF with many attributes", "a.ovf", OVF(`<a ${numbered((i) => `a${i}="" `)}/>`), "XML elements"],
  ["OVF with nested entities", "a.ovf", `<!DOCTYPE l [<!ENTITY a "b"><!ENTITY b "&a;&a;">]>${OVF("<Info>&b;</Info>")}`, "undefined entity"],
  [
    "a workbook with many files",
    "a.xlsx",
    zipSync(Object.fromEntries(Array.from({ length: 5_001 }, (_, i) => [`x${i}`, new Uint8Array()]))),
    "it has more files than an export has",
  ],
  ["a workbook that is cut off", "a.xlsx", cut(book, book.length - 30), "damaged or cut off"],
  [
    "a workbook with a sheet of zeros",
    "a.xlsx",
    zipSync({ "xl/workbook.xml": new Uint8Array(11_000_000), a: strToU8("a") }),
    "it unpacks to far more",
  ],
  ["a package that is cut off", "a.ova", cut(tar({ "a.ovf": OVF("") }), 600), "it ends within its descriptor"],
  ["a package that lies about its size", "a.ova", lying(tar({ "a.ovf": OVF("") }), "00007777777"), "it ends within its descriptor"],
  ["a package with a huge descriptor", "a.ova", lying(tar({ "a.ovf": OVF("") }), "77777777777"), "more than 20000000 bytes"],
  ["a package without a descriptor", "a.ova", tar({ "a.vmdk": "x" }), "it has no descriptor"],
  ["a package that is packed again", "a.ova", zipSync({ "a.ovf": strToU8(OVF("")) }), "it is not a tar archive"],
];

const checked = async (name: string, content: string | Uint8Array) => {
  const { results, notChecked } = await openWorkspace({ files: { [name]: content, "z/good.vmx": GOOD } }).check();
  const found = results.flatMap(({ path, diagnostics }) => diagnostics.map(({ ruleId, message }) => ({ path, ruleId, message })));
  return { own: found.filter(({ path }) => path === name), others: found.filter(({ path }) => path !== name), notChecked };
};

const OTHERS = [expect.objectContaining({ path: "z/good.vmx", ruleId: "vmx/duplicate-key" })];
const { most } = memory;

describe("what would take too much memory is one finding of its file, and the VM beside it is checked", () => {
  beforeEach(() => {
    memory.most = 1_000_000;
  });
  afterEach(() => {
    memory.most = most;
  });

  test.each(BOMBS)("%s", async (_, name, content, says) => {
    const { own, others, notChecked } = await checked(name, content);
    expect(own.map(({ message }) => message)).toEqual([expect.stringContaining(says)]);
    expect(others).toEqual(OTHERS);
    expect(notChecked).toEqual([]);
  });
});

test("a loop in a loop in a loop is given up before its values are made", () => {
  const [attribute] = parseHcl("x = [for x in range(1000) : [for y in range(1000) : [for z in range(1000) : x]]]\n").body.attributes;
  const name = (wanted: string) => unknownValue(`${wanted} is not known`);
  const value = attribute && evaluate(attribute.value, { offset: 0, name, functions: FUNCTIONS, meter: new Meter(300_000) });
  expect(value).toMatchObject({ kind: "unknown", reason: "the value is too large to follow" });
});

test("keys that were made to have one hash are found as others are", async () => {
  const colliding = (i: number) => Array.from({ length: 15 }, (_, bit) => ((i >> bit) & 1 ? "a@" : "b!")).join("");
  const { others } = await checked("a.vmx", GOOD + numbered((i) => `${colliding(i)} = "1"\n`, 2 ** 15));
  expect(others).toEqual(OTHERS);
});

describe("memory that runs out costs one file", () => {
  afterEach(() => vi.restoreAllMocks());
  const outOf = (message: string) => () => {
    throw new RangeError(message);
  };
  const READING = { paths: ["a"], text: "x", inputs: NOTHING_GIVEN };
  const OUT = "more memory is needed than there is";

  test.each(["Array buffer allocation failed", "Invalid string length", "Invalid array length"])("%s", (message) => {
    const { read, unpack } = textFormat({ name: "a", parse: outOf(message), unpack: outOf(message) });
    const found = [expect.objectContaining({ ruleId: "inventory/unreadable", data: { language: "a", message: OUT } })];
    expect(read(READING).problems).toEqual(found);
    expect(read({ ...READING, text: new TextDecoder().decode(unpack?.(() => new Uint8Array())) }).problems).toEqual(found);
  });

  test("and not an error of the program, which would be hidden", () => {
    const { read } = textFormat({ name: "a", parse: outOf("Maximum call stack size exceeded") });
    expect(() => read(READING)).toThrow("Maximum call stack");
  });

  test("of a project: its other folders are checked", async () => {
    const terraform = await formats.find(({ name }) => name === "terraform")?.load();
    if (!terraform) throw new Error("there is no Terraform");
    const { read } = terraform;
    vi.spyOn(terraform, "read").mockImplementation((reading) =>
      reading.paths.some((path) => path.startsWith("a/")) ? outOf("Array buffer allocation failed")() : read(reading),
    );
    const twice = tf("").replace("  num_cpus = 4\n", "  num_cpus = 4\n  num_cpus = 6\n");
    const { results, notChecked } = await openWorkspace({ files: { "a/main.tf": tf(""), "b/main.tf": twice } }).check();
    expect(results.flatMap(({ path, diagnostics }) => diagnostics.map(({ ruleId }) => [path, ruleId]))).toContainEqual([
      "b/main.tf",
      "spec/syntax",
    ]);
    expect(notChecked).toEqual([{ path: "a/main.tf", reason: "it needs more memory than there is" }]);
  });
});
