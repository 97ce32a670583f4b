import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";

const { root } = vi.hoisted(() => {
  Object.defineProperty(process, "platform", { value: "win32" });
  return { root: { path: "" } };
});

// The command in this process, with the paths of Windows and a disk that has drives.
vi.mock("node:path", async () => {
  const { win32 } = await vi.importActual<typeof import("node:path")>("node:path");
  return { ...win32, default: win32 };
});
vi.mock("node:url", async () => {
  const url = await vi.importActual<typeof import("node:url")>("node:url");
  return { ...url, pathToFileURL: (path: string) => url.pathToFileURL(path, { windows: /^[a-z]:/i.test(path) } as never) };
});
vi.mock("node:fs", async () => {
  const fs = await vi.importActual<typeof import("node:fs")>("node:fs");
  const { windowsFileSystem } = await import("../support/windows.ts");
  root.path = fs.mkdtempSync("/tmp/vmlint-windows-");
  return windowsFileSystem(fs, root.path);
});

const { main } = await import("../../packages/cli/src/main.ts");
const { outside } = await import("../../packages/cli/src/process-io.ts");
const fs = await vi.importActual<typeof import("node:fs")>("node:fs");

afterAll(() => fs.rmSync(root.path, { recursive: true }));
beforeEach(() => {
  for (const name of fs.readdirSync(root.path)) fs.rmSync(`${root.path}/${name}`, { recursive: true });
});

/** Writes files, each by its path with slashes: `C/fleet/a.vmx`. */
function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    fs.mkdirSync(`${root.path}/${path.slice(0, path.lastIndexOf("/"))}`, { recursive: true });
    fs.writeFileSync(`${root.path}/${path}`, text);
  }
}
const text = (path: string): string => fs.readFileSync(`${root.path}/${path}`, "utf8");

/** Runs the command as in a prompt of Windows. */
async function vmlint(cwd: string, ...args: string[]) {
  const printed = ["", "", ""];
  const print = (descriptor: 1 | 2, text: string) => {
    printed[descriptor] += text;
  };
  const code = await main(args, outside({ cwd, env: {}, isTerminal: false, print }));
  const [, out = "", err = ""] = printed;
  return { code, out, err };
}

const PINNED = 'virtualHW.version = "10"\r\nnumvcpus = "8"\r\nsched.cpu.affinity = "0-7"\r\n';
const CONFIG = "host: dl580g7\r\n";

interface Finding {
  readonly path: string;
  readonly range: { readonly start: { readonly line: number } };
  readonly ruleId: string;
}

/** The findings of a run by path and rule. */
async function findings(cwd: string, ...args: string[]): Promise<readonly string[]> {
  const { out, err } = await vmlint(cwd, "--format", "json", ...args);
  expect(err).toBe("");
  return JSON.parse(out).diagnostics.map(({ path, range, ruleId }: Finding) => `${path}:${range.start.line} ${ruleId}`);
}

const SIBLINGS = "affinity/ht-siblings";

describe("on Windows", () => {
  test("a folder is searched, with CRLF, and each path is shown with slashes", async () => {
    write({ "C/fleet/vmlint.yaml": CONFIG, "C/fleet/site 1/a.vmx": PINNED, "C/fleet/site 1/b.VMX": PINNED });
    const both = [`site 1/a.vmx:3 ${SIBLINGS}`, `site 1/b.VMX:3 ${SIBLINGS}`];
    expect(await findings("C:\\fleet")).toEqual(both);
    expect(await findings("C:\\fleet", ".\\site 1")).toEqual(both);
    expect(await findings("C:\\fleet", "site 1/a.vmx")).toEqual(both.slice(0, 1));
    expect(await findings("D:\\", "C:\\fleet")).toEqual(both.map((one) => `C:/fleet/${one}`));
  });

  test("a path given in several letter cases is checked once", async () => {
    write({ "C/fleet/vmlint.yaml": CONFIG, "C/fleet/a.vmx": PINNED });
    expect(await findings("C:\\fleet", "a.vmx", "A.VMX", "c:\\FLEET\\a.vmx", ".")).toEqual([`a.vmx:3 ${SIBLINGS}`]);
  });

  test("the nearest configuration counts, up to that of the drive", async () => {
    write({
      "C/vmlint.yaml": CONFIG,
      "C/fleet/a.vmx": PINNED,
      "C/fleet/off/vmlint.yaml": `${CONFIG}rules:\r\n  ${SIBLINGS}: off\r\n`,
      "C/fleet/off/b.vmx": PINNED,
      "D/a.vmx": PINNED,
    });
    expect(await findings("C:\\fleet")).toEqual([`a.vmx:3 ${SIBLINGS}`]);
    expect(await findings("c:\\Fleet")).toEqual([`a.vmx:3 ${SIBLINGS}`]);
    expect(await findings("D:\\", "a.vmx")).toEqual([]);
    expect(await findings("D:\\", "a.vmx", "--config", "C:\\vmlint.yaml")).toEqual([`a.vmx:3 ${SIBLINGS}`]);
  });

  test("globs, ignored paths and files that a configuration names have slashes or a drive", async () => {
    write({
      "C/fleet/vmlint.yaml":
        'host: lab\r\nhosts: { lab: { from: "D:/dumps/esx.txt", esxi: "8.0" } }\r\nextends: [../shared/base.yaml]\r\nignore: [old/**]\r\noverrides: [{ files: ["test/*.vmx"], rules: { affinity/ht-siblings: off } }]\r\n',
      "C/shared/base.yaml": "rules: { affinity/any: off, affinity/with-reservation: off }\r\n",
      "D/dumps/esx.txt": "pack:2 numa:2 core:20 pu:2",
      "C/fleet/.gitignore": "Build/\r\n",
      "C/fleet/a.vmx": PINNED,
      "C/fleet/old/a.vmx": PINNED,
      "C/fleet/build/a.vmx": PINNED,
      "C/fleet/test/a.vmx": PINNED,
    });
    expect(await findings("C:\\fleet", "--config", "vmlint.yaml")).toEqual([`a.vmx:3 ${SIBLINGS}`]);
    // Without --config a file outside of the workspace is not read.
    expect((await vmlint("C:\\fleet")).err).toMatch(/esx\.txt is not read, because it lies outside of the workspace/);
  });

  test("a rule file is found below a folder whose name has another case on the command line", async () => {
    write({
      "C/fleet/.git/HEAD": "",
      "C/fleet/.gitignore": "out/\r\n",
      "C/fleet/vmlint.yaml": CONFIG,
      "C/fleet/sub/out/a.vmx": PINNED,
      "C/fleet/sub/b.vmx": PINNED,
    });
    expect(await findings("C:\\fleet", "c:\\FLEET\\sub")).toEqual([`sub/b.vmx:3 ${SIBLINGS}`]);
  });

  test("a fix keeps CRLF, and the file is replaced whole", async () => {
    write({ "C/fleet/vmlint.yaml": CONFIG, "C/fleet/a.vmx": PINNED });
    const { code, err } = await vmlint("C:\\fleet", "--fix-unsafe", "A.vmx");
    expect([code, err]).toEqual([0, expect.stringContaining("fixed")]);
    expect(text("C/fleet/a.vmx")).toBe(PINNED.replace("0-7", "0,2,4,6,8,10,12,14"));
    expect(fs.readdirSync(`${root.path}/C/fleet`).sort()).toEqual(["a.vmx", "vmlint.yaml"]);
  });

  test("reports go to paths of Windows, never over an input, and name places by addresses", async () => {
    write({ "C/fleet/vmlint.yaml": CONFIG, "C/fleet/a b.vmx": PINNED, "D/reports/old.txt": "" });
    const { err } = await vmlint(
      "C:\\fleet",
      "--format",
      "sarif:D:\\reports\\a.sarif",
      "--format",
      "compact:out\\a.txt",
      "--fail-on",
      "never",
    );
    expect(err).toBe("");
    const [result] = JSON.parse(text("D/reports/a.sarif")).runs[0].results;
    expect(result.locations[0].physicalLocation.artifactLocation.uri).toBe("a%20b.vmx");
    expect(text("C/fleet/out/a.txt")).toMatch(/^a b\.vmx:3:/);
    const over = await vmlint("C:\\fleet", "--format", "compact:A B.VMX");
    expect([over.code, text("C/fleet/a b.vmx")]).toEqual([2, PINNED]);
  });

  test("a baseline written on Windows has slashes, and hides the same findings", async () => {
    write({ "C/fleet/vmlint.yaml": CONFIG, "C/fleet/site/a.vmx": PINNED });
    expect(await vmlint("C:\\fleet", "--update-baseline")).toMatchObject({ code: 0 });
    expect(text("C/fleet/vmlint-baseline.json")).toContain('"site/a.vmx"');
    expect(await findings("c:\\fleet")).toEqual([]);
  });

  test("modules of Terraform are found, and the trace names them", async () => {
    write({
      "C/tf/vmlint.yaml": CONFIG,
      "C/tf/main.tf": 'module "vm" {\r\n  source = "./Modules/vm"\r\n  cpus = 7\r\n}\r\n',
      "C/tf/modules/vm/main.tf":
        'variable "cpus" {}\r\nresource "vsphere_virtual_machine" "vm" {\r\n  name = "a"\r\n  num_cpus = var.cpus\r\n  num_cores_per_socket = 2\r\n}\r\n',
    });
    expect(await findings("C:\\tf")).toEqual([expect.stringContaining("cpu/cps-divides")]);
  });
});
