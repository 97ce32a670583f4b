import { type Diagnostic, type Rule, rules } from "@vmlint/core";
import { lintExample, pageOf } from "@vmlint/core/docs";
import { expect, test } from "vitest";
import { framed } from "../../packages/core/src/report/text-report.ts";

/** Returns the line of each finding of a rule's examples of one text, and the line as a report quotes it. */
async function linesOf(rule: Rule): Promise<readonly (readonly [line: string, quoted: string])[]> {
  const quotes = pageOf(rule).bad.map(async (example) => {
    const [text, ...others] = [example.vmx, example.yaml, example.json, example.terraform, example.ovf]
      .flatMap((some) => some ?? [])
      .flat();
    if (text === undefined || others.length > 0) return [];
    return (await lintExample(rule, example)).map(({ range }: Pick<Diagnostic, "range">) => {
      const start = text.lastIndexOf("\n", range[0] - 1) + 1;
      return [/^[^\r\n]*/.exec(text.slice(start))?.[0] ?? "", framed(text, start, range)] as const;
    });
  });
  return (await Promise.all(quotes)).flat();
}

const OF_KVM = rules.filter(({ id }) => /^(?:kvm|kubevirt|libvirt|proxmox|openstack)\//.test(id));

test.each(OF_KVM.map((rule) => [rule.id, rule] as const))("%s: a line of a definition is quoted as it is", async (_, rule) => {
  for (const [line, quoted] of await linesOf(rule)) expect(quoted).toBe(line);
});

test("a flag of a passthrough device is no password", () => {
  const line = 'pciPassthru0.present = "TRUE"';
  expect(framed(line, 0, [0, 0])).toBe(line);
  expect(framed('password = "TRUE"', 0, [0, 0])).toBe('password = "****"');
});

test("keys stay readable where values are hidden", async () => {
  const keys = (line: string) => [...line.matchAll(/"([\w.-]+)"\s*:/g)].map(([, key]) => key);
  for (const rule of rules) for (const [line, quoted] of await linesOf(rule)) expect(keys(quoted)).toEqual(keys(line));
  const line = '{"name":"sql01","runtime":{"secret":"abc","open":"never closed';
  expect(framed(line, 0, [0, 0])).toBe('{"name":"sql01","runtime":{"secret":"***","open":"***** ******');
});
