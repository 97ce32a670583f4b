import { VmlintError } from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import { describe, expect, test } from "vitest";

const host = (yaml: string) => parseConfig(`hosts:\n  a: ${yaml}\n`, "vmlint.yaml").hosts.get("a");

function message(yaml: string): string {
  try {
    host(yaml);
  } catch (error) {
    if (error instanceof VmlintError && error.code === "CONFIG_INVALID") return error.message;
    throw error;
  }
  return "accepted";
}

describe("a host named by its processors", () => {
  test.each([
    [
      `{ cpu: "2x Xeon Gold 6148", esxi: "8.0", memoryGiB: 768, snc: 2 }`,
      {
        name: "a",
        sockets: 2,
        coresPerSocket: 20,
        threadsPerCore: 2,
        numaNodes: 4,
        memoryGiB: 768,
        mhz: 2400,
        cpu: "Intel Xeon Gold 6148",
        esxi: { major: 8, minor: 0, update: null },
        source: "intel-ark, spec-cpu2017, quattor-hardware, gigabyte-purley-settings",
      },
    ],
    [`{ cpu: "2x EPYC 7763", nps: 4 }`, { coresPerSocket: 64, numaNodes: 8, coresPerL3: 8, mhz: 2450 }],
    [`{ cpu: "2x E5-2698v3", cod: true }`, { coresPerSocket: 16, numaNodes: 4 }],
    [`{ cpu: Xeon Gold 6148, sockets: 2 }`, { sockets: 2, coresPerSocket: 20 }],
    [
      `{ cpu: "2x Xeon Gold 6148", coresPerSocket: 16, threadsPerCore: 1, mhz: 2500 }`,
      { coresPerSocket: 16, threadsPerCore: 1, mhz: 2500 },
    ],
    [`{ cpu: "2x EPYC 7763", numaNodes: 16 }`, { numaNodes: 16 }],
  ])("%s", (yaml, expected) => {
    expect(host(yaml)).toMatchObject(expected);
  });

  test.each([
    [`{ cpu: EPYC 7601, sockets: 2, coresPerSocket: 32 }`, { sockets: 2, threadsPerCore: 2, numaNodes: 8, coresPerL3: 4, mhz: 2200 }],
    [`{ cpu: "2x EPYC 7601", sockets: 1, coresPerSocket: 32, nps: 1 }`, { sockets: 1, numaNodes: 1 }],
    [`{ cpu: EPYC 7763, sockets: 2, coresPerSocket: 64, threadsPerCore: 1, mhz: 2000 }`, { threadsPerCore: 1, numaNodes: 2, mhz: 2000 }],
  ])("%s takes missing values from the processor and keeps the written ones", (yaml, expected) => {
    expect(host(yaml)).toMatchObject(expected);
  });

  test("with sockets and cores written a name that is not known, or of a processor that has fewer, is a label and adds nothing", () => {
    const written = { name: "a", sockets: 2, coresPerSocket: 72, threadsPerCore: 1, numaNodes: 2 };
    expect(host(`{ cpu: EPYC 7763, sockets: 2, coresPerSocket: 72 }`)).toEqual({ ...written, cpu: "EPYC 7763" });
    expect(host(`{ cpu: my old box, sockets: 2, coresPerSocket: 72 }`)).toEqual({ ...written, cpu: "my old box" });
  });

  test("a node setting applies to an unlisted processor, and is checked for a listed one", () => {
    expect(host(`{ cpu: my old box, sockets: 2, coresPerSocket: 12, snc: 2 }`)).toMatchObject({ numaNodes: 4 });
    expect(host(`{ sockets: 2, coresPerSocket: 12, cod: true }`)).toMatchObject({ numaNodes: 4 });
    expect(message(`{ cpu: EPYC 7763, sockets: 2, coresPerSocket: 64, nps: 3 }`)).toBe(
      "vmlint.yaml:2:61: EPYC 7763 offers NPS 1, 2 or 4, not 3.",
    );
  });

  test.each([
    [`{ cpu: "2x EPYC 9754", nps: 3 }`, "vmlint.yaml:2:34: EPYC 9754 offers NPS 1, 2 or 4, not 3."],
    [
      `{ cpu: "2x E5-2698", snc: 2 }`,
      'vmlint.yaml:2:13: vmlint knows no processor "E5-2698". Did you mean Xeon E5-2698 v3 or Xeon E5-2698 v4?',
    ],
    [`{ cpu: "2x EPYC 9454P" }`, "vmlint.yaml:2:13: EPYC 9454P is for machines with one processor, not 2."],
    [`{ cpu: Xeon Gold 6148 }`, 'vmlint.yaml:2:13: How many Xeon Gold 6148 are there? Write "2x Xeon Gold 6148".'],
    [`{ cpu: "2x EPYC 7763", nps: 4, numaNodes: 8 }`, "vmlint.yaml:2:34: numaNodes and nps both set the number of NUMA nodes. Keep one."],
    [`{ cpu: "2x EPYC 7763", nps: 4, snc: 2 }`, "vmlint.yaml:2:34: Only one of snc, nps and cod fits a processor."],
    [`{ cpu: "2x EPYC 7763", numaNodes: 3 }`, 'vmlint.yaml:2:6: Host "a" cannot exist: 128 cores do not divide into 3 NUMA nodes.'],
    [`{ coresPerSocket: 4 }`, "vmlint.yaml:2:3: hosts.a.sockets is missing."],
    [`{ sockets: 4 }`, "vmlint.yaml:2:3: hosts.a.coresPerSocket is missing."],
    [
      `{ cpu: "2x EPYC 7763", nps: 0 }`,
      "vmlint.yaml:2:34: hosts.a.nps must be more than 0: write numaNodes: 1 for one node over all sockets.",
    ],
    [`{ cpu: "2x EPYC 7763", nps: -1 }`, "vmlint.yaml:2:34: hosts.a.nps must be more than 0."],
    [`{ cpu: "2x EPYC 7763", np: 4 }`, 'vmlint.yaml:2:29: There is no setting "hosts.a.np". Did you mean "nps"?'],
  ])("%s is refused", (yaml, expected) => {
    expect(message(yaml)).toContain(expected);
  });
});
