import { decodeVmx } from "@vmlint/core";
import { formats, NOTHING_GIVEN } from "@vmlint/core/program";
import { strToU8 } from "fflate";
import { describe, expect, test } from "vitest";
import type { FormatEntry } from "../../packages/core/src/formats/format.ts";
import { SOURCE_TYPES } from "../../packages/core/src/formats/packer/source-types.ts";
import { readPlain } from "../../packages/core/src/formats/plain.ts";
import { TYPES } from "../../packages/core/src/formats/terraform/types.ts";
import { KINDS } from "../../packages/core/src/formats/yaml/kinds.ts";
import type { Parsed } from "../../packages/core/src/model/parsed.ts";
import type { SettingName } from "../../packages/core/src/model/spec.ts";
import { READERS, type Reader, VALUES } from "../support/notations.ts";

/** These list no sizes of VMs, or are another reader's text in an archive. */
const WITHOUT_SIZES = ["host-statistics", "ova", "rvtools-zip"];

test("each format and each kind of document has a row", () => {
  const rows = Object.keys(READERS).map((name) => name.replace(/ \(.*/, ""));
  const kinds = KINDS.map(({ name }) => `yaml: ${name}`);
  const names = formats.flatMap(({ name }) => (name === "yaml" ? kinds : name)).filter((name) => !WITHOUT_SIZES.includes(name));
  expect([...new Set(rows)].sort()).toEqual([...names].sort());
  // The other types of resources and sources are tables of the same readers.
  for (const { arguments: table } of [...Object.values(TYPES), ...Object.values(SOURCE_TYPES)])
    for (const [, read] of Object.values(table)) expect(read("\0", [0, 0]).state).not.toBe("absent");
});

/** The fitting value of a setting that is not under test. */
const FINE: Partial<Record<SettingName, string>> = { vcpus: "4", coresPerSocket: "2", memoryMiB: "4096" };

async function parsed({ path, text, files = {} }: Reader, entry: FormatEntry, name: SettingName, value: string): Promise<Parsed> {
  const at = (other: SettingName): string => (other === name ? value : (FINE[other] ?? "1"));
  const content = text(at);
  const format = await entry.load();
  const bytes = typeof content === "string" ? strToU8(content) : content;
  const unpacked = format.unpack ? format.unpack((offset, length) => bytes.subarray(offset, offset + length)) : bytes;
  const others = Object.fromEntries(Object.entries(files).map(([file, other]) => [file, other.replaceAll("VCPUS", at("vcpus"))]));
  const texts: Readonly<Record<string, string>> = {
    [path]: decodeVmx(unpacked ?? bytes, (some, label) => new TextDecoder(label).decode(some)),
    ...others,
  };
  return format.read({ paths: [path], files: { read: (file) => texts[file], list: () => Object.keys(texts) }, inputs: NOTHING_GIVEN });
}

const entryOf = (row: string): FormatEntry => {
  const name = row.startsWith("yaml") ? "yaml" : row.replace(/ \(.*/, "");
  const entry = formats.find((candidate) => candidate.name === name);
  if (!entry) throw new Error(`there is no format ${name}`);
  return entry;
};

describe.each(Object.entries(READERS))("%s", (row, reader) => {
  const entry = entryOf(row);
  test.each(reader.settings)("%s", async (name) => {
    const accepted = reader.accepts?.[name] ?? [];
    const outcomes: Record<string, string> = {};
    for (const value of VALUES) {
      const { vms, problems } = await parsed(reader, entry, name, value);
      const found = [...problems, ...vms.flatMap((vm) => vm.problems ?? [])].filter(({ ruleId }) => /\/(?:type|too-large)$/.test(ruleId));
      outcomes[value] = `${vms.length} VM, ${found.length > 0 ? "a finding" : "accepted"}`;
      expect(
        found.map(({ data }) => data),
        `${row} ${value}`,
      ).toEqual(found.length > 0 ? [expect.objectContaining({})] : []);
      if (found.length > 0) expect(vms[0]?.settings[name].state, `${row} ${value}`).toBe("unknown");
    }
    expect(outcomes).toEqual(
      Object.fromEntries(VALUES.map((value) => [value, `1 VM, ${accepted.includes(value) ? "accepted" : "a finding"}`])),
    );
    const { vms, problems } = await parsed(reader, entry, name, FINE[name] ?? "1");
    expect([problems, vms[0]?.problems]).toEqual([[], undefined]);
  });
});

test("a plain VM", () => {
  for (const value of [0, -4, 4.5, 1e20, 1e308, Number.NaN, "four", "", " 8 ", "8", true, null]) {
    const { vms } = readPlain({ vcpus: value } as never);
    expect([value, vms[0]?.problems?.length]).toEqual([value, 1]);
  }
});
