// Options, paths and values as programs may pass them, each made of the seed and its number alone. A call gives an error with a code, or a
// result that lists each named path; it never rejects twice.
import { joinPath, lint, lintResource, lintVm, openWorkspace, requireHost } from "@vmlint/core";

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
  try {
    const result = await pick(call)();
    return result.named && silentOn(result);
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
