import { builtinHosts, formatEsxi, REPORT_FORMATS } from "@vmlint/core";

const HOSTS = builtinHosts
  .map(({ name, sockets, coresPerSocket, cpu, memoryGiB, esxi }) => {
    const facts = [`${sockets} x ${coresPerSocket} cores`, cpu, memoryGiB && `${memoryGiB} GiB`, esxi && `ESXi ${formatEsxi(esxi)}`];
    return `  ${name.padEnd(16)}  ${facts.filter(Boolean).join(", ")}`;
  })
  .join("\n");

const REPORTS = Object.entries(REPORT_FORMATS)
  .map(([name, summary]) => `  ${name.padEnd(16)}  ${summary}`)
  .join("\n");

const HOST_OPTION = `  --host HOST       name of a host in vmlint.yaml or of a built-in one, or SOCKETSxCORESxTHREADS[/NODESPERSOCKET][:GIB][@ESXI],
                    such as 4x10x2:1024@5.5 or 2x24x2/2@8.0, or its processors: "2x Xeon Gold 6148:768@8.0" (vmlint cpus),
                    or a dump of the host: FILE[@ESXI] (vmlint host --help)
`;

const CONTEXT = `  --config FILE     use this configuration instead of the nearest vmlint.yaml; only one named so may name plugins
  --plugin NAME     load rules of others: a package, or the path of a module, such as ./acme.mjs; can be repeated
`;

const READING = `${HOST_OPTION}${CONTEXT}  --var NAME=VALUE  value of a Terraform or Packer variable; --var-file FILE reads several; the later wins, for Packer --var
  --source DIR      the Terraform folder a plan or state was made of, for findings in its lines (default: the file's own)
  --format-in NAME  read every file as vmx, plans, yaml, terraform, packer, govc, ovf or ova, whatever its name
  --stdin-filename NAME
                    what the text of "-" is called: its format and configuration are found by that name
  --no-gitignore    folders are searched for files that .gitignore names, too
  --force-exclude   leave out what is ignored though it is named, as hooks do with every changed file
`;

const FORMAT = `  --format FORMAT   text or json (default: text)
`;

const GENERAL = `  -h, --help        print this
  -V, --version     print the version
`;

/** By command; "" is linting. */
export const HELP: Readonly<Record<string, string>> = {
  "": `vmlint finds virtual machines that are shaped wrongly for their host.

Usage
  vmlint [PATH...]           check .vmx, OVF, OVA, Terraform, Packer, VM specs, JSON of govc, folders or globs (default: .)
  govc vm.info -json ./vm/* | vmlint -   check what another program prints
  vmlint topology [PATH...]  show the layout each VM gets on its host, and why
  vmlint host HOST           show what vmlint makes of a host, or of a dump of one
  vmlint size --vcpus N      find the best shape for a VM on a host
  vmlint rules               list the rules
  vmlint explain RULE        print a rule's page
  vmlint schema NAME         print a JSON Schema: output (of the json format), spec (of a VM spec) or config (of vmlint.yaml)
  vmlint init                write a vmlint.yaml for what is there; init --spec [FILE]: a VM spec to start from
  vmlint merge FILE...       join reports of --format json into one
  vmlint doctor              show what vmlint sees here: its configuration, hosts, files
  vmlint completion SHELL    print a script that completes commands and options: bash, zsh, fish or pwsh
  vmlint lsp --stdio         serve editors: the Language Server Protocol on stdin and stdout
  vmlint cpus [TEXT]         list the processors a host in vmlint.yaml can name

Options
${READING}  --format FORMAT   one of those below, or FORMAT:FILE; several at once: --format text --format sarif:vmlint.sarif (default: text)
${GENERAL}  --together        all VMs with the same host run on one machine, as if its runs: in vmlint.yaml named them
  --fix             apply the fixes that cannot change how a VM runs
  --fix-unsafe      apply also those that reshape it
  --diff            write nothing: print what would be changed, as a unified diff (also: --fix-dry-run)
  --no-inline-config  vmlint-disable comments hide nothing
  --baseline FILE   the findings that are known, instead of vmlint-baseline.json beside vmlint.yaml; --no-baseline: none are
  --update-baseline write what is found to the baseline, to be left for later
  --prune-baseline  remove from the baseline what is no longer found; where CI is set in the environment, that fails a run
  --fail-on LEVEL   exit 1 from this severity on: error, warning, info, hint or never (default: warning)
  --max-warnings N  exit 1 with more than N warnings, not with fewer
  --quiet           report errors alone, and exit 1 for them alone
  --changed[=REF]   only files that git says have changed since REF was branched off (default: HEAD), new ones included
  --staged          only what is to be committed, as it is staged
  --shard N/M       only every Mth file, from the Nth on: for M jobs at once; vmlint merge joins their reports
  --cache           check again only what has changed since the last such run; results are kept in .vmlint-cache, or in
                    --cache-location PATH (a file, or a folder); a run that fixes does without
  --watch           check again whenever a file changes, until Ctrl-C
  --print-config PATH  print every value that the VMs of a path are checked by, and which line or option sets it
  --stats           print what each rule found and skipped, on stderr
  --timing          print how long each step took, on stderr

Formats
${REPORTS}

Exit codes
  0 nothing at or above --fail-on, 1 something, 2 wrong arguments, configuration or paths, 3 a bug in vmlint
`,
  lsp: `vmlint lsp --stdio is a language server: diagnostics, hovers, fixes, completion, code lenses, inlay hints and outlines for editors.

An editor starts it and speaks to it on the standard input and output. Settings, as initializationOptions or under "vmlint":
  host    as --host takes it; empty: what vmlint.yaml says
`,
  topology: `vmlint topology shows the layout each VM gets on its host: what the guest sees, where ESXi puts it, and why.

Usage
  vmlint topology [PATH...] --host dl580g7
  vmlint topology sql01.vmx --host dl580g7 --format svg > sql01.svg
  vmlint topology [PATH...] --host dl580g7 --host r640   compares hosts, any number

Options
${READING}  --format FORMAT   text, json or svg: a picture (default: text)
${GENERAL}
Built-in hosts
${HOSTS}
`,
  host: `vmlint host shows the host that a name, a short form or a dump stands for, where each fact comes from, what was assumed, what is
missing, and how to write it in vmlint.yaml.

Usage
  vmlint host esx01.txt@8.0       a dump of the host; "-" reads it from the standard input
  vmlint host dl580g7             a host of vmlint.yaml, a built-in one, or a short form such as 2x24x2/2@8.0
  vmlint host "pack:2 numa:2 core:12 pu:2"  hwloc's short description of a machine

Dumps, told by their content; outputs of several esxcli commands may stand in one file
  ESXi     esxcli hardware cpu global get, cpu list, memory get; esxcli system version get; sched-stats -t ncpus;
           vim-cmd hostsvc/hosthardware
  vSphere  govc host.info -json, govc object.collect -json HOST hardware config.product config.hyperThread; the JSON of its API
  Linux    lscpu, lscpu -J, -p and -e -J; lstopo --of xml; numactl -H
  Windows  Coreinfo

In vmlint.yaml
  hosts: { lab: { from: esx01.txt, esxi: "8.0" } }    what stands beside from: wins over the dump

Options
${CONTEXT}${FORMAT}${GENERAL}`,
  size: `vmlint size finds the best shape for a VM on a host, or on every host of a cluster: the worst placement decides.
Without --host it takes that of vmlint.yaml, with those of its cluster.

Usage
  vmlint size --host 4x10x2:1024@8.0 --vcpus 22 --memory 300GiB --workload mssql --edition standard --sql-version 2019

Options
  --vcpus N               how many are wished for; every other count that is proposed says so
  --memory AMOUNT         such as 300GiB (GB means GiB, as in vSphere), rounded up to a multiple of 4 MiB
  --workload KIND         what runs in it: mssql, oracle, hana, postgresql, mysql, database, latency, imdg, vdi, ft, general
  --edition EDITION       of SQL Server: enterprise, standard, web, express, bi, developer
  --sql-version VERSION   2008r2, 2012, 2014, 2016, 2017, 2019, 2022, 2025
  --licensing MODEL       core or server-cal
  --hardware-version N    virtual hardware (default: the newest that every host runs)
  --range LEAST-MOST      propose only such counts
${HOST_OPTION}${CONTEXT}${FORMAT}${GENERAL}`,
  rules: `vmlint rules lists the rules with their severity and what they find.

Options
${CONTEXT}${FORMAT}${GENERAL}`,
  merge: `vmlint merge FILE... joins reports of --format json, such as those of --shard, into one on the standard output. It exits as the
whole run would have, by --fail-on LEVEL. A report that is given twice, and two that have a finding in common, are refused. With
--format json, what goes wrong is said there, too. Where a part could not read a file, or a plugin's rule failed on one, it exits with 2,
as that part did. What is found over several VMs is in no report of a shard; where there are VMs of one machine, that is told.
`,
  doctor: `vmlint doctor shows versions, the configuration, its hosts, and how many files and VMs it speaks of.

Options
${CONTEXT}${FORMAT}${GENERAL}`,
  completion: `vmlint completion SHELL prints a script that completes commands, options and their values: bash, zsh, fish or pwsh.

  source <(vmlint completion bash)
  vmlint completion fish > ~/.config/fish/completions/vmlint.fish
`,
  explain: `vmlint explain RULE prints a rule's page: why, evidence, when not to follow it, examples, sources.

Options
${CONTEXT}${GENERAL}`,
  cpus: `vmlint cpus [TEXT] [--format text|json] lists the processors vmlint knows, or those whose name has TEXT in it: cores, threads,
base MHz, groups of cores that share an L3, NUMA nodes a socket can show (the one it shows unasked first), most sockets, sources.
"-" is not known. A host names one as cpu: "2x Xeon Gold 6148", with snc, nps or cod where the firmware splits its sockets.
`,
  schema: `vmlint schema output prints the JSON Schema of what --format json prints; vmlint schema spec that of a VM spec, for an editor;
vmlint schema config that of vmlint.yaml.
`,
  init: `vmlint init looks for VM definitions and dumps of hosts below the current folder and writes a commented vmlint.yaml. In a terminal
it asks what the VMs run on and what runs in them; --yes (-y) asks nothing. vmlint init --spec [FILE] writes a commented VM spec
(default: vm.yaml). A file that is there is kept.
`,
};
