// npm run new-rule family/bad-pattern [host]: writes the file of a new rule about one VM, or with `host` about the VMs of one
// host.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const [id = "", kind] = process.argv.slice(2);
if (!/^[a-z]+\/[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || ![undefined, "host"].includes(kind)) {
  console.error("usage: npm run new-rule family/bad-pattern [host]");
  process.exit(2);
}
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const file = new URL(`../packages/core/src/rules/${id}.ts`, import.meta.url);
if (existsSync(file)) {
  console.error(`${id} is there already`);
  process.exit(2);
}
/** Returns a VM, or two that share a host. */
const vms = (vcpus) => (kind === "host" ? `host: "dl580g7", vmx: [${vmx(vcpus)}, ${vmx(vcpus)}]` : `vmx: ${vmx(vcpus)}`);
const vmx = (vcpus) => `\`numvcpus = "${vcpus}"\``;
const overVm = `  on: ["vcpus"],
  reads: ["vcpus"],
  messages: {
    found: (d: { vcpus: number }) => \`\${d.vcpus} vCPUs ...\`,
  },
  *check({ vm }) {
    if (!vm.vcpus) return;
    yield { messageId: "found", data: { vcpus: vm.vcpus.value }, at: vm.vcpus.range };
  },
`;
const overHost = `  over: "host",
  needs: ["host"],
  reads: ["vcpus"],
  messages: {
    found: (d: { vms: number }) => \`\${d.vms} VMs ...\`,
  },
  *check({ vms }) {
    const [first] = vms;
    if (!first?.vm.vcpus) return;
    yield { messageId: "found", data: { vms: vms.length }, on: first, at: first.vm.vcpus.range };
  },
`;
mkdirSync(new URL(".", file), { recursive: true });
writeFileSync(
  file,
  `import { builtinRule, type PageOf } from "../define.ts";

export const rule = builtinRule({
  id: "${id}",
  since: "${version}",
  severity: "info",
${kind === "host" ? overHost : overVm}});

export const page = (): PageOf<typeof rule> => ({
  summary: "",
  why: "",
  whenNot: "",
  sources: [],
  bad: [{ title: "", ${vms(3)} }],
  good: [{ title: "", ${vms(4)} }],
});
`,
);
console.log(`packages/core/src/rules/${id}.ts is written. Fill it in, then: npm run gen`);
