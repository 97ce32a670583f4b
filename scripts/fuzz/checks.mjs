// Properties that hold for every input. They are checked in a thread that the fuzzer can stop.
import { lint, lintJson, requireHost, textReport } from "@vmlint/core";
import { fixText } from "@vmlint/core/fix";
import { formatsOf, isAlone, PLAIN, printable, summarize } from "@vmlint/core/program";
import { lintProject, readWhole } from "@vmlint/core/project";
import { wrongWithCall } from "./arguments.mjs";

const host = requireHost("4x10x2:1024@8.0");
const workload = { kind: "mssql", edition: "standard", version: "2019" };
/** Without a host an input is checked three times as fast: damage of the text is what is tried here, and layouts have tests of their own. */
const WITHOUT_HOST = { workload };
const WITH_HOST = { host, workload };
const TOOL = { name: "vmlint", version: "0" };

/** The errors of rejections that no caller received. */
const unhandled = [];
process.on("unhandledRejection", (error) => unhandled.push(error));

export async function run({ seed, inputs, seconds, only, state, most, inputOf, drawn, calls }) {
  const end = Date.now() + seconds * 1000;
  const first = only ?? 0;
  const last = only === undefined ? inputs : only + 1;
  for (let number = first; number < last && (number % 64 !== 0 || Date.now() < end); number++) {
    Atomics.store(state, 0, only === undefined ? number : only);
    const { name, text } = calls ? { name: "a call", text: "" } : inputOf(seed, number);
    const check = async () => {
      try {
        if (calls) {
          const wrong = await wrongWithCall(drawn(seed, number));
          await new Promise((resolve) => setImmediate(resolve));
          return unhandled.length > 0 ? `a second rejection: ${unhandled.splice(0)[0]}` : wrong;
        }
        return await wrongWith(name, text, { target: number % 16 === 0 ? WITH_HOST : WITHOUT_HOST, fixes: number % 8 === 0 });
      } catch (error) {
        return error.stack;
      }
    };
    const start = performance.now();
    let wrong = await check();
    if (!wrong && performance.now() - start > most) {
      // Time of the processor: another program may have had the machine.
      const before = process.cpuUsage();
      wrong = await check();
      const { user, system } = process.cpuUsage(before);
      const took = (user + system) / 1000;
      if (!wrong && took > most) wrong = `it takes ${took.toFixed(0)} ms`;
    }
    if (only !== undefined) console.log(`${name}\n${text}`);
    if (wrong) {
      Atomics.add(state, 1, 1);
      console.error(`input ${number} of seed ${seed} (${name}): ${wrong}`);
      if (Atomics.load(state, 1) >= 20) return;
    }
    if (only === undefined) Atomics.store(state, 0, number + 1);
  }
}

/** Returns the property that fails for this text, or `undefined`. */
async function wrongWith(name, text, how) {
  for (const entry of formatsOf(name)) {
    if (entry.mayHold && !entry.mayHold(text)) continue;
    const wrong = isAlone(entry) ? await wrongAlone(entry, text, name, how) : await wrongProject(entry, text, name, how);
    if (wrong) return `${entry.name}: ${wrong}`;
  }
  return undefined;
}

const NOTHING_BESIDE = { read: () => undefined, list: () => [] };

async function wrongAlone(entry, input, name, { target, fixes }) {
  const format = await entry.load();
  const text = format.unpack ? unpacked(format, input) : input;
  const check = (of) => lint(of, { format, target, context: { path: `/w/${name}`, files: NOTHING_BESIDE } });
  const result = check(text);
  const wrong = outside(result.diagnostics, text) ?? unreported([{ path: name, text, ...result }]);
  if (wrong || !fixes || !result.diagnostics.some((one) => one.fixes.length > 0)) return wrong;
  const once = fixText(text, check, { unsafe: true });
  if (!once.finished) return "fixes never end";
  return fixText(once.text, check, { unsafe: true }).text === once.text ? undefined : "a second fix changes the text again";
}

/** Returns the text in an archive. The input is a text of its bytes. */
function unpacked({ unpack }, input) {
  const bytes = Buffer.from(input, "latin1");
  return Buffer.from(unpack((offset, length) => bytes.subarray(offset, offset + length)) ?? []).toString("utf8");
}

async function wrongProject(entry, text, name, { target }) {
  const format = await entry.load();
  const path = `/w/${name}`;
  const files = { read: (of) => (of === path ? text : undefined), list: (folder) => (folder === "/w" ? [name] : []) };
  const project = await readWhole(format, { paths: [path], files, inputs: { environment: {}, options: [] } });
  const found = lintProject(project, { target: () => target });
  for (const file of found) {
    const wrong = outside(file.diagnostics, file.text);
    if (wrong) return wrong;
  }
  return unreported(found);
}

/** The first offset of a cell; see `rangeOfCell`. */
const CELLS = 2 ** 40;

/** Returns a finding or fix whose range is outside of its text. */
function outside(diagnostics, text) {
  // A cell of a workbook has a range behind all texts.
  const isOut = ([start, end]) => !(start >= 0 && start <= end && (end <= text.length || start >= CELLS));
  for (const { ruleId, range, fixes } of diagnostics) {
    if (isOut(range)) return `${ruleId} is at ${range} of ${text.length}`;
    for (const { edits } of fixes)
      for (const { range: at, path } of edits)
        if (path === undefined && isOut(at)) return `a fix of ${ruleId} is at ${at} of ${text.length}`;
  }
  return undefined;
}

/** A report that is no JSON, or that has control characters. */
function unreported(files) {
  const results = files.map((file) => summarize(file));
  const json = JSON.stringify(lintJson(results, { tool: TOOL }));
  if (JSON.parse(json).diagnostics.length !== files.reduce((count, { diagnostics }) => count + diagnostics.length, 0))
    return "JSON lacks findings";
  const report = textReport(results, PLAIN).replaceAll("\n", "");
  return printable(report) === report ? undefined : "the text report has control characters";
}
