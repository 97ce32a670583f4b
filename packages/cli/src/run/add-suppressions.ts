import { dirname, resolve } from "node:path";
import type { Diagnostic, FileResult, Suppressed } from "@vmlint/core";
import { acceptIn } from "@vmlint/core/config-language";
import { applyEdits, plural, printable } from "@vmlint/core/program";
import { usage } from "../args/command-output.ts";
import { fromSlashes, readBytes, shownPath } from "../files/read-files.ts";
import { replaceFile } from "../files/write-file.ts";
import type { Io } from "../io.ts";
import type { LintRun } from "./lint-files.ts";

interface Edited {
  readonly before: Buffer;
  text: string;
  count: number;
}

/**
 * Adds each finding to `suppress:` of its configuration, with a reason, and returns the results without these findings. ESXi drops the
 * comments of a `.vmx` file, so that no comment is written. Throws USAGE for a finding without a configuration.
 */
export function addSuppressions(results: readonly FileResult[], reason: string, run: LintRun, io: Io): readonly FileResult[] {
  const edited = new Map<string, Edited>();
  const written = new Set<string>();
  const add = (file: FileResult, diagnostic: Diagnostic): boolean => {
    if (file.isContext || diagnostic.ignorable === false) return false;
    const own = run.configOf(file.path)?.path;
    const path = own && fromSlashes(own);
    if (path === undefined) throw usage(`--add-suppressions needs a vmlint.yaml, and ${file.path} has none. Run vmlint init to write one.`);
    const edit = edited.get(path) ?? opened(path);
    edited.set(path, edit);
    const inConfig = shownPath(resolve(io.cwd, file.path), dirname(path));
    for (const vm of diagnostic.vms ?? [diagnostic.vm ?? undefined]) {
      const key = JSON.stringify([path, inConfig, vm, diagnostic.ruleId]);
      if (written.has(key)) continue;
      const added = acceptIn(edit.text, path, { rule: diagnostic.ruleId, vm, path: inConfig, reason });
      if (!added) return false;
      edit.text = applyEdits(edit.text, [added]);
      edit.count++;
      written.add(key);
    }
    return true;
  };
  const left = results.map((file): FileResult => {
    const hidden = new Set(file.diagnostics.filter((diagnostic) => add(file, diagnostic)));
    if (hidden.size === 0) return file;
    const suppressed = [...hidden].map((diagnostic): Suppressed => ({ diagnostic, by: "config", reason }));
    return {
      ...file,
      diagnostics: file.diagnostics.filter((one) => !hidden.has(one)),
      suppressed: [...(file.suppressed ?? []), ...suppressed],
    };
  });
  for (const [path, { before, text, count }] of edited) {
    if (count === 0) continue;
    const name = printable(shownPath(path, io.cwd));
    const failure = replaceFile(path, Buffer.from(text), before, [io.cwd]);
    if (failure !== undefined) throw usage(`${name} was not written: ${failure}.`);
    io.err(`vmlint: ${name} has ${plural(count, "more suppression")}.\n`);
  }
  return left;
}

function opened(path: string): Edited {
  const before = Buffer.from(readBytes(path));
  return { before, text: before.toString("utf8"), count: 0 };
}
