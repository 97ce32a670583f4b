// npm run new-rule family/bad-pattern: writes the file of a new rule.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const [id = ""] = process.argv.slice(2);
if (!/^[a-z]+\/[a-z0-9]+(-[a-z0-9]+)*$/.test(id)) {
  console.error("usage: npm run new-rule family/bad-pattern");
  process.exit(2);
}
const file = new URL(`../packages/core/src/rules/${id}.ts`, import.meta.url);
if (existsSync(file)) {
  console.error(`${id} is there already`);
  process.exit(2);
}
mkdirSync(dirname(file.pathname), { recursive: true });
writeFileSync(
  file,
  `import { defineRule } from "../define.ts";

export const rule = defineRule({
  id: "${id}",
  since: "0.1.0",
  severity: "info",
  summary: "",
  why: "",
  whenNot: "",
  evidence: null,
  sources: [],
  esxiOnly: true,
  needs: [],
  reads: ["vcpus"],
  messages: {
    found: (d: { vcpus: number }) => \`\${d.vcpus} vCPUs ...\`,
  },
  bad: [{ title: "", vmx: \`numvcpus = "3"\`, expect: "found" }],
  good: [{ title: "", vmx: \`numvcpus = "4"\` }],
  *check({ vm }) {
    if (!vm.vcpus) return;
    yield { messageId: "found", data: { vcpus: vm.vcpus.value }, at: vm.vcpus.range };
  },
});
`,
);
console.log(`packages/core/src/rules/${id}.ts is written. Fill it in, then: npm run gen`);
