import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { folder } from "../support/folder.ts";
import { hangOn } from "../support/hang.ts";
import { startServer } from "../support/lsp.ts";

const VM = 'numvcpus = "4"\nnumvcpus = "4"\n';
const FOUND = { diagnostics: [{ code: "vmx/duplicate-key" }] };

test("a check that takes too long is named, of a single file and of a project, and the server goes on", async () => {
  const cwd = folder({ "hang.mjs": hangOn("ENDLESS") });
  const client = await startServer(cwd, { env: { NODE_OPTIONS: `--import ${pathToFileURL(join(cwd, "hang.mjs")).href}` } });
  for (const [name, text] of [
    ["a.vmx", `${VM}displayName = "ENDLESS"\n`],
    ["main.tf", 'resource "vsphere_virtual_machine" "ENDLESS" {\n  num_cpus = 6\n}\n'],
  ] as const) {
    await client.open(name, text);
    expect(await client.nextPublished()).toMatchObject({ uri: client.uri(name), diagnostics: [] });
    expect(client.messages.at(-1)?.message).toBe(
      `vmlint does not check ${name}: it failed, and this is a bug in vmlint (its check took more than 10 seconds).`,
    );
    await client.close(name);
    await client.nextPublished();
  }
  await client.open("b.vmx", VM);
  expect(await client.nextPublished()).toMatchObject(FOUND);
  expect(await client.end()).toBe(0);
});

test("a text that is too long is named", async () => {
  const client = await startServer(folder({}));
  await client.open("long.vmx", VM + "#".repeat(16_000_000));
  await client.nextPublished();
  expect(client.messages).toMatchObject([
    { message: "vmlint does not check long.vmx: it has more than 16 million characters. Run vmlint on it in a terminal." },
  ]);
});

test("a check without enough memory is named, and the next one runs when there is enough", async () => {
  const full = `import v8 from "node:v8";
let looks = 0;
v8.getHeapStatistics = () => ({ used_heap_size: looks++ < 2 ? 8 : 6, heap_size_limit: 10 });`;
  const cwd = folder({ "full.mjs": full });
  const client = await startServer(cwd, { env: { NODE_OPTIONS: `--import ${pathToFileURL(join(cwd, "full.mjs")).href}` } });
  await client.open("a.vmx", VM);
  expect(await client.nextPublished()).toMatchObject({ diagnostics: [] });
  expect(client.messages).toMatchObject([
    { message: "vmlint does not check a.vmx: the memory of the language server is nearly full. Run vmlint on it in a terminal." },
  ]);
  await client.change("a.vmx", 2, `${VM}\n`);
  expect(await client.nextPublished()).toMatchObject(FOUND);
  expect(await client.end()).toBe(0);
});
