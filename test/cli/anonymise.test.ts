import { expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const FILES = {
  "finance.vmx": 'displayName = "payroll-db"\nvirtualHW.version = "20"\nnumvcpus = "22"\nmemSize = "65536"\ncpuid.coresPerSocket = "22"\n',
  "vmlint.yaml": "host: esx-berlin-01\nhosts: { esx-berlin-01: { sockets: 4, coresPerSocket: 10, esxi: '8.0' } }\n",
};
const NAMES = /payroll|berlin|finance/i;

const report = async (format: string, key = "secret") =>
  (await vmlint(folder(FILES), ["finance.vmx", "--anonymise", key, "--format", format])).out;

test.each(["text", "json", "sarif", "html", "csv", "summary", "md", "junit"])(
  "a %s report has no name of a VM, host or file",
  async (format) => {
    const out = await report(format);
    expect(out.length).toBeGreaterThan(100);
    expect(out).not.toMatch(NAMES);
  },
);

test("the same key gives the same pseudonyms, and another key gives others", async () => {
  const named = async (key: string) =>
    JSON.parse(await report("json", key)).diagnostics.map(({ vm, host, path }: Named) => [vm, host, path]);
  const first = await named("secret");
  expect(first[0]).toEqual([
    expect.stringMatching(/^vm-[0-9a-f]{8}$/),
    expect.stringMatching(/^host-[0-9a-f]{8}$/),
    expect.stringMatching(/^file-[0-9a-f]{8}\.vmx$/),
  ]);
  expect(await named("secret")).toEqual(first);
  expect(await named("other")).not.toEqual(first);
});

interface Named {
  readonly vm: string;
  readonly host: string;
  readonly path: string;
}

test("findings and their lines stay the same", async () => {
  const plain = JSON.parse((await vmlint(folder(FILES), ["finance.vmx", "--format", "json"])).out);
  const hidden = JSON.parse(await report("json"));
  const short = (all: { diagnostics: { ruleId: string; range: object }[] }) => all.diagnostics.map(({ ruleId, range }) => [ruleId, range]);
  expect(short(hidden)).toEqual(short(plain));
});
