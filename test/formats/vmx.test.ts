import { decodeVmx } from "@vmlint/core";
import { type Dictionary, entryValue, keyOf, parseVmx, readDictionary } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeVmx, unescapeVmx } from "../../packages/core/src/syntax/template-marker.ts";
import { vmOf } from "../support/sample-vm.ts";

const all = (dictionary: Dictionary) => Array.from({ length: dictionary.size }, (_, i) => dictionary.entry(i));
const entries = (text: string) => all(readDictionary(text)).map((entry) => [text.slice(...entry.keyRange), entryValue(text, entry)]);
const problemsOf = (text: string) => {
  const { problems, vms } = parseVmx(text);
  return [...problems, ...vms.flatMap((vm) => vm.problems ?? [])];
};
const malformed = (text: string) => readDictionary(text).malformed.map((range) => text.slice(...range));

describe("the line grammar of open-vm-tools", () => {
  test.each<[string, string, [string, string][]]>([
    ["quoted", 'numvcpus = "4"', [["numvcpus", "4"]]],
    ["unquoted", "numvcpus = 4", [["numvcpus", "4"]]],
    ["no blanks", 'a="b"', [["a", "b"]]],
    ["a comment after an unquoted value", "numvcpus = 4 # four", [["numvcpus", "4"]]],
    ["a comment after a quoted value", 'a = "b" # c', [["a", "b"]]],
    ["# = and | inside quotes", 'a = "# = |"', [["a", "# = |"]]],
    ["an empty value", "scsi0:0.redo =", [["scsi0:0.redo", ""]]],
    ["an empty quoted value", 'a = ""', [["a", ""]]],
    ["an escaped quote", 'a = "say |22hi|22"', [["a", 'say "hi"']]],
    ["an escape in an unquoted value", "a = x|20y", [["a", "x y"]]],
    ["an incomplete escape stays", 'a = "|2"', [["a", "|2"]]],
    ["a backslash is literal", 'a = "C:\\vm"', [["a", "C:\\vm"]]],
    ["tabs around everything", '\ta\t=\t"b"\t', [["a", "b"]]],
    ["a byte order mark", '\ufeffa = "b"', [["a", "b"]]],
    [
      "CRLF",
      'a = "b"\r\nc = "d"\r\n',
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "a lone CR",
      'a = "b"\rc = "d"',
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    [
      "no final line end",
      'a = "b"\nc = d',
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["comments and blank lines", "#!/usr/bin/vmware\n\n  # x\na = 1", [["a", "1"]]],
  ])("%s", (_, text, expected) => {
    expect(entries(text)).toEqual(expected);
    expect(malformed(text)).toEqual([]);
  });

  test.each([
    ["a missing closing quote", 'a = "b'],
    ["text after the closing quote", 'a = "b" c'],
    ["two unquoted words", "displayName = my vm"],
    ["no equals sign", "a b"],
    ["a blank in the name", 'a b = "c"'],
    ["// is no comment", "// a"],
    ["no name", '= "b"'],
    ["a quote inside an unquoted value starts none", 'a = "b"c"'],
    ["a comment where the equals sign should be", "a # b"],
  ])("malformed: %s", (_, text) => {
    expect(entries(text)).toEqual([]);
    expect(malformed(text)).toEqual([text]);
  });

  test("keys are case-insensitive; the first entry applies and duplicates are listed", () => {
    const dictionary = readDictionary('NumVCPUs = "4"\nnumvcpus = "8"');
    expect(dictionary.entry(dictionary.indexOf(keyOf("numvcpus"))).valueRange).toEqual([12, 13]);
    expect(dictionary.duplicates).toHaveLength(1);
  });
});

describe("settings are known, absent or unknown", () => {
  const vcpus = (text: string) => vmOf(text).settings.vcpus;

  test("known, with the range of the value alone", () => {
    expect(vcpus('numvcpus = "4"')).toEqual({ state: "known", value: 4, range: [12, 13] });
  });
  test("absent", () => {
    expect(vcpus('memSize = "4"')).toEqual({ state: "absent" });
  });
  test.each([
    'numvcpus = "{{ cpus }}"',
    "numvcpus = {{ cpus }}",
    `numvcpus = "$\{cpus}"`,
    'numvcpus = "<< CPUS >>"',
    'numvcpus = "$CPUS"',
    "numvcpus = $CPUS",
    'numvcpus = "@cpus_of_vm@"',
    'numvcpus = "{% if x %}4{% endif %}"',
    'numvcpus = "%{ if x }4%{ endif }"',
  ])("templated: %s", (text) => {
    expect(vcpus(text)).toMatchObject({ state: "unknown", reason: "a template fills it in" });
    expect(problemsOf(text)).toEqual([]);
  });
  test("set twice to different values", () => {
    expect(vcpus('numvcpus = "4"\nnumvcpus = "8"')).toMatchObject({ state: "unknown", reason: 'set twice, to "4" and "8"' });
  });
  test("set twice to the same value", () => {
    expect(vcpus('numvcpus = "4"\nNUMVCPUS = 4')).toMatchObject({ state: "known", value: 4 });
  });
  test.each(["0", "-1", "four", "4.0", "99999999999999999999", "0x4", " 4", "$4", "@4", "4 @ 2", "@"])(
    "numvcpus = %j is of the wrong type",
    (value) => {
      const text = `numvcpus = "${value}"`;
      expect(vcpus(text).state).toBe("unknown");
      expect(parseVmx(text).vms[0]?.problems).toMatchObject([{ ruleId: "vmx/type", data: { key: "numvcpus", value } }]);
    },
  );
  test.each(["yes", "1", ""])("vcpu.hotadd = %j is unknown, but not called wrong", (value) => {
    const text = `vcpu.hotadd = "${value}"`;
    expect(vmOf(text).settings.cpuHotAdd.state).toBe("unknown");
    expect(problemsOf(text)).toEqual([]);
  });
  test.each([
    ["all", "all"],
    ["default", "all"],
    ["5,4,3,0", [0, 3, 4, 5]],
    ["0, 4-7, 4", [0, 4, 5, 6, 7]],
  ])("sched.cpu.affinity = %j", (value, expected) => {
    expect(vmOf(`sched.cpu.affinity = "${value}"`).settings.cpuAffinity).toMatchObject({ state: "known", value: expected });
  });
  test.each(["0-99999999", "7-4", "a", "", "0,,1"])("sched.cpu.affinity = %j is not a list", (value) => {
    expect(vmOf(`sched.cpu.affinity = "${value}"`).settings.cpuAffinity.state).toBe("unknown");
  });
  test("the affinity of every vCPU, taken together", () => {
    const pinned = 'numvcpus = "2"\nsched.vcpu0.affinity = 2\nsched.vcpu1.affinity = "4,5"';
    expect(vmOf(pinned).settings.cpuAffinity).toMatchObject({ state: "known", value: [2, 4, 5] });
    const reason = "some of its vCPUs are pinned and some are not";
    expect(vmOf(pinned.replace('numvcpus = "2"', 'numvcpus = "3"')).settings.cpuAffinity).toMatchObject({ state: "unknown", reason });
    const second = pinned.replace("sched.vcpu0.affinity = 2\n", "");
    expect(vmOf(second).settings.cpuAffinity).toMatchObject({ state: "unknown", reason });
    const count = "it is set for each vCPU, and the number of vCPUs is unknown";
    expect(vmOf(pinned.replace('"2"', '"{{ n }}"')).settings.cpuAffinity).toMatchObject({ state: "unknown", reason: count });
    expect(vmOf(second.replace('"2"', '"{{ n }}"')).settings.cpuAffinity).toMatchObject({ state: "unknown", reason: count });
    // More than any loop should count to.
    expect(vmOf(pinned.replace('"2"', '"400000000"')).settings.cpuAffinity).toMatchObject({ state: "unknown", reason });
  });
});

describe("devices", () => {
  test("exist only when present is TRUE, and a CD-ROM is no disk", () => {
    const vm = vmOf(
      [
        'scsi0.present = "true"',
        'scsi0.virtualDev = "PVSCSI"',
        'scsi1.present = "FALSE"',
        'scsi1.virtualDev = "lsilogic"',
        'scsi0:0.present = "TRUE"',
        'scsi0:1.present = "TRUE"',
        'scsi0:1.deviceType = "cdrom-image"',
        'sata0.present = "TRUE"',
        'ide1:0.present = "TRUE"',
        'ide1:0.deviceType = "atapi-cdrom"',
        'ethernet1.present = "TRUE"',
        'ethernet1.virtualDev = "VmxNet3"',
      ].join("\n"),
    );
    expect(vm.scsiControllers).toMatchObject([{ id: "scsi0", type: { value: "pvscsi" } }]);
    expect(vm.devices().disks.map(({ id }) => id)).toEqual(["scsi0:0"]);
    expect(vm.devices().otherControllers).toMatchObject([
      { kind: "ide", bus: 1 },
      { kind: "sata", bus: 0 },
    ]);
    expect(vm.devices().nics).toMatchObject([{ index: 1, type: { value: "vmxnet3" } }]);
  });

  test.each([
    ["", undefined],
    ['scsi0.sharedBus = "none"', undefined],
    ['SCSI0.sharedbus = "Physical"', true],
    ['scsi0.sharedBus = "virtual"', true],
    ['scsi0.sharedBus = "{{ sharing }}"', true],
    ['scsi1.sharedBus = "virtual"', undefined],
  ])("the bus of a controller with %s is or may be shared: %s", (line, shared) => {
    const [vm] = parseVmx(`virtualHW.version = "10"\nscsi0.present = "TRUE"\n${line}\n`).vms;
    expect(vm?.scsiControllers[0]?.shared).toBe(shared);
  });

  test.each(["constructor", "__proto__", "toString", "nvme"])("a SCSI controller of type %s is not known", (type) => {
    const [vm] = parseVmx(`virtualHW.version = "10"\nscsi0.present = "TRUE"\nscsi0.virtualDev = "${type}"\n`).vms;
    expect(vm?.scsiControllers[0]?.type).toMatchObject({ state: "unknown", reason: `"${type}" is not a known SCSI controller` });
  });
});

describe("the product that wrote a file", () => {
  test.each([
    ["esxi", 'sched.swap.derivedName = "/vmfs/volumes/x/y.vswp"'],
    ["esxi", 'vc.uuid = "50 20"'],
    ["desktop", 'virtualHW.version = "16"'],
    ["desktop", 'ethernet0.connectionType = "nat"'],
    ["desktop", 'sharedFolder0.present = "TRUE"'],
    ["unknown", 'virtualHW.productCompatibility = "hosted"'],
    ["unknown", 'vc.uuid = "50 20"\nethernet0.connectionType = "nat"'],
  ])("%s: %s", (platform, text) => {
    expect(vmOf(`numvcpus = "1"\n${text}`).platform).toBe(platform);
  });

  test.each(["<level><object/></level>", "", "hello = world", "{}", "\0\0\0"])("a text without a VM: %j", (text) => {
    expect(parseVmx(text)).toMatchObject({ vms: [], foreign: expect.any(String) });
  });

  test("a Git LFS pointer and an encrypted file are recognized, not parsed in part", () => {
    expect(parseVmx("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")).toMatchObject({
      vms: [],
      problems: [{ messageId: "lfs" }],
    });
    expect(parseVmx('encryption.keySafe = "x"\nencryption.data = "y"').problems).toMatchObject([
      { messageId: "encrypted", data: { clear: 2 } },
    ]);
  });
});

describe("encodings", () => {
  const decode = (bytes: Uint8Array, label: string) => new TextDecoder(label).decode(bytes);
  const ascii = (text: string) => [...text].map((c) => c.charCodeAt(0));

  test.each<[string, number[], string]>([
    ["Shift_JIS", [0x93, 0xfa, 0x96, 0x7b], "日本"],
    ["windows-1252", [0xe9], "é"],
    ["windows-949-2000", [0xc7, 0xd1], "한"],
    ["UTF-8", [0xf0, 0x9f, 0x96, 0xa5], "🖥"],
    ["no-such-encoding", [0xe9], "é"],
  ])("%s", (name, bytes, shown) => {
    const file = Uint8Array.from([...ascii(`.encoding = "${name}"\nnumvcpus = "4"\ndisplayName = "`), ...bytes, ...ascii('"\n')]);
    const vm = vmOf(decodeVmx(file, decode));
    expect([vm.name, vm.settings.vcpus]).toMatchObject([shown, { value: 4 }]);
  });

  test("UTF-16 with a byte order mark", () => {
    const utf16 = new Uint8Array([0xff, 0xfe, ...ascii('numvcpus = "4"').flatMap((c) => [c, 0])]);
    expect(vmOf(decodeVmx(utf16, decode)).settings.vcpus).toMatchObject({ value: 4 });
  });
});

describe("properties", () => {
  const key = fc.constantFrom(
    "numvcpus",
    "cpuid.coresPerSocket",
    "numa.vcpu.preferHT",
    "sched.cpu.affinity",
    "displayName",
    "scsi0:0.present",
    "x",
  );
  const raw = fc.string({ unit: "binary" });
  const line = fc.oneof(
    raw,
    fc.tuple(key, raw).map(([k, v]) => `${k} = "${v}"`),
    fc.tuple(key, raw).map(([k, v]) => `${k} = ${v}`),
  );
  const text = fc.tuple(fc.array(line), fc.constantFrom("\n", "\r\n", "\r")).map(([lines, eol]) => lines.join(eol));

  test("any text parses, every range lies inside it, and reading a range again gives the value", () => {
    fc.assert(
      fc.property(text, (input) => {
        const { vms, problems } = parseVmx(input);
        const settings = vms.flatMap((vm) => [...Object.values(vm.settings), ...vm.advanced().values()]);
        const ranges = [
          ...problems.map(({ range }) => range),
          ...settings.flatMap((setting) => (setting.state === "absent" ? [] : [setting.range])),
        ];
        for (const [start, end] of ranges) expect(0 <= start && start <= end && end <= input.length).toBe(true);
        for (const vm of vms) {
          for (const setting of vm.advanced().values()) {
            if (setting.state === "known") expect(unescapeVmx(input.slice(...setting.range))).toBe(setting.value);
          }
        }
      }),
    );
  });

  test("any bytes decode and parse", () => {
    const decode = (bytes: Uint8Array, label: string) => new TextDecoder(label).decode(bytes);
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(parseVmx(decodeVmx(bytes, decode)).vms.length).toBeLessThan(2);
      }),
    );
  });

  test("nothing between the lines is lost: every character is in an entry's line, a comment, a malformed line or blank", () => {
    fc.assert(
      fc.property(text, (input) => {
        const dictionary = readDictionary(input);
        const { duplicates, comments, malformed: lost } = dictionary;
        const covered = [...all(dictionary), ...duplicates].flatMap(({ keyRange, valueRange }) => [keyRange, valueRange]);
        let rest = input;
        for (const [start, end] of [...covered, ...comments, ...lost])
          rest = rest.slice(0, start) + " ".repeat(end - start) + rest.slice(end);
        const templated = /\{\{|\{%|%\{|\$\{|\$\(|<<.*>>/.test(input);
        if (!templated) expect(rest.replaceAll("\ufeff", "")).toMatch(/^[ \t\r\n="]*$/);
      }),
    );
  });

  test("every key is found again, however many there are and however it is written", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9.:]{0,20}$/), { maxLength: 3000, size: "max" }), (keys) => {
        const input = keys.map((name, i) => `${i % 2 ? name.toUpperCase() : name} = "${i}"`).join("\n");
        const dictionary = readDictionary(input);
        expect([dictionary.size, dictionary.duplicates]).toEqual([keys.length, []]);
        for (const [i, name] of keys.entries()) {
          expect(dictionary.indexOf(keyOf(name))).toBe(i);
          expect(dictionary.entry(i).key).toBe(name);
          const found = [dictionary.startingWith([name.slice(0, 3)]), dictionary.endingWith(name.slice(-3))];
          expect(found.map((indices) => indices.includes(i))).toEqual([true, true]);
        }
        expect(dictionary.indexOf(keyOf("no such key"))).toBe(-1);
      }),
      { numRuns: 20 },
    );
  });

  test.each([
    ["angle brackets", `a = ${"<".repeat(300_000)}`],
    ["blanks inside a template", `a = {{${" ".repeat(300_000)}x y`],
    ["one endless line", `numvcpus = "${"9".repeat(1_000_000)}`],
    ["150,000 keys", Array.from({ length: 150_000 }, (_, i) => `key${i} = "${i}"`).join("\n")],
    ["one key, 150,000 times", 'numvcpus = "4"\n'.repeat(150_000)],
    ["150,000 malformed lines", "no pair\n".repeat(150_000)],
  ])("hostile input takes time in proportion to its size: %s", (_, input) => {
    expect(parseVmx(`config.version = "8"\n${input}`).vms).toHaveLength(1);
  });

  test("an escaped value reads back unchanged", () => {
    fc.assert(
      fc.property(raw, (value) => {
        const input = `a = "${escapeVmx(value)}"`;
        expect(entries(input)).toEqual([["a", value]]);
      }),
    );
  });
});
