import { execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Real programs, where scripts/setup-host-tools.sh has put them. */
const tools = fileURLToPath(new URL("../../.host-tools/", import.meta.url));

/** Whether there are govc and a simulated vCenter to ask. */
export const hasVcenter = existsSync(`${tools}govc`) && existsSync(`${tools}vcsim`);

/** Runs govc with arguments, and gives back what it prints. */
export type Govc = (...args: readonly string[]) => string;

/** Hands `use` a govc that asks a simulated vCenter, which ends with it. */
export async function withVcenter(use: (govc: Govc) => void): Promise<void> {
  const simulator = spawn(`${tools}vcsim`, ["-l", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const url = await new Promise<string>((resolve, reject) => {
      simulator.once("error", reject);
      simulator.stdout.on("data", (data) => {
        const [found] = /https:\S+/.exec(String(data)) ?? [];
        if (found) resolve(found);
      });
    });
    const env = { ...process.env, GOVC_URL: url, GOVC_INSECURE: "1" };
    use((...args) => execFileSync(`${tools}govc`, args, { encoding: "utf8", env, maxBuffer: 2 ** 26 }));
  } finally {
    simulator.kill();
  }
}
