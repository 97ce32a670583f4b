import { list } from "@vmlint/core/program";
import { MORE_FORMATS, type OPTIONS } from "../args/options.ts";

export type OptionName = keyof typeof OPTIONS;

interface OptionDoc {
  /** The value as the help shows it: `FILE`. Missing for a switch. */
  readonly value?: string;
  readonly text: string;
}

const TO_FILE = "FORMAT:FILE writes it";
const formats = (command: string, ...before: readonly string[]): string => list([...before, ...(MORE_FORMATS[command] ?? [])], "or");
const tables = (command: string): string => `print ${formats(command, "text (default)", "json")}; ${TO_FILE}`;

/** The reports of each command with --format. */
export const FORMATS_OF: Readonly<Record<string, string>> = {
  "": `print this report; ${TO_FILE} (repeatable)`,
  topology: `print ${formats("topology", "text (default)", "json")}`,
  size: `print text (default) or json; with --estate also ${formats("size")}, and ${TO_FILE}`,
  migrate: tables("migrate"),
  move: tables("move"),
};

/** The description of each option, for the help and the reference page. */
export const OPTION_DOCS: Readonly<Record<OptionName, OptionDoc>> = {
  host: { value: "HOST", text: "a name, 2x24x2:768@8.0, processors, or a dump (FILE@ESXI)" },
  workload: { value: "WORKLOAD", text: "such as oracle, or mssql,edition=standard,version=2019" },
  config: { value: "FILE", text: "use this configuration instead of the nearest vmlint.yaml" },
  plugin: { value: "NAME", text: "load custom rules from a package, a module or a YAML file (repeatable)" },
  format: { value: "FORMAT", text: "print text (default) or json" },
  "format-in": { value: "NAME", text: "read every file in this format, such as vmx, terraform, govc or table" },
  "stdin-filename": { value: "NAME", text: "treat stdin as this file when choosing format and configuration" },
  "no-gitignore": { text: "also check files that .gitignore lists" },
  "force-exclude": { text: "skip ignored files even if they are on the command line" },
  together: { text: "assume that all VMs with the same host share one machine" },
  var: { value: "NAME=VALUE", text: "set a Terraform or Packer variable (repeatable)" },
  "var-file": { value: "FILE", text: "read Terraform or Packer variables from a file (repeatable)" },
  source: { value: "DIR", text: "the Terraform folder of a plan or state; findings then point into it" },
  color: { value: "WHEN", text: "use colours: always, never or auto (default)" },
  "fail-on": { value: "LEVEL", text: "exit 1 from error, warning (default), info, hint or never" },
  quiet: { text: "report errors only" },
  anonymise: { value: "KEY", text: "replace names of VMs, hosts, clusters and files in reports; the same key gives the same pseudonyms" },
  "max-warnings": { value: "N", text: "fail if there are more than N warnings" },
  stats: { text: "print the findings and skipped checks of each rule to stderr" },
  timing: { text: "print the time of each step and of the slowest rules to stderr" },
  fix: { text: "apply fixes that cannot change how a VM runs" },
  "fix-unsafe": { text: "also apply fixes that change how the VM runs" },
  diff: { text: "write nothing; print every fix as a unified diff" },
  "fix-dry-run": { text: "the same as --diff" },
  "no-inline-config": { text: "ignore vmlint-disable comments" },
  "add-suppressions": { value: "REASON", text: "add all findings to suppress: in vmlint.yaml, with this reason" },
  baseline: { value: "FILE", text: "read known findings from this file (default: vmlint-baseline.json)" },
  "no-baseline": { text: "ignore the baseline" },
  "update-baseline": { text: "write all findings to the baseline" },
  "prune-baseline": { text: "remove fixed findings from the baseline" },
  changed: { value: "REF", text: "check files changed since the branch left REF (or HEAD)" },
  staged: { text: "check only staged files, in their staged version" },
  "allow-empty": { text: "exit 0 also if there is no VM to check, such as for changed files in a hook" },
  jobs: { value: "N", text: "check files with N threads; auto (default) takes up to 4 for 2,000 files or more" },
  watch: { text: "check again when a file changes, until Ctrl-C" },
  memory: { value: "AMOUNT", text: "memory, such as 300GiB; rounded up to a multiple of 4 MiB" },
  "hardware-version": { value: "N", text: "virtual hardware (default: the newest version that every host runs)" },
  range: { value: "MIN-MAX", text: "limit proposals to this range of vCPUs" },
  estate: { text: "size the VMs of an inventory by exports of their demand or of recommendations, instead of one number" },
  percentile: { value: "N", text: "with --estate: cover this percentile of the hourly peaks (default: the highest peak)" },
  help: { text: "print this help" },
  "help-all": { text: "print all commands, options, reports and exit codes" },
  version: { text: "print the version" },
  "print-config": { value: "PATH", text: "print each value that applies to the VMs of a path, and the line or option that sets it" },
  to: { value: "TARGET", text: "move: the host or cluster, as for --host; migrate: proxmox, kubevirt, openstack or libvirt" },
  by: { value: "IMPORTER", text: "the importer (default: the first of the target)" },
  guest: { value: "FILE", text: "lscpu, lscpu -p, -e or -J, numactl -H or Coreinfo, taken inside the VM (repeatable)" },
  write: { text: "print the definitions that keep the shapes of the VMs, instead of a report" },
  spec: { text: "write a VM spec instead of vmlint.yaml" },
  yes: { text: "ask no questions" },
  stdio: { text: "talk to the editor on stdin and stdout (required)" },
};

/** The options of a check, in the groups of the help. */
export const CHECK_OPTIONS: Readonly<Record<string, readonly OptionName[]>> = {
  "Host, workload and rules": ["host", "workload", "together", "config", "plugin", "print-config"],
  Files: [
    "changed",
    "staged",
    "watch",
    "stdin-filename",
    "format-in",
    "var",
    "var-file",
    "source",
    "no-gitignore",
    "force-exclude",
    "allow-empty",
    "jobs",
  ],
  Report: ["format", "fail-on", "max-warnings", "quiet", "anonymise", "stats", "timing", "color"],
  Fixes: ["diff", "fix", "fix-unsafe", "fix-dry-run"],
  "Accepted findings": ["add-suppressions", "no-inline-config", "baseline", "no-baseline", "update-baseline", "prune-baseline"],
  Help: ["help", "help-all", "version"],
};
