import { readFileSync } from "node:fs";
import { lint, topologyJson } from "@vmlint/core";
import { expect, test } from "vitest";
import { entryNamed } from "../../packages/core/src/formats/index.ts";
import { forklift } from "../../packages/core/src/importers/forklift.ts";
import { forkliftOva } from "../../packages/core/src/importers/forklift-ova.ts";
import { harvester } from "../../packages/core/src/importers/harvester.ts";
import { harvesterOva } from "../../packages/core/src/importers/harvester-ova.ts";
import type { Importer } from "../../packages/core/src/importers/importer.ts";
import { IMPORTERS } from "../../packages/core/src/importers/index.ts";
import { proxmox } from "../../packages/core/src/importers/proxmox.ts";
import { proxmoxOvf } from "../../packages/core/src/importers/proxmox-ovf.ts";
import { TARGETS } from "../../packages/core/src/importers/targets/index.ts";
import type { Target } from "../../packages/core/src/importers/targets/target.ts";
import { virtV2vKubevirt } from "../../packages/core/src/importers/virt-v2v-kubevirt.ts";
import { virtV2vLibvirt } from "../../packages/core/src/importers/virt-v2v-libvirt.ts";
import { virtV2vOpenstack, virtV2vOvaOpenstack } from "../../packages/core/src/importers/virt-v2v-openstack.ts";
import { virtV2vOva } from "../../packages/core/src/importers/virt-v2v-ova.ts";

/** Reads a definition with the format of its target. */
async function read({ target }: Importer, text: string) {
  const { format, path } = TARGETS[target] as Target;
  return { path, text, ...lint(text, { format: await entryNamed(format).load() }) };
}

type Values = readonly [vcpus: number | undefined, coresPerSocket: number | undefined];

/** The vCPUs, sockets and cores of a guest after the import, or the failure. */
async function shapeAfter(importer: Importer, [vcpus, coresPerSocket]: Values): Promise<readonly number[] | string> {
  const made = importer.make({ name: "VM 1", vcpus, coresPerSocket, memoryMiB: 8192 });
  if ("fails" in made) return made.fails;
  const [vm] = topologyJson([await read(importer, made.text)], { name: "vmlint", version: "0" }).vms;
  if (vm && "refused" in vm && vm.refused) return (vm.refused as { message: string }).message;
  const { vcpus: count, sockets, coresPerSocket: cores } = (vm as unknown as { topology: Record<string, number> }).topology;
  return [count, sockets, cores] as readonly number[];
}

const ZERO = "it divides by zero cores per socket";

test.each<readonly [title: string, Importer, Values, readonly number[] | string]>([
  // builder.go:1035-1039
  ["24 vCPUs of 12", forklift, [24, 12], [24, 2, 12]],
  ["16 automatic vCPUs; the API reports 8 cores per socket", forklift, [16, 8], [16, 2, 8]],
  ["6 vCPUs of 4 lose 2", forklift, [6, 4], [4, 1, 4]],
  ["0 cores per socket", forklift, [8, 0], ZERO],
  // ovfbase/builder.go:302-309
  ["0 cores per socket in an OVF are 1", forkliftOva, [8, 0], [8, 8, 1]],
  ["an OVF without cores per socket", forkliftOva, [8, undefined], [8, 8, 1]],
  // helper.go:57-71, helper_test.go:87-95, issue 11410
  ["8 vCPUs in 1 socket", harvester, [8, 8], [64, 8, 8]],
  ["64 vCPUs of 32, as its own test has them", harvester, [64, 32], [2048, 32, 64]],
  ["one core per socket is right by accident", harvester, [16, 1], [16, 1, 16]],
  // ova/client.go:199-204
  ["an OVA has one socket", harvesterOva, [8, 4], [8, 1, 8]],
  // parse_domain_from_vmx.ml:391-407, create_kubevirt_yaml.ml:111-125
  ["no key is one socket", virtV2vKubevirt, [16, undefined], [16, 1, 16]],
  ["16 vCPUs of 8", virtV2vKubevirt, [16, 8], [16, 2, 8]],
  ["more cores per socket than vCPUs", virtV2vKubevirt, [2, 4], [2, 1, 2]],
  ["0 cores per socket", virtV2vKubevirt, [8, 0], ZERO],
  ["no vCPUs are one", virtV2vKubevirt, [undefined, undefined], [1, 1, 1]],
  // ESXiPlugin.pm:889-896, 1044-1046
  ["no key is 16 x 1", proxmox, [16, undefined], [16, 16, 1]],
  ["16 vCPUs of 8 by the wizard", proxmox, [16, 8], [16, 2, 8]],
  ["no vCPUs with 4 cores per socket are 4", proxmox, [undefined, 4], [4, 1, 4]],
  ["6 vCPUs of 4 by the wizard", proxmox, [6, 4], "it asks Proxmox VE for 1.5 sockets, which is no whole number"],
  ["0 cores per socket by the wizard", proxmox, [8, 0], ZERO],
  // parse_domain_from_vmx.ml:391-407, create_libvirt_xml.ml:98-107
  ["no key leaves the choice to libvirt", virtV2vLibvirt, [16, undefined], [16, 16, 1]],
  ["16 vCPUs of 8 in a domain", virtV2vLibvirt, [16, 8], [16, 2, 8]],
  ["6 vCPUs of 4 in a domain", virtV2vLibvirt, [6, 4], "CPU topology doesn't match maximum vcpu count"],
  // openstack_image_properties.ml:62-71, hardware.py of Nova
  ["no key is one socket for Nova", virtV2vOpenstack, [16, undefined], [16, 1, 16]],
  ["16 vCPUs of 8 on Nova", virtV2vOpenstack, [16, 8], [16, 2, 8]],
  ["6 vCPUs of 4 on a flavor of 6: Nova keeps one socket and one thread", virtV2vOpenstack, [6, 4], [6, 1, 6]],
  ["0 cores per socket for Nova", virtV2vOpenstack, [8, 0], ZERO],
  ["0 cores per socket in an OVA for Nova", virtV2vOvaOpenstack, [8, 0], [8, 1, 8]],
  // OVF.pm:243
  ["an OVF package on Proxmox VE", proxmoxOvf, [16, 8], [16, 1, 16]],
  // input/OVF.ml:72-93
  ["0 cores per socket in an OVA", virtV2vOva, [8, 0], [8, 8, 1]],
])("%s", async (_, importer, values, after) => {
  expect(await shapeAfter(importer, values)).toEqual(after);
});

test("Harvester writes MiB as millions of bytes, and a limit of the vCPUs", () => {
  const made = harvester.make({ name: "sql01", vcpus: 8, coresPerSocket: 8, memoryMiB: 8192 });
  expect(made).toMatchObject({ text: expect.stringContaining("guest: 8192M\n") });
  expect(made).toMatchObject({ text: expect.stringContaining('cpu: "8"\n') });
});

test("virt-v2v writes a field that KubeVirt does not have", () => {
  expect(virtV2vKubevirt.make({ name: "vm", vcpus: 16, coresPerSocket: 8, memoryMiB: undefined })).toMatchObject({
    text: expect.stringContaining("thread: 1\n"),
  });
});

test.each(["SQL 01", "Web_Server", "123", "true", "-", "Größe", "a.b"])(
  "a VM named %s has a definition with a valid name",
  async (name) => {
    for (const importer of IMPORTERS) {
      const made = importer.make({ name, vcpus: 2, coresPerSocket: 1, memoryMiB: 2048 });
      if (!("text" in made)) continue;
      const { vms, diagnostics } = await read(importer, made.text);
      expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
      if (importer.target === "proxmox" || importer.target === "kubevirt")
        expect(vms[0]?.spec.name).toMatch(/^[a-zA-Z0-9]([a-zA-Z0-9.-]*[a-zA-Z0-9])?$/);
    }
  },
);

test("each importer has a name of its own for its target, and lines of a repository at a commit", () => {
  const names = IMPORTERS.map(({ name, target }) => `${target} ${name}`);
  expect(new Set(names).size).toBe(names.length);
  for (const { sources } of IMPORTERS) expect(sources[0].url).toMatch(/\/blob\/[0-9a-f]{12}\/.+#L\d+/);
});

test("the guide lists each importer with its source", () => {
  const page = readFileSync(new URL("../../docs/guide/migration.md", import.meta.url), "utf8");
  const rows = IMPORTERS.map(
    ({ target, name, title, reads, version, sources: [{ url = "" }] }) =>
      `| ${target} | \`${name}\`: ${title} | ${reads} | ${version} | [lines](${url}) |`,
  );
  expect(page.split("\n").filter((line) => line.includes("[lines]("))).toEqual(rows);
});
