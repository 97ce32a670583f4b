import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "@vmlint/core";
import { describe, expect, test } from "vitest";
import { type CachedResult, openCache } from "../../packages/cli/src/cache.ts";
import { outside } from "../../packages/cli/src/process-io.ts";
import { folder } from "../support/folder.ts";

const SKIP = { ruleId: "numa/wide-uneven", reason: "no-host" } as const;
const RESULT: CachedResult = {
  diagnostics: [],
  skipped: [SKIP],
  foreign: undefined,
  withheld: [],
  ran: new Set<string>(),
  vmCount: 1,
  hosts: false,
  silences: false,
} as unknown as CachedResult;
const ABOUT = { name: "a.vmx", format: "vmx", against: "host" };
const NO_FILES: Files = { read: () => undefined, list: () => [] };

/** A run that opens the cache of a folder now. */
function run(cwd: string, location?: string) {
  const said: string[] = [];
  const io = { ...outside({ cwd, env: {}, isTerminal: false, print: () => {} }), err: (text: string) => void said.push(text) };
  const cache = openCache(location, io, "build");
  const read = () => readFileSync(join(cwd, "a.vmx"));
  let reads = 0;
  const find = (about = ABOUT, files = NO_FILES) => {
    const readNow = () => {
      reads++;
      return read();
    };
    return cache.find(about, join(cwd, "a.vmx"), readNow, files);
  };
  return { cache, find, said, reads: () => reads };
}

describe("the cache", () => {
  const filled = (): string => {
    const cwd = folder({ "a.vmx": 'numvcpus = "2"\n' });
    const { cache, find } = run(cwd);
    const { keep, kept } = find();
    expect(kept).toBe(undefined);
    keep?.(RESULT);
    cache.save();
    return cwd;
  };

  test("keeps a result for the same content, and for nothing else", () => {
    const cwd = filled();
    expect(run(cwd).find().kept).toMatchObject({ skipped: [SKIP], vmCount: 1 });
    for (const other of [{ name: "b.vmx" }, { format: "ovf" }, { against: "another host" }])
      expect(run(cwd).find({ ...ABOUT, ...other }).kept, JSON.stringify(other)).toBe(undefined);
    writeFileSync(join(cwd, "a.vmx"), 'numvcpus = "4"\n');
    expect(run(cwd).find().kept).toBe(undefined);
  });

  test("a result depends on the files beside it that were read", () => {
    const cwd = folder({ "a.vmx": "" });
    const beside = { read: (path: string) => (path === "x.yaml" ? "1" : undefined), list: () => ["x.yaml"] };
    const { cache, find } = run(cwd);
    const { files, keep } = find(ABOUT, beside);
    expect([files?.read("x.yaml"), files?.read("gone"), files?.list(".")]).toEqual(["1", undefined, ["x.yaml"]]);
    keep?.(RESULT);
    cache.save();
    expect(run(cwd).find(ABOUT, beside).kept).toBeDefined();
    expect(run(cwd).find(ABOUT, { ...beside, read: () => "2" }).kept).toBe(undefined);
    expect(run(cwd).find(ABOUT, { ...beside, list: () => ["x.yaml", "y.yaml"] }).kept).toBe(undefined);
  });

  test("a damaged cache, and one of another build, hold nothing", () => {
    const cwd = filled();
    const path = join(cwd, ".vmlint-cache");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.slice(0, -5));
    expect(run(cwd).find().kept).toBe(undefined);
    writeFileSync(path, text.replace('"by":"', '"by":"x'));
    expect(run(cwd).find().kept).toBe(undefined);
    writeFileSync(path, text);
    expect(run(cwd).find().kept).toBeDefined();
  });

  test("a file with other content is never replaced, and a folder gets a file of its own", () => {
    const cwd = folder({ "a.vmx": "", "notes.txt": "mine", "caches/.keep": "" });
    expect(() => run(cwd, "notes.txt")).toThrow("notes.txt exists and is not a cache of vmlint");
    const { cache, find } = run(cwd, "caches");
    find().keep?.(RESULT);
    cache.save();
    expect(readdirSync(join(cwd, "caches")).filter((name) => name.endsWith(".vmlint-cache"))).toHaveLength(1);
    expect(readFileSync(join(cwd, "notes.txt"), "utf8")).toBe("mine");
  });

  test("nothing is written without news, and a cache that cannot be written is a note", () => {
    const cwd = folder({ "a.vmx": "" });
    run(cwd).cache.save();
    expect(readdirSync(cwd)).toEqual(["a.vmx"]);
    const { cache, find, said } = run(cwd, "a.vmx/cache");
    find().keep?.(RESULT);
    cache.save();
    expect(said.join("")).toMatch(/^vmlint: a\.vmx\/cache is not written \(E[A-Z]+\): the next run checks everything again\.\n$/);
  });

  test("a project is stored by its key, with the files that it read", () => {
    const cwd = folder({ "a.vmx": "" });
    const { cache } = run(cwd);
    const project = { files: [{ ...RESULT, path: "main.tf", others: [] }], variables: ["cpus"], folders: [], withoutVm: [] };
    cache.keepProject("terraform", "key", [], project as never);
    cache.save();
    const later = run(cwd).cache;
    expect(later.findProject("terraform", "key", NO_FILES)).toMatchObject({
      variables: ["cpus"],
      files: [{ path: "main.tf", skipped: [SKIP] }],
    });
    expect([later.findProject("terraform", "other", NO_FILES), later.findProject("packer", "key", NO_FILES)]).toEqual([
      undefined,
      undefined,
    ]);
  });
});
