import { lint, requireHost, topologyText } from "@vmlint/core";
import { hoverAt, lensesOf, type OpenDocument } from "@vmlint/core/editor";
import { filesSvg } from "@vmlint/core/picture";
import { compareText, type LintedFile } from "@vmlint/core/program";
import { demandReader, rightSizer } from "@vmlint/core/size";
import { yaml } from "@vmlint/core/yaml";
import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const VM = `apiVersion: kubevirt.io/v1
kind: VirtualMachine
metadata:
  name: sql01
spec:
  instancetype:
    name: u1.4xlarge
  preference:
    name: windows.2k22
  template:
    spec:
      domain:
        devices: {}
`;
const GUEST = "The guest sees 16 vCPUs, 16 sockets x 1 core, no NUMA, up to 64 by hot plug.";

const linted = (host?: string): LintedFile => {
  const result = lint(VM, { format: yaml, target: host === undefined ? {} : { host: requireHost(host) } });
  return { path: "sql01.yaml", text: VM, ...result };
};
const documentOf = ({ text, ...result }: LintedFile): OpenDocument => ({
  text,
  result,
  comments: undefined,
  edit: (vm, changes) => vm.edit?.(changes),
  language: undefined,
});

/** Every surface that shows the view of one VM. */
const SURFACES: readonly (readonly [string, (file: LintedFile) => string])[] = [
  ["the text", (file) => topologyText([file])],
  ["the picture", (file) => filesSvg([file])],
  ["the comparison of hosts", (file) => compareText([[file], [file]])],
  ["the hover", (file) => hoverAt(documentOf(file), VM.indexOf("u1.4xlarge"))?.markdown ?? ""],
  [
    "the lens",
    (file) =>
      lensesOf(documentOf(file))
        .map(({ title }) => title)
        .join(),
  ],
];

test.each(SURFACES)("%s shows a guest of KubeVirt, with any host and without one", (_, show) => {
  for (const file of [linted(), linted("2x16x2@8.0")]) {
    const shown = show(file).replace(/<[^>]*>|\s+/g, " ");
    expect(shown.replaceAll(" ", "")).toContain(GUEST.replaceAll(" ", ""));
    expect(shown).not.toMatch(/depends on the host|pass --host|No host|another hypervisor/);
  }
});

test("sizes and moves of ESXi leave it out, and say so", () => {
  const reader = demandReader("demand.csv");
  reader.push("Name,Recommended vCPUs\nsql01,4\n");
  const [demand] = reader.end() as Extract<ReturnType<typeof reader.end>, readonly unknown[]>;
  const [vm] = linted("2x16x2@8.0").vms;
  if (!vm) throw new Error("no VM");
  expect(rightSizer()({ path: "sql01.yaml", vm, demands: demand ? [demand] : [] })).toMatchObject({
    action: "undecided",
    reason: "it is not a VM of ESXi",
  });
  const cwd = folder({ "sql01.yaml": VM });
  expect(vmlint(cwd, ["move", "--to", "2x16x2@8.0", "sql01.yaml"])).toMatchObject({ code: 2, err: "vmlint: no VM of ESXi was found.\n" });
});

test("a guessed workload and a rule about the same sockets are one finding", () => {
  const cwd = folder({ "sql01.yaml": VM, "app01.yaml": VM.replace("sql01", "app01") });
  const { out } = vmlint(cwd, ["--format", "json"]);
  const found = JSON.parse(out).diagnostics.map(({ path, ruleId }: { path: string; ruleId: string }) => `${path} ${ruleId}`);
  expect(found).toEqual(["app01.yaml kubevirt/one-core-sockets", "sql01.yaml mssql/standard-sockets"]);
});

test("rules that read only the guest's view run without a host", () => {
  const workload = { kind: "mssql", version: "2022", maxdop: 0 } as const;
  const text = VM.replace("u1.4xlarge", "u1.8xlarge").replace("windows.2k22", "windows.11");
  const { diagnostics } = lint(text, { format: yaml, target: { workload } });
  expect(diagnostics.map(({ message }) => message)).toContainEqual(expect.stringMatching(/^MAXDOP 0 .* is at most 8\. /));
});
