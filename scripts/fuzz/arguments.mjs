// Options, paths and values as programs may pass them, each made of the seed and its number alone. A call gives an error with a code, or a
// result that lists each named path; it never rejects twice.
import { applyEdits, decodeVmx, defineRule, lint, lintResource, lintVm, openWorkspace, requireHost } from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import { importHost } from "@vmlint/core/hosts";
import { joinPath } from "@vmlint/core/program";
import { size } from "@vmlint/core/size";

const VMX = 'displayName = "a"\nnumvcpus = "6"\ncpuid.coresPerSocket = "4"\n';
const HOST = requireHost("2x20x2:768@8.0");

/** Values of any kind, some of them right. */
const VALUES = [
  () => undefined,
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 4.5,
  () => 1e308,
  () => Number.NaN,
  () => 12n,
  () => Symbol("a"),
  () => "",
  () => "mssql",
  () => "mssql, standard",
  () => "2x20x2:768@8.0",
  () => "2x Xeon Gold 6148:768@8.0",
  () => "vsphere_virtual_machine",
  () => "2026-12-31",
  () => "__proto__",
  () => "\u0000",
  () => [],
  () => ["a.vmx"],
  () => [[null]],
  () => ({}),
  () => Object.create(null),
  () => ({ kind: "mssql", edition: "standard" }),
  () => ({ unknown: "later" }),
  () => ({ ...HOST }),
  () => new Map([["a.vmx", VMX]]),
  () => new Uint8Array([0xff, 0xfe, 0x61, 0]),
  () => new Date(0),
  () => /a/,
  () => () => VMX,
  () => Promise.resolve(VMX),
];

const OPTIONS = ["host", "workload", "rules", "severities", "today", "filename", "format", "target", "together", "config", "variables"];
const MORE = ["environment", "source", "files", "hots", "__proto__", "constructor", "keeps", "context"];
const SETTINGS = ["vcpus", "coresPerSocket", "memoryMiB", "cpuHotAdd", "cpuAffinity", "name", "platform", "controllers", "disks", "nics"];
const ATTRIBUTES = ["name", "num_cpus", "num_cores_per_socket", "numCpus", "memory", "hardware", "disk", "spec", "kind", "extra_config"];
const TYPES = ["vsphere_virtual_machine", "vsphere:VirtualMachine", "vmware_guest", "VirtualMachineClass", "VSphereMachine", "a b"];
const PATHS = ["a.vmx", "./a.vmx", "x//a.vmx", "x\\a.vmx", "/x/a.vmx", "C:\\x\\a.vmx", "c:/X/A.VMX", "//server/share/a.vmx", "../a.vmx"];
const OTHERS = ["", ".", "..", "/", "./", "x/", "x/..", "zz", "x", "a.vmx/b", "x/../a.vmx", "vmlint.yaml", "main.tf", "node_modules/a.vmx"];

const decode = (bytes, label) => new TextDecoder(label).decode(bytes);
const RULE = { id: "a/b", severity: "info", summary: "", why: "", whenNot: "", evidence: null, sources: [], messages: { a: () => "a" } };

/** Right arguments of functions that take structures. The fuzzer replaces a part of each. */
const STRUCTURES = [
  () => [size, { vcpus: 8, memoryMiB: 16384, workload: { kind: "mssql" }, range: [4, 8] }, [HOST]],
  () => [applyEdits, VMX, [{ range: [0, 3], newText: "a" }]],
  () => [decodeVmx, new Uint8Array([97, 61, 49]), decode],
  () => [
    parseConfig,
    "hosts:\n  a: { sockets: 2, coresPerSocket: 8, threadsPerCore: 2 }\nrules: { cpu/cps-divides: off }\n",
    "vmlint.yaml",
  ],
  () => [importHost, "pack:2 core:8 pu:2", { name: "a", file: "a", stated: { memoryGiB: 64 } }],
  () => [defineRule, { ...RULE, *check() {} }],
];

/** Returns a copy of some arguments with another value in place of one part. */
function damaged(part, value, { below, pick }, depth = 0) {
  const isList = Array.isArray(part);
  const isPlain = isList || (typeof part === "object" && part !== null && [Object.prototype, null].includes(Object.getPrototypeOf(part)));
  if (!isPlain || Object.keys(part).length === 0 || below(6) < depth) return value();
  const key = pick(Object.keys(part));
  const changed = damaged(part[key], value, { below, pick }, depth + 1);
  return isList ? part.map((one, i) => (String(i) === key ? changed : one)) : { ...part, [key]: changed };
}

/** Returns the property that a call breaks, or `undefined`. `pick` and `below` draw from the seed. */
export async function wrongWithCall({ below, pick }) {
  const value = () => pick(VALUES)();
  const object = (names, most) => {
    const entries = Array.from({ length: below(most + 1) }, () => [pick(names), value()]);
    return below(12) === 0 ? value() : Object.fromEntries(entries);
  };
  const path = () => pick(below(3) === 0 ? OTHERS : PATHS);
  const call = [
    () => lint(below(4) === 0 ? value() : VMX, object([...OPTIONS, ...MORE], 2)),
    () => lintVm(object(SETTINGS, 4), object([...OPTIONS, ...MORE], 2)),
    () => lintResource(below(8) === 0 ? value() : { type: pick(TYPES), values: object(ATTRIBUTES, 4) }, object(OPTIONS, 1)),
    async () => {
      const files = Object.fromEntries(Array.from({ length: 1 + below(3) }, () => [path(), below(12) === 0 ? value() : VMX]));
      const workspace = openWorkspace(below(10) === 0 ? value() : { files, ...object([...OPTIONS, ...MORE], 1) });
      const named = below(3) === 0 ? undefined : below(10) === 0 ? value() : Array.from({ length: below(3) }, path);
      const found = await workspace.check(named);
      if (below(4) === 0) await workspace.fix(below(8) === 0 ? value() : found.findings, object(["unsafe", "paths"], 1));
      return { ...found, named: named ?? ["."] };
    },
  ];
  const structured = () => {
    const [use, ...args] = pick(STRUCTURES)();
    use(...damaged(args, value, { below, pick }));
  };
  try {
    const result = await pick([...call, structured, structured])();
    return result?.named && silentOn(result);
  } catch (error) {
    return error?.name === "VmlintError" && typeof error.code === "string" ? undefined : (error?.stack ?? `it throws ${String(error)}`);
  }
}

/** Returns a named path that no result and no reason is about. */
function silentOn({ named, results, notChecked }) {
  const normal = (path) => joinPath(".", path.replaceAll("\\", "/")).toLowerCase();
  const isBelow = (path, folder) => folder === "." || path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
  const seen = [...results, ...notChecked].map(({ path }) => normal(path));
  const missing = named.find((path) => !seen.some((one) => isBelow(one, normal(path))));
  return missing === undefined ? undefined : `it is silent on ${JSON.stringify(missing)}`;
}
