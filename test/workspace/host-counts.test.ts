import { requireHost } from "@vmlint/core";
import { defaultFormat, NOTHING_GIVEN } from "@vmlint/core/program";
import { expect, test } from "vitest";
import { EMPTY_CONFIG } from "../../packages/core/src/config/config.ts";
import { hostCounts, hostKeys, MOST_VMS } from "../../packages/core/src/lint/hosted-vms.ts";
import { recallOrCheck } from "../../packages/core/src/workspace/earlier-results.ts";

const HOST = requireHost("r640");
const TEXT = 'numvcpus = "4"\n';

/** Checks files of one VM each, and returns the names of the files it read. */
function filesRead(count: number, target: object): readonly string[] {
  const read: string[] = [];
  const config = EMPTY_CONFIG;
  const against = { config, folder: ".", relative: (path: string) => path, targetOf: () => ({ host: HOST, ...target }) };
  const run = {
    rules: [],
    againstAt: () => against,
    inventory: undefined,
    hides: () => false,
    onlyFindings: true,
    hostCounts: hostCounts(),
  };
  const files = { read: () => undefined, list: () => [] };
  const unit = { entry: undefined, format: defaultFormat, files, inputs: NOTHING_GIVEN };
  for (let i = 0; i < count; i++) {
    const path = `vm${i}.vmx`;
    const kept = { diagnostics: [], skipped: [], foreign: undefined, ran: 0, vmCount: 1, silences: false, hosts: keysOf(target) };
    const text = () => {
      read.push(path);
      return { text: TEXT };
    };
    const unitOf = (given: { readonly text: string }) => ({ ...unit, paths: [path], given });
    run.hostCounts.add(recallOrCheck({ unitOf, path, read: text, recalled: { kept } }, run, undefined)?.file.vms ?? []);
  }
  return read;
}

const keysOf = (target: object) => hostKeys([{ spec: { observed: undefined } as never, target: { host: HOST, ...target } }]);

test("an unchanged file is read again only until its host has more VMs than a machine runs", () => {
  expect(filesRead(MOST_VMS + 20, {})).toHaveLength(MOST_VMS + 1);
  expect(filesRead(MOST_VMS + 20, { machine: "esx01" })).toHaveLength(MOST_VMS + 20);
});
