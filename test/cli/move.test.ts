import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const FILES = {
  "wide.vmx": 'virtualHW.version = "20"\nnumvcpus = "36"\nmemSize = "65536"\ncpuid.coresPerSocket = "18"\ndisplayName = "wide"\n',
  "small.vmx": 'virtualHW.version = "20"\nnumvcpus = "4"\nmemSize = "8192"\ncpuid.coresPerSocket = "4"\ndisplayName = "small"\n',
  "vmlint.yaml": 'host: 2x20x2:768@8.0\nclusters: { old: ["4x14x2:512@8.0"] }\n',
};

interface Side {
  readonly host: string;
  readonly layout: readonly number[];
  readonly findings: readonly { readonly ruleId: string }[];
}

test("only VMs whose layout or findings change are shown, with both hosts", async () => {
  const { out, code } = await vmlint(folder(FILES), ["move", "--to", "old", "--format", "json"]);
  const { vms, unchanged } = JSON.parse(out) as { vms: { vm: string; from: Side; to: Side }[]; unchanged: number };
  expect([vms.map(({ vm }) => vm), unchanged, code]).toEqual([["wide"], 1, 1]);
  expect(vms).toMatchObject([{ from: { host: "2x20x2:768@8.0", layout: [18, 18] }, to: { host: "4x14x2:512@8.0", layout: [12, 12, 12] } }]);
  expect(vms[0]?.to.findings.map(({ ruleId }) => ruleId)).not.toEqual([]);
});

test("the text names both layouts and the number of VMs that change", async () => {
  const { out } = await vmlint(folder(FILES), ["move", "--to", "old"]);
  expect(out).toContain("  now:     18+18 on 2x20x2:768@8.0\n  after:   12+12+12 on 4x14x2:512@8.0\n");
  expect(out).toContain("1 VM of 2 changes by a move to old.\n");
});

test("a move to the same host changes nothing", async () => {
  const { out, code } = await vmlint(folder(FILES), ["move", "--to", "2x20x2:768@8.0"]);
  expect([out, code]).toEqual(["0 VMs of 2 change by a move to 2x20x2:768@8.0.\n", 0]);
});

test("move needs a target", async () => {
  const { err, code } = await vmlint(folder(FILES), ["move"]);
  expect([err, code]).toEqual(["vmlint: vmlint move needs a host or a cluster: vmlint move --to esx09 estate.xlsx.\n", 2]);
});

test("the table of a move has the forms of a migration's", async () => {
  const cwd = folder(FILES);
  const { out } = await vmlint(cwd, ["move", "--to", "old", "--format", "csv"]);
  const [titles, wide] = out.split("\r\n");
  expect(titles).toBe("severity,vm,path,host,now,after the move,changes that matter,kept by");
  expect(wide).toContain("wide,wide.vmx,2x20x2:768@8.0,18+18 on 2x20x2:768@8.0,12+12+12 on 4x14x2:512@8.0");
  for (const format of ["md", "html"]) expect((await vmlint(cwd, ["move", "--to", "old", "--format", format])).out).toContain("12+12+12");
});

test("a move within ESXi imports no VM", async () => {
  const cwd = folder({ ...FILES, "vmlint.yaml": `${FILES["vmlint.yaml"]}migrate: { to: kubevirt, by: harvester }\n` });
  expect((await vmlint(cwd, ["move", "--to", "old"])).out).not.toContain("migrate/");
});
