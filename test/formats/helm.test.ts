import { openWorkspace, type VmSpec } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import type { Texts } from "../support/text-files.ts";
import { said } from "../support/yaml-vm.ts";

// Templates of a chart have the values of its values.yaml; a patch of kustomize only has its own settings.

const machine = (spec: string, head = "") =>
  `${head}apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: VSphereMachineTemplate\nmetadata:\n  name: a\nspec:\n  template:\n    spec:\n${spec.replace(/^/gm, "      ")}\n`;
const CHART = { "chart/Chart.yaml": "name: c\n" };
const VALUES = "controlPlane:\n  cpus: 8\n  memory: 16384\n  empty: 0\n  list: [1]\nimage: ubuntu\n";

async function vmsIn(files: Texts, path: string): Promise<readonly VmSpec[]> {
  const { vms, findings } = await openWorkspace({ files }).check([path]);
  expect(findings.filter(({ ruleId }) => ruleId === "spec/syntax")).toEqual([]);
  return vms.map(({ spec }) => spec);
}
const read = async (spec: string, files: Texts = {}, head = "") => {
  const texts = { ...CHART, "chart/values.yaml": VALUES, "chart/templates/a.yaml": machine(`template: ubuntu\n${spec}`, head), ...files };
  const [vm] = await vmsIn(texts, "chart/templates");
  return vm && said(vm);
};

describe("a value of a chart", () => {
  test.each<[string, unknown]>([
    ["{{ .Values.controlPlane.cpus }}", 8],
    ["{{- $.Values.controlPlane.cpus | int -}}", 8],
    ["{{ .Values.controlPlane.cpus | default 4 }}", 8],
    ["{{ .Values.controlPlane.missing | default 4 }}", 4],
    ["{{ .Values.controlPlane.empty | default 4 }}", 4],
    ["{{ default 6 .Values.controlPlane.missing }}", 6],
    ["{{ .Values.controlPlane.missing }}", "? a template fills it in"],
    ["{{ .Values.controlPlane.list }}", "? a template fills it in"],
    ["{{ mul .Values.controlPlane.cpus 2 }}", "? a template fills it in"],
    ["{{ .Values.controlPlane.cpus | add 2 }}", "? a template fills it in"],
    ["{{ .Values.controlPlane.cpus }}{{ .Values.controlPlane.cpus }}", "? a template fills it in"],
  ])("is known where the whole value is decided: %s", async (text, vcpus) => {
    expect((await read(`numCPUs: ${text}`))?.vcpus).toBe(vcpus);
  });

  test("may be in quotes, and a name", async () => {
    const spec = 'numCPUs: 4\nmemoryMiB: "{{ .Values.controlPlane.memory }}"';
    expect((await read(spec))?.memoryMiB).toBe(16384);
  });

  test("is unknown where another file of the chart has another", async () => {
    const spec = "numCPUs: {{ .Values.controlPlane.cpus }}\nmemoryMiB: {{ .Values.controlPlane.memory }}";
    const found = await read(spec, { "chart/values-prod.yaml": "controlPlane: { cpus: 16, memory: 16384 }\n" });
    expect([found?.vcpus, found?.memoryMiB]).toEqual(["? values.yaml and values-prod.yaml disagree about Values.controlPlane.cpus", 16384]);
  });

  test("is that of the files in varFiles, if the configuration names some", async () => {
    const files = { "prod/values.yaml": "controlPlane: { cpus: 16 }\n", "vmlint.yaml": "varFiles: [prod/values.yaml]\n" };
    const found = await read("numCPUs: {{ .Values.controlPlane.cpus }}\nmemoryMiB: {{ .Values.controlPlane.memory }}", files);
    expect([found?.vcpus, found?.memoryMiB]).toEqual([16, 16384]);
  });

  test("needs the root in a block that moves the dot, and is unknown in a chart of a chart", async () => {
    const range = "{{- range .Values.pools }}\n---\n";
    const inRange = async (text: string) => {
      const whole = `${machine(`template: ubuntu\nnumCPUs: ${text}`, range)}{{- end }}\n`;
      const [vm] = await vmsIn({ ...CHART, "chart/values.yaml": VALUES, "chart/templates/a.yaml": whole }, "chart/templates");
      return vm && said(vm).vcpus;
    };
    expect(await inRange("{{ .Values.controlPlane.cpus }}")).toBe("? a template fills it in");
    expect(await inRange("{{ $.Values.controlPlane.cpus }}")).toBe(8);
    const inner = { "a/charts/b/Chart.yaml": "name: b\n", "a/charts/b/values.yaml": VALUES };
    const [vm] = await vmsIn(
      { ...inner, "a/charts/b/templates/a.yaml": machine("template: ubuntu\nnumCPUs: {{ .Values.controlPlane.cpus }}") },
      "a/charts/b/templates",
    );
    expect(vm && said(vm).vcpus).toBe("? a template fills it in");
  });

  test("is the related place of a finding, and is never changed", async () => {
    const template = machine("template: ubuntu\nmemoryMiB: 4096\nnumCPUs: 6\nnumCoresPerSocket: {{ .Values.cores }}");
    const files = {
      ...CHART,
      "chart/values.yaml": "cores: 4\n",
      "chart/templates/a.yaml": template,
      "vmlint.yaml": "host: 2x12x2:256@8.0\n",
    };
    const { findings } = await openWorkspace({ files }).check(["chart"]);
    const one = findings.find(({ ruleId }) => ruleId === "cpu/cps-divides");
    expect(one?.related).toContainEqual(expect.objectContaining({ path: "chart/values.yaml", message: "Values.cores is set here" }));
    const edited = (one?.fixes ?? []).flatMap(({ edits }) => edits.map(({ path }) => path ?? one?.path));
    expect(edited.every((path) => path === "chart/templates/a.yaml")).toBe(true);
  });
});

describe("a patch of kustomize", () => {
  const PATCH = machine("template: other\nmemoryMiB: 4096");
  const reads = async (kustomization: string) => {
    const [vm] = await vmsIn({ "overlay/kustomization.yaml": kustomization, "overlay/patches/a.yaml": PATCH }, "overlay/patches/a.yaml");
    return vm && { vcpus: said(vm).vcpus, memoryMiB: said(vm).memoryMiB, defaults: vm.defaults };
  };
  const REST = "? it is a patch: the object it is merged into has the rest";

  test.each(["patches: [{ path: patches/a.yaml }]\n", "patchesStrategicMerge: [patches/a.yaml]\n"])(
    "has the rest elsewhere: %s",
    async (text) => {
      expect(await reads(text)).toEqual({ vcpus: REST, memoryMiB: 4096, defaults: {} });
    },
  );

  test("is a file that the kustomization names as one", async () => {
    expect(await reads("resources: [patches/a.yaml]\n")).toEqual({
      vcpus: undefined,
      memoryMiB: 4096,
      defaults: { vcpus: 2, memoryMiB: 2048 },
    });
  });
});
