// npm run bench -- --peers: vmlint and other linters, each that is on the PATH, over the same files.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fill, playbook } from "./bench-files.mjs";
import { manifest, terraform } from "./bench-fleet.mjs";
import { keystrokes, VMLINT } from "./bench-measure.mjs";

/** Longest that one run may take, in milliseconds. */
const PATIENCE = 600_000;

/** Quick commands run several times, slow ones once. */
const RUNS = 5;
const QUICK = 5_000;

const KINDS = [
  {
    name: "Terraform",
    file: (i) => [`vm-${i}.tf`, terraform(i)],
    // As each is run on one folder, without asking a network.
    peers: [
      { command: ["terraform", "fmt", "-check", "-list=false"], version: ["version"] },
      { command: ["tflint"], version: ["--version"] },
      { command: ["trivy", "config", "--quiet", "--skip-check-update", "--offline-scan", "."], version: ["--version"] },
      { command: ["checkov", "--directory", ".", "--framework", "terraform", "--quiet", "--compact"], version: ["--version"] },
    ],
  },
  {
    name: "Ansible",
    file: (i) => [`vm-${i}.yml`, playbook(i)],
    peers: [{ command: ["ansible-lint", "--offline", "--nocolor", "-q"], version: ["--version", "--nocolor"] }],
  },
  {
    name: "Cluster API",
    file: (i) => [`vm-${i}.yaml`, manifest(i)],
    peers: [
      { command: ["kube-linter", "lint", "."], version: ["version"] },
      { command: ["checkov", "--directory", ".", "--framework", "kubernetes", "--quiet", "--compact"], version: ["--version"] },
    ],
  },
];

// Turns off telemetry and downloads of the other linters.
const env = {
  ...process.env,
  CHECKOV_RUN_SCA_PACKAGE_SCAN: "false",
  BC_SKIP_MAPPING: "TRUE",
  CHECKPOINT_DISABLE: "1",
  NODE_EXTRA_CA_CERTS: "",
};

const run = ([program, ...args], cwd) => {
  const start = performance.now();
  const { status, signal, error } = spawnSync(program, args, { cwd, env, stdio: "ignore", timeout: PATIENCE });
  return { ms: performance.now() - start, isDone: !error && !signal, ended: status === null ? "ended by then" : `exit ${status}` };
};

/** Returns the median of a few runs after one warm-up run. */
function measure(command, cwd) {
  const first = run(command, cwd);
  if (first.ms > QUICK) return first;
  const all = Array.from({ length: RUNS }, () => run(command, cwd)).sort((a, b) => a.ms - b.ms);
  return all[Math.floor(RUNS / 2)];
}

function versionOf({ command: [program], version }) {
  const { error, stdout } = spawnSync(program, version, { env, encoding: "utf8", timeout: PATIENCE });
  return error ? undefined : (/\d+\.\d+[.\w-]*/.exec(stdout ?? "")?.[0] ?? "of an unknown version");
}

/** Prints how long each takes, and how many times as long as vmlint. */
export async function benchPeers() {
  const root = mkdtempSync(join(tmpdir(), "vmlint-peers-"));
  try {
    for (const { name, file, peers } of KINDS) {
      const found = peers.map((peer) => ({ ...peer, version: versionOf(peer) }));
      for (const { command } of found.filter(({ version }) => version === undefined)) console.log(`${command[0]} is not on the PATH`);
      for (const count of [1, 100, 1000]) {
        const cwd = fill(join(root, `${name}-${count}`.replaceAll(" ", "-")), count, file);
        const own = measure([process.execPath, VMLINT], cwd);
        console.log(`${name}, ${count} VMs: vmlint ${own.ms.toFixed(0)} ms (${own.ended})`);
        for (const { command, version } of found) {
          if (version === undefined) continue;
          const { ms, ended, isDone } = measure(command, cwd);
          const name = command.slice(0, command[0] === "terraform" ? 2 : 1).join(" ");
          console.log(`  ${name} ${version}: ${isDone ? "" : "more than "}${ms.toFixed(0)} ms (${ended}), x ${(ms / own.ms).toFixed(1)}`);
        }
      }
    }
    const typed = { name: "vm.yaml", text: manifest(3), keys: 50, language: "yaml" };
    await keystrokes("vmlint lsp, a manifest", [process.execPath, VMLINT, "lsp", "--stdio"], typed);
    const { error } = spawnSync("yaml-language-server", ["--version"], { env });
    if (error) console.log("yaml-language-server is not on the PATH");
    else await keystrokes("yaml-language-server, the same", ["yaml-language-server", "--stdio"], typed);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}
