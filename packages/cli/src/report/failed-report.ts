import { printable, SCHEMA_VERSION } from "@vmlint/core/program";
import { json, TOOL } from "../args/command-output.ts";

export interface Failure {
  /** The code of a VmlintError, or INTERNAL for a bug of vmlint. */
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
}

/** The report of a failed run. Programs cannot mistake it for a report without findings. */
const FORMS: Readonly<Record<string, (failure: Failure) => string>> = {
  json: ({ code, message }) => json({ schemaVersion: SCHEMA_VERSION, tool: TOOL, error: { code, message } }),
  ndjson: ({ code, message }) =>
    `${JSON.stringify({ type: "run", schemaVersion: SCHEMA_VERSION, tool: TOOL })}\n${JSON.stringify({ type: "error", code, message })}\n`,
  // SARIF 2.1.0, 3.20.14 and 3.20.21. A run without `results` did not search for any (3.14.23).
  sarif: ({ message, exitCode }) => {
    const notification = { level: "error", message: { text: message } };
    const invocation = { executionSuccessful: false, exitCode, toolExecutionNotifications: [notification] };
    return json({ version: "2.1.0", $schema: SARIF, runs: [{ tool: { driver: TOOL }, invocations: [invocation] }] });
  },
  // "Bail out!" ends a run of tests (TAP 14).
  tap: ({ message }) => `TAP version 14\nBail out! ${printable(message)}\n`,
  // GitLab reads only a list of findings.
  gitlab: ({ code, message }) => {
    const location = { path: ".", lines: { begin: 1 } };
    return json([{ description: message, check_name: "vmlint", fingerprint: `vmlint-${code}`, severity: "blocker", location }]);
  },
};

const SARIF = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** Returns the failure as a report, or `undefined` for formats that no program reads. */
export const failedReport = (format: string, failure: Failure): string | undefined =>
  Object.hasOwn(FORMS, format) ? FORMS[format]?.(failure) : undefined;
