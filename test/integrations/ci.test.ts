import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../support/checkout.ts";
import { COMMAND, type Run, vmlint } from "../support/cli.ts";
import { folder } from "../support/folder.ts";

const read = (path: string): string => readFileSync(join(ROOT, "integrations", path), "utf8");
const FILES = {
  "my vms/bad.vmx": 'virtualHW.version = "20"\nmemSize = "32768"\nnumvcpus = "8"\ncpuid.coresPerSocket = "1"\n',
  "my vms/good.vmx": 'virtualHW.version = "20"\nmemSize = "32768"\nnumvcpus = "8"\ncpuid.coresPerSocket = "8"\n',
  "vmlint.yaml": 'host: 2x20x2:768@8.0\nworkload: { kind: mssql, edition: standard, version: "2022", licensing: core }\n',
};

/** Runs a script with bash and the options a runner gives it. */
function bash(cwd: string, script: string, env: Readonly<Record<string, string>>): Run {
  const run = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd,
    env: { ...process.env, CI: "", ...env },
    encoding: "utf8",
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

/** The command's package as it would be published, next to files to check. */
function withTarball(): { readonly cwd: string; readonly tarball: string } {
  const cwd = folder(FILES);
  const args = ["pack", "--silent", "--ignore-scripts", "--pack-destination", cwd];
  execFileSync("npm", args, { cwd: join(ROOT, "packages/cli"), stdio: "pipe" });
  return { cwd, tarball: `./${readdirSync(cwd).find((file) => file.endsWith(".tgz"))}` };
}

/** A registry may keep a client waiting. */
const REGISTRY = { timeout: 240_000, retry: 1 };
const BAD = "error file=my vms/bad.vmx,line=4,endLine=4,col=25,endColumn=26,title=mssql/standard-sockets";

describe("the action of GitHub", () => {
  const { inputs, runs } = parse(read("github/action.yml"));

  /** The action as in a release, with the command next to its entry. */
  function released(): string {
    const path = folder({ [runs.main]: read(`github/${runs.main}`) });
    symlinkSync(dirname(COMMAND), join(path, "dist"));
    return join(path, runs.main);
  }

  /** Starts the entry as a runner does: inputs and files are variables of its environment. */
  function run(cwd: string, entry: string, given: Readonly<Record<string, string>>): Run & { readonly summary: string } {
    const summary = join(folder({ "summary.md": "" }), "summary.md");
    const values = Object.keys(inputs).map((name) => [`INPUT_${name.toUpperCase()}`, given[name] ?? inputs[name].default]);
    const env = { ...process.env, ...Object.fromEntries(values), GITHUB_WORKSPACE: cwd, GITHUB_STEP_SUMMARY: summary };
    const { status, stdout, stderr } = spawnSync(process.execPath, [entry], { cwd, env, encoding: "utf8" });
    return { code: status, out: stdout, err: stderr, summary: readFileSync(summary, "utf8") };
  }

  test("annotates and writes the summary", () => {
    const entry = released();
    const cwd = folder(FILES);
    const bad = run(cwd, entry, {});
    expect(bad.out).toContain(BAD);
    expect(bad.code).toBe(1);
    expect(bad.summary).toContain("mssql/standard-sockets");
    expect(run(cwd, entry, { paths: "my vms/good.vmx\n" })).toMatchObject({ code: 0, out: "" });
    const dashed = run(cwd, entry, { paths: "--plugin=./x.mjs" });
    expect([dashed.code, dashed.err]).toEqual([2, "vmlint: --plugin=./x.mjs does not exist.\n"]);
    expect(run(cwd, entry, { arguments: "--fail-on\nnever", paths: "my vms/bad.vmx\nmy vms/good.vmx" }).code).toBe(0);
  });

  test("without its command says what to do", () => {
    const bare = join(folder({ [runs.main]: read(`github/${runs.main}`) }), runs.main);
    const { code, out } = run(folder(FILES), bare, {});
    expect([code, out]).toEqual([2, expect.stringMatching(/^::error title=vmlint::.*release tag/)]);
  });
});

const GITLAB = join(ROOT, ".integration-tools/npm/node_modules/.bin/gitlab-ci-local");

test.skipIf(!existsSync(GITLAB))("the component of GitLab reports for merge requests and as tests", REGISTRY, () => {
  const { cwd, tarball } = withTarball();
  mkdirSync(join(cwd, "templates/vmlint"), { recursive: true });
  writeFileSync(join(cwd, "templates/vmlint/template.yml"), read("gitlab/templates/vmlint/template.yml"));
  const git = (...words: readonly string[]) => execFileSync("git", words, { cwd, stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  git("remote", "add", "origin", "git@gitlab.com:example/vms.git");
  /** gitlab-ci-local puts the inputs in and checks the result by the schema of GitLab. A runner would run the script in the image. */
  const jobWith = (inputs: Readonly<Record<string, string>>): Run => {
    writeFileSync(join(cwd, ".gitlab-ci.yml"), JSON.stringify({ include: [{ local: "templates/vmlint/template.yml", inputs }] }));
    const { status, stdout, stderr } = spawnSync(GITLAB, ["--preview"], { cwd, encoding: "utf8" });
    if (status !== 0) return { code: status, out: stdout, err: stderr };
    const { vmlint: job } = parse(stdout.slice(stdout.indexOf("---\n")));
    expect(job.artifacts.reports).toEqual({ codequality: "gl-code-quality-report.json", junit: "vmlint-junit.xml" });
    return bash(cwd, job.script.join("\n"), {});
  };
  expect(jobWith({}).err).toContain("package");
  const run = jobWith({ package: tarball });
  expect(run.out).toContain("error mssql/standard-sockets my vms/bad.vmx:4:25");
  expect(run.code).toBe(1);
  const quality = readFileSync(join(cwd, "gl-code-quality-report.json"), "utf8");
  expect(JSON.parse(quality)).toMatchObject([{ check_name: "mssql/standard-sockets" }]);
  expect(readFileSync(join(cwd, "vmlint-junit.xml"), "utf8")).toContain("<testsuites");
  expect(jobWith({ package: tarball, paths: "my*/good.vmx" }).code).toBe(0);
});

interface Matcher {
  readonly severity?: string;
  readonly pattern: readonly [{ readonly regexp: string } & Readonly<Record<string, number>>];
}

test("the problem matcher of GitHub reads every line of --format compact, and takes notes for notices", () => {
  const { problemMatcher }: { readonly problemMatcher: readonly Matcher[] } = JSON.parse(read("github/vmlint-matcher.json"));
  const severities = ["error", "hint", "info", "warning"];
  const overrides = severities.map((severity) => `  - { files: ["${severity}:1.vmx"], rules: { mssql/standard-sockets: ${severity} } }\n`);
  const vms = severities.map((severity) => [`${severity}:1.vmx`, FILES["my vms/bad.vmx"]]);
  const cwd = folder({ ...Object.fromEntries(vms), "vmlint.yaml": `${FILES["vmlint.yaml"]}overrides:\n${overrides.join("")}` });
  const lines = vmlint(cwd, ["--format", "compact"]).out.trimEnd().split("\n");
  const taken = lines.map((line) =>
    problemMatcher.flatMap(({ severity, pattern: [{ regexp, ...groups }] }) => {
      const match = new RegExp(regexp).exec(line);
      return match ? [{ severity, ...Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, match[group]])) }] : [];
    }),
  );
  const message =
    "Standard edition can use 4 of these 8 vCPUs: it sees 8 sockets. Set 8 cores per socket (1 socket), which lets it use all 8.";
  const found = (file: string, severity: string) => [
    { file: `${file}:1.vmx`, line: "4", column: "25", severity, code: "mssql/standard-sockets", message },
  ];
  expect(taken).toEqual([found("error", "error"), found("hint", "notice"), found("info", "notice"), found("warning", "warning")]);
});

const HADOLINT = join(ROOT, ".integration-tools/bin/hadolint");

test.skipIf(!existsSync(HADOLINT))("hadolint reports no problem in the Dockerfile", () => {
  const run = spawnSync(HADOLINT, ["--no-color", join(ROOT, "integrations/docker/Dockerfile")], { encoding: "utf8" });
  expect(run).toMatchObject({ status: 0, stdout: "" });
});
