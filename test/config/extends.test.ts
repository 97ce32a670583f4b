import { builtinHosts, rules, VmlintError } from "@vmlint/core";
import { parseConfig, readConfig } from "@vmlint/core/config";
import { configSchema } from "@vmlint/core/config-schema";
import { targetOf } from "@vmlint/core/program";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { esxcliGlobal, machines } from "../hosts/dumps.ts";

type Files = Readonly<Record<string, string>>;

/** The configuration `vmlint.yaml` of some files. */
const read = (files: Files, root?: string) =>
  readConfig(files["vmlint.yaml"] ?? "", "vmlint.yaml", {
    read: async (path) => {
      const text = files[path];
      if (text === undefined) throw new Error("ENOENT");
      return text;
    },
    root: async () => root,
  });

const message = (files: Files, root?: string) =>
  read(files, root).then(
    () => "no error",
    (error: unknown) => (error instanceof VmlintError && error.code === "CONFIG_INVALID" ? error.message : Promise.reject(error)),
  );

const LAB = "lab: { sockets: 2, coresPerSocket: 8 }";
const selected = (config: Awaited<ReturnType<typeof read>>) => rules.filter((rule) => config.selects(rule)).map(({ id }) => id);

describe("extends: of files", () => {
  test("the file overrides the files it extends, and a later file overrides an earlier one", async () => {
    const config = await read({
      "vmlint.yaml": "extends: [./a.yaml, ./b.yaml]\nhost: lab\nrules: { numa/wide-uneven: off }\n",
      "a.yaml": `host: esx\nhosts: { ${LAB}, esx: { sockets: 1, coresPerSocket: 4 } }\nrules: { numa/wide-uneven: error, vmx/duplicate-key: info }\nbaseline: a.json\n`,
      "b.yaml": "hosts: { esx: { sockets: 4, coresPerSocket: 4 } }\nrules: { vmx/duplicate-key: hint }\nworkload: { kind: mssql }\n",
    });
    expect(config).toMatchObject({ host: "lab", baseline: "a.json", workload: { kind: "mssql" } });
    expect(config.rules).toEqual({ "numa/wide-uneven": "off", "vmx/duplicate-key": "hint" });
    expect(config.hosts.get("esx")).toMatchObject({ sockets: 4 });
  });

  test("presets, overrides, suppressions and ignores are combined; the file's own overrides come last", async () => {
    const config = await read({
      "vmlint.yaml": `extends: [./a.yaml, mssql]\nhosts: { ${LAB} }\nignore: [x]\noverrides: [{ vms: [vm], host: lab }]\nsuppress: [{ vm: own }]\n`,
      "a.yaml": "extends: [strict]\nignore: [y/]\noverrides: [{ host: dl580g7 }]\nsuppress: [{ vm: below }]\n",
    });
    expect(selected(config)).toEqual(selected(parseConfig("extends: [strict, mssql]", "x")));
    expect(["x", "y", "z"].map((path) => config.ignores?.(path))).toEqual([true, true, false]);
    const target = targetOf(config);
    const vm = (name: string) => target({ name, directive: new Map() } as never, () => "a.vmx").host?.name;
    expect([vm("vm"), vm("other")]).toEqual(["lab", "dl580g7"]);
    const [own, below] = [config.suppress?.entries, config.suppress?.below];
    expect([own?.length, own?.[0]?.isVm("own"), below?.length, below?.[0]?.isVm("below")]).toEqual([1, true, 1, true]);
  });

  test("without presets anywhere the recommended one counts", async () => {
    const config = await read({ "vmlint.yaml": "extends: [./a.yaml]", "a.yaml": "" });
    expect(selected(config)).toEqual(selected(parseConfig("", "x")));
  });

  test("a file may name a host that another declares, whichever extends the other", async () => {
    expect(await read({ "vmlint.yaml": "extends: [./a.yaml]\nhost: lab\n", "a.yaml": `hosts: { ${LAB} }` })).toMatchObject({ host: "lab" });
    expect(await read({ "vmlint.yaml": `extends: [./a.yaml]\nhosts: { ${LAB} }`, "a.yaml": "host: lab\n" })).toMatchObject({ host: "lab" });
  });

  test("each file names others relative to itself", async () => {
    const config = await read({
      "vmlint.yaml": "extends: [./shared/a.yaml]\n",
      "shared/a.yaml": "extends: [../b.yaml]\nbaseline: known.json\nhosts: { lab: { from: ./dumps/lab.txt, memoryGiB: 1024 } }\n",
      "b.yaml": "host: lab\n",
      "shared/dumps/lab.txt": esxcliGlobal(machines["4x10x2"]),
    });
    expect(config).toMatchObject({ host: "lab", baseline: "shared/known.json" });
    expect(config.hosts.get("lab")).toMatchObject({ sockets: 4, coresPerSocket: 10 });
  });

  test("one file that two extend is read once: its suppressions are not doubled", async () => {
    const config = await read({
      "vmlint.yaml": "extends: [./a.yaml, ./b.yaml]",
      "a.yaml": "extends: [./c.yaml]",
      "b.yaml": "extends: [./c.yaml]",
      "c.yaml": "suppress: [{ vm: x }]",
    });
    expect(config.suppress?.below).toHaveLength(1);
  });

  test("root is the configuration above that sets root: true", async () => {
    const files = { "vmlint.yaml": "extends: [root]\nhost: lab\n", "../../vmlint.yaml": `root: true\nhosts: { ${LAB} }` };
    expect(await read(files, "../../vmlint.yaml")).toMatchObject({ host: "lab" });
    expect(await message(files)).toBe("vmlint.yaml:1:11: No configuration above this one says root: true.");
  });

  test.each<[string, Files, string]>([
    [
      "a missing file",
      { "vmlint.yaml": "host: lab\nextends:\n  - ./a.yaml\n" },
      "vmlint.yaml:3:5: ./a.yaml cannot be read. The path is relative to this file.",
    ],
    [
      "itself",
      { "vmlint.yaml": "extends: [./x/../vmlint.yaml]" },
      "vmlint.yaml:1:11: ./x/../vmlint.yaml is this file: it cannot extend itself.",
    ],
    [
      "a circle",
      { "vmlint.yaml": "extends: [./s/a.yaml]", "s/a.yaml": "extends:\n  - ./b.yaml", "s/b.yaml": "\nextends: [mssql, ../vmlint.yaml]" },
      "s/b.yaml:2:18: ../vmlint.yaml extends this file too: remove one of the two.",
    ],
    [
      "a mistake below",
      { "vmlint.yaml": "extends: [./s/a.yaml]", "s/a.yaml": "\nrules: { numa/wide-unevn: off }" },
      's/a.yaml:2:10: There is no rule "numa/wide-unevn". Did you mean "numa/wide-uneven"?',
    ],
    ["a host that nobody declares", { "vmlint.yaml": "extends: [./a.yaml]", "a.yaml": "host: lba" }, 'a.yaml:1:7: There is no host "lba".'],
    [
      "no preset",
      { "vmlint.yaml": "extends: [base.yaml]" },
      "vmlint.yaml:1:11: extends.0 must be one of recommended, strict, all, mssql, oracle, hana, latency, vdi, ft, imdg, exchange, inventory, no-guesses, root, or a file such as ./base.yaml.",
    ],
  ])("%s is an error with its file and line", async (_, files, expected) => {
    expect(await message(files)).toBe(expected);
  });

  test("any files that extend each other are a configuration or a VmlintError", async () => {
    const names = ["vmlint.yaml", "a.yaml", "d/b.yaml"];
    const entry = fc.constantFrom(
      "./a.yaml",
      "./d/b.yaml",
      "../a.yaml",
      "./vmlint.yaml",
      "../vmlint.yaml",
      "./b.yaml",
      "mssql",
      "root",
      "",
    );
    const text = fc.array(entry, { maxLength: 3 }).map((entries) => `extends: ${JSON.stringify(entries)}\nignore: [a]\n`);
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 3, maxLength: 3 }), async (texts) => {
        expect(await message(Object.fromEntries(names.map((name, i) => [name, texts[i] ?? ""])))).not.toBe("");
      }),
    );
  });
});

describe("package.json", () => {
  test("holds the configuration as one of its keys, and mistakes in it have their line", () => {
    const text = (host: string) => `{\n\t"name": "x",\n\t"vmlint": {\n\t\t"host": "${host}"\n\t}\n}\n`;
    expect(parseConfig(text("dl580g7"), "sub/package.json")).toMatchObject({ host: "dl580g7" });
    expect(() => parseConfig(text("dl580g8"), "sub/package.json")).toThrow('sub/package.json:4:11: There is no host "dl580g8".');
  });

  test("is read only at that key", () => {
    const text = (more: string, inside: string) =>
      `{ "a": { "__proto__": 1 }, "b": 1, "b": 2, ${more}"vmlint": { ${inside}"host": "r640" } }`;
    expect(parseConfig(text("", ""), "package.json")).toMatchObject({ host: "r640" });
    const refused = (more: string, inside: string) => () => parseConfig(text(more, inside), "package.json");
    expect(refused("", '"rules": { "__proto__": "off" }, ')).toThrow("package.json:1:67: __proto__ cannot be a name.");
    expect(refused('"vmlint": {}, ', "")).toThrow("package.json:1:58: vmlint is set twice: remove one of the two.");
  });
});

describe("the JSON Schema", () => {
  const accepts = new Ajv2020({ strict: false }).compile(configSchema as object);

  test.each([
    ["{ root: true, extends: [root, ./a.yaml, mssql], ignore: [x] }", true],
    [`{ host: ${builtinHosts[0]?.name}, workload: { kind: mssql, version: 2019 } }`, true],
    ["{ hosts: { lab: { esxi: 8.0, sockets: 1, coresPerSocket: 2 } } }", true],
    ["{ extends: [base.yaml] }", false],
    ["{ hots: lab }", false],
    ["{ workload: { kind: mssql, version: 2018 } }", false],
  ])("gives the same verdict on %s as the reader", async (text, good) => {
    const { parse } = await import("yaml");
    expect(accepts(parse(text))).toBe(good);
    const files = { "vmlint.yaml": text, "a.yaml": "", "r.yaml": "" };
    expect((await message(files, "r.yaml")) === "no error").toBe(good);
  });
});
