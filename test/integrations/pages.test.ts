import { spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { checkout, git, ROOT } from "../support/checkout.ts";
import { COMMAND, type Run } from "../support/cli.ts";
import { folder } from "../support/folder.ts";
import { workbook } from "../support/write-workbook.ts";

const GUIDES = ["ci", "pre-commit", "installation", "getting-started", "editors", "plugins", "library"];
const PAGES = ["README.md", ...GUIDES.map((name) => `docs/guide/${name}.md`), "integrations/python/README.md"];

interface Block {
  readonly page: string;
  /** The comment before the block. */
  readonly mark: string;
  readonly body: string;
}

const blocksOf = (page: string): readonly Block[] =>
  [...readFileSync(join(ROOT, page), "utf8").matchAll(/(?:<!-- ([^\n]*) -->\n)?```(?:sh|yaml|json)\n([\s\S]*?)```/g)].map(
    ([, mark = "", body = ""]) => ({ page, mark, body }),
  );
const BLOCKS = PAGES.flatMap(blocksOf);
/** The largest number of blocks that this test may skip. */
const NOT_RUN = 5;

test("each block runs in this test or in that of the guides, or says why not", () => {
  expect(BLOCKS.filter(({ mark }) => !/^(?:run|file|tested: |not run: .{20})/.test(mark))).toEqual([]);
  expect(BLOCKS.filter(({ mark }) => mark.startsWith("not run: ")).length).toBeLessThanOrEqual(NOT_RUN);
  expect(BLOCKS.filter(({ mark }) => mark.startsWith("tested: ") && !Object.hasOwn(DRIVERS, mark.slice(8)))).toEqual([]);
});

const BAD = 'virtualHW.version = "20"\nmemSize = "32768"\nnumvcpus = "8"\ncpuid.coresPerSocket = "3"\n';
const GOOD = BAD.replace('"3"', '"8"');
const FINDING = "cpu/cps-divides";

/** A clone with installed packages, and the packed command. */
const shared = { clone: "", package: "" };
const tops: string[] = [];

/** A folder for all tests of this file. */
function lasting(): string {
  const top = mkdtempSync(join(tmpdir(), "vmlint-pages-"));
  tops.push(top);
  return top;
}

/** Runs a script as a step of a runner. Installed commands go into a folder of their own, the first one on the path. */
function bash(script: string, cwd: string, env: Readonly<Record<string, string>> = {}): Run {
  const home = env.HOME ?? lasting();
  const path = `${home}/bin:${process.env.PATH}`;
  const own = { npm_config_prefix: home, npm_config_prefer_offline: "true", PATH: path, CI: "", PRE_COMMIT_HOME: join(home, "pre-commit") };
  const run = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", script], {
    cwd,
    env: { ...process.env, ...own, ...env },
    encoding: "utf8",
    input: "",
  });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

/** A home with `vmlint` on its path, as an installation puts it there. */
function homeWithCommand(): string {
  const home = lasting();
  mkdirSync(join(home, "bin"));
  writeFileSync(join(home, "bin/vmlint"), `#!/bin/sh\nexec "${process.execPath}" "${COMMAND}" "$@"\n`);
  chmodSync(join(home, "bin/vmlint"), 0o755);
  return home;
}

/** A repository with the package and two VMs. */
function repository(): string {
  const cwd = folder({ "prod/a.vmx": BAD, "lab/b.vmx": GOOD, "vmlint.yaml": "host: 2x20x2:768@8.0\n" });
  copyFileSync(shared.package, join(cwd, "vmlint-0.1.0.tgz"));
  git(cwd, "init", "--quiet", "--initial-branch=main");
  return cwd;
}

/** Makes the clone and the package, once. */
function prepare(): void {
  if (shared.clone !== "") return;
  const clone = join(lasting(), "vmlint");
  cpSync(checkout(), clone, { recursive: true });
  const install = /`(npm ci && npm pack[^`]*)` (?:builds|writes)/.exec(readFileSync(join(ROOT, "README.md"), "utf8"))?.[1];
  const { code, err } = bash(install ?? "false", clone);
  expect(code, err).toBe(0);
  const made = join(clone, "vmlint-0.1.0.tgz");
  expect(existsSync(made)).toBe(true);
  Object.assign(shared, { clone, package: made });
}

const withoutInstall = (script: string): string => script.replaceAll("npm ci && ", "");

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly "working-directory"?: string;
}

/** The actions of this repository's own workflows, each with its version. */
const ACTIONS = readdirSync(join(ROOT, ".github/workflows")).flatMap((name) =>
  [...readFileSync(join(ROOT, ".github/workflows", name), "utf8").matchAll(/uses: (\S+@\S+)/g)].map(([, action]) => action),
);

/** Runs the steps of a job as GitHub does. */
function runSteps(steps: readonly Step[], cwd: string): Run {
  const home = lasting();
  const summary = join(home, "summary.md");
  const runner = { HOME: home, GITHUB_WORKSPACE: cwd, GITHUB_STEP_SUMMARY: summary };
  let last: Run = { code: 0, out: "", err: "" };
  for (const { uses, run, with: inputs = {}, "working-directory": at = "." } of steps) {
    if (uses !== undefined && !uses.startsWith("./")) {
      expect(ACTIONS).toContain(uses);
      continue;
    }
    expect(last.code, last.err).toBe(0);
    if (uses === undefined) last = bash(withoutInstall(run ?? ""), join(cwd, at), runner);
    else {
      const action = parse(readFileSync(join(cwd, uses, "action.yml"), "utf8"));
      const names = Object.keys(action.inputs);
      const given = names.map((name) => [`INPUT_${name.toUpperCase()}`, String(inputs[name] ?? action.inputs[name].default)]);
      last = bash(`"${process.execPath}" "${join(cwd, uses, action.runs.main)}"`, cwd, { ...runner, ...Object.fromEntries(given) });
    }
  }
  return last;
}

const PRE_COMMIT = join(ROOT, ".integration-tools/bin/pre-commit");
const GITLAB = join(ROOT, ".integration-tools/npm/node_modules/.bin/gitlab-ci-local");

/** Functions that run a block. They fail if the block does not work. */
const DRIVERS: Readonly<Record<string, (body: string) => void>> = {
  clone(body) {
    for (const line of body.trim().split("\n")) {
      const { code, out, err } = bash(withoutInstall(line), shared.clone);
      expect([0, 1], `${line}\n${out}\n${err}`).toContain(code);
      if (line.includes("npx vmlint examples")) expect(out).toContain("numa/wide-uneven");
    }
  },
  package(body) {
    const { code, err } = bash(body, repository());
    expect(code, err).toBe(0);
  },
  commands(body) {
    const cwd = folder({
      "sql01.vmx": GOOD,
      "web01.xml":
        "<domain type='kvm'><name>web01</name><memory unit='GiB'>4</memory><vcpu>2</vcpu><os><type arch='x86_64'>hvm</type></os></domain>\n",
      "lscpu.txt": "CPU(s): 2\nThread(s) per core: 1\nCore(s) per socket: 1\nSocket(s): 2\nNUMA node(s): 1\nNUMA node0 CPU(s): 0,1\n",
      "estate.xlsx": workbook({
        vInfo: [
          ["VM", "Powerstate", "CPUs", "Memory", "Host"],
          ["a", "poweredOn", "4", "4096", "h1"],
        ],
      }),
    });
    const home = homeWithCommand();
    mkdirSync(join(home, ".config/fish/completions"), { recursive: true });
    const dump = { virtualMachines: [{ name: "a", config: { name: "a", hardware: { numCPU: 4, numCoresPerSocket: 4, memoryMB: 4096 } } }] };
    writeFileSync(join(home, "bin/govc"), `#!/bin/sh\ncat <<'E'\n${JSON.stringify(dump)}\nE\n`);
    chmodSync(join(home, "bin/govc"), 0o755);
    for (const line of body.trim().split("\n")) {
      const { code, out, err } = bash(line, cwd, { HOME: home });
      expect([0, 1], `${line}\n${out}\n${err}`).toContain(code);
      expect(err).not.toContain("not found");
    }
  },
  configuration(body) {
    const cwd = folder({ "vmlint.yaml": body, "sql-01.vmx": GOOD });
    expect(bash("vmlint", cwd, { HOME: homeWithCommand() }).code).toBeLessThan(2);
  },
  agent(body) {
    const { mcpServers } = JSON.parse(body);
    const { command, args } = mcpServers.vmlint;
    expect(bash([command, ...args].join(" "), folder({}), { HOME: homeWithCommand() }).code).toBe(0);
  },
  github(body) {
    const cwd = repository();
    symlinkSync(shared.clone, join(cwd, "vmlint"));
    const job = parse(body);
    const { code, out, err } = runSteps(Array.isArray(job) ? job : job.steps, cwd);
    expect([code, out], err).toEqual([1, expect.stringMatching(new RegExp(`^::error file=prod/a\\.vmx,.*title=${FINDING}`, "m"))]);
  },
  gitlab(body) {
    if (!existsSync(GITLAB)) return;
    const cwd = repository();
    cpSync(join(ROOT, "integrations/gitlab/templates"), join(cwd, "templates"), { recursive: true });
    writeFileSync(join(cwd, ".gitlab-ci.yml"), body);
    git(cwd, "remote", "add", "origin", "git@gitlab.com:example/vms.git");
    const preview = spawnSync(GITLAB, ["--preview"], { cwd, encoding: "utf8" });
    const { vmlint: job } = parse(preview.stdout.slice(preview.stdout.indexOf("---\n")));
    const { code, out, err } = bash(job.script.join("\n"), cwd, { CI_PROJECT_DIR: cwd });
    expect([code, out], err).toEqual([1, expect.stringContaining(`${FINDING} prod/a.vmx`)]);
    expect(readFileSync(join(cwd, "gl-code-quality-report.json"), "utf8")).toContain('"path": "prod/a.vmx"');
  },
  "pre-commit"(body) {
    if (!existsSync(PRE_COMMIT)) return;
    const cwd = repository();
    const config = parse(body);
    writeFileSync(join(cwd, ".pre-commit-config.yaml"), JSON.stringify(Array.isArray(config) ? { repos: config } : config));
    git(cwd, "add", "--all");
    const run = () => bash(`"${PRE_COMMIT}" run --all-files --color=never`, cwd);
    expect(run()).toMatchObject({ code: 1, out: expect.stringContaining(FINDING) });
    writeFileSync(join(cwd, "prod/a.vmx"), GOOD);
    expect(run()).toMatchObject({ code: 0, out: expect.stringMatching(/\.+Passed$/m) });
  },
  "git-hook"(body) {
    const cwd = folder({ "a.vmx": BAD });
    git(cwd, "init", "--quiet");
    writeFileSync(join(cwd, ".git/hooks/pre-commit"), body);
    chmodSync(join(cwd, ".git/hooks/pre-commit"), 0o755);
    const commit = () =>
      bash("git add -A && git -c user.name=a -c user.email=a@localhost commit -q -m a", cwd, { HOME: homeWithCommand() });
    expect(commit()).toMatchObject({ code: 1, err: expect.stringContaining(FINDING) });
    writeFileSync(join(cwd, "a.vmx"), GOOD);
    expect(commit().code).toBe(0);
  },
};

describe("in a clone, as the pages say", { timeout: 400_000 }, () => {
  afterAll(() => {
    for (const top of tops) rmSync(top, { recursive: true, force: true });
  }, 120_000);

  test("each page makes the package in the same way", () => {
    const ways = PAGES.flatMap((page) => readFileSync(join(ROOT, page), "utf8").match(/`[^`\n]*npm pack[^`\n]*`/g) ?? []);
    expect(new Set(ways)).toEqual(new Set(["`npm ci && npm pack --workspace vmlint`"]));
  });

  test.each(BLOCKS.filter(({ mark }) => mark.startsWith("tested: ")))("$page $mark", ({ mark, body }) => {
    prepare();
    DRIVERS[mark.slice("tested: ".length)]?.(body);
  });

  test("a typo in a block fails", () => {
    prepare();
    const block = (mark: string) => BLOCKS.find((one) => one.mark === `tested: ${mark}`)?.body ?? "";
    expect(() => DRIVERS.github?.(block("github").replace("vmlint-0.1.0.tgz", "vmlint-0.1.1.tgz"))).toThrow();
    expect(() => DRIVERS.github?.(block("github").replace("--format", "--formt"))).toThrow();
    expect(() => DRIVERS.commands?.(block("commands").replace("vmlint topology", "vmlint topolgy"))).toThrow();
    expect(() => DRIVERS.configuration?.(block("configuration").replace("hosts:", "hotsts:"))).toThrow();
  });
});
