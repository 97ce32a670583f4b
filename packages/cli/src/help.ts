import { builtinHosts, formatEsxi } from "@vmlint/core";

const HOSTS = builtinHosts
  .map(({ name, sockets, coresPerSocket, cpu, memoryGiB, esxi }) => {
    const facts = [`${sockets} x ${coresPerSocket} cores`, cpu, memoryGiB && `${memoryGiB} GiB`, esxi && `ESXi ${formatEsxi(esxi)}`];
    return `  ${name.padEnd(16)}  ${facts.filter(Boolean).join(", ")}`;
  })
  .join("\n");

const OPTIONS = `
Options
  --host HOST       name of a host in vmlint.yaml or of a built-in one, or SOCKETSxCORESxTHREADS[/NODESPERSOCKET][:GIB][@ESXI],
                    such as 4x10x2:1024@5.5 or 2x24x2/2@8.0
  --config FILE     use this configuration instead of the nearest vmlint.yaml
  --format FORMAT   text or json (default: text)
  -h, --help        print this
  -V, --version     print the version
`;

/** By command; "" is linting. */
export const HELP: Readonly<Record<string, string>> = {
  "": `vmlint finds virtual machines that are shaped wrongly for their host.

Usage
  vmlint [PATH...]           check .vmx files, folders or globs (default: the current folder)
  vmlint topology [PATH...]  show the layout each VM gets on its host, and why
  vmlint rules               list the rules
  vmlint explain RULE        print a rule's page
  vmlint schema output       print the JSON Schema of the json format
${OPTIONS}  --together        all VMs with the same host run on one machine, as if its runs: in vmlint.yaml named them
  --fail-on LEVEL   exit 1 from this severity on: error, warning, info, hint or never (default: warning)

Exit codes
  0 nothing at or above --fail-on, 1 something, 2 wrong arguments, configuration or paths, 3 a bug in vmlint
`,
  topology: `vmlint topology shows the layout each VM gets on its host: what the guest sees, where ESXi puts it, and why.

Usage
  vmlint topology [PATH...] --host dl580g7
${OPTIONS}
Built-in hosts
${HOSTS}
`,
  rules: "vmlint rules [--format text|json] lists the rules with their severity and what they find.\n",
  explain: "vmlint explain RULE prints a rule's page: why, evidence, when not to follow it, examples, sources.\n",
  schema: "vmlint schema output prints the JSON Schema of what --format json prints.\n",
};
