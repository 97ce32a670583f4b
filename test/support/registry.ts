import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { ROOT } from "./checkout.ts";

/** The packages that scripts/setup-release.sh installs. */
export const TOOLS = join(ROOT, ".release-tools/node_modules");

/** The Python that has the tools to build a package. */
export const PYTHON = join(ROOT, ".release-tools/python/bin/python");

/** The wheels that the Python package depends on. */
export const WHEELS = join(ROOT, ".release-tools/wheels");

export const hasReleaseTools = existsSync(join(ROOT, ".release-tools/.ok"));

/** The folder of a release of Node, to go first on the PATH. */
export const nodeFolder = (major: number): string => join(TOOLS, `node${major}/bin`);

export interface Registry {
  /** An environment that limits npm and pnpm to this registry. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Publishes a tarball as `npm publish` does. */
  readonly publish: (tarball: string) => void;
  /** Adds a folder of node_modules as it is installed. */
  readonly add: (path: string) => Promise<void>;
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
  // It needs a newer Node than vmlint.
  const server = spawn(join(nodeFolder(24), "node"), words, { cwd: folder, stdio: "ignore" });
  let isRunning = true;
  server.once("exit", () => {
    isRunning = false;
  });
  while (!(await fetch(url).catch(() => undefined))?.ok) {
    if (!isRunning) throw new Error("The registry does not start.");
    await new Promise((resume) => setTimeout(resume, 100));
  }
  // pre-commit drops the option that names a configuration of npm's.
  const { npm_config_userconfig: _, ...rest } = process.env;
  const env = { ...rest, HOME: join(folder, "home"), npm_config_registry: url, npm_config_cache: join(folder, "cache"), CI: "" };
  const publish: Registry["publish"] = (tarball) => {
    const words = ["publish", "--ignore-scripts", "--provenance=false", tarball];
    const { status, stderr } = spawnSync("npm", words, { cwd: folder, env, encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
  };
  const add: Registry["add"] = async (path) => {
    const { publishConfig: _, scripts: __, ...manifest } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
    const { name, version } = manifest;
    const words = ["-cz", "--dereference", "--exclude=node_modules", "--transform=s,^[.],package,", "-C", path, "."];
    const tarball = execFileSync("tar", words, { maxBuffer: 1 << 28 });
    const file = `${name}-${version}.tgz`;
    const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
    const shasum = createHash("sha1").update(tarball).digest("hex");
    const body = {
      _id: name,
      name,
      "dist-tags": { latest: version },
      versions: { [version]: { ...manifest, _id: `${name}@${version}`, dist: { integrity, shasum, tarball: `${url}${name}/-/${file}` } } },
      _attachments: {
        [file]: { content_type: "application/octet-stream", data: tarball.toString("base64"), length: tarball.length },
      },
    };
    const headers = { "content-type": "application/json", authorization: "Bearer none" };
    const answer = await fetch(`${url}${encodeURIComponent(name)}`, { method: "PUT", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
  };
  return { env, publish, add, stop: () => void server.kill() };
}
