import { type CheckResult, checkText, guestTextOf } from "@vmlint/core/editor";
import { bestFix, flawSentences, guestFlaws, vmPicture, withChanges } from "@vmlint/core/picture";
import { EMPTY_CONFIG } from "@vmlint/core/program";
import { expect, test } from "vitest";
import { libvirt } from "../../packages/core/src/formats/libvirt/libvirt.ts";
import { tryOut } from "../../packages/vscode-ext/src/what-if.ts";

const PINS = [2, 10, 3, 10].map((cpu, vcpu) => `<vcpupin vcpu='${vcpu}' cpuset='${cpu}'/>`).join("");
const DOMAIN = `<domain type='kvm'><name>sql01</name><memory unit='GiB'>4</memory><vcpu>4</vcpu><cputune>${PINS}</cputune></domain>`;
const PICTURES = { bestFix, flawSentences, guestFlaws, withChanges };

function opened(): CheckResult {
  const options = { format: libvirt, path: "a.xml", config: EMPTY_CONFIG, today: "2026-01-01", host: "" };
  const check = (text: string, by: object) => checkText(text, { ...options, ...by } as unknown as Parameters<typeof checkText>[1]);
  return { ...check(DOMAIN, {}), config: EMPTY_CONFIG, otherFiles: new Map(), textOf: () => undefined, checkAgain: check };
}

test("the panel draws a domain without a host, and says which CPU its vCPUs share", () => {
  const open = opened();
  const [vm] = open.result.vms;
  if (!vm) throw new Error("no VM");
  const { guest, page } = tryOut(open, vm, 0, {}, PICTURES);
  expect(page).toMatchObject({ problem: "", verdict: { isGood: false, text: "vCPUs 1 and 3 take turns on CPU 10." } });
  expect(page.findings?.map(({ rule }) => rule)).toContain("kvm/two-vcpus-one-cpu");
  if (!guest?.view) throw new Error("no view");
  expect(guestTextOf(guest.view)).toMatchObject({ headline: "The guest sees 4 vCPUs, 4 sockets x 1 core, no NUMA." });
  expect(guestTextOf(guest.view).facts).toContain("vCPUs 1, 3: CPU 10 ! 2 vCPUs run in turns");
  expect(vmPicture(guest.vm, { isUntitled: true })).toContain("Marked as wrong: vCPUs 1 and 3 take turns on CPU 10.");
});

test("what is tried is checked as the file would be", () => {
  const open = opened();
  const [vm] = open.result.vms;
  if (!vm) throw new Error("no VM");
  expect(tryOut(open, vm, 0, { coresPerSocket: 4 }, PICTURES).guest?.view).toMatchObject({ sockets: 1, coresPerSocket: 4 });
  expect(tryOut(open, vm, 0, { preferHt: true }, PICTURES).page.problem).toBe("The file cannot hold these values.");
});
