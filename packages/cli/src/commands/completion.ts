import { formats, REPORT_FORMATS, rules, SEVERITIES, WORKLOAD_KINDS } from "@vmlint/core/program";
import { COMMANDS, OPTIONS } from "../args/options.ts";

/** The words that an option accepts. Most other options accept a file. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  format: [...Object.keys(REPORT_FORMATS), "svg"],
  "format-in": formats.map(({ name }) => name),
  "fail-on": [...SEVERITIES, "never"],
  workload: WORKLOAD_KINDS,
  color: ["always", "never", "auto"],
  jobs: ["auto"],
};

/** The words that a command accepts as its first argument. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  schema: ["output", "spec", "config"],
  completion: ["bash", "zsh", "fish", "pwsh"],
  explain: rules.map(({ id }) => id),
};

const names = Object.keys(OPTIONS);
/** Options with a value in the next word. The value of `--changed` must follow an equals sign. */
const takesValue = names.filter((name) => name !== "changed" && OPTIONS[name as keyof typeof OPTIONS].type === "string");
const list = (words: readonly string[]): string => words.join(" ");
const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(", ");

/** Scripts that complete commands, options and their values; generated from the table of options, so none can be missing. */
export const COMPLETIONS: Readonly<Record<string, () => string>> = {
  bash: () => `# vmlint completion bash > /etc/bash_completion.d/vmlint, or: source <(vmlint completion bash)
${bash}complete -o default -F _vmlint vmlint
`,
  zsh: () => `#compdef vmlint
# vmlint completion zsh > a folder of $fpath/_vmlint, or: source <(vmlint completion zsh)
autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit -u
bashcompinit
${bash}complete -o default -F _vmlint vmlint
# Of $fpath it is loaded by the first TAB, which wants its answer.
if [ "$funcstack[1]" = _vmlint ]; then _bash_complete -o default -F _vmlint; fi
`,
  fish: () => `# vmlint completion fish > ~/.config/fish/completions/vmlint.fish
complete -c vmlint -n __fish_use_subcommand -a '${list(COMMANDS)}'
${names.map((name) => `complete -c vmlint -l ${name}${shortOf(name)}${valueInFish(name)}`).join("\n")}
${Object.entries(ARGUMENTS)
  .map(([command, words]) => `complete -c vmlint -n '__fish_seen_subcommand_from ${command}' -f -a '${list(words)}'`)
  .join("\n")}
`,
  pwsh: () => `# vmlint completion pwsh | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName vmlint -ScriptBlock {
  param($word, $line, $cursor)
  $before = $line.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" } | Where-Object { $_ -ne $word } | Select-Object -Last 1
  $words = switch ($before) {
${[...Object.entries(WORDS).map(([name, words]) => [`--${name}`, words] as const), ...Object.entries(ARGUMENTS)]
  .map(([before, words]) => `    '${before}' { ${quoted(words)} }`)
  .join("\n")}
    default { ${quoted([...COMMANDS, ...names.map((name) => `--${name}`)])} }
  }
  $words | Where-Object { $_ -like "$word*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_) }
}
`,
};

const shortOf = (name: string): string => {
  const option = OPTIONS[name as keyof typeof OPTIONS];
  return "short" in option ? ` -s ${option.short}` : "";
};

const valueInFish = (name: string): string => {
  const words = WORDS[name];
  return words ? ` -x -a '${list(words)}'` : takesValue.includes(name) ? " -r" : "";
};

const bash = `_vmlint() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]}
  case $before in
${[...Object.entries(WORDS).map(([name, words]) => [`--${name}`, words] as const), ...Object.entries(ARGUMENTS)]
  .map(([before, words]) => `    ${before}) COMPREPLY=($(compgen -W '${list(words)}' -- "$word")); return ;;`)
  .join("\n")}
    ${takesValue
      .filter((name) => !WORDS[name])
      .map((name) => `--${name}`)
      .join("|")}) COMPREPLY=(); return ;;
  esac
  case $word in
    -*) COMPREPLY=($(compgen -W '${list(names.map((name) => `--${name}`))}' -- "$word")) ;;
    *) if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W '${list(COMMANDS)}' -- "$word")); else COMPREPLY=(); fi ;;
  esac
}
`;
