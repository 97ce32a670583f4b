import { yaml } from "@vmlint/core/yaml";
import { describe, expect, test } from "vitest";
import { said, yamlVm } from "../support/yaml-vm.ts";

describe("templates of YAML", () => {
  test("a value inside of a branch is unknown; a branch around the entire text changes nothing", () => {
    const text = `{{- if .Values.workers }}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: VSphereMachineTemplate
metadata:
  name: {{ .Release.Name }}-workers
  labels:
    {{- include "chart.labels" . | nindent 4 }}
spec:
  template:
    spec:
      template: ubuntu
      memoryMiB: 4096
      {{- if .Values.big }}
      numCPUs: 16
      {{- else }}
      numCPUs: 4
      {{- end }}
      numCoresPerSocket: {{ .Values.cores | default 2 }}
{{- end }}
`;
    const vm = yamlVm(text);
    expect(vm.name).toBe("{{ .Release.Name }}-workers");
    expect(said(vm)).toMatchObject({
      memoryMiB: 4096,
      vcpus: "? a template decides whether it is there",
      coresPerSocket: "? a template fills it in",
    });
  });

  const kubevirt = (domain: string): string =>
    `apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nmetadata: { name: a }\nspec:\n  template:\n    spec:\n      ${domain}\n`;
  const capv = (spec: string): string =>
    `apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: VSphereMachineTemplate\nmetadata: { name: a }\nspec:\n  ${spec}\n`;
  test.each([
    ["cpu", kubevirt("domain:\n        cpu: {{ toYaml .Values.cpu | nindent 10 }}\n        devices: {}")],
    ["resources", kubevirt("domain:\n        resources: {{ toYaml .Values.resources | nindent 10 }}\n        devices: {}")],
    ["domain", kubevirt("domain: {{ toYaml .Values.domain | nindent 8 }}")],
    ["spec", capv("template:\n    spec: {{ toYaml .Values.spec | nindent 6 }}")],
    ["template", capv("template: {{ toYaml .Values.template | nindent 4 }}")],
    [
      "hardware",
      "apiVersion: vmoperator.vmware.com/v1alpha1\nkind: VirtualMachineClass\nmetadata: { name: a }\nspec:\n  hardware: {{ toYaml .Values.hw | nindent 4 }}\n",
    ],
  ])("the settings of a mapping that a template renders in one line are unknown: %s", (_, text) => {
    expect(said(yamlVm(text)).vcpus).toBe("? a template fills it in");
  });

  test.each([
    ["a branch", "{% if x %}", "{% endif %}"],
    ["a statement", "{% set x = 1 %}", "{{ x }}"],
    ["a comment", "{# x #}", "y"],
    ["what is brought in", "{{ include x }}", "y"],
  ])("a text over several lines may begin with %s", (_, first, last) => {
    const task = (indent: string) =>
      `- copy:\n    dest: /a\n    content: |\n      ${first}\n      cpus: 8\n${indent}${last}\n- vmware_guest:\n    name: a\n    guest_id: g\n    hardware: { num_cpus: 4, memory_mb: 1024 }\n`;
    for (const indent of ["      ", "        "]) expect(said(yamlVm(task(indent))).vcpus).toBe(4);
  });

  test("a named text that is YAML only after rendering is reported without an error", () => {
    const text =
      "kind: VSphereVM\napiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nspec:\n{{ toYaml .Values.spec }}\n  a: [{{ range .x }}\n";
    expect(yaml.parse(text)).toMatchObject({
      vms: [],
      problems: [],
      foreign: expect.stringMatching(/^it is a template, and not YAML until/),
    });
  });

  test("directives of Terraform's templates decide about lines, and in a value", () => {
    const text = `%{ if x != "" }
# of one cluster
%{ endif ~}
apiVersion: anywhere.eks.amazonaws.com/v1alpha1
kind: VSphereMachineConfig
metadata:
  name: a
%{ for key in keys ~}
  \${key}: b %{ if x }c%{ else }d%{ endif }
%{ endfor }
spec:
  %{~ if big }
  numCPUs: 16
  %{~ else }
  numCPUs: 4
  %{~ endif }
  memoryMiB: 8%{ if big }192%{ else }96%{ endif }
`;
    expect(yaml.parse(text).problems).toEqual([]);
    expect(said(yamlVm(text))).toMatchObject({
      vcpus: "? a template decides whether it is there",
      memoryMiB: "? a template fills it in",
    });
    const note = 'kind: VSphereMachineConfig\nspec: { note: "%{http_code} %{ x", numCPUs: 4 }\n';
    expect(said(yamlVm(note)).vcpus).toBe(4);
  });

  test("code of ytt sets values and includes lines; its annotations and other comments do not", () => {
    const text = `#@ load("@ytt:data", "data")
#@overlay/match missing_ok=True
apiVersion: anywhere.eks.amazonaws.com/v1alpha1
kind: VSphereMachineConfig
metadata:
  name: a
spec:
  numCPUs: #@ data.values.cpus
  #@ memory = 4096
  #@ if data.values.big:
  memoryMiB: 8192
  #@ end
  diskGiB: 40 #@ of the template
`;
    expect(yaml.parse(text).problems).toEqual([]);
    expect(said(yamlVm(text))).toMatchObject({
      vcpus: "? a template fills it in",
      memoryMiB: "? a template decides whether it is there",
    });
    expect(said(yamlVm("kind: VSphereMachineConfig\n#@overlay/match x\nspec:\n  numCPUs: 4 #@ or more\n")).vcpus).toBe(4);
  });

  test("a template over two lines of a quoted text is YAML", () => {
    const text = "kind: VSphereMachineConfig\nspec:\n  note:\n    text: '{{ .a }}-{{\n      .b }}'\n  numCPUs: 4\n";
    expect(yaml.parse(text).problems).toEqual([]);
    expect(said(yamlVm(text)).vcpus).toBe(4);
  });

  test("`<<` of YAML is left alone", () => {
    const text = `apiVersion: anywhere.eks.amazonaws.com/v1alpha1\nkind: VSphereMachineConfig\nmetadata: { name: a >> b }\nspec:\n  <<: &base { numCPUs: 4 }\n  memoryMiB: 4096\n`;
    expect(said(yamlVm(text))).toMatchObject({ vcpus: 4, memoryMiB: 4096 });
  });
});
