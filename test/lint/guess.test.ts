import { describe, expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

/** Twelve sockets of one core, LSI SAS, an emulated network card and hot add: the usual shape of a neglected SQL Server VM. */
const vm = (name: string, more = ""): string => `${more}displayName = "${name}"
virtualHW.version = "19"
guestOS = "windows2019srv-64"
numvcpus = "12"
cpuid.coresPerSocket = "1"
memSize = "65536"
vcpu.hotadd = "TRUE"
scsi0.present = "TRUE"
scsi0.virtualDev = "lsisas1068"
scsi0:0.present = "TRUE"
scsi0:0.fileName = "${name}.vmdk"
scsi0:1.present = "TRUE"
scsi0:1.fileName = "${name.replace("prod01", "data")}.vmdk"
ethernet0.present = "TRUE"
ethernet0.virtualDev = "e1000e"
`;

interface Report {
  readonly diagnostics: readonly {
    readonly ruleId: string;
    readonly severity: string;
    readonly message: string;
    readonly guess?: unknown;
  }[];
}

const report = (files: Readonly<Record<string, string>>, ...options: string[]) => {
  const { out, code } = vmlint(folder(files), [...options, "--format", "json", "."]);
  return { code, ...(JSON.parse(out) as Report) };
};

describe("a VM whose name shows its workload", () => {
  test("gets findings with their assumption, none above info, and exit code 0", () => {
    const { diagnostics, code } = report({ "a.vmx": vm("sqlprod01") });
    expect(diagnostics.length).toBeGreaterThanOrEqual(3);
    expect(diagnostics.map(({ severity }) => severity)).not.toContain("warning");
    expect(code).toBe(0);
    const guessed = diagnostics.filter((one) => one.guess);
    for (const { guess } of guessed) expect(guess).toMatchObject({ kind: "mssql" });
    const reason = / This is probably SQL Server \(name sqlprod01.*\): declare workload: mssql, or workload: none[.]$/;
    expect(guessed.map(({ message }) => reason.test(message))).toEqual([true, ...guessed.slice(1).map(() => false)]);
    expect(
      diagnostics
        .filter((one) => one.guess)
        .map(({ ruleId }) => ruleId)
        .sort(),
    ).toEqual(["mssql/standard-sockets", "net/e1000"]);
  });

  test("a VM of the same shape with an ordinary name gets at most one", () => {
    expect(report({ "a.vmx": vm("web01") }).diagnostics.length).toBeLessThanOrEqual(1);
  });

  test.each<[string, Readonly<Record<string, string>>]>([
    ["its comment says workload=none", { "a.vmx": vm("sqlprod01", "# vmlint: workload=none\n") }],
    ["the configuration says workload: none", { "a.vmx": vm("sqlprod01"), "vmlint.yaml": "workload: none\n" }],
    ["a preset turns guesses off", { "a.vmx": vm("sqlprod01"), "vmlint.yaml": "extends: [recommended, no-guesses]\n" }],
  ])("is not guessed if %s", (_, files) => {
    expect(report(files).diagnostics.filter(({ guess }) => guess)).toEqual([]);
  });

  test("a declared workload applies as before", () => {
    const { diagnostics, code } = report({ "a.vmx": vm("sqlprod01"), "vmlint.yaml": "workload: mssql,edition=standard,version=2019\n" });
    expect(code).toBe(1);
    expect(diagnostics.map(({ severity }) => severity)).toContain("warning");
    expect(diagnostics.filter(({ guess }) => guess)).toEqual([]);
  });

  test.each([
    ["workload: sqlserver", '"sqlserver" is no workload: write mssql, '],
    ["workload: mssql,edition=big", "edition must be enterprise, "],
    ["workload: mssql,size=2", '"size" is no fact of a workload: write edition, '],
  ])("%s is rejected with the allowed values", (text, message) => {
    const { code, err } = vmlint(folder({ "a.vmx": vm("a"), "vmlint.yaml": `${text}\n` }), ["."]);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
