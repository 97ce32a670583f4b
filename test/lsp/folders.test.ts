import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { CodeLens } from "vscode-languageserver-protocol/node";
import { folder } from "../support/folder.ts";
import { type Client, codesOf, startServer } from "../support/lsp.ts";
import { RESOURCE, variable, WIDE } from "../support/sample-project.ts";

const WORKSPACE = { workspaceFolders: true };
const CALLER = `module "a" {\n  source = "../vm"\n  cpus   = 64\n}\n`;
const FILES = {
  "vmlint.yaml": "host: dl580g7\n",
  "vm/main.tf": RESOURCE,
  "vm/variables.tf": variable(20),
  "caller/main.tf": CALLER,
};

/** The code lenses of the VM in the module. They contain the vCPUs of the calls. */
const lenses = async (client: Client) => (await client.ask<CodeLens[]>("codeLens", "vm/main.tf")).map(({ command }) => command?.title);

test("the server announces that it follows folders", async () => {
  const { initialized } = await startServer(folder({}), { folders: ["."] });
  expect(initialized).toMatchObject({ capabilities: { workspace: { workspaceFolders: { supported: true, changeNotifications: true } } } });
});

test("callers in an added folder apply, with their findings, until the folder is removed", async () => {
  const client = await startServer(folder(FILES), { folders: ["vm"], capabilities: { workspace: WORKSPACE } });
  await client.open("vm/main.tf", RESOURCE);
  expect(codesOf(await client.nextPublished())).not.toContain(WIDE);
  expect(await lenses(client)).toEqual([expect.stringMatching(/^20 vCPUs/)]);

  await client.changeFolders(["caller"], []);
  const { diagnostics } = await client.until("caller/main.tf", (codes) => codes.includes(WIDE));
  expect(diagnostics.find(({ code }) => code === WIDE)?.range.start).toEqual({ line: 2, character: 11 });
  expect(await lenses(client)).toEqual([expect.stringMatching(/^64 vCPUs/)]);

  await client.changeFolders([], ["caller"]);
  await client.until("caller/main.tf", (codes) => codes.length === 0);
  expect(await lenses(client)).toEqual([expect.stringMatching(/^20 vCPUs/)]);
});

test("the folder that was the root can be removed, however its address is written", async () => {
  const cwd = folder(FILES);
  const client = await startServer(cwd, { folders: ["caller", "vm"], capabilities: { workspace: WORKSPACE } });
  await client.open("vm/main.tf", RESOURCE);
  await client.until("caller/main.tf", (codes) => codes.includes(WIDE));
  await client.changeFolders([], ["caller/"]);
  await client.until("caller/main.tf", (codes) => codes.length === 0);
});

test("open files of a removed folder are still checked, as outside of any folder", async () => {
  const client = await startServer(folder(FILES), { folders: ["caller", "vm"], capabilities: { workspace: WORKSPACE } });
  await client.open("caller/main.tf", CALLER);
  await client.until("caller/main.tf", (codes) => codes.includes(WIDE));
  await client.changeFolders([], ["caller"]);
  await client.until("caller/main.tf", (codes) => codes.includes(WIDE));
  await client.change("caller/main.tf", 2, CALLER.replace("64", "20"));
  await client.until("caller/main.tf", (codes) => codes.length === 0);
});

test("a call from a folder that is removed counts until its editor is closed", async () => {
  const client = await startServer(folder(FILES), { folders: ["caller", "vm"], capabilities: { workspace: WORKSPACE } });
  await client.open("caller/main.tf", CALLER);
  await client.open("vm/main.tf", RESOURCE);
  await client.changeFolders([], ["caller"]);
  await client.until("caller/main.tf", (codes) => codes.includes(WIDE));
  expect(await lenses(client)).toEqual([expect.stringMatching(/^64 vCPUs/)]);
  await client.close("caller/main.tf");
  await client.until("caller/main.tf", (codes) => codes.length === 0);
  expect(await lenses(client)).toEqual([expect.stringMatching(/^20 vCPUs/)]);
});

test("a configuration is read again when the folders change", async () => {
  const cwd = folder({ ...FILES, "vmlint.yaml": "{}\n" });
  const client = await startServer(cwd, { folders: ["caller"], capabilities: { workspace: WORKSPACE } });
  await client.open("caller/main.tf", CALLER);
  expect(codesOf(await client.nextPublished())).not.toContain(WIDE);
  writeFileSync(join(cwd, "vmlint.yaml"), FILES["vmlint.yaml"]);
  await client.changeFolders(["."], ["caller"]);
  await client.until("caller/main.tf", (codes) => codes.includes(WIDE));
});

test("files are watched anew with the folders, once each", async () => {
  const WATCHED = "workspace/didChangeWatchedFiles";
  const workspace = { ...WORKSPACE, didChangeWatchedFiles: { dynamicRegistration: true } };
  const client = await startServer(folder(FILES), { folders: ["caller"], capabilities: { workspace }, registers: true });
  const [first] = await client.registered(WATCHED, (all) => all.length === 1);
  await client.changeFolders(["vm"], []);
  await client.changeFolders([], ["caller"]);
  const seen = new Set([first?.id]);
  await client.registered(WATCHED, (all) => {
    for (const { id } of all) seen.add(id);
    return seen.size === 3 && all.length === 1 && all[0]?.id !== first?.id;
  });
});

test("a client that pulls is asked to pull again", async () => {
  const workspace = { ...WORKSPACE, diagnostics: { refreshSupport: true } };
  const client = await startServer(folder(FILES), { folders: ["vm"], capabilities: { workspace, textDocument: { diagnostic: {} } } });
  const refreshed = client.asked("workspace/diagnostic/refresh");
  await client.open("vm/main.tf", RESOURCE);
  await client.changeFolders(["caller"], []);
  await refreshed;
  expect(await lenses(client)).toEqual([expect.stringMatching(/^64 vCPUs/)]);
});

test("callers are followed when their folder moves and the client reports only the folder", async () => {
  const cwd = folder(FILES);
  const client = await startServer(cwd, { folders: ["."], capabilities: { workspace: WORKSPACE } });
  await client.open("vm/variables.tf", variable(20));
  await client.open("vm/main.tf", RESOURCE);
  await client.until("caller/main.tf", (codes) => codes.includes(WIDE));
  renameSync(join(cwd, "caller"), join(cwd, "moved"));
  // Some clients put a slash behind the address of a folder.
  await client.watched(["caller/", 3], ["moved/", 1]);
  await client.until("moved/main.tf", (codes) => codes.includes(WIDE));
});

test("a new configuration in a workspace applies, wherever the workspace is and however its URI is escaped", async () => {
  const config = "node_modules/mine/vmlint.yaml";
  const cwd = folder({ "node_modules/mine/tf/a.tf": RESOURCE + variable(64) });
  const client = await startServer(cwd, { folders: ["node_modules/mine"], capabilities: { workspace: WORKSPACE } });
  await client.open("node_modules/mine/tf/a.tf", RESOURCE + variable(64));
  expect(codesOf(await client.nextPublished())).not.toContain(WIDE);
  writeFileSync(join(cwd, config), "host: dl580g7\n");
  await client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: client.uri(config).replace(".yaml", "%2Eyaml"), type: 1 }] });
  await client.until("node_modules/mine/tf/a.tf", (codes) => codes.includes(WIDE));
});

test("a configuration above a workspace in a folder of installed packages applies", async () => {
  const cwd = folder({ "node_modules/mine/tf/a.tf": RESOURCE + variable(64) });
  const client = await startServer(cwd, { folders: ["node_modules/mine"], capabilities: { workspace: WORKSPACE } });
  await client.open("node_modules/mine/tf/a.tf", RESOURCE + variable(64));
  expect(codesOf(await client.nextPublished())).not.toContain(WIDE);
  writeFileSync(join(cwd, "node_modules/vmlint.yaml"), "host: dl580g7\n");
  await client.watched(["node_modules/vmlint.yaml", 1]);
  await client.until("node_modules/mine/tf/a.tf", (codes) => codes.includes(WIDE));
});

test("a file that git ignores is not compared with others, like in the command", async () => {
  const pinned = (name: string) => `displayName = "${name}"\nvirtualHW.version = "19"\nnumvcpus = "4"\nsched.cpu.affinity = "0,2,4,6"\n`;
  const host = 'hosts: { esx01: { sockets: 2, coresPerSocket: 12, esxi: "8.0", runs: ["*"] } }\n';
  const cwd = folder({ "vmlint.yaml": host, "a/a.vmx": pinned("a"), "b.vmx": pinned("b"), ".gitignore": "a/\n" });
  const client = await startServer(cwd, { folders: ["."], capabilities: { workspace: WORKSPACE } });
  await client.open("b.vmx", pinned("b"));
  expect(codesOf(await client.nextPublished())).not.toContain("affinity/overlap");
  writeFileSync(join(cwd, ".gitignore"), "");
  client.watched([".gitignore", 2]);
  await client.until("b.vmx", (codes) => codes.includes("affinity/overlap"));
});
