import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { COMMAND, vmlint } from "../support/cli.ts";
import { RESOURCE, variable } from "../support/sample-project.ts";
import { hasTerminal, isSetUp } from "./workbench.ts";
import {
  axeViolationsOfPanel,
  configFor,
  eventually,
  needs,
  openControls,
  openFile,
  panelOf,
  problems,
  RULE,
  runAndPick,
  runCommand,
  status,
  statusItem,
  tab,
  underlined,
  workbenchFor,
} from "./workbench-page.ts";

const PINNED = 'virtualHW.version = "10"\ndisplayName = "app01"\nnumvcpus = "8"\nsched.cpu.affinity = "0-7"\n';

/** A baseline that has what is found in such a VM. */
const KNOWN = JSON.stringify({ schemaVersion: 1, findings: [{ path: "two/b.vmx", vm: "app01", rule: RULE, value: "0-7" }] });

/** Puts the cursor at the end of the file and types. */
async function type(page: Page, text: string): Promise<void> {
  await page.locator(".monaco-editor .view-line").last().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text, { delay: 20 });
}

/**
 * Chooses the accept entry in the light bulb on the affinity and types a reason. It uses the keyboard, because the menu ignores
 * clicks until the mouse moves.
 */
async function acceptWith(page: Page, title: string, reason: string): Promise<void> {
  await page.locator(".monaco-editor .view-line", { hasText: "affinity" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  const action = page.locator(".action-widget .monaco-list-row", { hasText: "Accept..." });
  await eventually(async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+.");
    return action.waitFor({ timeout: 3000 }).then(
      () => "there",
      () => "not there",
    );
  }).toBe("there");
  while (!(await action.evaluate((row) => row.classList.contains("focused")))) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget:visible .monaco-list-row", { hasText: title }).click();
  await page.locator(".quick-input-widget:visible input").fill(reason);
  await page.keyboard.press("Enter");
}

/** Themes, and the class that each gives to the workbench. */
const THEMES = [
  ["Default Light Modern", "vs"],
  ["Default High Contrast", "hc-black"],
  ["Default High Contrast Light", "hc-light"],
  ["Default Dark Modern", "vs-dark"],
] as const;

const suggested = (page: Page) => () => page.locator(".suggest-widget.visible .monaco-list-row .label-name").allTextContents();

describe.skipIf(!isSetUp)(`VS Code, configurations${needs}`, { retry: 1 }, () => {
  const workbench = workbenchFor("node");

  test("keys, rules and severities of vmlint.yaml are completed, explained and checked while typing", async () => {
    const { page, folder } = await workbench().open({ "vmlint.yaml": "host: dl580g7\n" });
    await type(page, "rul");
    // Nothing is suggested for what was typed before the extension had started.
    await eventually(async () => {
      const items = await suggested(page)();
      if (items.length === 0) await page.keyboard.press("Control+Space");
      return items;
    }).toEqual(["rules"]);
    await page.keyboard.press("Enter");
    await page.keyboard.type("numa/wide-un", { delay: 20 });
    await eventually(suggested(page)).toContain("numa/wide-uneven");
    await page.locator(".suggest-widget .monaco-list-row", { hasText: "numa/wide-uneven" }).first().click();
    await page.locator(".suggest-widget .monaco-list-row", { hasText: "info" }).click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+s");
    await eventually(async () => readFileSync(join(folder, "vmlint.yaml"), "utf8")).toBe("host: dl580g7\nrules:\n  numa/wide-uneven: info");

    await page.locator(".view-line span", { hasText: "numa/wide-uneven" }).last().hover();
    await eventually(() => page.locator(".monaco-hover:visible").allInnerTexts()).toEqual([expect.stringContaining("Severity: warning")]);

    await page.keyboard.press("Control+Home");
    await page.keyboard.type("hots: {}\n", { delay: 20 });
    await eventually(underlined(page)).toEqual([{ line: "hots: {}", text: "hots: {}" }]);
    await page.keyboard.press("Control+Home");
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Delete");
    await eventually(underlined(page)).toEqual([]);
  });

  test("the light bulb mends a misspelt rule in vmlint.yaml", async () => {
    const { page } = await workbench().open({ "vmlint.yaml": "rules:\n  numa/wide-unevn: off\n" });
    await eventually(underlined(page)).toEqual([{ line: "  numa/wide-unevn: off", text: "numa/wide-unevn: off" }]);
    await page.locator(".monaco-editor .view-line", { hasText: "numa" }).click();
    await eventually(async () => {
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+.");
      return page
        .locator(".action-widget .monaco-list-row", { hasText: "Change it to numa/wide-uneven" })
        .waitFor({ timeout: 3000 })
        .then(
          () => "there",
          () => "not there",
        );
    }).toBe("there");
    await page.keyboard.press("Enter");
    await eventually(underlined(page)).toEqual([]);
    expect(await page.locator(".view-line", { hasText: "numa" }).innerText()).toMatch(/wide-uneven:\soff$/);
  });

  test("checks are turned off and on again, and all safe fixes are made at once", async () => {
    const twice = 'numvcpus = "8"\nnumvcpus = "8"\nmemsize = "4096"\nmemsize = "4096"\n';
    const { page, folder } = await workbench().open({ "a.vmx": `# vmlint: host=dl580g7\n${twice}` });
    await eventually(underlined(page)).toHaveLength(2);
    await runCommand(page, "vmlint: Turn Checks On or Off");
    await eventually(status(page)).toEqual(["vmlint: off"]);
    await eventually(underlined(page)).toEqual([]);
    await statusItem(page).click();
    await eventually(underlined(page)).toHaveLength(2);
    await page.locator(".monaco-editor .view-line").first().click();
    await runCommand(page, "vmlint: Fix All That Is Safe");
    await eventually(underlined(page)).toEqual([]);
    await page.keyboard.press("Control+s");
    await eventually(async () => readFileSync(join(folder, "a.vmx"), "utf8").match(/numvcpus|memsize/g)).toEqual(["numvcpus", "memsize"]);
  });

  test("a finding is accepted in vmlint.yaml with a reason, after the existing entries", async () => {
    const config = `# ours\n${configFor("dl580g7")}`;
    const { page, folder } = await workbench().open({ "prod/a.vmx": PINNED, "vmlint.yaml": config });
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    await acceptWith(page, `Accept ${RULE} of app01 in vmlint.yaml`, "the lab measures it");
    await eventually(async () => readFileSync(join(folder, "vmlint.yaml"), "utf8")).toBe(
      `${config}suppress:\n  - { rule: ${RULE}, vm: app01, path: prod/a.vmx, reason: the lab measures it }\n`,
    );
    await eventually(status(page)).toEqual(["vmlint: no findings on dl580g7"]);
    await eventually(underlined(page)).toEqual([]);
  });

  test("Choose Host offers the hosts of vmlint.yaml and keeps its comments; Size a VM knows them too", async () => {
    const config = `# ours\n${configFor("dl580g7")}hosts:\n  lab: { sockets: 2, coresPerSocket: 9, esxi: "8.0" }\n`;
    const { page, folder } = await workbench().open({ "a.vmx": PINNED, "vmlint.yaml": config });
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    await runAndPick(page, "vmlint: Choose Host...", "lab");
    await eventually(status(page)).toEqual(["vmlint: no findings on lab"]);
    expect(readFileSync(join(folder, "vmlint.yaml"), "utf8")).toBe(config.replace("host: dl580g7", "host: lab"));

    await runAndPick(page, "vmlint: Size a VM...", "lab");
    await page.locator(".quick-input-widget:visible input").fill("20");
    await page.keyboard.press("Enter");
    await eventually(() => page.locator(".view-lines").first().innerText()).toContain("lab");
  });

  test("Choose Host writes vmlint.yaml beside a file where no folder is open", async () => {
    const { page } = await workbench().openAlone("a.vmx", PINNED);
    await eventually(status(page)).toEqual([expect.stringMatching(/^vmlint: \d+ checks need a host$/)]);
    await runAndPick(page, "vmlint: Choose Host...", "dl580g7");
    await eventually(status(page)).toEqual([expect.stringMatching(/^vmlint: [1-9] .* on dl580g7$/)]);
  });

  test("without a configuration, accepting a finding creates one", async () => {
    const { page, folder } = await workbench().open({ "a.vmx": `# vmlint: host=dl580g7\n${PINNED}` });
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    await acceptWith(page, "in vmlint.yaml, with a reason", "as it is");
    await eventually(async () => existsSync(join(folder, "vmlint.yaml")) && readFileSync(join(folder, "vmlint.yaml"), "utf8")).toBe(
      `suppress:\n  - { rule: ${RULE}, vm: app01, path: a.vmx, reason: as it is }\n`,
    );
    await eventually(status(page)).toEqual(["vmlint: no findings on dl580g7"]);
  });

  test("package.json, extends, root, overrides and ignore count as on the command line", async () => {
    const { page, folder } = await workbench().open({
      "web/a.vmx": PINNED,
      "web/old/b.vmx": PINNED,
      "web/package.json": JSON.stringify({
        vmlint: { extends: ["root", "./rules.yaml"], ignore: ["old"], overrides: [{ vms: ["app*"], host: "dl580g7" }] },
      }),
      "web/rules.yaml": configFor("4x10x1@5.5"),
      "vmlint.yaml": "root: true\nhosts: { shared: { sockets: 1, coresPerSocket: 4 } }\nhost: shared\n",
    });
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    await openFile(page, join(folder, "web/old/b.vmx"));
    await tab(page, "b.vmx").waitFor();
    await eventually(status(page)).toEqual([]);
    await tab(page, "a.vmx").click();
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
  });

  test.each([
    ["one of a configuration", { "vm/a.vmx": PINNED, "vm/vmlint.yaml": `baseline: known.json\n${configFor("dl580g7")}` }, "vm/known.json"],
    ["one of a folder without", { "a.vmx": `# vmlint: host=dl580g7\n${PINNED}` }, "vmlint-baseline.json"],
  ])("findings in a baseline of the command are hidden until the baseline is deleted: %s", async (_, files, baseline) => {
    const { page, folder } = await workbench().open(files);
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    expect(vmlint(folder, ["--update-baseline"]).code).toBe(0);
    expect(existsSync(join(folder, baseline))).toBe(true);
    await eventually(status(page)).toEqual(["vmlint: no findings on dl580g7"]);
    rmSync(join(folder, baseline));
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
  });

  test("each folder of a workspace has its own configuration and host", async () => {
    const { page, folder } = await workbench().openFolders({
      "one/a.vmx": PINNED,
      "one/vmlint.yaml": configFor("dl580g7"),
      "two/b.vmx": PINNED,
      "two/vmlint.yaml": configFor("4x10x1@5.5"),
    });
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    await statusItem(page).click();
    await eventually(async () => (await problems(page)()).length).toBe(1);
    await openFile(page, join(folder, "two/b.vmx"));
    await eventually(status(page)).toEqual(["vmlint: no findings on 4x10x1@5.5"]);
    await tab(page, "a.vmx").click();
    await eventually(status(page)).toEqual(["vmlint: 1 warning on dl580g7"]);
    await eventually(async () => (await problems(page)()).length).toBe(1);
  });

  const OUTSIDE = {
    "one/a.vmx": PINNED,
    "two/b.vmx": PINNED,
    "two/vmlint.yaml": "extends: [../base.yaml]\nbaseline: ../known.json\n",
    "base.yaml": configFor("dl580g7"),
    "known.json": KNOWN,
    "vmlint.yaml": configFor("4x10x1@5.5"),
  };

  test("files above and next to a trusted workspace apply as on the command line", async () => {
    const { page, folder } = await workbench().openFolders(OUTSIDE);
    await eventually(status(page)).toEqual(["vmlint: no findings on 4x10x1@5.5"]);
    await openFile(page, join(folder, "two/b.vmx"));
    await eventually(status(page)).toEqual(["vmlint: no findings on dl580g7"]);
  });

  test("in an untrusted workspace no file outside is read, and each such reference is reported", async () => {
    const restricted = { "security.workspace.trust.enabled": true, "security.workspace.trust.startupPrompt": "never" };
    const files = { ...OUTSIDE, "two/vmlint.yaml": `${configFor("dl580g7")}baseline: ../known.json\n` };
    const { page, folder } = await workbench().openFolders(files, restricted);
    await eventually(status(page)).toEqual([expect.stringMatching(/^vmlint: \d+ checks need a host$/)]);
    await openFile(page, join(folder, "two/b.vmx"));
    await eventually(status(page)).toEqual(["vmlint: error in vmlint.yaml"]);
    await statusItem(page).click();
    await eventually(problems(page)).toEqual([
      "../known.json is not read: it lies outside of the workspace, which is not trusted. | vmlint | [Ln 1, Col 1]",
    ]);
  });

  test("after a folder is removed, findings of an open file remain, as outside of any folder", async () => {
    const config = "host: dl580g7\nextends: [all]\n";
    const { page, folder } = await workbench().openFolders({
      "caller/main.tf": 'module "a" {\n  source = "../vm"\n}\n',
      "caller/vmlint.yaml": config,
      "vm/main.tf": RESOURCE.replace("4096", "4097") + variable(8),
      "vm/pinned.vmx": PINNED,
      "vm/vmlint.yaml": config,
    });
    await eventually(status(page)).toEqual([expect.stringMatching(/^vmlint: .* on dl580g7$/)]);
    await runCommand(page, "vmlint: Lint Workspace");
    await runCommand(page, "Problems: Focus on Problems View");
    const rules = async () => (await problems(page)()).map((one) => one.split(" | ")[2]);
    await eventually(rules).toEqual(expect.arrayContaining(["mem/step-4mb", RULE]));
    writeFileSync(join(folder, "all.code-workspace"), JSON.stringify({ folders: [{ path: "caller" }] }));
    await eventually(rules).toEqual(["mem/step-4mb"]);
  });

  test("the panel describes the findings, the picture and the reasons in words", async () => {
    const { page, folder } = await workbench().open({
      "a.vmx": PINNED,
      "vmlint.yaml": configFor("dl580g7"),
      ".vscode/settings.json": "{}",
    });
    await page.locator(".codelens-decoration a").click();
    const panel = panelOf(page);
    const found = () => panel.locator("#findings li").allTextContents();
    await eventually(found).toEqual([
      expect.stringMatching(/^warning 8 vCPUs are pinned to 8 hyper-threads of only 4 cores\. .* affinity\/ht-siblings$/),
    ]);
    await eventually(() => panel.locator("#layout").textContent()).toBe("8 vCPUs = 8 sockets x 1, 1 NUMA node, on dl580g7 (ESXi 5.5)");
    expect(await panel.locator("#facts li").allTextContents()).toContainEqual(
      expect.stringMatching(/^pinned to 8 logical CPUs of 4 cores/),
    );
    expect(await panel.locator("#reasons li").count()).toBeGreaterThan(0);
    expect(await panel.locator("#sources li").allTextContents()).toContainEqual(expect.stringContaining("vSphere"));

    expect(await panel.locator("#verdict").textContent()).toMatch(/^8 vCPUs share the 4 cores they are pinned to/);
    await openControls(panel);
    // vmlint also checks the values of the controls: without hyper-threads there are no siblings.
    await panel.locator("#vcpus-number").fill("4");
    await panel.locator("#vcpus-number").press("Enter");
    await eventually(() => panel.locator("#layout").textContent()).toContain("4 vCPUs");
    await eventually(found).toEqual([]);
    await eventually(() => panel.locator("#found-title").textContent()).toBe("Nothing found");
    expect(await panel.locator("#effect").textContent()).toBe("This change fixes 1 and adds 0.");
    expect(await panel.locator("#verdict.good").textContent()).toBe("vmlint finds nothing wrong.");
    for (const [theme, name] of THEMES) {
      writeFileSync(join(folder, ".vscode/settings.json"), JSON.stringify({ "workbench.colorTheme": theme }));
      await eventually(() => page.locator(`.monaco-workbench.${name}`).count()).toBe(1);
      expect([theme, await axeViolationsOfPanel(page)]).toEqual([theme, []]);
    }
  });

  test("a narrow panel shows the narrow picture, and each control has a name", async () => {
    const wide = PINNED.replace('"8"', '"64"').replace("0-7", "0-63");
    const { page } = await workbench().open({ "a.vmx": wide, "vmlint.yaml": configFor("dl580g7") });
    await page.locator(".codelens-decoration a").click();
    const panel = panelOf(page);
    await panel.locator("#findings li").waitFor();
    await page.setViewportSize({ width: 600, height: 800 });
    const widths = () =>
      panel.locator("#picture .narrow").evaluate(({ clientWidth, ownerDocument }) => {
        const { documentElement: page } = ownerDocument;
        return { isNarrow: page.clientWidth < 320, page: page.scrollWidth > page.clientWidth, picture: clientWidth > 0 };
      });
    await eventually(widths).toEqual({ isNarrow: true, page: false, picture: true });
    await openControls(panel);
    for (const [role, names] of [
      ["combobox", ["ESXi", "Cores per socket", "Latency sensitivity"]],
      ["slider", ["vCPUs"]],
      ["spinbutton", ["vCPUs", "Memory, GiB", "CPU reservation, MHz", "Memory reservation, GiB"]],
      ["checkbox", ["preferHT", "CPU hot add", "Memory hot add"]],
      ["textbox", ["CPU affinity"]],
    ] as const) {
      for (const name of names) expect(await panel.getByRole(role, { name }).count(), name).toBe(1);
      expect(await panel.getByRole(role).count()).toBe(names.length);
    }
    expect(await panel.getByRole("button", { name: /^Host dl580g7$/ }).count()).toBe(1);
    expect(await panel.locator("#sources a[href^='https://']").count()).toBeGreaterThan(0);
    expect(await axeViolationsOfPanel(page)).toEqual([]);
  });

  test.skipIf(!hasTerminal)("a task runs the command, and its findings are in the Problems panel", async () => {
    const presentation = { reveal: "never" };
    const task = { type: "vmlint", command: COMMAND, args: ["--host", "dl580g7"], problemMatcher: "$vmlint", presentation };
    const { page } = await workbench().open({
      "vmlint.yaml": configFor("4x10x1@5.5"),
      "prod/a.vmx": PINNED,
      ".vscode/tasks.json": JSON.stringify({ version: "2.0.0", tasks: [task] }),
    });
    await runCommand(page, "Problems: Focus on Problems View");
    await runCommand(page, "Tasks: Run Task");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "vmlint" }).first().click();
    await eventually(problems(page)).toEqual([
      expect.stringMatching(/^8 vCPUs are pinned .* \| affinity\/ht-siblings \| \[Ln 4, Col 23\]$/),
    ]);
  });

  test("a task lints each folder", async () => {
    const { page } = await workbench().open({ "a.vmx": PINNED });
    await runCommand(page, "Tasks: Run Task");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "vmlint" }).first().click();
    await eventually(() => page.locator(".quick-input-list .monaco-list-row .label-name").allTextContents()).toEqual(
      expect.arrayContaining([expect.stringContaining("lint workspace")]),
    );
  });
});
