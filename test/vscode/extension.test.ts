import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lint, requireHost } from "@vmlint/core";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { vmlint } from "../support/cli.ts";
import { folder as folderOf } from "../support/folder.ts";
import { RESOURCE, variable, WIDE } from "../support/sample-project.ts";
import { inTerminal } from "../support/terminal.ts";
import { tar } from "../support/write-tar.ts";
import { hasSearch, isSetUp, type Workbench } from "./workbench.ts";
import {
  configFor,
  eventually,
  explorerEntry,
  needs,
  openControls,
  openFile,
  panelOf,
  problems,
  RULE,
  runCommand,
  status,
  statusItem,
  tab,
  underlined,
  underlinedWords,
  workbenchFor,
} from "./workbench-page.ts";

const AFFINITY = 'sched.cpu.affinity = "0-7"';
const PINNED = `config.version = "8"\nvirtualHW.version = "10"\nnumvcpus = "8"\n${AFFINITY}`;
const SPREAD = "0,2,4,6,8,10,12,14";
const DESCRIPTOR = `<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1" xmlns:rasd="http://schemas.dmtf.org/wbem/wscim/1/cim-schema/2/CIM_ResourceAllocationSettingData" xmlns:vmw="http://www.vmware.com/schema/ovf">
<VirtualSystem ovf:id="a"><VirtualHardwareSection>
<Item><rasd:InstanceID>1</rasd:InstanceID><rasd:ResourceType>3</rasd:ResourceType><rasd:VirtualQuantity>6</rasd:VirtualQuantity><vmw:CoresPerSocket ovf:required="false">4</vmw:CoresPerSocket></Item>
</VirtualHardwareSection></VirtualSystem>
</Envelope>`;
const FOREIGN = '<level name="Hangar 8">\n  <crate size="8"/>\n</level>\n';

const finding = lint(PINNED, { target: { host: requireHost("dl580g7") } }).diagnostics.find(({ ruleId }) => ruleId === RULE);

const PINNED_UNDERLINED = [{ line: AFFINITY, text: "0-7" }];
const PINNED_PROBLEM = [`${finding?.message} | vmlint | ${RULE} | [Ln 4, Col 23]`];
const PINNED_FILES = { "pinned.vmx": PINNED, "vmlint.yaml": configFor("dl580g7") };

/** Without indentation, which the editor would add to. */
const machine = (name: string, vcpus: number | string, cores: number): string =>
  `resource "vsphere_virtual_machine" "${name}" {\nname = "${name}"\nnum_cpus = ${vcpus}\nnum_cores_per_socket = ${cores}\nmemory = 4096\nhardware_version = 10\n}\n`;

/** Types over the value at the end of the file, between its quotes. */
async function retype(page: Page, length: number, text: string): Promise<void> {
  await page.locator(".monaco-editor .view-line").last().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowLeft");
  for (let i = 0; i < length; i++) await page.keyboard.press("Shift+ArrowLeft");
  await page.keyboard.type(text, { delay: 10 });
}

const configIn = (folder: string): string => readFileSync(join(folder, "vmlint.yaml"), "utf8");

function testHost(workbench: () => Workbench): void {
  test("from a VM alone, three clicks lead to the finding about its pinning, and the command finds the same", async () => {
    const { page, folder } = await workbench().open({ "pinned.vmx": PINNED });
    await eventually(status(page)).toEqual([expect.stringMatching(/^vmlint: \d+ checks need a host$/)]);
    expect(await underlined(page)()).toEqual([]);
    const entry = (text: string) => page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
    await statusItem(page).click();
    await page.locator(".quick-input-widget:visible input").fill("e7-4870");
    await entry("Xeon E7-4870").click();
    await entry("Use 2x Xeon E7-4870@8.0").click();
    await eventually(underlined(page)).toContainEqual({ line: AFFINITY, text: "0-7" });
    expect(configIn(folder)).toContain("\nhost: 2x Xeon E7-4870@8.0\n");

    await statusItem(page).click();
    await eventually(problems(page)).toContainEqual(expect.stringContaining(RULE));
    const shown = (await problems(page)()).map((one) => one.split(" | ")[2]);
    const { diagnostics } = JSON.parse(vmlint(folder, [".", "--format", "json"]).out);
    expect(diagnostics.map(({ ruleId }: { ruleId: string }) => ruleId).sort()).toEqual(shown.sort());
  });
}

function testFinding(workbench: () => Workbench): void {
  test("a finding is underlined, listed and counted, and disappears when its cause is typed over", async () => {
    const { page, folder } = await workbench().open(PINNED_FILES);
    await eventually(underlined(page)).toEqual(PINNED_UNDERLINED);
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    await statusItem(page).click();
    await eventually(problems(page)).toEqual(PINNED_PROBLEM);

    await retype(page, "0-7".length, SPREAD);
    await eventually(underlined(page)).toEqual([]);
    await eventually(problems(page)).toEqual([]);
    await eventually(status(page)).toEqual(["vmlint: no findings on dl580g7"]);
    expect(readFileSync(join(folder, "pinned.vmx"), "utf8")).toBe(PINNED);

    await retype(page, SPREAD.length, "0-7");
    await eventually(underlined(page)).toEqual(PINNED_UNDERLINED);
  });
}

const PROJECT = {
  "vm/variables.tf": variable(20),
  "vm/main.tf": RESOURCE,
  "main.tf": 'module "a" {\n  source = "./vm"\n}\n',
  "vmlint.yaml": configFor("dl580g7", [WIDE]),
};

function testProject(workbench: () => Workbench): void {
  test("an unsaved value of a variable is found wrong in the module's resource, opened or not, and goes with the editors", async () => {
    const { page, folder } = await workbench().open(PROJECT);
    await eventually(status(page)).toEqual(["vmlint: no findings on dl580g7"]);
    await statusItem(page).click();
    await retypeLine(page, "default", "  default = 64");
    await eventually(status(page)).toEqual(["vmlint: no findings on dl580g7"]);
    await eventually(problems(page)).toEqual([
      expect.stringMatching(new RegExp(`^64 vCPUs .* \\| vmlint \\| ${WIDE} \\| \\[Ln 3, Col 26\\]$`)),
    ]);
    expect(readFileSync(join(folder, "vm/variables.tf"), "utf8")).toContain("20");

    await page.locator(".markers-panel .monaco-list-row", { hasText: WIDE }).dblclick();
    await eventually(underlinedWords(page)).toEqual(["var.cpus"]);
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);

    for (const name of ["main.tf", "variables.tf"]) {
      await tab(page, name).locator(".codicon-close, .codicon-close-dirty").first().click();
      if (name === "variables.tf") await page.locator(".monaco-dialog-box .monaco-button", { hasText: "Don't Save" }).click();
      await eventually(() => tab(page, name).count()).toBe(0);
    }
    await eventually(problems(page)).toEqual([]);
    await eventually(status(page)).toEqual([]);
  });
}

/** A browser on a busy machine misses a click now and then. */
const RETRY = { retry: 1 };

/** Types over a line of the editor. */
async function retypeLine(page: Page, words: string, text: string): Promise<void> {
  await page.locator(".monaco-editor .view-line", { hasText: words }).click();
  await page.keyboard.press("Home");
  await page.keyboard.press("Home");
  await page.keyboard.press("Shift+End");
  await page.keyboard.type(text, { delay: 10 });
}

describe.skipIf(!isSetUp)(`VS Code, extension in a worker of the browser${needs}`, RETRY, () => {
  const workbench = workbenchFor("web");
  testHost(workbench);
  testFinding(workbench);
  testProject(workbench);
});

describe.skipIf(!isSetUp)(`VS Code, extension in Node${needs}`, RETRY, () => {
  const workbench = workbenchFor("node");
  testFinding(workbench);
  testProject(workbench);

  test("a hover shows the value of a variable and its source; a fix changes the file with the value", async () => {
    const files = {
      "main.tf": RESOURCE,
      "variables.tf": variable(64),
      "vmlint.yaml": configFor("dl580g7", [WIDE]),
    };
    const { page, folder } = await workbench().open(files);
    await eventually(underlinedWords(page)).toEqual(["var.cpus"]);
    await eventually(() => page.locator(".codelens-decoration a").allTextContents()).toEqual([
      "64 vCPUs = 64 sockets x 1, 7 virtual NUMA nodes of 10+10+10+10+10+10+4, on dl580g7 (ESXi 5.5)",
    ]);
    await eventually(() => page.locator(".view-line", { hasText: "num_cpus" }).textContent()).toMatch(/64\s+x\s+1,\s+7\s+NUMA\s+nodes/);

    const toReference = async () => {
      await page.locator(".monaco-editor .view-line", { hasText: "num_cpus" }).click();
      await page.keyboard.press("Home");
      for (let i = 0; i < "num_cpus             = va".length; i++) await page.keyboard.press("ArrowRight");
    };
    await toReference();
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+i");
    const hover = page.locator(".monaco-hover:visible");
    await eventually(async () => (await hover.allInnerTexts()).join("\n")).toMatch(/= 64[\s\S]*vcpus of vsphere_virtual_machine.vm/);
    await hover.locator("a", { hasText: "default of variable cpus" }).click();
    await eventually(() => tab(page, "variables.tf").count()).toBe(1);

    await tab(page, "main.tf").click();
    await toReference();
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget .monaco-list-row.focused", { hasText: /^Use \d+ vCPUs/ }).waitFor();
    await page.keyboard.press("Enter");
    await eventually(underlined(page)).toEqual([]);
    await tab(page, "variables.tf").click();
    await page.keyboard.press("Control+s");
    await eventually(async () => readFileSync(join(folder, "variables.tf"), "utf8")).toMatch(/default = (?!64)\d+\n/);
    expect(readFileSync(join(folder, "main.tf"), "utf8")).toBe(RESOURCE);
  });

  test("the package is small", () => {
    expect(workbench().packageSize).toBeLessThan(1_500_000);
  });

  test("a lens, a hint and a hover tell the layout; the quick fix changes the file", async () => {
    const { page, folder } = await workbench().open(PINNED_FILES);
    const layout = "8 vCPUs = 8 sockets x 1, 1 NUMA node, on dl580g7 (ESXi 5.5)";
    await eventually(() => page.locator(".codelens-decoration a").allTextContents()).toEqual([layout]);
    await eventually(() => page.locator(".view-line", { hasText: "numvcpus" }).textContent()).toMatch(/8\s+x\s+1,\s+1\s+NUMA\s+node/);

    await page.locator(".view-line span", { hasText: "numvcpus" }).last().hover();
    await eventually(() => page.locator(".monaco-hover:visible").allInnerTexts()).toEqual([
      expect.stringContaining("All vCPUs of the VM, not its sockets."),
    ]);

    await page.locator(".monaco-editor .view-line").last().click();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget .monaco-list-row.focused", { hasText: "Pin to 8 cores" }).waitFor();
    await page.keyboard.press("Enter");
    // Saved earlier, the file would be as it was.
    await eventually(underlined(page)).toEqual([]);
    await page.keyboard.press("Control+s");
    await eventually(async () => readFileSync(join(folder, "pinned.vmx"), "utf8")).toBe(PINNED.replace("0-7", SPREAD));
  });

  test("the picker asks what init asks, and both write the same configuration", async () => {
    const { page, folder } = await workbench().open({ "pinned.vmx": PINNED });
    await eventually(status(page)).toEqual([expect.stringMatching(/^vmlint: \d+ checks need a host$/)]);
    const input = page.locator(".quick-input-widget:visible input");
    const choose = async (words: string, text = words) => {
      const entry = page.locator(".quick-input-list .monaco-list-row", { hasText: text }).first();
      // The list of the question before may still be there.
      await eventually(async () => {
        await input.fill(words);
        await page.waitForTimeout(200);
        return entry.count();
      }).toBe(1);
      await entry.click();
    };
    await statusItem(page).click();
    await input.fill("2x24x2:768@");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "the ESXi version is missing" }).waitFor();
    await choose("6148", "Xeon Gold 6148");
    await choose("Sockets");
    await choose("3", "Use 3");
    await choose("Memory");
    await choose("700", "Use 700");
    await choose("ESXi");
    await choose("9.0");
    await choose("", "Use 3x Xeon Gold 6148:700@9.0");
    await eventually(async () => existsSync(join(folder, "vmlint.yaml"))).toBe(true);
    const other = folderOf({ "pinned.vmx": PINNED });
    const answers = ["xeon gold 6148", "sockets", "3", "memory", "700", "esxi", "9.0", "use", ""];
    expect(
      (
        await inTerminal(
          other,
          "init",
          answers.map((answer) => `${answer}\r`),
        )
      ).status,
    ).toBe(0);
    expect(configIn(folder)).toBe(configIn(other));
  });

  test("the view lists VMs with their findings, and groups them by host", async () => {
    const { page } = await workbench().open(PINNED_FILES);
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    await page.locator(".activitybar .action-item a[aria-label='vmlint']").click();
    const rows = () => page.locator(".pane-body .monaco-list-row .label-name").allTextContents();
    const lines = ["8 vCPUs = 8 sockets x 1, 1 NUMA node, on dl580g7 (ESXi 5.5)", finding?.message];
    const about = ["VM", ...lines];
    await eventually(rows).toEqual(["pinned.vmx", ...lines]);
    const choose = async (title: string, item: string) => {
      await page.locator(`.composite.title a[aria-label='${title}']`).click();
      await page.locator(".quick-input-widget:visible .monaco-list-row", { hasText: item }).click();
    };
    await choose("Group By...", "Host");
    await eventually(rows).toEqual(["dl580g7", ...about]);
    await choose("Group By...", "Rule");
    await eventually(rows).toEqual(["affinity/ht-siblings", ...about]);
    await choose("Filter...", "VMs with errors");
    await eventually(rows).toEqual([]);
    await choose("Filter...", "All VMs");
    await eventually(rows).toEqual(["affinity/ht-siblings", ...about]);
  });

  test("the panel draws the VM, answers what-if and writes only when asked", async () => {
    const text = `config.version = "8"\nvirtualHW.version = "10"\nnumvcpus = "12"\ncpuid.coresPerSocket = "1"\n`;
    const { page, folder } = await workbench().open({ "a.vmx": text, "vmlint.yaml": configFor("dl580g7") });
    await page.locator(".codelens-decoration a").click();
    const panel = panelOf(page);
    await eventually(() => panel.locator("#picture .picture").count()).toBe(1);
    const picture = () => panel.locator("#picture .wide").textContent();
    await eventually(picture).toContain("12 vCPUs");
    await openControls(panel);

    // Each step of the slider counts, as fast as a key repeats.
    await panel.locator("#vcpus").evaluate(async (slider: EventTarget & { readonly stepUp: () => void }) => {
      for (let i = 12; i < 40; i++) {
        slider.stepUp();
        slider.dispatchEvent(new Event("input"));
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    });
    await eventually(picture).toContain("40 vCPUs");
    await panel.locator("#vcpus-number").fill("20");
    await panel.locator("#vcpus-number").press("Enter");
    await eventually(picture).toContain("20 vCPUs");
    await panel.locator("#cps").selectOption("10");
    await eventually(picture).toContain("2 sockets x 10");
    await panel.locator("#esxi").selectOption("8.0");
    await eventually(picture).toContain("ESXi 8.0");
    expect(readFileSync(join(folder, "a.vmx"), "utf8")).toBe(text);

    await panel.locator("#write").click();
    await eventually(() => page.locator(".view-lines").first().innerText()).toContain("20");
    await page.locator(".tab", { hasText: "a.vmx" }).click();
    await page.keyboard.press("Control+s");
    await eventually(async () => readFileSync(join(folder, "a.vmx"), "utf8")).toBe(
      text.replace('"12"', '"20"').replace('coresPerSocket = "1"', 'coresPerSocket = "10"'),
    );
  });

  test("the panel shows the best fix, tries every setting, and keeps a host", async () => {
    const { page, folder } = await workbench().open(PINNED_FILES);
    await page.locator(".codelens-decoration a").click();
    const panel = panelOf(page);
    const words = (id: string) => () => panel.locator(id).textContent();
    await eventually(words("#other-title")).toContain("After the fix: Pin to 8 cores");
    expect(await panel.locator("#vm").isVisible()).toBe(false);
    await panel.locator("#try").click();
    await eventually(words("#effect")).toBe("This change fixes 1 and adds 0.");
    await eventually(words("#other-title")).toBe("Before");
    await openControls(panel);
    expect(await panel.locator("#affinity").inputValue()).toBe(SPREAD);

    await panel.locator("#reset").click();
    await eventually(() => panel.locator("#affinity").inputValue()).toBe("0-7");
    await panel.locator("#affinity").fill("0,2,4,6");
    await panel.locator("#affinity").press("Enter");
    await eventually(words("#picture")).toContain("4 logical CPUs of 4 cores");
    await panel.locator("#reset").click();
    await panel.locator("#latency").selectOption("high");
    await eventually(words("#effect")).toContain("This change fixes ");

    await panel.locator("#reset").click();
    await panel.locator("#host").click();
    await page.locator(".quick-input-widget:visible input").fill("dl380gen9");
    await page.locator(".quick-input-widget:visible .monaco-list-row", { hasText: "dl380gen9" }).first().click();
    await eventually(() => panel.locator("#keep").isEnabled()).toBe(true);
    await panel.locator("#keep").click();
    await eventually(async () => readFileSync(join(folder, "vmlint.yaml"), "utf8")).toContain("host: dl380gen9");
    await eventually(() => panel.locator("#keep").isEnabled()).toBe(false);
  });

  test("the panel keeps to the VM it was opened for, and to what is known of it", async () => {
    const [alpha, beta, open] = [machine("alpha", 24, 12), machine("beta", 8, 1), machine("open", "var.n", 4)];
    const files = { "main.tf": `${alpha}${beta}${open}variable "n" {}\n`, "notes.txt": "", "vmlint.yaml": configFor("dl580g7") };
    const { page, folder } = await workbench().open(files);
    const lens = (words: string) => page.locator(".codelens-decoration a", { hasText: words });
    const panel = panelOf(page);
    const vcpus = () => panel.locator("#vcpus-number").inputValue();
    const cores = () => panel.locator("#cps").inputValue();
    const problem = () => panel.locator("#problem").textContent();
    await lens("8 vCPUs").click();
    await eventually(vcpus).toBe("8");
    await openControls(panel);
    await panel.locator("#vcpus-number").fill("16");
    await panel.locator("#vcpus-number").press("Enter");
    await eventually(() => panel.locator("#picture .wide").textContent()).toContain("16 vCPUs");
    await page.locator(".monaco-editor .view-line").first().click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.insertText(machine("first", 2, 1));
    await lens("2 vCPUs").first().waitFor();
    await panel.locator("#write").click();
    await tab(page, "main.tf").click();
    await page.keyboard.press("Control+s");
    await eventually(async () => readFileSync(join(folder, "main.tf"), "utf8")).toBe(
      `${machine("first", 2, 1)}${alpha}${machine("beta", 16, 1)}${open}variable "n" {}\n`,
    );
    expect(await tab(page, "Topology").textContent()).toContain("beta");

    // From the palette, the command shows the VM at the cursor.
    await page.locator(".monaco-editor .view-line", { hasText: "= 12" }).click();
    await runCommand(page, "vmlint: Show Topology");
    await eventually(vcpus).toBe("24");
    await eventually(cores).toBe("12");
    await page.locator(".monaco-editor .view-line", { hasText: "var.n" }).click();
    await runCommand(page, "vmlint: Show Topology");
    await eventually(vcpus).toBe("");
    expect(await cores()).toBe("4");
    expect(await problem()).toContain("vcpus is unknown");
    expect(await panel.locator("#found").isVisible()).toBe(false);

    await openFile(page, join(folder, "notes.txt"));
    await tab(page, "notes.txt").waitFor();
    await runCommand(page, "vmlint: Show Topology");
    await eventually(problem).toBe("vmlint finds no virtual machine in notes.txt.");
    expect(await panel.locator("#controls").isVisible()).toBe(false);
    expect(await panel.locator("#picture").isVisible()).toBe(false);
    expect(await tab(page, "Topology").textContent()).toBe("Topology");
  });

  test("the button of an editor shows its VM; the panel follows its file, and says when the VM is gone", async () => {
    const text = `${PINNED.replace(AFFINITY, "")}cpuid.coresPerSocket = "3"\nnuma.vcpu.preferHT = "TRUE"\n`;
    const { page, folder } = await workbench().open({ "a.vmx": text, "vmlint.yaml": configFor("dl580g7") });
    const panel = panelOf(page);
    const problem = () => panel.locator("#problem").textContent();
    await page.locator(".editor-actions a[aria-label*='Show Topology']").click();
    // 8 vCPUs do not form sockets of 3, so the layout is unknown.
    await eventually(problem).toContain("3");
    expect(await panel.locator("#vcpus-number").inputValue()).toBe("8");
    expect(await panel.locator("#cps").inputValue()).toBe("3");
    expect(await panel.locator("#ht").isChecked()).toBe(true);
    expect(await panel.locator("#found").isVisible()).toBe(false);

    await explorerEntry(page, "a.vmx").click();
    await page.keyboard.press("F2");
    await page.locator(".explorer-folders-view input").fill("b.vmx");
    await page.keyboard.press("Enter");
    await tab(page, "b.vmx").waitFor();
    await panel.locator("#cps").selectOption("4");
    await eventually(() => panel.locator("#layout").textContent()).toContain("2 sockets x 4");

    await page.locator(".monaco-editor .view-line").first().click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await eventually(problem).toBe("vmlint finds no virtual machine in b.vmx.");
    await page.keyboard.press("Control+z");
    await eventually(problem).toBe("");

    await tab(page, "b.vmx").locator(".codicon-close").click();
    await eventually(() => tab(page, "b.vmx").count()).toBe(0);
    expect(await problem()).toBe("");
    rmSync(join(folder, "b.vmx"));
    await eventually(problem).toBe("vmlint finds no virtual machine in b.vmx.");
    await runCommand(page, "vmlint: Show Topology");
    await page.locator(".notification-toast", { hasText: "open a file with a virtual machine first" }).waitFor();
  });

  test("keys and values are completed", async () => {
    const { page, folder } = await workbench().open({ "a.vmx": 'virtualHW.version = "10"\nnumvcpus = "4"\n' });
    await page.locator(".monaco-editor .view-line").last().click();
    await page.keyboard.press("Control+End");
    // Nothing is suggested for what is typed before the extension has started.
    await eventually(status(page)).toEqual([expect.stringContaining("vmlint:")]);
    await page.keyboard.type("numa.vcpu.pr", { delay: 30 });
    await page.locator(".suggest-widget .monaco-list-row", { hasText: "numa.vcpu.preferHT" }).click();
    const value = page.locator(".suggest-widget .monaco-list-row", { hasText: "TRUE" });
    // On a busy machine, VS Code closes the values at once when the list of keys closes late. A user opens them again, too.
    await value.waitFor({ timeout: 5000 }).catch(() => page.keyboard.press("Control+Space"));
    await value.click();
    await page.keyboard.press("Control+s");
    await eventually(async () => readFileSync(join(folder, "a.vmx"), "utf8")).toContain('numa.vcpu.preferHT = "TRUE"');
  });

  test("the best value is first in the list and chosen, with a word why", async () => {
    const text = 'virtualHW.version = "10"\nnumvcpus = "24"\nscsi0.virtualDev = ""\n';
    const { page } = await workbench().open({ "a.vmx": text });
    await eventually(status(page)).toEqual([expect.stringContaining("vmlint:")]);
    await page.locator(".monaco-editor .view-line", { hasText: "virtualDev" }).click();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Control+Space");
    const rows = page.locator(".suggest-widget.visible .monaco-list-row");
    await eventually(() => rows.locator(".label-name").allTextContents()).toEqual(["pvscsi", "lsisas1068", "lsilogic", "buslogic"]);
    await eventually(() => page.locator(".suggest-widget .monaco-list-row.focused").textContent()).toContain(
      "pvscsibest: faster than LSI Logic; the guest needs its driver",
    );
  });

  test("with run: onSave, findings change only when the file is saved", async () => {
    const { page } = await workbench().open({ ...PINNED_FILES, ".vscode/settings.json": '{ "vmlint.run": "onSave" }' });
    await eventually(underlined(page)).toEqual(PINNED_UNDERLINED);
    await retype(page, 3, SPREAD);
    // The checks of the typed text end before a hover answers.
    await page.locator(".view-line span", { hasText: "numvcpus" }).last().hover();
    await page.locator(".monaco-hover:visible").first().waitFor();
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    await page.keyboard.press("Control+s");
    await eventually(status(page)).toEqual(["vmlint: no findings on dl580g7"]);
  });

  test("the panel follows the cursor, and its list of VMs leads to another one", async () => {
    const files = { "main.tf": `${machine("alpha", 24, 12)}${machine("beta", 8, 1)}`, "vmlint.yaml": configFor("dl580g7") };
    const { page } = await workbench().open(files);
    const vcpus = () => panelOf(page).locator("#vcpus-number").inputValue();
    await page.locator(".codelens-decoration a", { hasText: "24 vCPUs" }).click();
    await eventually(vcpus).toBe("24");
    await page.locator(".monaco-editor .view-line", { hasText: "= 8" }).click();
    await eventually(vcpus).toBe("8");
    await page.locator(".monaco-editor .view-line", { hasText: "= 24" }).click();
    await eventually(vcpus).toBe("24");
    const names = ["alpha (vsphere_virtual_machine.alpha)", "beta (vsphere_virtual_machine.beta)"];
    expect(await panelOf(page).locator("#vm option").allTextContents()).toEqual(names);
    await panelOf(page)
      .locator("#vm")
      .selectOption({ label: names[1] ?? "" });
    await eventually(vcpus).toBe("8");
  });

  test("the view sorts by severity or name, and starts collapsed beyond 50 VMs", async () => {
    const many = Array.from({ length: 500 }, (_, i) => machine(`vm${String(i).padStart(3, "0")}`, i === 400 ? 7 : 8, i === 400 ? 3 : 4));
    const config = configFor("dl580g7", ["cpu/cps-divides"]);
    const { page } = await workbench().open({ "prod/db/main.tf": many.join(""), "vmlint.yaml": config });
    await eventually(status(page)).toEqual([expect.stringContaining("vmlint:")]);
    await page.locator(".activitybar .action-item a[aria-label='vmlint']").click();
    const rows = page.locator(".pane-body .monaco-list-row .label-name");
    await eventually(() => rows.allTextContents()).toEqual(["main.tf"]);
    expect(await page.locator(".pane-body .monaco-list-row .label-description").first().textContent()).toContain("1 error, prod/db");
    await rows.first().click();
    const names = async () => (await rows.allTextContents()).slice(1, 3);
    await eventually(names).toEqual(["vm400", "vm000"]);
    await page.locator(".composite.title a[aria-label^='Sort']").click();
    await eventually(names).toEqual(["vm000", "vm001"]);
  });

  test("a VM spec in YAML is checked too, another YAML file is not", async () => {
    const spec = "apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec:\n  vcpus: 6\n  coresPerSocket: 4\n";
    const { page } = await workbench().open({
      "vm.yaml": spec,
      "other.yaml": "vcpus: 6\n",
      "vmlint.yaml": configFor("dl580g7", ["cpu/cps-divides"]),
    });
    await eventually(status(page)).toEqual(["vmlint: 1 error on dl580g7"]);
    await explorerEntry(page, "other.yaml").dblclick();
    await eventually(status(page)).toEqual([]);
  });

  test("vmlint.yaml is read again when it changes on disk, and its mistakes are shown in it", async () => {
    const { page, folder } = await workbench().open({ "vms/pinned.vmx": PINNED, "vmlint.yaml": configFor("dl580g7") });
    const configure = (text: string) => writeFileSync(join(folder, "vmlint.yaml"), text);
    await eventually(underlined(page)).toEqual(PINNED_UNDERLINED);
    await statusItem(page).click();

    configure(configFor("4x10x1@5.5"));
    await eventually(status(page)).toEqual(["vmlint: no findings on 4x10x1@5.5"]);
    await eventually(underlined(page)).toEqual([]);

    configure(configFor("dl580g8"));
    await eventually(status(page)).toEqual(["vmlint: error in vmlint.yaml"]);
    await eventually(problems(page)).toEqual(['There is no host "dl580g8". Did you mean "dl580g7"? | vmlint | [Ln 1, Col 7]']);

    configure(configFor("dl580g7"));
    await eventually(problems(page)).toEqual(PINNED_PROBLEM);
    await eventually(underlined(page)).toEqual(PINNED_UNDERLINED);
  });

  test("a file that is deleted keeps its findings as long as it is open, and leaves none in the Problems panel", async () => {
    const { page, folder } = await workbench().open({ ...PINNED_FILES, "other.vmx": `\n${PINNED}` });
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    await statusItem(page).click();
    await eventually(problems(page)).toEqual(PINNED_PROBLEM);

    rmSync(join(folder, "pinned.vmx"));
    await eventually(() => tab(page, "pinned.vmx").locator(".strikethrough").count()).toBeGreaterThan(0);
    await openFile(page, join(folder, "other.vmx"));
    await eventually(problems(page)).toHaveLength(2);
    writeFileSync(join(folder, "other.vmx"), "");
    await eventually(problems(page)).toEqual(PINNED_PROBLEM);

    await tab(page, "pinned.vmx").locator(".codicon-close").click();
    await eventually(() => tab(page, "pinned.vmx").count()).toBe(0);
    await eventually(problems(page)).toEqual([]);
    await tab(page, "other.vmx").locator(".codicon-close").click();
    await eventually(status(page)).toEqual([]);
  });

  test("a file that the configuration refers to is watched on the disk, and so is its folder", async () => {
    const { page, folder } = await workbench().open({
      "pinned.vmx": PINNED,
      "vmlint.yaml": "extends: [./shared/hosts/base.yaml]\n",
      "shared/hosts/base.yaml": configFor("dl580g7"),
    });
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    writeFileSync(join(folder, "shared/hosts/base.yaml"), configFor("4x10x1@5.5"));
    await eventually(status(page)).toEqual(["vmlint: no findings on 4x10x1@5.5"]);
    writeFileSync(join(folder, "shared/hosts/base.yaml"), configFor("dl580g7"));
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    rmSync(join(folder, "shared"), { recursive: true });
    await eventually(status(page)).toEqual(["vmlint: error in vmlint.yaml"]);
  });

  test("Lint Workspace finds problems in unopened files and then watches these files", async () => {
    const { page, folder } = await workbench().open({
      "notes.yaml": "a: 1\n",
      "packed.ova": new TextDecoder().decode(tar({ "vm.ovf": "<Envelope/>" })),
      "prod/pinned.vmx": PINNED,
      "prod/old/gone.vmx": PINNED,
      "vmlint.yaml": configFor("dl580g7"),
    });
    await runCommand(page, "vmlint: Lint Workspace");
    await eventually(() => statusItem(page).allTextContents()).toEqual(["vmlint: 2 findings in 2 files"]);
    await runCommand(page, "Problems: Focus on Problems View");
    await eventually(problems(page)).toEqual([...PINNED_PROBLEM, ...PINNED_PROBLEM]);

    rmSync(join(folder, "prod/old"), { recursive: true });
    await eventually(problems(page)).toEqual(PINNED_PROBLEM);
    writeFileSync(join(folder, "prod/pinned.vmx"), PINNED.replace("0-7", SPREAD));
    await eventually(problems(page)).toEqual([]);
    writeFileSync(join(folder, "prod/pinned.vmx"), PINNED);
    await eventually(problems(page)).toEqual(PINNED_PROBLEM);

    await openFile(page, join(folder, "prod/pinned.vmx"));
    await eventually(underlined(page)).toEqual(PINNED_UNDERLINED);
    await retype(page, "0-7".length, SPREAD);
    await eventually(problems(page)).toEqual([]);
    // Closing the editor discards unsaved edits. The file on the disk still has its finding.
    await tab(page, "pinned.vmx").locator(".codicon-close, .codicon-close-dirty").first().click();
    await page.locator(".monaco-dialog-box .monaco-button", { hasText: "Don't Save" }).click();
    await eventually(problems(page)).toEqual(PINNED_PROBLEM);

    writeFileSync(join(folder, "vmlint.yaml"), configFor("4x10x1@5.5"));
    await eventually(problems(page)).toEqual([]);
  });

  test("while Lint Workspace checks 500 files, one of them for seconds, the editor answers; both find what the command finds", async () => {
    const many = Array.from({ length: 499 }, (_, i) => [`prod/vm-${i}.vmx`, `displayName = "vm-${i}"\n${PINNED}`]);
    const specs = Array.from(
      { length: 800 },
      (_, i) =>
        `apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nmetadata: { name: vm-${i} }\nspec: { vcpus: 6, coresPerSocket: 4, memoryMiB: 8192 }\n`,
    );
    const files = {
      "pinned.vmx": PINNED,
      ...Object.fromEntries(many),
      "specs.yaml": specs.join("---\n"),
      "vmlint.yaml": "host: dl580g7\n",
    };
    const { diagnostics } = JSON.parse(vmlint(folderOf(files), [".", "--format", "json", "--fail-on", "never"]).out);
    const { page } = await workbench().open(files);
    await eventually(status(page)).toEqual([expect.stringMatching(/^vmlint: .* on dl580g7$/)]);
    await runCommand(page, "vmlint: Lint Workspace");
    const running = page.locator(".notification-toast", { hasText: "checking the workspace" });
    await running.waitFor();
    await page.locator(".view-line span", { hasText: "numvcpus" }).last().hover();
    await page.locator(".monaco-hover:visible", { hasText: "8 vCPUs" }).first().waitFor();
    expect(await running.isVisible()).toBe(true);
    await eventually(() => statusItem(page).allTextContents()).toContain(`vmlint: ${diagnostics.length} findings in 501 files`);
  });

  test("Lint Workspace can be stopped, and reports this", async () => {
    const many = Array.from({ length: 4000 }, (_, i) => [`prod/vm-${i}.vmx`, PINNED.replace("0-7", SPREAD)]);
    const { page } = await workbench().open({ "notes.yaml": "", ...Object.fromEntries(many), "vmlint.yaml": configFor("dl580g7") });
    await runCommand(page, "vmlint: Lint Workspace");
    await page.locator(".notification-toast .monaco-button", { hasText: "Cancel" }).click();
    const stopped = expect.stringMatching(/^vmlint: 0 findings in \d{1,4} files?; stopped before all were checked$/);
    await eventually(() => statusItem(page).allTextContents()).toEqual([stopped]);
  });

  test.skipIf(!hasSearch)("a JSON form of Terraform is checked when it is opened, without another open file", async () => {
    const values = { name: "a", num_cpus: 64, num_cores_per_socket: 1, memory: 4096, hardware_version: 10 };
    const { page } = await workbench().open({
      "main.tf.json": JSON.stringify({ resource: { vsphere_virtual_machine: { vm: values } } }, null, 2),
      "vmlint.yaml": configFor("dl580g7", [WIDE]),
    });
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    await eventually(underlinedWords(page)).toEqual(["64"]);
  });

  test.skipIf(!hasSearch)("an OVF descriptor is checked when it is opened, without another open file", async () => {
    const { page } = await workbench().open({ "a.ovf": DESCRIPTOR, "vmlint.yaml": configFor("dl580g7", ["cpu/cps-divides"]) });
    await eventually(status(page)).toEqual(["vmlint: 1 error on dl580g7"]);
  });

  test("a YAML file becomes a VM during typing", async () => {
    const { page } = await workbench().open({ "vm.yaml": "a: 1\n", "vmlint.yaml": configFor("dl580g7", ["cpu/cps-divides"]) });
    await page.locator(".monaco-editor .view-line").first().click();
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText("apiVersion: vmlint.dev/v1\nkind: VirtualMachine\nspec: { vcpus: 6, coresPerSocket: 4 }\n");
    await eventually(status(page)).toEqual(["vmlint: 1 error on dl580g7"]);
  });

  test("a .vmx of another program has no findings", async () => {
    const config = configFor("dl580g7", [RULE, "vmx/malformed-line"]);
    const { page, folder } = await workbench().open({ "foreign.vmx": FOREIGN, "pinned.vmx": PINNED, "vmlint.yaml": config });
    await tab(page, "foreign.vmx").dblclick();
    // By its path: a row of the explorer can move away under a click while the folder is still filled.
    await openFile(page, join(folder, "pinned.vmx"));
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    await statusItem(page).click();
    await eventually(problems(page)).toEqual(PINNED_PROBLEM);

    // The text becomes a VM as soon as one line is a key of a VM, and then its three other lines are malformed.
    await tab(page, "foreign.vmx").click();
    await page.locator(".monaco-editor .view-line", { hasText: "Hangar" }).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("numvcpus = 8\n");
    await eventually(status(page)).toEqual(["vmlint: 3 warnings on dl580g7"]);
    await eventually(async () => (await underlined(page)()).length).toBe(3);

    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Delete");
    await eventually(status(page)).toEqual([]);
    await eventually(underlined(page)).toEqual([]);
    await eventually(problems(page)).toEqual(PINNED_PROBLEM);
    await tab(page, "pinned.vmx").click();
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
  });
});
