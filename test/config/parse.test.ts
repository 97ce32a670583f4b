import { type Config, requireHost, VmlintError, WORKLOAD_KINDS } from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import { EMPTY_CONFIG, findHost, parseVmx, targetOf } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { vmOf } from "../support/sample-vm.ts";

const FULL = `
extends: [recommended]
host: lab
workload: { kind: mssql, edition: enterprise }
hosts:
  lab: { esxi: 8.0, sockets: 2, coresPerSocket: 24, threadsPerCore: 2, memoryGiB: 768, mhz: 2400 }
  snc: { esxi: "8.0 U2", sockets: 2, coresPerSocket: 24, numaNodes: 4 }
rules:
  numa/wide-uneven: off
overrides:
  - vms: ["sql-*"]
    host: snc
    workload: { kind: mssql, edition: standard, version: 2019, licensing: core }
  - files: ["prod/**"]
    rules: { numa/wide-uneven: error }
  - files: ["prod/**"]
    vms: ["*-dl"]
    host: dl580g7
`;

const target = (config: Config, path: string, text: string) => targetOf(config)(vmOf(text), () => path);

describe("a configuration", () => {
  const config = parseConfig(FULL, "vmlint.yaml");

  test("keeps versions as written: 8.0 is a version, not the number 8", () => {
    expect(config.hosts.get("lab")).toMatchObject({ esxi: { major: 8, minor: 0, update: null }, numaNodes: 2, threadsPerCore: 2 });
    expect(config.hosts.get("snc")).toMatchObject({ esxi: { major: 8, minor: 0, update: 2 }, numaNodes: 4, threadsPerCore: 1 });
  });

  test.each([
    ["any.vmx", `displayName = "web"`, { host: "lab", edition: "enterprise", severity: "off" }],
    ["any.vmx", `displayName = "sql-1"`, { host: "snc", edition: "standard", severity: "off" }],
    ["prod/eu/any.vmx", `displayName = "sql-1"`, { host: "snc", edition: "standard", severity: "error" }],
    ["prod/a.vmx", `displayName = "sql-dl"`, { host: "dl580g7", edition: "standard", severity: "error" }],
    [
      "any.vmx",
      `# vmlint: host=dl580g7 workload=mssql edition=web\ndisplayName = "sql-1"`,
      { host: "dl580g7", edition: "web", severity: "off" },
    ],
    ["any.vmx", `# vmlint: host=4x4x1@6.5\ndisplayName = "web"`, { host: "4x4x1@6.5", edition: "enterprise", severity: "off" }],
  ])("%s, %j", (path, text, expected) => {
    const { host, workload, severities, problems } = target(config, path, text);
    expect({ host: host?.name, edition: workload?.edition, severity: severities?.["numa/wide-uneven"] }).toEqual(expected);
    expect(problems ?? []).toEqual([]);
  });

  test("the command line's host wins over everything", () => {
    const host = { name: "cli", sockets: 1, coresPerSocket: 1, threadsPerCore: 1, numaNodes: 1 };
    expect(targetOf(config, host)(vmOf(`# vmlint: host=lab\nnumvcpus = "1"`), () => "a.vmx").host?.name).toBe("cli");
  });

  test("an empty file is an empty configuration", () => {
    expect(parseConfig("", "vmlint.yaml")).toMatchObject({ rules: {}, overrides: [] });
    expect(parseConfig("# nothing yet\n", "vmlint.yaml").hosts.size).toBe(0);
  });
});

describe("runs: names the VMs of one machine", () => {
  const config = parseConfig(
    `
host: lab
hosts:
  lab: { sockets: 2, coresPerSocket: 24 }
  esx01: { sockets: 2, coresPerSocket: 24, runs: ["sql-*", "web-1"] }
  esx02: { sockets: 2, coresPerSocket: 24, runs: ["sql-2*"] }
overrides:
  - { vms: ["sql-9"], host: lab }
`,
    "prod/vmlint.yaml",
  );
  test.each([
    ["a VM it names", `displayName = "sql-1"`, "esx01", "prod/vmlint.yaml#esx01"],
    ["another", `displayName = "web-1"`, "esx01", "prod/vmlint.yaml#esx01"],
    ["one that none names", `displayName = "web-2"`, "lab", undefined],
    ["one that two hosts name: the last counts", `displayName = "sql-2"`, "esx02", "prod/vmlint.yaml#esx02"],
    ["an override is nearer", `displayName = "sql-9"`, "lab", undefined],
    ["the VM's own comment is nearer", `# vmlint: host=lab\ndisplayName = "sql-1"`, "lab", undefined],
    ["a comment that says the same", `# vmlint: host=esx01\ndisplayName = "sql-1"`, "esx01", "prod/vmlint.yaml#esx01"],
    ["the host alone is not the machine", `# vmlint: host=esx01\ndisplayName = "web-2"`, "esx01", undefined],
  ])("%s", (_, text, host, machine) => {
    const found = target(config, "any.vmx", text);
    expect([found.host?.name, found.machine]).toEqual([host, machine]);
  });

  test("the command line's host is nearest", () => {
    const on = (name: string) => targetOf(config, requireHost(name, config))(vmOf(`displayName = "sql-1"`), () => "a.vmx").machine;
    expect([on("lab"), on("esx01")]).toEqual([undefined, "prod/vmlint.yaml#esx01"]);
  });

  test("it is not a fact of the host", () => {
    expect(config.hosts.get("esx01")).not.toHaveProperty("runs");
  });
});

describe("an invalid short form gets a message with the mistake", () => {
  const COUNT = "must be a whole number above 0, not";
  test.each([
    ["4x", "the cores per socket are missing"],
    ["4x10", "the threads per core are missing"],
    ["4x10:64@8.0", "the threads per core are missing"],
    ["4x10x2/", "the NUMA nodes per socket are missing"],
    ["4x10x2:", "the GiB of memory are missing"],
    ["4x10x2:64@", "the ESXi version is missing"],
    ["0x10x2", `the sockets ${COUNT} "0"`],
    ["-4x10x2", `the sockets ${COUNT} "-4"`],
    ["4x1.5x2", `the cores per socket ${COUNT} "1.5"`],
    ["4x10xtwo", `the threads per core ${COUNT} "two"`],
    ["4x10x2x1", `the threads per core ${COUNT} "2x1"`],
    ["4x10x2/0", `the NUMA nodes per socket ${COUNT} "0"`],
    ["4x10x2:64GiB", `the GiB of memory ${COUNT} "64GiB"`],
    ["4x10x2:64/2", `the GiB of memory ${COUNT} "64/2"`],
  ])("%s", (text, wrong) => {
    const form = "Write SOCKETSxCORESxTHREADS[/NODESPERSOCKET][:GIB][@ESXI], such as 4x10x2:1024@5.5.";
    const reason = `"${text}" is not a short form of a host: ${wrong}. ${form}`;
    expect(findHost(text)).toEqual({ reason, nearest: undefined, explanation: reason, isName: false });
    expect(() => requireHost(text)).toThrow(new VmlintError("HOST_UNKNOWN", reason));
  });

  test.each([
    ["4X10X2", "4x10x2"],
    ["4 x 10 x 2 : 64 @8.0 U2", "4x10x2:64@8.0 U2"],
    ["4\u00d710*2/2", "4x10x2/2"],
  ])("%s is another spelling of %s", (text, spelling) => {
    const reason = `"${text}" is not a short form of a host.`;
    expect(findHost(text)).toEqual({ reason, nearest: spelling, explanation: `${reason} Did you mean "${spelling}"?`, isName: false });
    expect(findHost(spelling)).toMatchObject({ host: { sockets: 4, coresPerSocket: 10, threadsPerCore: 2 } });
  });

  test("for any input, a suggested spelling is a valid short form", () => {
    const word = fc.array(fc.constantFrom(..."0249xX*/:@. -"), { maxLength: 14 }).map((parts) => `4x${parts.join("")}`);
    fc.assert(
      fc.property(word, (text) => {
        const found = findHost(text);
        if ("host" in found || found.nearest === undefined) return;
        const meant = findHost(found.nearest);
        expect("reason" in meant && meant.reason.includes("not a short form")).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });
});

describe("a mistake is named with its file, line and remedy", () => {
  test.each([
    ["hots: {}", 'vmlint.yaml:1:1: There is no setting "hots". Did you mean "hosts"?'],
    ["host: dl580g8", 'vmlint.yaml:1:7: There is no host "dl580g8". Did you mean "dl580g7"?'],
    ["host: 4x10x2@7.5", 'vmlint.yaml:1:7: Host "4x10x2@7.5" names no ESXi version vmlint can read: write 6.7, 7.0 or 8.0 U2.'],
    ["host: 4x10x2@banana", 'vmlint.yaml:1:7: Host "4x10x2@banana" names no ESXi version vmlint can read: write 6.7, 7.0 or 8.0 U2.'],
    ["host: 3x6x2/2@7.0\n", undefined],
    ["host: 1x5x2/2@7.0", 'vmlint.yaml:1:7: Host "1x5x2/2@7.0" cannot exist: 5 cores do not divide into 2 NUMA nodes.'],
    ["rules:\n  numa/wide-unevn: off", 'vmlint.yaml:2:3: There is no rule "numa/wide-unevn". Did you mean "numa/wide-uneven"?'],
    ["rules:\n  numa/wide-uneven: loud", "vmlint.yaml:2:21: rules.numa/wide-uneven must be one of error, warning, info, hint, off."],
    ["hosts:\n  lab: { sockets: 2 }", "vmlint.yaml:2:3: hosts.lab.coresPerSocket is missing."],
    ["hosts:\n  lab: { sockets: two, coresPerSocket: 4 }", "vmlint.yaml:2:19: hosts.lab.sockets must be a number."],
    ["hosts:\n  lab: { sockets: 2, coresPerSocket: 0 }", "vmlint.yaml:2:38: hosts.lab.coresPerSocket must be more than 0."],
    [
      "hosts:\n  lab: { sockets: 2, coresPerSocket: 4, threads: 2 }",
      'There is no setting "hosts.lab.threads". Did you mean "threadsPerCore"?',
    ],
    ['hosts:\n  lab: { sockets: 2, coresPerSocket: 4, esxi: "5.7" }', '"5.7" is not an ESXi version: write "6.7", "7.0" or "8.0 U2".'],
    ['hosts:\n  lab: { sockets: 2, coresPerSocket: 4, esxi: "new" }', '"new" is not an ESXi version: write "6.7", "7.0" or "8.0 U2".'],
    [
      "workload: { kind: mssql, edition: premium }",
      "workload.edition must be one of enterprise, standard, web, express, bi, developer, standard-developer, enterprise-developer, evaluation, se2.",
    ],
    ["workload: { kind: mssql, maxdop: -1 }", "vmlint.yaml:1:34: workload.maxdop must be 0 or more."],
    ["workload: { kind: mssql, concurrency: 0 }", "vmlint.yaml:1:39: workload.concurrency must be more than 0."],
    ["workload: { kind: mssql, data: [disk1] }", "vmlint.yaml:1:33: workload.data.0 must be a disk such as scsi1:0."],
    ["workload: { kind: mssql, faultTolerance: maybe }", "vmlint.yaml:1:42: workload.faultTolerance must be true or false."],
    ["workload: { kind: mssql, maxdopp: 4 }", 'There is no setting "workload.maxdopp". Did you mean "maxdop"?'],
    ["hosts:\n  lab: { sockets: 2, coresPerSocket: 4, runs: sql }", 'vmlint.yaml:2:47: hosts.lab.runs must be a list: write ["sql"].'],
    ["overrides:\n  - host: nope", 'vmlint.yaml:2:11: There is no host "nope".'],
    ["a: [1", "vmlint.yaml:1:"],
    ["host: *nowhere", "vmlint.yaml:1:1: Unresolved alias"],
    ["- 1", "vmlint.yaml:1:1: A configuration must be a mapping."],
    ["extends: [recomended]", 'or a file such as ./base.yaml. Did you mean "recommended"?'],
    ["extends: recommended", 'vmlint.yaml:1:10: extends must be a list: write ["recommended"].'],
    ["workload: { kind: mssql, version: 2005 }", /, 2025, 2008r2, se\.$/],
    ["extends: [5]", /or a file such as \.\/base\.yaml\.$/],
    ["workload: { kind: postgres }", /, general\. Did you mean "postgresql"\?$/],
    ["host: r640\n---\nhost: r930", "vmlint.yaml:2:1: A configuration is one document: remove the second ---."],
    ["host: 4x10", 'vmlint.yaml:1:7: "4x10" is not a short form of a host: the threads per core are missing. Write SOCKETSxCORESxTHREADS'],
    ["host: ''", "vmlint.yaml:1:7: The name of the host is empty."],
    ["hosts: { lab: { sockets: 2, coresPerSocket: 4, memoryGiB: 1.0e+9 } }", "1000000000 GiB are more than any processor addresses."],
    ["host: a\nhost: b", "vmlint.yaml:2:1: "],
    [
      "hosts: { a: &x { sockets: 2, coresPerSocket: 4 }, b: { <<: *x, sockets: 4 } }",
      "vmlint.yaml:1:56: vmlint does not merge <<: write the settings out, or share them with extends:.",
    ],
    ['{\n  // lab\n  "host": "r640"\n}', "vmlint.yaml:2:3: This is not a comment: JSON has no comments, and YAML comments start with #."],
    ["hosts:\n  1: { sockets: 2, coresPerSocket: x }", "vmlint.yaml:2:36: hosts.1.coresPerSocket must be a number."],
    ["hosts: { a: &x { sockets: 2, coresPerSocket: 4 }, b: { sockets: two } }", "vmlint.yaml:1:65: hosts.b.sockets must be a number."],
  ])("%j", (text, expected) => {
    if (expected === undefined) expect(parseConfig(text, "vmlint.yaml").host).toBe("3x6x2/2@7.0");
    else expect(() => parseConfig(text, "vmlint.yaml")).toThrow(expected);
  });

  /** Parts of a configuration, each as it is right and as it is wrong, and where and why. */
  const PARTS: readonly (readonly [right: string, wrong: string, at: string, message: string])[] = [
    ["baseline: a.json", "baselin: a.json", "1:1", 'There is no setting "baselin". Did you mean "baseline"?'],
    ["host: lab", "host: [lab]", "1:7", "host must be text."],
    [
      "hosts:\n  lab: { sockets: 2, coresPerSocket: 8 }",
      "hosts:\n  lab: { sockets: 2, coresPerSocket: 8, threads: 2 }",
      "2:41",
      'There is no setting "hosts.lab.threads". Did you mean "threadsPerCore"?',
    ],
    ["  big: { sockets: 4, coresPerSocket: 8 }", "  big: { sockets: 4 }", "1:3", "hosts.big.coresPerSocket is missing."],
    ["workload: { kind: mssql }", "workload: { edition: web }", "1:1", `workload.kind must be one of ${WORKLOAD_KINDS.join(", ")}.`],
    ["clusters: { all: [lab, big] }", "clusters: { all: lab }", "1:18", 'clusters.all must be a list: write ["lab"].'],
    [
      "rules:\n  numa/wide-uneven: off",
      "rules:\n  numa/wide-unevn: off",
      "2:3",
      'There is no rule "numa/wide-unevn". Did you mean "numa/wide-uneven"?',
    ],
    [
      "  affinity/ht-siblings: error",
      "  affinity/ht-siblings: loud",
      "1:25",
      "rules.affinity/ht-siblings must be one of error, warning, info, hint, off.",
    ],
    ["ignore: [old]", 'ignore: ["!new"]', "1:10", "ignore: does not support !: list only what to skip."],
    [
      "suppress:\n  - { rule: numa/wide-uneven, reason: so }",
      "suppress:\n  - { rul: numa/wide-uneven, reason: so }",
      "2:7",
      'There is no setting "suppress.0.rul". Did you mean "rule"?',
    ],
    [
      "overrides:\n  - { vms: [a], host: lab }",
      "overrides:\n  - { vms: [a], host: lab, rules: { numa/wide-unevn: off } }",
      "2:37",
      'There is no rule "numa/wide-unevn". Did you mean "numa/wide-uneven"?',
    ],
    [
      "  - { vms: [b], host: big }",
      "  - { vms: [b], hoast: big }",
      "1:17",
      'There is no setting "overrides.1.hoast". Did you mean "host"?',
    ],
  ];

  test("a pattern that would crash V8 is reported", () => {
    for (const open of ["[", "{a: ", "- "]) {
      expect(() => parseConfig(`host: r640\nx:\n ${open.repeat(60_000)}`, "vmlint.yaml")).toThrow(
        /^vmlint.yaml:3:\d+: Too deep; the rest is not read: .* 200 levels/,
      );
    }
    const long = `${"{a,".repeat(9_000)}${"}".repeat(9_000)}`;
    const says = (key: string) => `${key} is longer than the 500 characters that a pattern may have.`;
    for (const [text, key] of [
      [`ignore: ["${long}"]`, "ignore.0"],
      [`overrides: [{ files: ["${long}"], host: lab }]`, "overrides.0.files.0"],
      [`overrides: [{ vms: ["${long}"], host: lab }]`, "overrides.0.vms.0"],
      [`suppress: [{ rule: numa/wide-uneven, path: "${long}" }]`, "suppress.0.path"],
      [`suppress: [{ rule: numa/wide-uneven, vm: "${long}" }]`, "suppress.0.vm"],
      [`hosts: { lab: { sockets: 1, coresPerSocket: 4, runs: ["${long}"] } }`, "hosts.lab.runs.0"],
    ] as const) {
      expect(() => parseConfig(text, "vmlint.yaml")).toThrow(says(key));
    }
  });

  test("a pattern with thousands of matches", () => {
    const config = (vm: string) => () => parseConfig(`suppress: [{ rule: numa/wide-uneven, vm: "${vm}" }]`, "vmlint.yaml");
    expect(config("{a,b}".repeat(10))).toThrow(
      "suppress.0.vm expands to more than 1000 patterns: write several patterns with fewer braces.",
    );
    expect(config("{a,b}".repeat(9))).not.toThrow();
  });

  test.each(["!(a).vmx", "+(a|b).vmx", "@(a|b)/*", "x/?(a)", "x/*(a)"])(
    "%s in the notation of other programs, which would match nothing",
    (pattern) => {
      const says = /which no pattern means: write \{a,b\}/;
      for (const entry of [`ignore: ["x/${pattern}"]`, `overrides: [{ files: ["${pattern}"], host: dl580g7 }]`])
        expect(() => parseConfig(entry, "vmlint.yaml")).toThrow(says);
      expect(() => parseConfig(`overrides: [{ vms: ["${pattern}"], host: dl580g7 }]`, "vmlint.yaml")).not.toThrow();
    },
  );

  test("lists several mistakes once each, from the top down, without consequential errors", () => {
    const some = fc.subarray([...PARTS.keys()]);
    fc.assert(
      fc.property(some, (wrong) => {
        let line = 0;
        const expected = PARTS.flatMap(([right, bad, at, message], i) => {
          const [row, column] = at.split(":");
          const own = wrong.includes(i) ? [`vmlint.yaml:${line + Number(row)}:${column}: ${message}`] : [];
          line += (own.length > 0 ? bad : right).split("\n").length;
          return own;
        });
        const text = PARTS.map(([right, bad], i) => (wrong.includes(i) ? bad : right)).join("\n");
        expect(messageOf(text)).toBe(expected.join("\n"));
      }),
      { numRuns: 500 },
    );
  });

  /** The error message, or "" without an error. */
  const messageOf = (text: string): string => {
    try {
      parseConfig(text, "vmlint.yaml");
      return "";
    } catch (error) {
      return error instanceof VmlintError ? error.message : `not ours: ${error}`;
    }
  };

  test("any text is a configuration or a VmlintError, never another exception", () => {
    const yaml = fc
      .array(
        fc.oneof(
          fc.string(),
          fc.constantFrom("host: ", "hosts:", "  lab:", "    sockets: 2", "rules:", "overrides:", "  - vms: ['*']", "  - "),
        ),
      )
      .map((l) => l.join("\n"));
    fc.assert(
      fc.property(yaml, (text) => {
        try {
          parseConfig(text, "vmlint.yaml");
        } catch (error) {
          expect(error).toBeInstanceOf(VmlintError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

test("a comment with an undeclared host is a finding, not a crash", () => {
  const [vm] = parseVmx(`# vmlint: host=dl580g8\nnumvcpus = "4"`).vms;
  const { host, problems } = targetOf(EMPTY_CONFIG)(vm ?? vmOf(""), () => "a.vmx");
  expect(host).toBeUndefined();
  expect(problems).toMatchObject([
    { ruleId: "spec/directive", messageId: "host", data: { host: "dl580g8", nearest: "dl580g7" }, range: [15, 22] },
  ]);
});

describe("an endless configuration", () => {
  const messageOf = (text: string): string => {
    try {
      parseConfig(text, "vmlint.yaml");
    } catch (error) {
      if (error instanceof VmlintError) return error.message;
      throw error;
    }
    return "";
  };
  const keys = Array.from({ length: 100_000 }, (_, i) => `k${i}: 1\n`).join("");

  // These took hours while each key was compared with all others and each mistake copied the whole text.
  test("has 100,000 keys that are no settings", () => {
    const lines = messageOf(keys).split("\n");
    expect([lines.length, lines.filter((line) => line.includes("more than 200 mistakes is not read")).length]).toEqual([201, 1]);
    expect(messageOf(keys)).toContain('vmlint.yaml:1:1: There is no setting "k0".');
  });

  test.each([
    ["rules: { __proto__: off }", "1:10"],
    ["hosts:\n  __proto__: { sockets: 2 }", "2:3"],
    ["overrides: [{ vms: [a], rules: { __proto__: off } }]", "1:34"],
  ])("has a key that readers pass over: %s", (text, place) => {
    expect(messageOf(text)).toBe(`vmlint.yaml:${place}: __proto__ cannot be a name.`);
  });

  test("has an override whose settings are an item of their own", () => {
    expect(messageOf('overrides:\n  - vms: ["sql-*"]\n  - rules: { latency/high: off }\n')).toBe(
      "vmlint.yaml:3:5: This applies to every VM, and the override above sets nothing: remove the - to join the two.",
    );
  });

  test("has 100,000 keys with one duplicate", () => {
    expect(messageOf(`${keys}k7: 1\n`)).toBe("vmlint.yaml:100001:1: k7 is set twice: remove one of the two.");
  });

  test("keeps the valid parts of a file with several mistakes", () => {
    const text =
      "hosts:\n  a: { esx: 1, sockets: x }\n  b: { sockts: 1 }\nrules: { numa/wide-uneven: loud }\noverrides: [{ vm: [a] }, { file: b }]\n";
    expect(messageOf(text).split("\n")).toHaveLength(6);
  });
});
