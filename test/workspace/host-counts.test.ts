import { requireHost } from "@vmlint/core";
import { expect, test } from "vitest";
import { EMPTY_CONFIG } from "../../packages/core/src/config/config.ts";
import { hostCounts, hostKeys, MOST_VMS } from "../../packages/core/src/lint/hosted-vms.ts";
import { checkSingle, type SingleFile } from "../../packages/core/src/workspace/check-run.ts";

const HOST = requireHost("r640");
const TEXT = 'numvcpus = "4"\n';

/** Checks files of one VM each, and returns the names of the files it read. */
function filesRead(count: number, target: object): readonly string[] {
  const read: string[] = [];
  const config = EMPTY_CONFIG;
  const run = {
    files: { read: () => undefined, list: () => [] },
    rules: [],
    againstAt: () => ({ config, relative: (path: string) => path, targetOf: () => ({ host: HOST, ...target }) }),
    inventory: undefined,
    hides: () => false,
    onlyFindings: true,
    hostCounts: hostCounts(),
  };
  for (let i = 0; i < count; i++) {
    const name = `vm${i}.vmx`;
    const kept = { diagnostics: [], skipped: [], foreign: undefined, ran: 0, vmCount: 1, silences: false, hosts: keysOf(target) };
    const file: SingleFile = {
      path: name,
      name,
      format: undefined,
      read: () => {
        read.push(name);
        return { text: TEXT };
      },
      recall: () => ({ kept }),
    };
    run.hostCounts.add(checkSingle(file, run, undefined).file.vms);
  }
  return read;
}

const keysOf = (target: object) => hostKeys([{ spec: { observed: undefined } as never, target: { host: HOST, ...target } }]);

test("an unchanged file is read again only until its host has more VMs than a machine runs", () => {
  expect(filesRead(MOST_VMS + 20, {})).toHaveLength(MOST_VMS + 1);
  expect(filesRead(MOST_VMS + 20, { machine: "esx01" })).toHaveLength(MOST_VMS + 20);
});
