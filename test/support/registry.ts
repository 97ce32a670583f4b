import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { TOOLS } from "./release-tools.ts";

export interface Registry {
  /** An environment that limits npm and pnpm to this registry. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Publishes a tarball, or a folder of node_modules as it is installed. */
  readonly publish: (path: string) => void;
  readonly stop: () => void;
}

const freePort = (): Promise<number> =>
  new Promise((found) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => found(typeof address === "object" && address ? address.port : 0));
    });
  });

/** Starts a registry on this machine that keeps its packages in a folder and never contacts another registry. */
export async function startRegistry(folder: string): Promise<Registry> {
  const port = await freePort();
  const access = { access: "$all", publish: "$all", unpublish: "$all" };
  const config = {
    storage: join(folder, "storage"),
    max_body_size: "100mb",
    packages: { "@*/*": access, "**": access },
    log: { level: "warn" },
  };
  mkdirSync(join(folder, "home"), { recursive: true });
  writeFileSync(join(folder, "config.yaml"), JSON.stringify(config));
  const url = `http://127.0.0.1:${port}/`;
  writeFileSync(
    join(folder, "home/.npmrc"),
    `registry=${url}\n${url.slice("http:".length)}:_authToken=none\nupdate-notifier=false\naudit=false\nfund=false\n`,
  );
  const words = [join(TOOLS, "verdaccio/bin/verdaccio"), "--config", join(folder, "config.yaml"), "--listen", `127.0.0.1:${port}`];
  const server = spawn(process.execPath, words, { cwd: folder, stdio: "ignore" });
  while (!(await fetch(url).catch(() => undefined))?.ok) await new Promise((resume) => setTimeout(resume, 100));
  // pre-commit drops the option that names a configuration of npm's.
  const { npm_config_userconfig: _, ...rest } = process.env;
  const env = { ...rest, HOME: join(folder, "home"), npm_config_registry: url, npm_config_cache: join(folder, "cache"), CI: "" };
  const publish: Registry["publish"] = (path) => {
    const packed = path.endsWith(".tgz") ? path : plain(path, folder);
    const { status, stderr } = spawnSync("npm", ["publish", "--ignore-scripts", "--provenance=false", packed], {
      cwd: folder,
      env,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
  };
  return { env, publish, stop: () => void server.kill() };
}

/** A copy of an installed package without what tells npm how and where to publish it. */
function plain(path: string, folder: string): string {
  const { publishConfig: _, scripts: __, ...manifest } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  const copy = join(folder, "packages", manifest.name);
  cpSync(path, copy, { recursive: true, dereference: true });
  writeFileSync(join(copy, "package.json"), JSON.stringify(manifest));
  return execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder, copy], {
    cwd: folder,
    encoding: "utf8",
  }).trim();
}
