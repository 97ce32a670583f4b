import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { vmlint } from "./support/cli.ts";

const cwd = fileURLToPath(new URL("well-shaped", import.meta.url));

/** The expected vCPUs of each VM, as one number per NUMA node if its file determines them. */
const SHAPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "ft/controller.vmx": { controller: "8" },
  "ft/ft-small.vmx": { "ft-small": "4" },
  "general/Pulumi.yaml": { proxy: "4" },
  "general/app.vmx": { app: "8" },
  "general/appliance.ovf": { appliance: "8" },
  "general/ccd-r7525.vmx": { ccd: "8" },
  "general/config-spec.json": { print: "2" },
  "general/edge-gateway.vmx": { "edge-gateway": "4" },
  "general/edge.tf": { 'vsphere_virtual_machine.shop["stock"]': "4", 'vsphere_virtual_machine.shop["till"]': "2" },
  "general/image.pkr.hcl": { "vsphere-iso.ubuntu": "4" },
  "general/linux-memory-hot-add.vmx": { "linux-memory-hot-add": "2" },
  "general/monster-r7525.vmx": { monster: "64+64" },
  "general/old-r640.vmx": { old: "20" },
  "general/one-node.vmx": { "one-node": "24" },
  "general/plan.yaml": { reports: "12", archive: "24+24" },
  "general/play.yml": { "app-1": "4", "app-2": "6" },
  "general/socket-r7525.vmx": { socket: "64" },
  "general/till.vmx": { till: "2" },
  "general/two-nodes.vmx": { "two-nodes": "24+24" },
  "general/vm.info.json": { files: "4" },
  "general/web.vmx": { web: "2" },
  "general/wide-r640.vmx": { wide: "20+20" },
  "grid/grid-1.vmx": { "grid-1": "24" },
  "grid/grid-2.vmx": { "grid-2": "12" },
  "hana/hana-1.vmx": { "hana-1": "56" },
  "hana/hana-2.vmx": { "hana-2": "56+56" },
  "hana/hana-4.vmx": { "hana-4": "56+56+56+56" },
  "kubernetes/capv.yaml": { workers: "8", "control-plane": "4" },
  "kubernetes/classes.yaml": { "guaranteed-medium": "2", jumpbox: "2" },
  "kubernetes/eks.yaml": { "eks-worker": "8" },
  "kubernetes/hive.yaml": { "hive-worker": "16" },
  "kubernetes/install-config.yaml": { master: "8", worker: "16" },
  "kubernetes/machine-controller.yaml": { "mc-worker": "6" },
  "kubernetes/openshift.yaml": { "ocp-worker": "16" },
  "kubernetes/rancher.yaml": { "rancher-worker": "4" },
  "latency/packets.tf": { "vsphere_virtual_machine.packets": "8" },
  "latency/telco.yaml": { telco: "12" },
  "latency/trading.vmx": { trading: "8" },
  "latency/upf.vmx": { upf: "20" },
  "oracle/oracle.vmx": { oracle: "16" },
  "oracle/rac-1.vmx": { "rac-1": "24" },
  "sql/grow.yml": { "standard-grown": "16" },
  "sql/one-node.vmx": { "one-node-sql": "24" },
  "sql/small.vmx": { small: "8" },
  "sql/sql.tf": { "vsphere_virtual_machine.orders": "16" },
  "sql/standard-8.vmx": { "standard-8": "8" },
  "sql/standard.vmx": { standard: "24" },
  "sql/wide.vmx": { "wide-sql": "24+24" },
  "vdi/desktop.vmx": { desktop: "4" },
  "vdi/desktops.yml": { "desktop-gold": "4" },
  "vdi/rdsh.vmx": { rdsh: "8" },
};

test("well-shaped VMs have no findings, under recommended and the presets of their workloads", () => {
  const { code, out, err } = vmlint(cwd, ["--format", "json", "--fail-on", "hint"]);
  const { diagnostics, skipped, suppressed } = JSON.parse(out);
  expect([err, diagnostics, suppressed, code]).toEqual(["", [], [], 0]);
  // A check skipped for lack of a host, a workload or a startable VM would prove nothing.
  const reasons = new Set(skipped.map(({ reason }: { reason: string }) => reason));
  expect([...reasons].sort()).toEqual(["placement-unknown", "unknown-value"]);
});

test("each of them is read as it was meant", () => {
  const { vms } = JSON.parse(vmlint(cwd, ["topology", "--format", "json"]).out);
  const shapes: Record<string, Record<string, string>> = {};
  for (const { path, name, spec, topology } of vms) {
    const file = shapes[path] ?? {};
    shapes[path] = file;
    file[name] = topology?.vnumaNodes?.join("+") ?? String(spec.vcpus);
  }
  expect(shapes).toEqual(SHAPES);
  const files = readdirSync(cwd, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  expect(files.filter((path) => /\.[a-z]+$/.test(path) && !path.endsWith("vmlint.yaml")).sort()).toEqual(Object.keys(SHAPES).sort());
});

test("a mistake in one of these VMs is found", () => {
  const broken = ["--host", "4x10x2:512@8.0 U2", "--fail-on", "never"];
  expect(vmlint(cwd, [...broken, "sql/wide.vmx"]).out).toContain("error mem/exceeds-host");
  expect(vmlint(cwd, [...broken, "general/two-nodes.vmx"]).out).toContain("warning cpu/exceeds-physical-cores");
});
