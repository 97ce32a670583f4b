import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { hasChromium, startChromium } from "../support/chromium.ts";

// Runs the examples of programs that use the library, with the frameworks around them. `programs.test.ts` has the examples of Pulumi and CDK Terrain.

const example = (path: string): URL => new URL(`../../examples/${path}`, import.meta.url);

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("examples/express: a service refuses a VM that cannot start, and says what to set", async () => {
  const { app } = await import(example("express/server.js").href);
  const at = await listening(createServer(app));
  const order = async (vm: object) => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${at}/machines`, { method: "POST", headers, body: JSON.stringify(vm) });
    const { findings }: { readonly findings: readonly object[] } = JSON.parse(await response.text());
    return { status: response.status, findings };
  };
  expect(await order({ name: "web", vcpus: 4, memoryMiB: 8192 })).toMatchObject({ status: 201, findings: [] });
  const { status, findings } = await order({ name: "sql01", vcpus: 8, coresPerSocket: 3, hardwareVersion: 19 });
  expect([status, findings[0]]).toMatchObject([
    422,
    { ruleId: "cpu/cps-divides", setting: "coresPerSocket", instead: [{ coresPerSocket: 2 }] },
  ]);
  expect(await order({ vcpus: "8" })).toMatchObject({ status: 422, findings: [{ setting: "vcpus" }] });
});

test("examples/github-bot: a bot comments on a pull request, once, and not on a clean one", async () => {
  const texts: Record<string, string> = {
    "main.tf":
      'variable "cores" {}\nresource "vsphere_virtual_machine" "x" {\n  name = "x"\n  num_cpus = 8\n  num_cores_per_socket = var.cores\n  memory = 4096\n}\n',
    "terraform.tfvars": "cores = 3\n",
  };
  const said: string[] = [];
  const at = await listening(
    createServer(async (request, response) => {
      const url = new URL(request.url ?? "", "http://localhost");
      const path = url.pathname.replace("/repos/acme/vms/", "");
      const answers: Record<string, unknown> = {
        "pulls/7": { head: { sha: "abc" } },
        "pulls/7/files": [
          ...Object.keys(texts).map((filename) => ({ filename, status: "modified" })),
          { filename: "old.tf", status: "removed" },
        ],
      };
      if (request.method === "POST") for await (const part of request) said.push(`${path}: ${JSON.parse(String(part)).body}`);
      const isRight =
        request.headers.authorization === "Bearer secret" && (!path.startsWith("contents/") || url.searchParams.get("ref") === "abc");
      response.statusCode = isRight ? 200 : 403;
      response.end(path.startsWith("contents/") ? texts[path.slice("contents/".length)] : JSON.stringify(answers[path] ?? {}));
    }),
  );
  const { comment } = await import(example("github-bot/bot.js").href);
  const run = () => comment({ api: at, repository: "acme/vms", pull: 7, token: "secret", host: "2x20x2:768@8.0" });
  await run();
  expect(said).toHaveLength(1);
  expect(said[0]).toMatch(/^issues\/7\/comments: vmlint found:\n\n- main\.tf:5: 8 vCPUs do not divide into sockets of 3 cores/);
  texts["terraform.tfvars"] = "cores = 4\n";
  await run();
  expect(said).toHaveLength(1);
});

test.skipIf(!hasChromium)("examples/browser: a page checks what is typed into it", async () => {
  const { outputFiles } = await build({
    entryPoints: [example("browser/page.js").pathname],
    conditions: ["@vmlint/source"],
    bundle: true,
    format: "esm",
    write: false,
  });
  const files = new Map([
    ["/", ["text/html", readFileSync(example("browser/page.html"), "utf8")]],
    ["/bundle.js", ["text/javascript", outputFiles[0]?.text ?? ""]],
  ]);
  const at = await listening(
    createServer((request, response) => {
      const [type = "", text] = files.get(request.url ?? "") ?? [];
      response.writeHead(text === undefined ? 404 : 200, { "content-type": type }).end(text);
    }),
  );
  const browser = await startChromium();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(at);
  await page.fill("textarea", 'virtualHW.version = "19"\nnumvcpus = "8"\ncpuid.coresPerSocket = "3"\n');
  expect(await page.locator("li").allTextContents()).toEqual([
    expect.stringMatching(/^Line 3: 8 vCPUs do not divide into sockets of 3 cores/),
  ]);
  await page.fill("textarea", 'virtualHW.version = "19"\nnumvcpus = "8"\ncpuid.coresPerSocket = "4"\n');
  expect(await page.locator("li").count()).toBe(0);
});
