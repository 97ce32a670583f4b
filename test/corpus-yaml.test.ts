import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lint, requireHost, type VmSpec } from "@vmlint/core";
import { yaml } from "@vmlint/core/yaml";
import { describe, expect, test } from "vitest";
import { devicesOf } from "./support/yaml-vm.ts";

/** Real manifests other people wrote, with values another program read from them: see corpus.test.ts. */
const corpus = process.env.VMLINT_CORPUS;

/** The values that an independent reader found; null or missing if it found none. */
interface Found {
  readonly kind: string;
  readonly name: string;
  readonly vcpus?: number;
  readonly memory_mb?: number;
  /** A quantity of Kubernetes. */
  readonly memory?: string | null;
}

interface Truth {
  readonly kind: string;
  readonly objects?: readonly Found[];
  readonly parse_error_of_reference_tool?: string;
}

const textOf = (path: string) => readFileSync(join(corpus ?? "", "files", path), "utf8");
const number = (vm: VmSpec, name: "vcpus" | "memoryMiB" | "coresPerSocket" | "hardwareVersion") => {
  const setting = vm.settings[name];
  return setting.state === "known" ? setting.value : setting.state;
};
function memoryOf(mebibytes: number | undefined, quantity: string | null | undefined): number | string {
  if (mebibytes !== undefined) return mebibytes === 0 ? "absent" : mebibytes;
  return quantity ? Number(/^(\d+)Gi$/.exec(quantity)?.[1]) * 1024 : "unknown";
}

describe.skipIf(corpus === undefined)("real manifests", () => {
  const all: [string, Truth][] =
    corpus === undefined
      ? []
      : Object.entries<Truth>(JSON.parse(readFileSync(join(corpus, "truth.json"), "utf8"))).filter(([, { kind }]) =>
          kind.startsWith("k8s-"),
        );
  const readable = all.filter(([, { objects }]) => objects !== undefined);
  /** Other platforms' machines, and a file whose only cluster is of another kind. */
  const none = readable.filter(([path, { objects }]) => objects?.length === 0 || yaml.parse(textOf(path)).vms.length === 0);

  test("there are some", () => {
    expect(all.length).toBeGreaterThan(100);
    expect(none.length).toBeLessThan(10);
  });

  /*
   * Differences from the other reader:
   * - It reads `memoryMB`, the spelling in the documentation of machine-controller. Its example files write `MemoryMB`, which Go
   * reads too.
   * - EKS Anywhere writes 0 vCPUs and 0 MiB as defaults. vmlint treats them as absent.
   * - EKS Anywhere raises the memory of the machines of an external etcd to 8,192 MiB (setDefaultsForEtcdMachineConfig).
   * - VM Operator's VMs and its sample class set no sizes. vmlint treats them as unknown, because the class or the image sets
   * them.
   * No manifest sets cores per socket, a hardware version or devices: the template does, so they stay unknown or absent.
   */
  test.each(readable)("%s: the values an independent reader found", (path, { objects = [] }) => {
    const text = textOf(path);
    const { vms, problems } = yaml.parse(text);
    expect(problems).toEqual([]);
    const inAnyCase = Number(/^ *MemoryMB: (\d+)$/m.exec(text)?.[1]);
    const etcd = /externalEtcdConfiguration:[\s\S]*?machineGroupRef:[\s\S]*?name: (\S+)/.exec(text)?.[1];
    const inEtcd = (name: unknown, mib: unknown) => (name === etcd && typeof mib === "number" ? Math.max(mib, 8192) : mib);
    const expected = objects.map(({ kind, name, vcpus, memory_mb, memory }) => ({
      name,
      vcpus: vcpus === 0 ? "absent" : (vcpus ?? "unknown"),
      memoryMiB: kind === "MachineDeployment" ? inAnyCase : inEtcd(name, memoryOf(memory_mb, memory)),
    }));
    expect(vms.map((vm) => ({ name: vm.name, vcpus: number(vm, "vcpus"), memoryMiB: number(vm, "memoryMiB") }))).toEqual(expected);
    for (const vm of vms) {
      expect([number(vm, "coresPerSocket"), number(vm, "hardwareVersion")]).toEqual(["unknown", "absent"]);
      expect(devicesOf(vm)).toEqual({ scsi: [], others: [], disks: [], nics: [] });
    }
  });

  test.each(all.filter(([, truth]) => truth.parse_error_of_reference_tool))("%s is no YAML: it is reported", (path) => {
    expect(yaml.parse(textOf(path)).problems.map(({ ruleId }) => ruleId)).toContain("spec/syntax");
  });

  test("no error or warning that a vSphere expert would call wrong", () => {
    const found = all.flatMap(([path]) =>
      lint(textOf(path), { format: yaml, target: { host: requireHost("2x10x2:256@8.0") } })
        .diagnostics.filter(({ severity }) => severity === "error" || severity === "warning")
        .map(({ ruleId, message }) => `${path.split("/").at(-1)} ${ruleId} ${message}`),
    );
    // All were read: the largest classes on a host of 20 cores, and a file that EKS Anywhere keeps to be refused.
    const eightXlarge = expect.stringMatching(
      /^v1alpha1_vmclass_(?:best_effort|guaranteed)_8xlarge.yaml cpu\/exceeds-physical-cores 32 vCPUs/,
    );
    const broken = expect.stringMatching(/^incorrect_indentation.yaml spec\/syntax/);
    expect(found.sort()).toEqual([broken, eightXlarge, eightXlarge]);
  });
});
