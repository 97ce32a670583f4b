import { builtinHosts, formatEsxi, REPORT_FORMATS } from "@vmlint/core/program";
import { lines } from "../args/command-output.ts";
import { OPTIONS, OPTIONS_OF } from "../args/options.ts";
import { CHECK_OPTIONS, FORMATS_OF, OPTION_DOCS, type OptionName } from "./option-docs.ts";

/** A section of two columns. */
type Rows = readonly (readonly [name: string, text: string])[];

interface CommandDoc {
  /** One or two sentences. */
  readonly summary: string;
  readonly usage: Rows;
  readonly sections?: Readonly<Record<string, Rows>>;
}

const HOSTS = builtinHosts.map(({ name, sockets, coresPerSocket, cpu, memoryGiB, esxi }) => {
  const facts = [`${sockets} x ${coresPerSocket} cores`, cpu, memoryGiB && `${memoryGiB} GiB`, esxi && `ESXi ${formatEsxi(esxi)}`];
  return [name, facts.filter(Boolean).join(", ")] as const;
});

/** The texts of each command for its help and for the reference page. "" is linting. */
export const COMMAND_DOCS: Readonly<Record<string, CommandDoc>> = {
  "": {
    summary: "vmlint checks whether VM definitions match the ESXi host they run on.",
    usage: [
      ["vmlint [PATH...]", "check files, folders or globs; - reads stdin"],
      ["vmlint topology [PATH...]", "show the layout of each VM on its host"],
      ["vmlint host HOST", "show how vmlint reads a host or a dump of one"],
      ["vmlint size N", "find the best shape for a VM on a host"],
      ["vmlint rules", "list the rules"],
      ["vmlint explain RULE", "print the page of a rule"],
      ["vmlint test-rules", "check the examples of plugin rules"],
      ["vmlint init", "write a vmlint.yaml for this folder"],
      ["vmlint doctor", "show the configuration, hosts and files vmlint finds here"],
      ["vmlint cpus [TEXT]", "list the processors a host can name"],
      ["vmlint diff OLD NEW", "compare two JSON reports"],
      ["vmlint move --to HOST [PATH...]", "show the VMs that change on another host or cluster"],
      ["vmlint migrate --to TARGET [PATH...]", "show each VM before and after an import to another platform"],
      ["vmlint verify PATH --guest FILE", "compare the layout of a VM with lscpu of its guest"],
      ["vmlint schema NAME", "print a JSON Schema: output, spec or config"],
      ["vmlint completion SHELL", "print a completion script: bash, zsh, fish or pwsh"],
      ["vmlint lsp --stdio", "serve editors (Language Server Protocol)"],
      ["vmlint mcp", "serve coding agents (Model Context Protocol)"],
    ],
    sections: {
      Formats: Object.entries(REPORT_FORMATS),
      "Exit codes": [
        ["0", "VMs were checked, without a finding at or above --fail-on"],
        ["1", "findings"],
        ["2", "wrong arguments, configuration or paths, or nothing to check"],
        ["3", "a bug in vmlint"],
      ],
    },
  },
  topology: {
    summary:
      "Shows the layout of each VM on its host, with the reasons: sockets, cores and NUMA nodes of the guest, and the nodes of the host they use.",
    usage: [
      ["vmlint topology [PATH...]", "show each VM; --format svg draws it"],
      ["vmlint topology --host A --host B", "compare hosts"],
    ],
    sections: { "Built-in hosts": HOSTS },
  },
  host: {
    summary: "Shows a host: its facts with their sources, the missing facts, and the entry for vmlint.yaml.",
    usage: [
      ["vmlint host esx01.txt@8.0", "a dump of the host; - reads stdin"],
      ["vmlint host 2x24x2/2@8.0", "a name, a short form or processors"],
      ['vmlint host "pack:2 numa:2 core:12 pu:2"', "a machine as hwloc describes it"],
    ],
    sections: {
      "Dumps (vmlint detects the kind)": [
        ["ESXi", "esxcli hardware cpu global get, cpu list, memory get; esxcli system version get;"],
        ["", "vim-cmd hostsvc/hosthardware; sched-stats -t ncpus"],
        ["vSphere", "govc host.info -json; govc object.collect -json; JSON of the vSphere API"],
        ["Linux", "lscpu, also with -J, -p or -e; lstopo --of xml; numactl -H"],
        ["Windows", "Coreinfo"],
      ],
    },
  },
  size: {
    summary: "Finds the best shapes for a VM. With several hosts, the worst layout decides.",
    usage: [
      ["vmlint size 22 --host 4x10x2:1024@8.0 --memory 300GiB --workload mssql", ""],
      ["vmlint size --estate estate.xlsx demand.csv", "every VM of an estate, by its demand"],
    ],
  },
  rules: { summary: "Lists the rules with severity and summary.", usage: [["vmlint rules", ""]] },
  explain: {
    summary: "Prints the page of a rule: reason, evidence, exceptions, examples, sources.",
    usage: [["vmlint explain numa/wide-uneven", ""]],
  },
  "test-rules": {
    summary: "Checks the examples of plugin rules: a bad one must have the finding, a good one none.",
    usage: [["vmlint --plugin ./rules.yaml test-rules", ""]],
  },
  diff: {
    summary: "Compares two reports of --format json: new findings, and findings that are gone. It exits with 1 if a finding is new.",
    usage: [["vmlint diff main.json branch.json", ""]],
  },
  move: {
    summary:
      "Compares each VM on its host with the same VM on another host or cluster, and shows the VMs whose layout or findings change. It exits with 1 if a finding is new.",
    usage: [
      ["vmlint move --to esx09 estate.xlsx", "a host of the inventory"],
      ["vmlint move --to sql vms.json hosts.json", "a cluster of the inventory or of vmlint.yaml"],
      ["vmlint move --host r640 --to 4x14x2@8.0 vms/", "from one host to another"],
    ],
  },
  migrate: {
    summary:
      "Shows each VM before and after an import to another platform, the changes that matter, and the settings that keep its shape. It exits with 1 if a change is grave enough for --fail-on.",
    usage: [
      ["vmlint migrate --to kubevirt estate.xlsx", "by the first importer of the target"],
      ["vmlint migrate --to kubevirt --by harvester vms/", "by another importer"],
      ["vmlint migrate --to kubevirt --write vms/ > vms.yaml", "the definitions that keep the shapes"],
    ],
  },
  verify: {
    summary:
      "Compares the layout that vmlint computes for a VM with the layout that its guest shows. It exits with 1 if a fact differs, and with 2 if nothing can be compared. With several VMs, a dump has the name of its VM: sql01.lscpu.txt.",
    usage: [
      ["vmlint verify sql01.xml --guest lscpu.txt", "a VM of KVM needs no host"],
      ["vmlint verify sql01.vmx --host esx01.txt@8.0 --guest coreinfo.txt", "a VM of ESXi"],
      ["ssh web01 lscpu -J | vmlint verify web01.conf --guest -", "from a running guest"],
    ],
  },
  doctor: { summary: "Shows the version, the configuration, its hosts, and the number of files and VMs.", usage: [["vmlint doctor", ""]] },
  completion: {
    summary: "Prints a script that completes commands, options and their values.",
    usage: [
      ["source <(vmlint completion bash)", ""],
      ["vmlint completion fish > ~/.config/fish/completions/vmlint.fish", ""],
    ],
  },
  cpus: {
    summary:
      'Lists the processors vmlint knows: cores, threads, MHz, L3 groups, NUMA nodes and sources. In vmlint.yaml, write cpu: "2x Xeon Gold 6148".',
    usage: [["vmlint cpus 6148", ""]],
  },
  schema: {
    summary: "Prints a JSON Schema.",
    usage: [
      ["vmlint schema output", "the schema of --format json"],
      ["vmlint schema spec", "the schema of VM specs"],
      ["vmlint schema config", "the schema of vmlint.yaml"],
    ],
  },
  init: {
    summary: "Writes a vmlint.yaml for the VM definitions and host dumps below this folder. An existing file is kept.",
    usage: [
      ["vmlint init", "in a terminal, ask for host and workload"],
      ["vmlint init --host 2x24x2:768@8.0 --workload mssql", "write these values"],
      ["vmlint init --spec [FILE]", "write a VM spec (default: vm.yaml)"],
    ],
  },
  lsp: {
    summary:
      "Serves editors: diagnostics, hovers, fixes, completion, code lenses, inlay hints, outlines and semantic tokens. The setting `host` takes the same values as --host.",
    usage: [["vmlint lsp --stdio", ""]],
  },
  mcp: {
    summary: "Serves coding agents on stdin and stdout with four tools: check, topology, size and explain. No tool changes a file.",
    usage: [["vmlint mcp", ""]],
  },
};

/** The first lines that a newcomer needs: the rest is a list to search. */
const SHORT: { readonly commands: readonly string[]; readonly options: readonly OptionName[] } = {
  commands: ["vmlint [PATH...]", "vmlint topology [PATH...]", "vmlint size N", "vmlint explain RULE", "vmlint init"],
  options: ["host", "workload", "diff", "fix", "format", "fail-on", "changed"],
};

/** The width of help that no terminal shows, such as in a pager. */
const WIDTH = 80;

/** The help of a command; of checking, the first 20 lines or all. */
export function help(command: string, isWhole: boolean, width = WIDTH): string {
  const doc = COMMAND_DOCS[command];
  if (doc && command !== "") return page(doc.summary, { Usage: doc.usage, Options: optionRows(command), ...doc.sections }, width);
  const { summary, usage, sections } = COMMAND_DOCS[""] as CommandDoc;
  if (isWhole) return page(summary, { Usage: usage, ...groupedOptions(), ...sections }, width);
  const commands = usage.filter(([line]) => SHORT.commands.includes(line));
  const more = "vmlint --help-all lists every command, option and report. vmlint COMMAND --help explains one command.";
  return `${page(summary, { Usage: commands, Options: SHORT.options.map((name) => optionRow(name)) }, width)}\n${lines(more, width)}`;
}

function page(summary: string, sections: Readonly<Record<string, Rows>>, width: number): string {
  const parts = Object.entries(sections).filter(([, rows]) => rows.length > 0);
  return [lines(summary, width), ...parts.map(([title, rows]) => `${title}\n${columns(rows, width)}`)].join("\n");
}

/** The options of a check, in groups. */
export const groupedOptions = (): Readonly<Record<string, Rows>> =>
  Object.fromEntries(Object.entries(CHECK_OPTIONS).map(([title, names]) => [title, names.map((name) => optionRow(name))]));

/** The options of a command with their values, in the order of its list. */
export const optionRows = (command: string): Rows =>
  [...(OPTIONS_OF[command] ?? []), "color", "help"].map((name) => optionRow(name as OptionName, command));

function optionRow(name: OptionName, command = ""): readonly [string, string] {
  const { value, text: ofAll } = OPTION_DOCS[name];
  const text = (name === "format" && FORMATS_OF[command]) || ofAll;
  const option = OPTIONS[name];
  return [`${"short" in option ? `-${option.short}, ` : ""}--${name}${name === "changed" ? "[=REF]" : value ? ` ${value}` : ""}`, text];
}

/** Names that leave too little room for the second column have it below. */
const LONGEST_NAME = 34;

function columns(rows: Rows, width: number): string {
  const room = Math.max(...rows.map(([name]) => (name.length > LONGEST_NAME ? 0 : name.length)));
  const row = ([name, text]: readonly [string, string]): string => {
    if (text === "") return lines(`  ${name}`, width);
    const indent = " ".repeat(room + 4);
    if (name.length > room) return `${lines(`  ${name}`, width)}${lines(`${indent}${text}`, width)}`;
    return lines(`  ${name.padEnd(room)}  ${text}`, width, indent.length);
  };
  return rows.map(row).join("");
}
