import { execFileSync, spawnSync } from "node:child_process";
import type { HostModel } from "@vmlint/core";
import { importHost } from "@vmlint/core/hosts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hasVcenter, withVcenter } from "../support/vcenter.ts";

/** Real programs, where the system has put them. */
const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "ignore"],
  });
const read = (text: string) => importHost(text, { name: "here", file: "dump" });
const counts = ({ sockets, coresPerSocket, threadsPerCore, numaNodes }: HostModel) => ({
  sockets,
  coresPerSocket,
  threadsPerCore,
  numaNodes,
});

const linux = has("lscpu") && process.platform === "linux";

describe.runIf(linux)("this machine", () => {
  const table = linux ? counts(read(run("lscpu")).host) : undefined;

  test.each([["-J"], ["-p"], ["-e", "-J"]])("lscpu %s %s gives the same as lscpu", (...args) => {
    expect(counts(read(run("lscpu", ...args)).host)).toEqual(table);
  });

  test.runIf(has("numactl"))("numactl -H agrees, and adds the memory", () => {
    const { host } = read(run("lscpu") + run("numactl", "-H"));
    expect(counts(host)).toEqual(table);
    expect(host.memoryGiB).toBeGreaterThan(0);
  });

  test.runIf(has("lstopo-no-graphics"))("so does hwloc, in both of its formats", () => {
    for (const args of [[], ["--export-xml-flags", "v1"]]) {
      expect(counts(read(run("lstopo-no-graphics", "--of", "xml", ...args)).host)).toEqual(table);
    }
  });
});

describe.runIf(has("lstopo-no-graphics"))("hwloc", () => {
  const level = (name: string) => fc.integer({ min: 1, max: 3 }).map((n) => `${name}:${n}`);
  const numa = fc.constantFrom("numa:1", "numa:2", "[numa]", "[numa(memory=3GiB)]", "[numa(memory=64GB)]");
  const description = fc
    .record({
      before: fc.option(numa, { nil: undefined, freq: 5 }),
      packages: level("pack"),
      group: fc.option(level("group"), { nil: undefined }),
      middle: fc.option(numa, { nil: undefined }),
      cache: fc.option(level("l3"), { nil: undefined }),
      inside: fc.option(numa, { nil: undefined, freq: 5 }),
      core: level("core"),
      pu: fc.constantFrom("pu:1", "pu:2"),
    })
    .map((parts) => Object.values(parts).filter((part) => part !== undefined))
    .filter((parts) => parts.filter((part) => part.includes("numa")).length <= 1)
    .map((parts) => parts.join(" "));

  test("a short description gives the same host as lstopo", () => {
    fc.assert(
      fc.property(description, (text) => {
        const { assumed: _, ...direct } = read(text).host;
        const { assumed: __, ...drawn } = read(run("lstopo-no-graphics", "-i", text, "--of", "xml")).host;
        expect(direct).toEqual(drawn);
      }),
      { numRuns: 60 },
    );
  });
});

describe.runIf(hasVcenter)("govc, on a simulated vCenter", () => {
  test("host.info and object.collect mean the same host", async () => {
    await withVcenter((govc) => {
      const [path = ""] = govc("find", "/", "-type", "h").split("\n");
      const info = read(govc("host.info", "-json", "-host", path)).host;
      // vcsim models one kind of host: two packages of one core, and one NUMA node.
      expect(counts(info)).toEqual({ sockets: 2, coresPerSocket: 1, threadsPerCore: 1, numaNodes: 1 });
      expect(info).toMatchObject({ memoryGiB: 4, mhz: 3591, esxi: { major: 8, minor: 0, update: 2 } });
      expect(info.assumed).toEqual([expect.stringContaining("VMware Virtual Platform")]);
      expect(read(govc("object.collect", "-json", path)).host).toEqual(info);
      const named = ["hardware", "config.product", "config.hyperThread", "config.powerSystemInfo"];
      expect(read(govc("object.collect", "-json", path, ...named)).host).toEqual(info);
      const parts = read(govc("object.collect", "-json", path, "hardware.cpuInfo", "hardware.numaInfo"));
      expect([counts(parts.host), parts.missing]).toEqual([counts(info), ["esxi", "memoryGiB"]]);
    });
  });
});
