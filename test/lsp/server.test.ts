import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  Diagnostic,
  DocumentDiagnosticReport,
  DocumentSymbol,
  Hover,
  InlayHint,
  SemanticTokens,
} from "vscode-languageserver-protocol/node";
import { COMMAND, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { codesOf as codes, startServer } from "../support/lsp.ts";
import { playbookWith, RESOURCE, variable, WIDE } from "../support/sample-project.ts";

const PINNED = `virtualHW.version = "10"\ndisplayName = "app01"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"\n`;
const ON_DL580 = "host: dl580g7\n";

const start = (cwd: string, capabilities: object = {}, initializationOptions?: object) =>
  startServer(cwd, { capabilities, initializationOptions });

const at = (line: number, character: number) => ({ position: { line, character } });

test("diagnostics are pushed while typing and go when the document closes", async () => {
  const client = await start(folder({ "vmlint.yaml": ON_DL580 }));
  await client.open("a.vmx", PINNED);
  const first = await client.nextPublished();
  expect(first).toMatchObject({
    uri: client.uri("a.vmx"),
    version: 1,
    diagnostics: [
      {
        code: "affinity/ht-siblings",
        severity: 2,
        source: "vmlint",
        range: { start: { line: 3, character: 22 }, end: { line: 3, character: 25 } },
      },
    ],
  });
  await client.change("a.vmx", 2, PINNED.replace("0-7", "0,2,4,6,8,10,12,14"));
  expect(await client.nextPublished()).toMatchObject({ version: 2, diagnostics: [] });
  await client.notify("textDocument/didClose", { textDocument: { uri: client.uri("a.vmx") } });
  expect(await client.nextPublished()).toEqual({ uri: client.uri("a.vmx"), diagnostics: [] });
  expect(await client.end()).toBe(0);
});

test("a trace says why each question is asked again", async () => {
  const client = await startServer(folder({ "vmlint.yaml": ON_DL580, "a.vmx": PINNED }), { trace: "verbose" });
  await client.open("a.vmx", PINNED);
  await client.nextPublished();
  client.traced.splice(0);
  await client.change("a.vmx", 2, PINNED.replace("0-7", "0-3"));
  await client.nextPublished();
  const path = decodeURIComponent(new URL(client.uri("a.vmx")).pathname);
  expect(client.traced).toContain(`document(${path}): text(${path})`);
  expect(client.traced.filter((line) => line.startsWith("config"))).toEqual([]);
});

test("a client that pulls is answered, and not pushed to", async () => {
  const client = await start(folder({ "vmlint.yaml": ON_DL580 }), { textDocument: { diagnostic: {} } });
  expect(client.initialized).toMatchObject({ capabilities: { positionEncoding: "utf-16", diagnosticProvider: { identifier: "vmlint" } } });
  await client.open("a.vmx", PINNED);
  const report = await client.ask<DocumentDiagnosticReport>("diagnostic", "a.vmx");
  expect(report).toMatchObject({ kind: "full", items: [{ code: "affinity/ht-siblings" }] });
  await client.open("level.vmx", "<level/>\n");
  expect(await client.ask("diagnostic", "level.vmx")).toEqual({ kind: "full", items: [] });
});

test("a client that rejects every request is still served", async () => {
  const refresh = { refreshSupport: true };
  const register = { dynamicRegistration: true };
  const client = await start(folder({ "vmlint.yaml": ON_DL580 }), {
    workspace: {
      didChangeConfiguration: register,
      didChangeWatchedFiles: register,
      codeLens: refresh,
      inlayHint: refresh,
      diagnostics: refresh,
    },
    textDocument: { diagnostic: {} },
  });
  await client.open("a.vmx", PINNED);
  await client.notify("workspace/didChangeConfiguration", { settings: null });
  // Answered once all of the above is.
  for (const _ of [1, 2, 3]) await client.ask("diagnostic", "a.vmx");
  expect(await client.ask("diagnostic", "a.vmx")).toMatchObject({ items: [{ code: "affinity/ht-siblings" }] });
  expect(await client.end()).toBe(0);
});

test("hover, fixes, lens, hint, completion and outline", async () => {
  const client = await start(folder({ "vmlint.yaml": ON_DL580 }), {
    textDocument: { completion: { completionItem: { snippetSupport: true } } },
  });
  await client.open("a.vmx", `${PINNED}cpuid.coresPerSocket = ""\nnuma.v`);
  const layout = "8 vCPUs = 8 sockets x 1, 1 NUMA node, on dl580g7 (ESXi 5.5)";

  const hover = await client.ask<Hover>("hover", "a.vmx", at(2, 3));
  expect(hover.contents).toMatchObject({ kind: "markdown", value: expect.stringContaining("All vCPUs of the VM, not its sockets.") });
  expect(hover.range).toEqual({ start: { line: 2, character: 0 }, end: { line: 2, character: 8 } });

  const selection = { range: { start: { line: 3, character: 23 }, end: { line: 3, character: 23 } }, context: { diagnostics: [] } };
  const actions = await client.ask<CodeAction[]>("codeAction", "a.vmx", selection);
  expect(actions.map(({ title, kind }) => [title, kind])).toContainEqual([
    "Pin to 8 cores: 0,2,4,6,8,10,12,14 (changes how the VM runs)",
    "quickfix",
  ]);
  expect(actions[0]?.edit?.changes?.[client.uri("a.vmx")]).toEqual([
    { range: { start: { line: 3, character: 22 }, end: { line: 3, character: 25 } }, newText: "0,2,4,6,8,10,12,14" },
  ]);

  await client.open("b.vmx", PINNED);
  expect(await client.ask<CodeLens[]>("codeLens", "b.vmx")).toMatchObject([{ range: { start: { line: 1 } }, command: { title: layout } }]);
  const whole = { range: { start: { line: 0, character: 0 }, end: { line: 9, character: 0 } } };
  expect(await client.ask<InlayHint[]>("inlayHint", "b.vmx", whole)).toMatchObject([
    { label: "8 x 1, 1 NUMA node", position: { line: 2, character: 13 } },
  ]);

  const values = await client.ask<CompletionItem[]>("completion", "a.vmx", at(4, 24));
  expect(values.map(({ label }) => label)).toEqual(["1", "2", "4", "8"]);
  expect(values.map(({ sortText }) => sortText)).toEqual(["0000", "0001", "0002", "0003"]);
  const keys = await client.ask<CompletionItem[]>("completion", "a.vmx", at(5, 6));
  expect(keys.find(({ label }) => label === "numa.vcpu.preferHT")?.textEdit).toEqual({
    range: { start: { line: 5, character: 0 }, end: { line: 5, character: 6 } },
    // biome-ignore format: one line
    newText: 'numa.vcpu.preferHT = "${3|TRUE,FALSE|}"$0',
  });
  // Hardware version 10 does not know it.
  expect(keys.map(({ label }) => label)).not.toContain("cpuid.numSMT");

  const symbols = await client.ask<DocumentSymbol[]>("documentSymbol", "b.vmx");
  expect(symbols.map(({ name, detail }) => `${name}=${detail}`)).toEqual([
    "virtualHW.version=10",
    "displayName=app01",
    "numvcpus=8",
    "sched.cpu.affinity=0-7",
  ]);

  // The third line: a key that is a property, and a number, each as line, column, length, kind and modifiers after the one before.
  const { data } = await client.ask<SemanticTokens>("semanticTokens/full", "b.vmx");
  expect(data.slice(20, 30)).toEqual([1, 0, 8, 0, 0, 0, 12, 1, 2, 0]);
});

test("a finding accepted in a comment has no reason until the user writes one", async () => {
  const client = await start(folder({ "vmlint.yaml": `${ON_DL580}rules: { suppression/no-reason: warning }\n` }));
  await client.open("a.vmx", PINNED);
  expect(codes(await client.nextPublished())).toEqual(["affinity/ht-siblings"]);
  const selection = { range: { start: { line: 3, character: 23 }, end: { line: 3, character: 23 } }, context: { diagnostics: [] } };
  const actions = await client.ask<CodeAction[]>("codeAction", "a.vmx", selection);
  const accept = actions.find(({ title }) => title === "Accept affinity/ht-siblings on this line");
  const [edit] = accept?.edit?.changes?.[client.uri("a.vmx")] ?? [];
  expect(edit?.newText).toBe(" # vmlint-disable-line affinity/ht-siblings");
  await client.change("a.vmx", 2, PINNED.replace(/\n$/, `${edit?.newText}\n`));
  expect(codes(await client.nextPublished())).toEqual(["suppression/no-reason"]);
  await client.change("a.vmx", 3, PINNED.replace(/\n$/, `${edit?.newText} -- measured\n`));
  expect(codes(await client.nextPublished())).toEqual([]);
});

test("a client without snippets gets plain text", async () => {
  const client = await start(folder({}));
  await client.open("a.vmx", "vcpu.h");
  const keys = await client.ask<CompletionItem[]>("completion", "a.vmx", at(0, 6));
  expect(keys.find(({ label }) => label === "vcpu.hotadd")?.textEdit).toMatchObject({ newText: 'vcpu.hotadd = "TRUE"' });
  const disk = keys.find(({ label }) => label === "pvscsi")?.textEdit?.newText;
  expect(disk?.split("\n")).toEqual([
    'scsi1.present = "TRUE"',
    'scsi1.virtualDev = "pvscsi"',
    'scsi1:0.present = "TRUE"',
    'scsi1:0.deviceType = "scsi-hardDisk"',
    'scsi1:0.fileName = "data.vmdk"',
    "",
  ]);
  const words = "hosts: { 'a}$b\\c': { sockets: 1, coresPerSocket: 1 } }\n";
  await client.open("vmlint.yaml", `${words}host: `);
  const hosts = await client.ask<CompletionItem[]>("completion", "vmlint.yaml", at(1, 6));
  expect(hosts.find(({ label }) => label === "a}$b\\c")?.textEdit?.newText).toBe("a}$b\\c");
});

test("fix all gives the safe fixes alone", async () => {
  const client = await start(folder({ "vmlint.yaml": ON_DL580 }));
  await client.open("a.vmx", `${PINNED}numvcpus = "8"\n`);
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
  const only = await client.ask<CodeAction[]>("codeAction", "a.vmx", { range, context: { diagnostics: [], only: ["source.fixAll"] } });
  expect(only).toMatchObject([
    {
      kind: "source.fixAll.vmlint",
      edit: {
        changes: { [client.uri("a.vmx")]: [{ range: { start: { line: 4, character: 0 }, end: { line: 5, character: 0 } }, newText: "" }] },
      },
    },
  ]);
});

test("the host of the client's settings comes first; a change of vmlint.yaml is seen when it is saved", async () => {
  const cwd = folder({ "vmlint.yaml": "{}\n" });
  const client = await start(cwd);
  await client.open("a.vmx", PINNED);
  expect(codes(await client.nextPublished())).toEqual([]);

  writeFileSync(join(cwd, "vmlint.yaml"), ON_DL580);
  await client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: client.uri("vmlint.yaml"), type: 2 }] });
  expect(codes(await client.nextPublished())).toEqual(["affinity/ht-siblings"]);

  await client.notify("workspace/didChangeConfiguration", { settings: { vmlint: { host: "1x8x1@5.5" } } });
  expect(codes(await client.nextPublished())).toEqual([]);
});

test("an unknown host in the client's settings is reported once for all open files", async () => {
  const client = await startServer(folder({}), { initializationOptions: { host: "dl580g8" } });
  await client.open("a.vmx", PINNED);
  await client.until("a.vmx", () => true);
  await client.open("b.vmx", PINNED);
  await client.until("b.vmx", () => true);
  expect(client.messages).toEqual([{ type: 2, message: 'vmlint.host: There is no host "dl580g8". Did you mean "dl580g7"?' }]);
  await client.notify("workspace/didChangeConfiguration", { settings: { vmlint: { host: "dl580g9x" } } });
  await client.until("b.vmx", () => true);
  expect(client.messages).toHaveLength(2);
});

test("package.json is a configuration like any other: saving it applies it", async () => {
  const cwd = folder({ "package.json": '{ "vmlint": {} }' });
  const client = await start(cwd);
  await client.open("a.vmx", PINNED);
  expect(codes(await client.nextPublished())).toEqual([]);
  writeFileSync(join(cwd, "package.json"), '{ "vmlint": { "host": "dl580g7" } }');
  await client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: client.uri("package.json"), type: 2 }] });
  expect(codes(await client.nextPublished())).toEqual(["affinity/ht-siblings"]);
});

test("a broken configuration is reported, and the server continues", async () => {
  const cwd = folder({ "vmlint.yaml": "hots: {}\n" });
  const client = await start(cwd);
  await client.open("a.vmx", PINNED);
  expect(codes(await client.nextPublished())).toEqual([]);
  const message = 'vmlint.yaml:1:1: There is no setting "hots". Did you mean "hosts"?';
  expect([client.logged, client.messages]).toEqual([[message], [{ type: 2, message }]]);
  writeFileSync(join(cwd, "vmlint.yaml"), ON_DL580);
  await client.notify("workspace/didChangeWatchedFiles", { changes: [] });
  expect(codes(await client.nextPublished())).toEqual(["affinity/ht-siblings"]);
});

describe("a baseline", () => {
  const WIDER = PINNED.replace("0-7", "0-9");
  const MAIN = RESOURCE + variable(64);

  test.each([
    ["beside the configuration", ON_DL580, ""],
    ["that the configuration names", `${ON_DL580}baseline: ci/known.json\n`, "ci"],
  ])("hides what is known, as for the command, and its changes are seen: %s", async (_, config, sub) => {
    const cwd = folder({ "vmlint.yaml": config, "vms/a.vmx": PINNED, "tf/main.tf": MAIN, ...(sub && { "ci/readme": "" }) });
    expect(vmlint(cwd, ["--update-baseline"]).code).toBe(0);
    const name = sub ? "ci/known.json" : "vmlint-baseline.json";
    const text = readFileSync(join(cwd, name), "utf8");
    const client = await start(cwd, { textDocument: { diagnostic: {} } });
    const found = async (file: string) => (await client.ask<{ items: Diagnostic[] }>("diagnostic", file)).items.map(({ code }) => code);
    await client.open("vms/a.vmx", PINNED);
    await client.open("tf/main.tf", MAIN);
    expect([await found("vms/a.vmx"), await found("tf/main.tf")]).toEqual([[], []]);
    await client.change("vms/a.vmx", 2, WIDER);
    expect(await found("vms/a.vmx")).toContain("affinity/ht-siblings");
    await client.change("vms/a.vmx", 3, PINNED);
    rmSync(join(cwd, name));
    await client.watched([name, 3]);
    expect(await found("vms/a.vmx")).toEqual(["affinity/ht-siblings"]);
    expect(await found("tf/main.tf")).toContain(WIDE);
    writeFileSync(join(cwd, name), text);
    await client.watched([name, 1]);
    expect([await found("vms/a.vmx"), await found("tf/main.tf")]).toEqual([[], []]);
    writeFileSync(join(cwd, name), text.replace("{", "{{"));
    await client.watched([name, 2]);
    expect([await found("vms/a.vmx"), await found("tf/main.tf")]).toEqual([[], []]);
    expect(client.logged.join("\n")).toContain(`${name.replace("ci/", "")}:1: This is not JSON.`);
  });
});

test("removing a folder removes its configuration, and adding it again restores it", async () => {
  const cwd = folder({ "vmlint.yaml": ON_DL580, "sub/vmlint.yaml": "extends: [none]\n", "sub/a.vmx": PINNED });
  const client = await start(cwd, { textDocument: { diagnostic: {} } });
  await client.open("sub/a.vmx", PINNED);
  const found = async () => (await client.ask<{ items: Diagnostic[] }>("diagnostic", "sub/a.vmx")).items.map(({ code }) => code);
  const changed = (type: number) => client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: client.uri("sub"), type }] });
  expect(await found()).toEqual([]);
  renameSync(join(cwd, "sub"), join(cwd, "gone"));
  await changed(3);
  expect(await found()).toEqual(["affinity/ht-siblings"]);
  renameSync(join(cwd, "gone"), join(cwd, "sub"));
  await changed(1);
  expect(await found()).toEqual([]);
});

describe("files that a configuration refers to", () => {
  const dump = (threads: number) => `Architecture: x86_64
CPU(s): 24
Thread(s) per core: ${threads}
Core(s) per socket: ${12 / threads}
Socket(s): 2
NUMA node(s): 2
NUMA node0 CPU(s): 0-11
NUMA node1 CPU(s): 12-23
`;

  test("are watched on the disk under any name", async () => {
    const cwd = folder({ "vmlint.yaml": "extends: [./base.yaml]\n", "base.yaml": "{}\n", "dump.txt": dump(1) });
    const client = await start(cwd);
    await client.open("a.vmx", PINNED);
    expect(codes(await client.nextPublished())).toEqual([]);
    writeFileSync(join(cwd, "base.yaml"), ON_DL580);
    await client.watched(["base.yaml", 2]);
    expect(codes(await client.nextPublished())).toEqual(["affinity/ht-siblings"]);
    writeFileSync(join(cwd, "base.yaml"), 'host: lab\nhosts: { lab: { from: dump.txt, esxi: "5.5" } }\n');
    await client.watched(["base.yaml", 2]);
    expect(codes(await client.nextPublished())).toEqual([]);
    writeFileSync(join(cwd, "dump.txt"), dump(2));
    await client.watched(["dump.txt", 2]);
    expect(codes(await client.nextPublished())).toEqual(["affinity/ht-siblings"]);
  });

  test("are watched while only the configuration is open", async () => {
    const cwd = folder({});
    const client = await start(cwd);
    await client.open("vmlint.yaml", "extends: [./base.yaml]\n");
    expect((await client.nextPublished()).diagnostics).toHaveLength(1);
    writeFileSync(join(cwd, "base.yaml"), ON_DL580);
    await client.watched(["base.yaml", 1]);
    expect((await client.nextPublished()).diagnostics).toEqual([]);
  });
});

test("clients are asked to watch every file, because VMs can refer to any name", async () => {
  const workspace = { didChangeWatchedFiles: { dynamicRegistration: true } };
  const client = await startServer(folder({}), { capabilities: { workspace }, registers: true });
  const [{ registerOptions } = {}] = await client.registered("workspace/didChangeWatchedFiles", (all) => all.length > 0);
  expect(registerOptions).toEqual({ watchers: [{ globPattern: "**/*" }] });
});

test("a configuration is completed, explained and checked during typing", async () => {
  const files = { "base.yaml": "hosts: { shared: { sockets: 2, coresPerSocket: 8 } }\n" };
  const client = await start(folder(files), { textDocument: { completion: { completionItem: { snippetSupport: true } } } });
  const text = "extends: [./base.yaml]\nhost: shared\n";
  await client.open("vmlint.yaml", text);
  expect(await client.nextPublished()).toMatchObject({ diagnostics: [] });
  await client.change("vmlint.yaml", 2, `${text}rules:\n  numa/wide-unevn: off\nhots: {}\n`);
  expect((await client.nextPublished()).diagnostics).toMatchObject([
    {
      severity: 1,
      message: 'There is no rule "numa/wide-unevn". Did you mean "numa/wide-uneven"?',
      range: { start: { line: 3, character: 2 } },
    },
    {
      severity: 1,
      message: 'There is no setting "hots". Did you mean "hosts"?',
      range: { start: { line: 4, character: 0 }, end: { line: 4, character: 8 } },
    },
  ]);
  const inRule = { range: { start: { line: 3, character: 5 }, end: { line: 3, character: 5 } }, context: { diagnostics: [] } };
  const named = { range: { start: { line: 3, character: 2 }, end: { line: 3, character: 17 } }, newText: "numa/wide-uneven" };
  expect(await client.ask<CodeAction[]>("codeAction", "vmlint.yaml", inRule)).toEqual([
    {
      title: "Change it to numa/wide-uneven",
      kind: "quickfix",
      edit: { changes: { [client.uri("vmlint.yaml")]: [named] } },
    },
  ]);
  const rules = await client.ask<CompletionItem[]>("completion", "vmlint.yaml", at(3, 10));
  expect(rules.find(({ label }) => label === "numa/wide-uneven")?.textEdit).toEqual({
    range: { start: { line: 3, character: 2 }, end: { line: 3, character: 17 } },
    newText: "numa/wide-uneven",
  });
  const hosts = await client.ask<CompletionItem[]>("completion", "vmlint.yaml", at(1, 6));
  expect(hosts.map(({ label }) => label)).toEqual(expect.arrayContaining(["shared", "dl580g7"]));
  expect((await client.ask<Hover>("hover", "vmlint.yaml", at(1, 1))).contents).toMatchObject({
    value: expect.stringContaining("The host of the VMs"),
  });
});

test("only the key vmlint of a package.json is a configuration, and without it there is none", async () => {
  const client = await start(folder({}), { textDocument: { diagnostic: {} } });
  await client.open("package.json", '{ "name": "x" }');
  expect(await client.ask("diagnostic", "package.json")).toMatchObject({ items: [] });
  expect(await client.ask("hover", "package.json", at(0, 4))).toBeNull();
  await client.change("package.json", 2, '{ "name": "x", "vmlint": { "hots": {} } }');
  expect(await client.ask("diagnostic", "package.json")).toMatchObject({
    items: [{ message: 'There is no setting "hots". Did you mean "hosts"?' }],
  });
});

test("a package.json that is invalid during typing is completed and explained, and has no errors", async () => {
  const client = await start(folder({}), { textDocument: { diagnostic: {} } });
  const whole = '{ "name": "x", "vmlint": { "hosts": { "lab": { "sockets": 2, "coresPerSocket": 8 } }, "host": "lab" } }';
  await client.open("package.json", whole);
  expect(await client.ask("diagnostic", "package.json")).toMatchObject({ items: [] });
  const typed = whole.replace('"lab" } }', '"" } ');
  await client.change("package.json", 2, typed);
  expect(await client.ask("diagnostic", "package.json")).toMatchObject({ items: [] });
  const hosts = await client.ask<CompletionItem[]>("completion", "package.json", at(0, typed.indexOf('""') + 1));
  expect(hosts.map(({ label }) => label)).toContain("lab");
  expect(await client.ask("hover", "package.json", at(0, typed.indexOf("host") + 1))).toBeTruthy();
  expect(await client.ask("completion", "package.json", at(0, 3))).toEqual([]);
  await client.change("package.json", 3, '{ "name": "x", "vmlint": { "" } }');
  expect(await client.ask<CompletionItem[]>("completion", "package.json", at(0, 28))).not.toEqual([]);
});

test("a VM spec has completions; a file that the configuration ignores has none", async () => {
  const client = await start(folder({ "vmlint.yaml": `${ON_DL580}ignore: [old]\n` }), { textDocument: { diagnostic: {} } });
  await client.open("vm.yaml", "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpus: 6\n  cores");
  const keys = await client.ask<CompletionItem[]>("completion", "vm.yaml", at(4, 7));
  expect(keys.map(({ label }) => label)).toContain("coresPerSocket");
  await client.open("old/a.vmx", PINNED);
  expect(await client.ask("diagnostic", "old/a.vmx")).toMatchObject({ items: [] });
});

describe("files that refer to each other", () => {
  const ODD = RESOURCE.replace("4096", "4097");
  const VARIABLES = variable(20);
  const CALL = `module "a" {\n  source = "./vm"\n}\n`;
  const CONFIG = "host: dl580g7\nextends: [all]\n";
  const FILES = { "vmlint.yaml": CONFIG, "main.tf": CALL, "vm/main.tf": ODD, "vm/variables.tf": VARIABLES };

  test("a module's file that is not open has its findings, from an unsaved value in another; all goes with the last editor", async () => {
    const client = await start(folder(FILES));
    await client.open("main.tf", CALL);
    const first = await client.until("vm/main.tf", () => true);
    expect(codes(first)).toContain("mem/step-4mb");
    expect(codes(first)).not.toContain(WIDE);

    await client.open("vm/variables.tf", VARIABLES);
    await client.change("vm/variables.tf", 2, variable(64));
    const wide = await client.until("vm/main.tf", (all) => all.includes(WIDE));
    const finding = wide.diagnostics.find(({ code }) => code === WIDE);
    expect(finding?.range.start).toEqual({ line: 2, character: 25 });
    expect(finding?.relatedInformation).toEqual([
      {
        message: "default of variable cpus",
        location: { uri: client.uri("vm/variables.tf"), range: { start: { line: 1, character: 12 }, end: { line: 1, character: 14 } } },
      },
      {
        message: "called as module a",
        location: { uri: client.uri("main.tf"), range: { start: { line: 0, character: 8 }, end: { line: 0, character: 9 } } },
      },
    ]);

    for (const name of ["vm/variables.tf", "main.tf"])
      await client.notify("textDocument/didClose", { textDocument: { uri: client.uri(name) } });
    expect((await client.until("vm/main.tf", (all) => all.length === 0)).diagnostics).toEqual([]);
  });

  test("a file keeps the URI that the client sent, also after it is closed", async () => {
    const client = await start(folder(FILES));
    const uri = client.uri("vm/main.tf").replace("main.tf", "%6Dain.tf");
    const untilThere = async (isSo: (codes: readonly unknown[]) => boolean) => {
      for (;;) {
        const found = await client.nextPublished();
        expect(found.uri).not.toBe(client.uri("vm/main.tf"));
        if (found.uri === uri && isSo(codes(found))) return;
      }
    };
    const isFound = (all: readonly unknown[]) => all.includes("mem/step-4mb");
    await client.notify("textDocument/didOpen", { textDocument: { uri, languageId: "terraform", version: 1, text: ODD } });
    await untilThere(isFound);
    await client.open("main.tf", CALL);
    await client.notify("textDocument/didClose", { textDocument: { uri } });
    await untilThere(isFound);
    await client.close("main.tf");
    await untilThere((all) => all.length === 0);
  });

  test("a file has one URI, and diagnostics of a deleted file are removed", async () => {
    const client = await start(folder(FILES));
    const [plain, odd] = [client.uri("vm/main.tf"), client.uri("vm/%6Dain.tf").replace("%25", "%")];
    const shown = new Map<string, boolean>();
    const until = async (expected: readonly (readonly [uri: string, isFound: boolean])[]) => {
      while (!expected.every(([uri, isFound]) => (shown.get(uri) ?? false) === isFound)) {
        const published = await client.nextPublished();
        shown.set(published.uri, published.diagnostics.length > 0);
      }
    };
    const open = (uri: string, text: string) =>
      client.notify("textDocument/didOpen", { textDocument: { uri, languageId: "terraform", version: 1, text } });
    const close = (uri: string) => client.notify("textDocument/didClose", { textDocument: { uri } });
    await client.open("main.tf", CALL);
    await until([[plain, true]]);
    await open(odd, ODD);
    await until([
      [plain, false],
      [odd, true],
    ]);
    await open(plain, ODD);
    await until([[plain, true]]);
    await close(odd);
    await until([
      [plain, true],
      [odd, false],
    ]);
    await client.change("vm/main.tf", 2, RESOURCE);
    await until([[plain, false]]);
  });

  test("an editor closed and opened again at once shows the final state", async () => {
    const client = await start(folder(FILES));
    await client.open("main.tf", CALL);
    await client.until("vm/main.tf", (all) => all.includes("mem/step-4mb"));
    await client.close("main.tf");
    await client.open("main.tf", CALL);
    await client.until("vm/main.tf", (all) => all.length === 0);
    await client.until("vm/main.tf", (all) => all.includes("mem/step-4mb"));
  });

  test("an open file is checked again when a file it depends on changes", async () => {
    const client = await start(folder(FILES));
    await client.open("vm/main.tf", ODD);
    expect(codes(await client.until("vm/main.tf", () => true))).not.toContain(WIDE);
    await client.open("vm/variables.tf", variable(64));
    await client.until("vm/main.tf", (all) => all.includes(WIDE));
    await client.notify("textDocument/didClose", { textDocument: { uri: client.uri("vm/variables.tf") } });
    await client.until("vm/main.tf", (all) => !all.includes(WIDE));
  });

  test("a change by another program is noticed", async () => {
    const cwd = folder(FILES);
    const client = await start(cwd);
    await client.open("vm/main.tf", ODD);
    await client.until("vm/main.tf", (all) => !all.includes(WIDE));
    writeFileSync(join(cwd, "vm/variables.tf"), variable(64));
    await client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: client.uri("vm/variables.tf"), type: 2 }] });
    await client.until("vm/main.tf", (all) => all.includes(WIDE));
  });

  test("a hover links to where the value was written, and a fix changes that file", async () => {
    const client = await start(folder({ ...FILES, "vm/variables.tf": variable(64) }));
    await client.open("vm/main.tf", ODD);
    const hover = await client.ask<Hover>("hover", "vm/main.tf", at(2, 28));
    const markdown = typeof hover.contents === "object" && "value" in hover.contents ? hover.contents.value : "";
    expect(markdown).toContain("= `64`");
    expect(markdown).toContain("**vcpus** of `module.a.vsphere_virtual_machine.vm`");
    expect(markdown).toContain(`[default of variable cpus](${client.uri("vm/variables.tf")}#L2)`);
    const selection = { range: { start: { line: 2, character: 28 }, end: { line: 2, character: 28 } }, context: { diagnostics: [] } };
    const actions = await client.ask<CodeAction[]>("codeAction", "vm/main.tf", selection);
    const changes = actions.find(({ title }) => title.startsWith("Use "))?.edit?.changes ?? {};
    expect(Object.keys(changes)).toEqual([client.uri("vm/variables.tf")]);
    expect(changes[client.uri("vm/variables.tf")]?.[0]?.range).toEqual({
      start: { line: 1, character: 12 },
      end: { line: 1, character: 14 },
    });
    expect(await client.ask<CodeLens[]>("codeLens", "vm/main.tf")).toMatchObject([
      { range: { start: { line: 0 } }, command: { title: expect.stringContaining("64 vCPUs = 64 sockets x 1") } },
    ]);
  });

  test("a client that pulls gets them by the file it asks for", async () => {
    const client = await start(folder(FILES), { textDocument: { diagnostic: {} } });
    expect(client.initialized).toMatchObject({ capabilities: { diagnosticProvider: { interFileDependencies: true } } });
    await client.open("vm/main.tf", ODD);
    await client.open("vm/variables.tf", variable(64));
    const report = await client.ask<DocumentDiagnosticReport>("diagnostic", "vm/main.tf");
    expect(report.kind === "full" && report.items.map(({ code }) => code)).toContain(WIDE);
  });

  test("and pull again after a change in another file", async () => {
    const workspace = { diagnostics: { refreshSupport: true } };
    const client = await start(folder(FILES), { workspace, textDocument: { diagnostic: {} } });
    const found = async () => (await client.ask<{ items: Diagnostic[] }>("diagnostic", "vm/main.tf")).items.map(({ code }) => code);
    await client.open("vm/main.tf", ODD);
    await client.open("vm/variables.tf", variable(20));
    expect(await found()).not.toContain(WIDE);
    const refreshed = client.asked("workspace/diagnostic/refresh");
    await client.change("vm/variables.tf", 2, variable(64));
    await refreshed;
    expect(await found()).toContain(WIDE);
  });

  test("a playbook reads variables from its folder", async () => {
    const playbook = playbookWith("sizes.yml");
    const client = await start(folder({ "vmlint.yaml": CONFIG, "play.yml": playbook, "sizes.yml": "cpus: 64\n" }));
    await client.open("play.yml", playbook);
    await client.until("play.yml", (all) => all.includes("cpu/exceeds-physical-cores"));
    await client.open("sizes.yml", "cpus: 20\n");
    await client.until("play.yml", (all) => !all.includes("cpu/exceeds-physical-cores"));
  });
});

const NVIM = "/usr/bin/nvim";

test.skipIf(!existsSync(NVIM))("Neovim shows the diagnostics of a file it opens", () => {
  const cwd = folder({ "vmlint.yaml": ON_DL580, "a.vmx": PINNED });
  const script = `
    local id = vim.lsp.start_client({ name = "vmlint", cmd = { "${process.execPath}", "${COMMAND}", "lsp", "--stdio" }, root_dir = vim.fn.getcwd() })
    vim.cmd("edit a.vmx")
    vim.lsp.buf_attach_client(0, id)
    vim.wait(10000, function() return #vim.diagnostic.get(0) > 0 end)
    for _, d in ipairs(vim.diagnostic.get(0)) do io.write(d.lnum .. ":" .. d.col .. " " .. d.code .. "\\n") end
    vim.lsp.stop_client(id)
  `;
  writeFileSync(join(cwd, "check.lua"), script);
  const out = execFileSync(NVIM, ["--headless", "--clean", "-c", "luafile check.lua", "-c", "quitall!"], {
    cwd,
    encoding: "utf8",
    timeout: 30_000,
  });
  expect(out).toBe("3:22 affinity/ht-siblings\n");
});
