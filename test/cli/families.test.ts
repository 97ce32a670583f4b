import { describe, expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const CLASS = {
  apiVersion: "vmoperator.vmware.com/v1alpha3",
  kind: "VirtualMachineClass",
  metadata: { name: "wide" },
  spec: { hardware: { cpus: 96 } },
};
const PLAY = `- hosts: localhost
  tasks:
  - community.vmware.vmware_guest:
      name: app01
      guest_id: windows2019srv_64Guest
      hardware: { num_cpus: 22, memory_mb: 65536, version: 17 }
`;

describe("VMs among other programs' files", () => {
  const files = {
    "deploy/class.json": JSON.stringify(CLASS, null, 2),
    "deploy/pod.yaml": "apiVersion: v1\nkind: Pod\nmetadata: { name: vsphere-csi }\n",
    "play.yml": PLAY,
    "roles/x/tasks/main.yml": "- ansible.builtin.debug: { msg: vmware }\n",
    "package.json": '{ "name": "vmware-tools" }',
    "broken.yaml": "{{ not yaml: [\n",
    "chart/templates/vm.yaml":
      "kind: VSphereVM\napiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nspec:\n{{ toYaml .Values.spec }}\n  a: [{{ range .x }}\n",
  };

  test("are recognized by content under any file name", () => {
    const { code, out, err } = vmlint(folder(files), ["--host", "4x10x2@7.0"]);
    expect([code, err]).toEqual([1, ""]);
    expect(out).toContain("error cpu/exceeds-host-threads deploy/class.json:9:15");
    expect(out).toContain("info numa/wide-uneven play.yml:6:29");
    expect(out).toMatch(/in 2 VMs \(2 files\)\./);
  });

  test("a named file without a VM is reported", () => {
    expect(vmlint(folder(files), ["deploy/pod.yaml"]).err).toMatch(/^vmlint: deploy\/pod\.yaml is not checked: it has no document/);
    expect(vmlint(folder(files), ["chart/templates/vm.yaml"]).err).toMatch(
      /vm\.yaml is not checked: it is a template, and not YAML until it is filled in \(line \d/,
    );
  });

  test("an unreadable VM is reported with its line", () => {
    const broken = folder({ "play.yml": PLAY.replace("{ num_cpus", "{{ num_cpus").replace("guest_id:", "guest_id") });
    const { code, out } = vmlint(broken, []);
    expect([code, out]).toEqual([1, expect.stringMatching(/error spec\/syntax play\.yml:\d+:\d+/)]);
  });
});
