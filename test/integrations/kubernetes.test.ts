import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../support/checkout.ts";
import { COMMAND, type Run, vmlint } from "../support/cli.ts";
import { folder, writeHuge } from "../support/folder.ts";
import { csvFiles, exportOf, workbook } from "../support/write-workbook.ts";

interface Job {
  readonly spec: {
    readonly completions: number;
    readonly template: { readonly spec: { readonly containers: readonly Container[] } };
  };
}

interface Container {
  readonly workingDir: string;
  readonly command: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
}

const read = (name: string): Job => parse(readFileSync(join(ROOT, "examples/kubernetes", name), "utf8"));
const shards = read("fleet-shards.yaml");
const merge = read("fleet-merge.yaml");

/** Runs what a job's container runs, with the folders that are mounted in it and what Kubernetes sets. */
function runContainer(job: Job, mounts: Readonly<Record<string, string>>, set: Readonly<Record<string, string>> = {}, killed = false): Run {
  const [container] = job.spec.template.spec.containers;
  if (!container) throw new Error("the job has no container");
  const inside = (text: string) => Object.entries(mounts).reduce((said, [path, real]) => said.replaceAll(path, real), text);
  const [program = "", ...args] = container.command.map(inside);
  const bin = folder({ vmlint: `#!/bin/sh\n${killed ? "kill -9 $$" : `exec '${process.execPath}' '${COMMAND}' "$@"`}\n` });
  chmodSync(join(bin, "vmlint"), 0o755);
  const env = {
    ...process.env,
    ...Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value])),
    ...set,
    PATH: `${bin}:${process.env.PATH}`,
  };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: inside(container.workingDir), env, encoding: "utf8" });
  return { code: status, out: stdout, err: stderr };
}

const TWICE = `numvcpus = "4"\nnumvcpus = "4"\n`;
const FLEET = Object.fromEntries(
  Array.from({ length: 11 }, (_, i) => [`site-${i % 3}/vm ${i}.vmx`, i % 2 === 0 ? TWICE : `numvcpus = "4"\n`]),
);

type Files = Readonly<Record<string, string | Uint8Array>>;

interface Report {
  readonly summary: Readonly<Record<string, number>>;
  readonly diagnostics: readonly { readonly host: string | null }[];
}

const ESTATE = exportOf(
  Array.from({ length: 12 }, (_, i) => ({ name: `vm-${i}`, host: `esx0${(i % 3) + 1}`, cpus: [4, 10, 22][i % 3] ?? 1, id: `vm-${i}` })),
  Array.from({ length: 3 }, (_, i) => ({ name: `esx0${i + 1}`, sockets: 2, cores: 8 + 4 * i })),
);

describe("examples/kubernetes: a fleet in an indexed job", () => {
  test("the joined reports of the pods equal the report of one run, and the job fails as that run would", () => {
    const fleet = folder({ ...FLEET, "vmlint.yaml": "host: 2x20x2:768@8.0\n" });
    const reports = folder({});
    const mounts = { "/fleet": fleet, "/reports": reports };
    for (let index = 0; index < shards.spec.completions; index++)
      expect(runContainer(shards, mounts, { JOB_COMPLETION_INDEX: String(index) })).toEqual({ code: 0, out: "", err: "" });
    expect(readdirSync(reports)).toHaveLength(shards.spec.completions);
    const whole = vmlint(fleet, ["--format", "json"]);
    expect(whole.code).toBe(1);
    expect(runContainer(merge, mounts)).toEqual(whole);
    // A shard that failed is no clean fleet.
    rmSync(join(reports, "shard-2.json"));
    expect(runContainer(merge, mounts)).toEqual({
      code: 2,
      out: "",
      err: "vmlint: The report of shard 3/4 is missing. Add it to the list.\n",
    });
  });

  test.each<[string, Files, string?]>([
    ["an export", { "estate.xlsx": workbook(ESTATE) }, "estate.xlsx"],
    ["a folder with exports of two vCenters", { "a/estate.xlsx": workbook(ESTATE), "b/estate.xlsx": workbook(ESTATE), "c.vmx": TWICE }],
    ["a folder of CSV files", csvFiles(ESTATE)],
  ])("%s: each VM is judged on its host, as in one run", (_, files, input) => {
    const mounts = { "/fleet": folder(files), "/reports": folder({}) };
    const set = input === undefined ? {} : { FLEET: input };
    for (let index = 0; index < shards.spec.completions; index++)
      expect(runContainer(shards, mounts, { ...set, JOB_COMPLETION_INDEX: String(index) }).code).toBe(0);
    const joined: Report = JSON.parse(runContainer(merge, mounts).out);
    const whole: Report = JSON.parse(vmlint(mounts["/fleet"], [...(input ? [input] : []), "--format", "json"]).out);
    // Shards skip rules about several VMs.
    expect([joined.summary, joined.diagnostics]).toEqual([whole.summary, whole.diagnostics]);
    expect(whole.diagnostics.map(({ host }) => host)).toContain("esx02");
  });

  test("a pod that runs out of memory leaves no older report and fails", () => {
    const [fleet, reports] = [folder({ "a.vmx": `numvcpus = "4"\n` }), folder({})];
    writeFileSync(join(reports, "shard-0.json"), "{}");
    const { code } = runContainer(shards, { "/fleet": fleet, "/reports": reports }, { JOB_COMPLETION_INDEX: "0" }, true);
    expect([code, readdirSync(reports)]).toEqual([1, []]);
  });

  test("an unreadable file in a pod does not repeat the pod: the joined report lists the file", () => {
    const fleet = folder({ "a.vmx": `numvcpus = "4"\n` });
    writeHuge(join(fleet, "b.vmx"));
    const mounts = { "/fleet": fleet, "/reports": folder({}) };
    for (let index = 0; index < shards.spec.completions; index++)
      expect(runContainer(shards, mounts, { JOB_COMPLETION_INDEX: String(index) }).code).toBe(0);
    expect(runContainer(merge, mounts)).toMatchObject({ code: 2, err: "vmlint: b.vmx is not checked: it could not be read.\n" });
  });

  test("a clean fleet exits 0, even with fewer files than pods", () => {
    const mounts = { "/fleet": folder({ "a.vmx": `numvcpus = "4"\n` }), "/reports": folder({}) };
    for (let index = 0; index < shards.spec.completions; index++) runContainer(shards, mounts, { JOB_COMPLETION_INDEX: String(index) });
    const { code, out } = runContainer(merge, mounts);
    expect([code, JSON.parse(out).summary]).toEqual([0, expect.objectContaining({ files: 1, vms: 1, warning: 0 })]);
  });

  test.each(["Complete", "SuccessCriteriaMet Complete", "FailureTarget Failed"])("the joining job ends with the pods: %s", (types) => {
    const [, wait = ""] = /^#\s+(until .*)$/m.exec(readFileSync(join(ROOT, "examples/kubernetes/fleet-shards.yaml"), "utf8")) ?? [];
    // It has no condition as long as its pods run.
    const bin = folder({ kubectl: `#!/bin/sh\n[ -e "$0.asked" ] && echo '${types}'\ntouch "$0.asked"\n` });
    chmodSync(join(bin, "kubectl"), 0o755);
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const { status, signal } = spawnSync("sh", ["-c", wait.replace("sleep 5", "sleep 0")], { env, timeout: 10_000 });
    expect([status, signal]).toEqual([0, null]);
    expect(existsSync(join(bin, "kubectl.asked"))).toBe(true);
  });

  test.each<[boolean, number]>([
    [true, 1],
    [false, 0],
  ])("reports are joined only where the job is complete: %s", (complete, joined) => {
    const text = readFileSync(join(ROOT, "examples/kubernetes/fleet-shards.yaml"), "utf8");
    const [, command = ""] = /^#\s+(kubectl wait .*)$/m.exec(text) ?? [];
    const bin = folder({ kubectl: `#!/bin/sh\ncase $1 in wait) exit ${complete ? 0 : 1};; *) echo "$@";; esac\n` });
    chmodSync(join(bin, "kubectl"), 0o755);
    const { stdout } = spawnSync("sh", ["-c", command], { env: { ...process.env, PATH: `${bin}:${process.env.PATH}` }, encoding: "utf8" });
    expect(stdout.split("apply -f fleet-merge.yaml").length - 1).toBe(joined);
  });

  test("there is a pod for each shard", () => {
    const { completions, template } = shards.spec;
    expect(template.spec.containers[0]?.env).toContainEqual({ name: "SHARDS", value: String(completions) });
  });
});

/** scripts/setup-integrations.sh puts the types of Kubernetes' own API description there. */
const MODELS = join(ROOT, ".integration-tools/npm/package.json");

describe.skipIf(!existsSync(MODELS))("examples/kubernetes, by the schema of the Kubernetes API (kubernetes-models)", () => {
  const valid = async (job: unknown): Promise<string | undefined> => {
    const { Job } = await import(pathToFileURL(join(MODELS, "../node_modules/kubernetes-models/batch/v1/index.js")).href);
    try {
      new Job(job).validate();
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  };
  test.each([
    ["fleet-shards.yaml", shards],
    ["fleet-merge.yaml", merge],
  ])("%s is a job", async (_, job) => expect(await valid(job)).toBe(undefined));

  test("an invalid document is reported", async () => {
    expect(await valid({ ...shards, spec: { ...shards.spec, completions: "four" } })).toContain("completions");
  });
});
