import { requireHost } from "@vmlint/core";
import { expect, test } from "vitest";
import { answerFor, PLATFORMS } from "../../packages/core/src/platforms/index.ts";
import type { Platform } from "../../packages/core/src/platforms/platform.ts";
import { vmOf } from "../support/sample-vm.ts";

const VM = vmOf('numvcpus = "6"\nguestOS = "other"');

/** A hypervisor with one socket for every guest. */
const plain: Platform = {
  name: "plain",
  runs: ({ settings }) => settings.guestOs.state === "known" && settings.guestOs.value === "other",
  settings: ["vcpus"],
  needsHost: false,
  hostHint: "--host 1x4",
  answer: ({ settings }) => {
    if (settings.vcpus.state !== "known") return { ok: false, because: "unknown-value", reasons: [] };
    const vcpus = settings.vcpus.value;
    const certainties = { sockets: "documented", vnumaNodes: "documented" } as const;
    const shape = { vcpus, sockets: 1, coresPerSocket: vcpus, threadsPerCore: 1, vnumaNodes: [vcpus] };
    return {
      ok: true,
      topology: { ...shape, usableVcpus: vcpus, guestUsableVcpus: vcpus, certainty: "documented", certainties, reasons: [] },
    };
  },
};

test("a further platform answers for its VMs, without a host", () => {
  expect(answerFor(VM, undefined, undefined, {}, [plain, ...PLATFORMS])).toMatchObject({
    ok: true,
    topology: { sockets: 1, coresPerSocket: 6 },
  });
});

test("ESXi answers for all others, and needs a host", () => {
  expect(answerFor(VM, undefined)).toBeUndefined();
  expect(answerFor(VM, requireHost("2x20x2:768@8.0"))).toMatchObject({ ok: true, topology: { esxi: { major: 8 }, vnumaNodes: [6] } });
});
