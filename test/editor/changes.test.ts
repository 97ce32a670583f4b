import { expect, test } from "vitest";
import { editor } from "../support/editor.ts";

// An editor repeats only what depends on a change, and notices each kind of change.

const HOSTS = 'hosts: { esx01: { sockets: 2, coresPerSocket: 12, memoryGiB: 256, esxi: "8.0", runs: ["vm-*"] } }\n';
const vmx = (name: string, cores: string) =>
  `displayName = "${name}"\nvirtualHW.version = "19"\nnumvcpus = "4"\nmemSize = "4096"\nsched.cpu.affinity = "${cores}"\n`;
const count = 100;
const files: Readonly<Record<string, string>> = {
  "/vmlint.yaml": HOSTS,
  ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`/f${i % 10}/${i}.vmx`, vmx(`vm-${i}`, `${i % 10}-${(i % 10) + 3}`)])),
};

async function open() {
  const opened = editor(files, { findsConfigs: true });
  await opened.type("/f0/0.vmx");
  await opened.check("/f0/0.vmx");
  const runs: string[] = [];
  opened.checks.trace((query, key) => runs.push(`${query} ${key.split("\n").at(-1)}`));
  return { ...opened, runs };
}

/** Returns the findings of a text in this editor and in a new one with the same files. */
async function both({ check, disk }: Awaited<ReturnType<typeof open>>, path = "/f0/0.vmx") {
  const said = (found: Awaited<ReturnType<typeof check>>) => [
    found?.result.diagnostics.map(({ ruleId, message }) => `${ruleId} ${message}`),
    [...(found?.otherFiles.keys() ?? [])].sort(),
  ];
  return [said(await check(path)), said(await editor(Object.fromEntries(disk), { findsConfigs: true }).check(path))] as const;
}

test("a keystroke repeats the questions about its document, and the comparison if its VM changed", async () => {
  const { type, check, runs } = await open();
  await type("/f0/0.vmx", `# a comment\n${files["/f0/0.vmx"]}`);
  await check("/f0/0.vmx");
  const own = ["entryOf /f0/0.vmx", "unit /f0/0.vmx", "compared ", "reviewed /f0/0.vmx", "document /f0/0.vmx"];
  expect(runs.filter((run) => !own.includes(run))).toEqual([]);
  expect(new Set(runs)).toEqual(new Set(own));
});

test("a file that no answer needs runs nothing", async () => {
  const { checks, check, disk, runs } = await open();
  disk.set("/f0/notes.txt", "a");
  expect([...(await checks.changed("/f0/notes.txt", "name"))]).toEqual(["/f0/notes.txt"]);
  await check("/f0/0.vmx");
  expect(runs.filter((run) => /^(unit|compared|document)/.test(run))).toEqual([]);
});

test("a new, a changed and a deleted configuration count", async () => {
  const opened = await open();
  const { checks, disk } = opened;
  disk.set("/f0/vmlint.yaml", "rules: { affinity/overlap: off }\n");
  expect(await checks.changed("/f0/vmlint.yaml", "name")).toContain("/f0/0.vmx");
  const [there, fresh] = await both(opened);
  expect(there).toEqual(fresh);
  disk.set("/f0/vmlint.yaml", "extends: [/base.yaml]\n".replace("/base", "../base"));
  disk.set("/base.yaml", HOSTS);
  await checks.changed("/f0/vmlint.yaml", "text");
  await checks.changed("/base.yaml", "name");
  const [changed, freshly] = await both(opened);
  expect(changed).toEqual(freshly);
  disk.delete("/f0/vmlint.yaml");
  expect(await checks.changed("/f0/vmlint.yaml", "name")).toContain("/f0/0.vmx");
  const [gone, again] = await both(opened);
  expect(gone).toEqual(again);
  expect(JSON.stringify(gone)).toContain("/f1/1.vmx");
});

test("200 files that change at once, as in git, are noticed together", async () => {
  const opened = await open();
  const { checks, disk, runs } = opened;
  const paths = [...disk.keys()].filter((path) => path.endsWith(".vmx") && path !== "/f0/0.vmx");
  for (const path of paths) disk.set(path, vmx(`vm-${path}`, "20-23"));
  for (let i = 0; i < count; i++) disk.set(`/new/${i}.vmx`, vmx(`vm-new-${i}`, "0-3"));
  const events = [...paths, ...Array.from({ length: count }, (_, i) => `/new/${i}.vmx`)];
  const stale = await Promise.all(events.map((path) => checks.changed(path, path.startsWith("/new") ? "name" : "text")));
  expect(stale.every((one) => one.has("/f0/0.vmx"))).toBe(true);
  const [there, fresh] = await both(opened);
  expect(there).toEqual(fresh);
  expect(runs.filter((run) => run.startsWith("compared")).length).toBeLessThan(5);
});
