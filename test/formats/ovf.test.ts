import { gzipSync } from "node:zlib";
import { lint, type Setting } from "@vmlint/core";
import { NOTHING_GIVEN } from "@vmlint/core/program";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unitOf } from "../../packages/core/src/formats/ovf/allocation-units.ts";
import { ova, ovf } from "../../packages/core/src/formats/ovf/ovf.ts";
import { tar } from "../support/write-tar.ts";

const NAMESPACES = [
  'xmlns="http://schemas.dmtf.org/ovf/envelope/1"',
  'xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1"',
  'xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData"',
  'xmlns:vssd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_VirtualSystemSettingData"',
  'xmlns:vmw="http://www.vmware.com/schema/ovf"',
].join(" ");

const system = (hardware: string, family = "vmx-19") => `<VirtualSystem ovf:id="vm1"><Info/>
  <VirtualHardwareSection><Info/>
    <System><vssd:VirtualSystemType>${family}</vssd:VirtualSystemType></System>
${hardware}
  </VirtualHardwareSection>
</VirtualSystem>`;
const envelope = (inside: string) => `<?xml version="1.0" encoding="UTF-8"?>\n<Envelope ${NAMESPACES}>\n${inside}\n</Envelope>\n`;
const item = (type: number, children: Readonly<Record<string, string | number>>, attributes = "") =>
  `<Item${attributes}>${Object.entries({ ResourceType: type, ...children })
    .map(([name, value]) => (name.startsWith("vmw:") ? `<${name}>${value}</${name}>` : `<rasd:${name}>${value}</rasd:${name}>`))
    .join("")}</Item>`;
const cpu = (count: number, more: Readonly<Record<string, string | number>> = {}, attributes = "") =>
  item(3, { InstanceID: 1, VirtualQuantity: count, ...more }, attributes);
const memory = (amount: string | number, units = "byte * 2^20") =>
  item(4, { InstanceID: 2, VirtualQuantity: amount, ...(units && { AllocationUnits: units }) });

const read = (text: string) => ovf.parse(text);
const one = (hardware: string, family?: string) => {
  const text = envelope(system(hardware, family));
  const [vm] = read(text).vms;
  if (!vm) throw new Error("no VM");
  return { vm, text };
};
const said = <T>(setting: Setting<T>, text: string) =>
  setting.state === "known" ? [setting.value, text.slice(...setting.range)] : setting.state === "unknown" ? setting.reason : null;

describe("an endless descriptor", () => {
  // This took half an hour while the search for each bus started at 0 and compared all controllers.
  test("has 200,000 controllers", () => {
    const many = Array.from(
      { length: 200_000 },
      (_, i) => `<Item><rasd:InstanceID>${i + 3}</rasd:InstanceID><rasd:ResourceType>6</rasd:ResourceType></Item>`,
    );
    const { vm } = one(`${cpu(8)}${memory(64)}${many.join("")}`);
    expect(vm.scsiControllers.map(({ bus }) => bus)).toEqual(many.map((_, i) => i));
  });

  test("has no duplicate bus, with any addresses", () => {
    const buses = fc.array(fc.option(fc.nat(6), { nil: undefined }), { maxLength: 12 });
    fc.assert(
      fc.property(buses, (said) => {
        const items = said.map((bus, i) => item(6, { InstanceID: i + 3, ...(bus !== undefined && { Address: bus }) }));
        const taken: number[] = [];
        for (const bus of said) {
          const free = [...Array(99).keys()].find((other) => !taken.includes(other)) ?? -1;
          taken.push(bus !== undefined && !taken.includes(bus) ? bus : free);
        }
        expect(one(`${cpu(8)}${memory(64)}${items.join("")}`).vm.scsiControllers.map(({ bus }) => bus)).toEqual(taken);
      }),
    );
  });

  test("offers more to choose from than is read", () => {
    const options = (count: number) =>
      `<DeploymentOptionSection><Info/>${Array.from({ length: count }, (_, i) => `<Configuration ovf:id="c${i}"/>`).join("")}</DeploymentOptionSection>`;
    const text = (count: number) => envelope(`${options(count)}${system(`${cpu(8)}${memory(64)}`)}`);
    expect([read(text(200)).vms.length, read(text(200)).problems]).toEqual([1, []]);
    expect(read(text(201))).toMatchObject({
      vms: [],
      problems: [{ data: { message: "more than 200 deployment options" } }],
    });
  });
});

describe("an OVF descriptor", () => {
  test("says every setting, each with its place", () => {
    const { vm, text } = one(`
      ${cpu(8, { AllocationUnits: "hertz * 10^6", Reservation: 2000, Limit: -1, "vmw:CoresPerSocket": 4 })}
      ${memory(65536)}
      ${item(6, { InstanceID: 3, Address: 0, ResourceSubType: "VirtualSCSI" })}
      ${item(6, { InstanceID: 4, Address: 1, ResourceSubType: "\n  someother, lsilogicsas\n" })}
      ${item(20, { InstanceID: 5, Address: 0, ResourceSubType: "vmware.nvme.controller" })}
      ${item(17, { InstanceID: 6, Parent: 3, AddressOnParent: 0 })}
      ${item(17, { InstanceID: 7, Parent: 5, AddressOnParent: 2 })}
      ${item(10, { InstanceID: 8, ResourceSubType: "VmxNet3" })}
      ${item(10, { InstanceID: 9, ResourceSubType: "PCNet32 e1000" })}
      <vmw:Config ovf:required="false" vmw:key="cpuHotAddEnabled" vmw:value="true"/>
      <vmw:Config ovf:required="false" vmw:key='simultaneousThreads' vmw:value = '2'/>
      <vmw:Config vmw:key="latencySensitivity.level" vmw:value="high"/>
      <vmw:ExtraConfig vmw:key="Numa.vcpu.preferHT" vmw:value="TRUE"/>
      <vmw:ExtraConfig vmw:key="disk.EnableUUID" vmw:value="TRUE"/>`);
    const { settings } = vm;
    const known = Object.entries<Setting<unknown>>(settings).flatMap(([name, setting]) =>
      setting.state === "absent" ? [] : [[name, said(setting, text)]],
    );
    expect(Object.fromEntries(known)).toEqual({
      vcpus: [8, "8"],
      coresPerSocket: [4, "4"],
      threadsPerCore: [2, "2"],
      memoryMiB: [65536, "65536"],
      hardwareVersion: [19, "vmx-19"],
      cpuHotAdd: [true, "true"],
      latencySensitivity: ["high", "high"],
      cpuReservationMHz: [2000, "2000"],
      cpuLimitMHz: ["unlimited", "-1"],
      preferHt: [true, "TRUE"],
    });
    expect(vm.name).toBe("vm1");
    expect(text.slice(...vm.range)).toBe("vm1");
    expect(vm.scsiControllers.map(({ id, type }) => [id, said(type, text)])).toEqual([
      ["scsi0", ["pvscsi", "VirtualSCSI"]],
      ["scsi1", ["lsisas1068", "someother, lsilogicsas"]],
    ]);
    expect(vm.devices().disks.map(({ id }) => id)).toEqual(["scsi0:0", "nvme0:2"]);
    expect(vm.devices().nics.map(({ type }) => said(type, text)?.[0])).toEqual(["vmxnet3", "vlance"]);
    expect([...vm.advanced()].map(([key, setting]) => [key, said(setting, text)])).toEqual([["numa.vcpu.preferht", ["TRUE", "TRUE"]]]);
  });

  test("items of two types are two devices, also with one id", () => {
    const { vm, text } = one(
      `${cpu(8, { Reservation: 1000 })}${item(4, { InstanceID: 1, VirtualQuantity: 4096, AllocationUnits: "byte * 2^20" })}`,
    );
    expect([said(vm.settings.vcpus, text)?.[0], said(vm.settings.memoryMiB, text)?.[0], vm.settings.memoryReservationMiB.state]).toEqual([
      8,
      4096,
      "absent",
    ]);
  });

  test("a guest with VMware's star is the same guest", () => {
    const section = '<OperatingSystemSection ovf:id="1" vmw:osType="*windows9_64Guest"><Info/></OperatingSystemSection>';
    const [vm] = read(envelope(system(cpu(8)).replace("</VirtualSystem>", `${section}</VirtualSystem>`))).vms;
    expect(vm?.settings.guestOs).toMatchObject({ state: "known", value: "windows9_64Guest" });
  });

  test("a value from a template is unknown, and its placeholder is not read as a value", () => {
    const section = '<OperatingSystemSection ovf:id="${ID}" vmw:osType="${OS_TYPE}"><Info/></OperatingSystemSection>';
    const controller = item(6, { InstanceID: 3, Address: 0, ResourceSubType: "{{ controller }}" });
    const text = envelope(
      system(`${memory("{{ memory }}")}${controller}`, "vmx-${VMX}").replace("</VirtualSystem>", `${section}</VirtualSystem>`),
    );
    const [vm] = read(text).vms;
    const { guestOs, hardwareVersion, memoryMiB } = vm?.settings ?? {};
    for (const setting of [guestOs, hardwareVersion, memoryMiB, vm?.scsiControllers[0]?.type]) {
      expect(setting).toMatchObject({ state: "unknown", reason: "a template fills it in" });
    }
  });

  test.each([
    ["byte * 2^20", 4096, 4096],
    ["byte*2^20", 4096, 4096],
    ["byte * 2 ^ 30", 4, 4096],
    ["MegaBytes", 192, 192],
    ["byte * 2^10", 1048576, 1024],
    ["byte", 536870912, 512],
    ["byte * 1024 * 1024", 7, 7],
    ["byte*1048576", 7, 7],
    ["GigaBytes", 2, 2048],
    ["byte * 2^10", 1000, "it is not a whole number of MiB"],
    ["furlong", 4, '"furlong" is not a known unit'],
    ["", 4096, "it has no AllocationUnits"],
  ])("memory in %j: %d", (units, amount, expected) => {
    const { vm, text } = one(memory(amount, units));
    const { memoryMiB } = vm.settings;
    expect(memoryMiB.state === "known" ? memoryMiB.value : said(memoryMiB, text)).toBe(expected);
  });

  test("units never yield something that is not a number", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("byte", "hertz", " ", "*", "2", "^", "20", "99", "x"), { maxLength: 9 }), (parts) => {
        expect(unitOf(parts.join(""))).not.toBeNaN();
      }),
    );
  });

  test.each([
    ["vmx-04", 4],
    ["vmx-04 xen-3", 4],
    ["vmx-10,vmx-11", "the host takes the newest it supports of vmx-10, vmx-11"],
    ["virtualbox-2.2", '"virtualbox-2.2" is not virtual hardware of VMware'],
  ])("hardware %s", (family, expected) => {
    const { vm, text } = one(cpu(1), family);
    const { hardwareVersion } = vm.settings;
    expect(hardwareVersion.state === "known" ? hardwareVersion.value : said(hardwareVersion, text)).toBe(expected);
  });

  test("cores per socket that it does not state are not 1", () => {
    expect(one(cpu(4)).vm.settings.coresPerSocket.state).toBe("absent");
  });

  const options = (second = "") =>
    `<DeploymentOptionSection><Info/><Configuration ovf:id="small"/><Configuration ovf:id="large"${second}/></DeploymentOptionSection>`;
  const sized = `${cpu(2, {}, ' ovf:configuration="small"')}${cpu(16, { "vmw:CoresPerSocket": 8 }, ' ovf:configuration="large huge"')}${memory(4096)}`;

  test.each([
    ["the first configuration is the default", options(), 2],
    ["unless another is marked", options(' ovf:default="true"'), 16],
    ["without a section no configured item applies", "", undefined],
  ])("%s", (_, section, expected) => {
    const [vm] = read(envelope(section + system(sized))).vms;
    const { vcpus, memoryMiB } = vm?.settings ?? {};
    expect(vcpus?.state === "known" ? vcpus.value : undefined).toBe(expected);
    expect(memoryMiB).toMatchObject({ value: 4096 });
  });

  test("an item of the configuration extends the item with the same id", () => {
    const both = cpu(2, { "vmw:CoresPerSocket": 2 }) + cpu(8, {}, ' ovf:configuration="small"');
    const [vm] = read(envelope(options() + system(both))).vms;
    expect(vm?.settings).toMatchObject({ vcpus: { value: 8 }, coresPerSocket: { value: 2 } });
  });

  describe("deployment options", () => {
    const choices = (text: string) =>
      read(text).vms.map(({ name, alias, choiceOf, settings }) => [name, alias, choiceOf?.name, said(settings.vcpus, text)?.[0]]);

    test("each option that changes the machine is a VM, named with its option", () => {
      expect(choices(envelope(options() + system(sized)))).toEqual([
        ["vm1", undefined, undefined, 2],
        ["vm1 (option: large)", "vm1", "vm1", 16],
      ]);
      expect(choices(envelope(options(' ovf:default="true"') + system(sized)))).toEqual([
        ["vm1", undefined, undefined, 16],
        ["vm1 (option: small)", "vm1", "vm1", 2],
      ]);
    });

    test("options that select nothing for a system make no further VM", () => {
      const three = options().replace("</Deploy", '<Configuration ovf:id="huge"/><Configuration/></Deploy');
      expect(choices(envelope(three + system(cpu(4) + memory(4096))))).toEqual([["vm1", undefined, undefined, 4]]);
      expect(choices(envelope(three + system(sized))).map(([name]) => name)).toEqual(["vm1", "vm1 (options: large, huge)"]);
      const bound = cpu(4) + cpu(64, {}, ' ovf:bound="max" ovf:configuration="large"');
      expect(choices(envelope(three + system(bound)))).toEqual([["vm1", undefined, undefined, 4]]);
    });

    test("each equals the VM of a descriptor with only its items", () => {
      const OPTIONS = ["a", "b", "c"];
      const items = fc.array(
        fc.record({
          options: fc.subarray(OPTIONS),
          text: fc.oneof(
            fc.integer({ min: 1, max: 8 }).map((count) => (attributes: string) => cpu(count, {}, attributes)),
            fc.integer({ min: 1, max: 8 }).map((id) => (attributes: string) => item(10, { InstanceID: 10 + id }, attributes)),
          ),
        }),
        { maxLength: 8 },
      );
      const section = `<DeploymentOptionSection><Info/>${OPTIONS.map((id) => `<Configuration ovf:id="${id}"/>`).join("")}</DeploymentOptionSection>`;
      const facts = (text: string) =>
        read(text).vms.map((vm) => ({ name: vm.name, vcpus: said(vm.settings.vcpus, text), nics: vm.devices().nics.length }));
      fc.assert(
        fc.property(items, (all) => {
          const attribute = (options: readonly string[]) => (options.length > 0 ? ` ovf:configuration="${options.join(" ")}"` : "");
          const found = facts(envelope(section + system(all.map(({ options, text }) => text(attribute(options))).join("\n"))));
          for (const option of OPTIONS) {
            const own = all.filter(({ options }) => options.length === 0 || options.includes(option));
            const [expected] = facts(envelope(system(own.map(({ text }) => text("")).join("\n"))));
            const isNamed = new RegExp(`\\(options?: .*\\b${option}\\b`);
            const vm = found.find(({ name }) => isNamed.test(name)) ?? found[0];
            expect({ ...vm, name: "vm1" }).toEqual(expected);
          }
          expect(new Set(found.map(({ name }) => name)).size).toBe(found.length);
        }),
      );
    });

    test("a finding in all options is reported once, a finding in one option for that option", () => {
      const sizes = `${cpu(2, { "vmw:CoresPerSocket": 2 }, ' ovf:configuration="small"')}${cpu(6, { "vmw:CoresPerSocket": 4 }, ' ovf:configuration="large"')}`;
      const text = envelope(
        `<!-- # vmlint: host=nowhere -->${options()}${system(
          `${sizes}${item(4, { InstanceID: 2, VirtualQuantity: 4096, Reservation: 8192, AllocationUnits: "byte * 2^20" })}`,
        )}`,
      );
      const found = lint(text, { format: ovf }).diagnostics.map(({ ruleId, vm }) => [ruleId, vm]);
      expect(found).toEqual([
        ["cpu/cps-divides", "vm1 (option: large)"],
        ["mem/reservation-gt-size", "vm1"],
      ]);
    });
  });

  test("items that bound a range describe no VM", () => {
    expect(one(cpu(2) + cpu(64, { InstanceID: 9 }, ' ovf:bound="max"')).vm.settings.vcpus).toMatchObject({ value: 2 });
  });

  test("two CPU items leave the count unknown", () => {
    expect(one(cpu(2) + cpu(4, { InstanceID: 9 })).vm.settings.vcpus).toMatchObject({ reason: "it has several CPU items" });
  });

  test("virtual systems in collections of collections are VMs of their own", () => {
    const collection = (inside: string) => `<VirtualSystemCollection ovf:id="c"><Info/>${inside}</VirtualSystemCollection>`;
    const text = envelope(collection(system(cpu(2)) + collection(system(cpu(4)).replace("vm1", "vm2"))));
    expect(read(text).vms.map(({ name, settings }) => [name, said(settings.vcpus, text)])).toEqual([
      ["vm1", [2, "2"]],
      ["vm2", [4, "4"]],
    ]);
  });

  test("prefixes mean nothing, namespaces everything", () => {
    const renamed = envelope(system(cpu(4, { "vmw:CoresPerSocket": 2 })))
      .replaceAll("rasd:", "r:")
      .replaceAll(":rasd=", ":r=")
      .replaceAll("vmw:", "v:")
      .replaceAll(":vmw=", ":v=");
    expect(read(renamed).vms[0]?.settings).toMatchObject({ vcpus: { value: 4 }, coresPerSocket: { value: 2 } });
    const foreign = envelope("").replaceAll("http://schemas.dmtf.org/ovf/envelope/1", "http://example.com/1");
    expect(read(foreign).foreign).toBe("its root element is not an OVF Envelope");
  });

  test("OVF 2, and sections that are named by their type alone, as before OVF 1.0", () => {
    const second = envelope(system(cpu(4))).replaceAll("envelope/1", "envelope/2");
    const first = envelope(system(cpu(4)))
      .replaceAll("http://schemas.dmtf.org/ovf/envelope/1", "http://www.vmware.com/schema/ovf/1/envelope")
      .replace("<VirtualSystem ", '<Content xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="ovf:VirtualSystem_Type" ')
      .replace("</VirtualSystem>", "</Content>")
      .replace("<VirtualHardwareSection>", '<Section xsi:type="ovf:VirtualHardwareSection_Type">')
      .replace("</VirtualHardwareSection>", "</Section>")
      .replace("InstanceID", "InstanceId")
      .replace("InstanceID", "InstanceId");
    for (const text of [second, first]) expect(read(text).vms[0]?.settings.vcpus).toMatchObject({ value: 4 });
  });

  test("a comment names its host and workload", () => {
    const text = envelope(`<!-- # vmlint: host=lab workload=mssql -->${system(cpu(4))}`);
    expect([...(read(text).vms[0]?.directive ?? [])].map(([word, { value, range }]) => [word, value, text.slice(...range)])).toEqual([
      ["host", "lab", "lab"],
      ["workload", "mssql", "mssql"],
    ]);
  });

  test.each(["constructor", "__proto__", "toString"])("%s is no type and no unit", (word) => {
    const { vm } = one(`${memory(1, word)}${item(6, { ResourceSubType: word })}${item(10, { ResourceSubType: word })}`);
    const [scsi, nic] = [vm.scsiControllers[0]?.type, vm.devices().nics[0]?.type];
    expect([vm.settings.memoryMiB.state, scsi?.state, nic?.state]).toEqual(["unknown", "unknown", "unknown"]);
  });

  test("entities stand for themselves, and ranges cover what is written", () => {
    const { vm, text } = one(`${cpu(4)}<vmw:ExtraConfig vmw:key="sched.note" vmw:value="a &amp; 'b' &#x263a;"/>`);
    const note = vm.advanced().get("sched.note");
    expect(note && said(note, text)).toEqual(["a & 'b' ☺", "a &amp; 'b' &#x263a;"]);
  });
});

describe("incomplete descriptors", () => {
  test.each([
    ["cut off", envelope(system(cpu(4))).slice(0, -30), "unclosed tag: VirtualSystem"],
    ["a prefix nobody declares", envelope("<x:y/>"), 'unbound namespace prefix: "x". No VM'],
    [
      "a bomb of entities",
      `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${envelope("&b;").replace(/^.*\n/, "")}`,
      "undefined entity",
    ],
    ["elements without end", envelope("<a>".repeat(100_000)), "more than 200 levels of nesting"],
  ])("%s is reported at its end", (_, text, message) => {
    const { diagnostics, vms } = lint(text, { format: ovf });
    expect(vms).toEqual([]);
    expect(diagnostics).toMatchObject([{ ruleId: "inventory/unreadable", severity: "error" }]);
    expect(diagnostics[0]?.message).toContain(message);
    expect(diagnostics[0]?.range[1]).toBeLessThanOrEqual(text.length);
  });

  test("a syntax error at the end of a line is reported in that line, for all line ends", () => {
    for (const eol of ["\n", "\r\n"]) {
      const text = envelope(system(cpu(4))).replace(/<VirtualSystem[^>]*>/, `$&<a></b>${eol}`);
      const end = text.indexOf("</b>") + "</b>".length;
      const [problem] = lint(text, { format: ovf }).diagnostics;
      expect(problem?.range).toEqual([end, end]);
    }
  });

  test.each([
    ["other XML", "<project><Envelopes/></project>"],
    ["no XML", "hello"],
    ["a SOAP envelope", '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"/>'],
  ])("%s is skipped", (_, text) => {
    expect(read(text)).toMatchObject({ vms: [], problems: [], foreign: expect.any(String) });
  });

  test("any text gives an answer whose ranges lie inside it", () => {
    const whole = envelope(system(`${cpu(8)}${memory(4096)}${item(6, { InstanceID: 3, ResourceSubType: "lsilogic" })}`));
    const damaged = fc
      .tuple(fc.nat(whole.length), fc.nat(12), fc.constantFrom("", "<", ">", '"', "&", "</Item>", "\u{1f600}", "-->", "]]>"))
      .map(([at, length, put]) => whole.slice(0, at) + put + whole.slice(at + length));
    fc.assert(
      fc.property(
        fc.oneof(
          damaged,
          fc.string(),
          fc.string().map((inside) => envelope(inside)),
        ),
        (text) => {
          const { vms, problems } = read(text);
          const ranges = vms.flatMap((vm) => [
            vm.range,
            ...Object.values(vm.settings).flatMap((setting) => (setting.state === "absent" ? [] : [setting.range])),
            ...vm.scsiControllers.map(({ range }) => range),
            ...vm.devices().disks.map(({ range }) => range),
          ]);
          for (const [start, end] of [...ranges, ...problems.map(({ range }) => range)]) {
            expect(start).toBeGreaterThanOrEqual(0);
            expect(end).toBeGreaterThanOrEqual(start);
            expect(end).toBeLessThanOrEqual(text.length);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("an OVA package", () => {
  const descriptor = envelope(system(cpu(4)));
  const unpack = (archive: Uint8Array) => {
    let read = 0;
    const bytes = ova.unpack?.((offset, length) => {
      const part = archive.subarray(offset, offset + length);
      read += part.length;
      return part;
    });
    return { text: bytes && new TextDecoder().decode(bytes), read };
  };

  test("is read only up to the end of its descriptor", () => {
    const disk = new Uint8Array(5_000_000);
    const { text, read } = unpack(tar({ "vm.ovf": descriptor, "vm.mf": "SHA256", "vm-disk1.vmdk": disk }));
    expect(text).toBe(descriptor);
    expect(read).toBe(512 + descriptor.length);
  });

  test("is not what macOS keeps of it before it", () => {
    for (const folder of ["", "vm/"])
      expect(unpack(tar({ [`${folder}._vm.ovf`]: "\0\u0005\u0016\u0007", [`${folder}vm.ovf`]: descriptor })).text).toBe(descriptor);
  });

  test("may have other members before it, whose contents are not read", () => {
    const { text, read } = unpack(tar({ "vm-disk1.vmdk": new Uint8Array(5_000_000), "VM.OVF": descriptor }));
    expect([text, read]).toEqual([descriptor, 2 * 512 + descriptor.length]);
  });

  test.each([
    ["GNU's tar", "L", (name: string) => `${name}\0`],
    ["pax", "x", (name: string) => `27 mtime=1700000000.000000\n${name.length + 10} path=${name}\n`],
  ])("may have a name longer than a header takes, as %s writes it", (_, type, written) => {
    const name = `${"long".repeat(40)}.ovf`;
    const before = tar({ "@LongLink": written(name) }, type).subarray(0, -1024);
    expect(unpack(Buffer.concat([before, tar({ [name.slice(0, 100)]: descriptor })])).text).toBe(descriptor);
    const other = tar({ "@LongLink": written("a.mf") }, type).subarray(0, -1024);
    expect(unpack(Buffer.concat([other, tar({ "a.ovf": "SHA256", "b.ovf": descriptor })])).text).toBe(descriptor);
  });

  test.each([
    ["no descriptor", tar({ "vm.mf": "SHA256" }), "it has no descriptor (.ovf)"],
    ["zeros", new Uint8Array(4096), "it is not a tar archive"],
    ["a compressed descriptor", gzipSync(tar({ "vm.ovf": descriptor })), "it is not a tar archive"],
    ["more text than any descriptor has", Buffer.alloc(20_000_001, " "), "more than 20000000 bytes in its descriptor"],
  ])("with %s in it is unreadable", (_, archive, message) => {
    const { vms, problems } = ova.read({ paths: ["a.ova"], text: unpack(archive).text ?? "", inputs: NOTHING_GIVEN });
    expect([vms, problems]).toEqual([
      [],
      [expect.objectContaining({ ruleId: "inventory/unreadable", data: { language: "OVA", message } })],
    ]);
  });

  test.each([
    ["a text", Buffer.from(descriptor)],
    ["a text shorter than a header", Buffer.from(descriptor).subarray(0, 200)],
    ["UTF-16", Buffer.from(`\ufeff${descriptor}`, "utf16le")],
    ["UTF-16 of the other byte order", Buffer.from(`\ufeff${descriptor}`, "utf16le").swap16()],
  ])("a plain descriptor named .ova is read completely: %s", (_, file) => {
    const bytes = ova.unpack?.((offset, length) => file.subarray(offset, offset + length));
    expect(bytes && Buffer.from(bytes)).toEqual(file);
  });

  test("without an unpacking program, as in an editor, is skipped and not reported as broken XML", () => {
    const archive = new TextDecoder().decode(tar({ "vm.ovf": descriptor }));
    expect(lint(archive, { format: ova })).toMatchObject({ diagnostics: [], foreign: expect.stringContaining("packed archive") });
  });

  test("any bytes give an answer", () => {
    const archive = tar({ "vm.ovf": descriptor });
    fc.assert(
      fc.property(fc.nat(511), fc.uint8Array({ maxLength: 20 }), (at, bytes) => {
        const damaged = archive.slice();
        damaged.set(bytes.subarray(0, damaged.length - at), at);
        for (const one of [damaged, bytes]) expect(unpack(one).text?.length ?? 0).toBeLessThanOrEqual(Math.max(one.length, 100));
      }),
    );
  });
});
