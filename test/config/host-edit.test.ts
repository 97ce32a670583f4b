import { parseConfig } from "@vmlint/core/config";
import { withHost } from "@vmlint/core/config-language";
import { expect, test } from "vitest";

const WORD = "2x Xeon Gold 6148/2:768@8.0";
const DUMP = { name: "esx01", facts: { from: "esx01.txt", esxi: "8.0" } };

test.each<[string, string, string, string, string | typeof DUMP]>([
  ["no text", "", "vmlint.yaml", `host: ${WORD}\n`, WORD],
  ["only comments", "# ours\n# host: lab", "vmlint.yaml", `# ours\n# host: lab\nhost: ${WORD}\n`, WORD],
  ["another host", "host: dl580g7 # ours\nrules: {}\n", "vmlint.yaml", `host: ${WORD} # ours\nrules: {}\n`, WORD],
  ["a host that is a map", "host:\n  a: b\n", "vmlint.yaml", "", WORD],
  ["rules that are a list", "# ours\n\nrules:\n- a\n", "vmlint.yaml", "", WORD],
  ["other keys", "# ours\n\nignore:\n- a\n", "vmlint.yaml", `# ours\n\nhost: ${WORD}\nignore:\n- a\n`, WORD],
  ["JSON", '{\n  "ignore": []\n}\n', "vmlint.json", `{\n  "host": "${WORD}",\n  "ignore": []\n}\n`, WORD],
  ["a package", '{ "name": "x", "vmlint": {} }', "package.json", `{ "name": "x", "vmlint": {"host": "${WORD}"} }`, WORD],
  ["a dump", "", "vmlint.yaml", 'host: esx01\nhosts: { esx01: { from: esx01.txt, esxi: "8.0" } }\n', DUMP],
  [
    "a dump beside a host",
    "hosts:\n  lab: { cpu: 2x Xeon Gold 6148 }\n",
    "vmlint.yaml",
    'host: esx01\nhosts:\n  esx01: { from: esx01.txt, esxi: "8.0" }\n  lab: { cpu: 2x Xeon Gold 6148 }\n',
    DUMP,
  ],
])("a host is written into a configuration: %s", (_, text, path, expected, host) => {
  if (expected === "") expect(() => withHost(text, path, host)).toThrow("vmlint.yaml:");
  else expect(withHost(text, path, host)).toBe(expected);
});

test("host: takes processors, as --host does, and says what is wrong with them", () => {
  const { hosts, host = "" } = parseConfig(`host: ${WORD}\noverrides: [{ vms: [a], host: 4x Xeon E7-4870 }]\n`, "vmlint.yaml");
  expect(hosts.get(host)).toMatchObject({ sockets: 2, coresPerSocket: 20, numaNodes: 4, memoryGiB: 768 });
  expect(hosts.get("4x Xeon E7-4870")).toMatchObject({ sockets: 4, coresPerSocket: 10 });
  expect(() => parseConfig("host: 3x EPYC 7763\n", "vmlint.yaml")).toThrow("EPYC 7763 is for machines with up to 2 processors, not 3.");
});
