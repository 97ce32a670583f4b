/** `|XX` is the byte XX; an incomplete escape stays as it is (escape.c). */
export function unescapeVmx(text: string): string {
  if (!text.includes("|")) return text;
  return text.replace(/\|([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The inverse: the quote, the bar, and every control character except TAB. */
export function escapeVmx(text: string): string {
  return text.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
    /["|\x00-\x08\x0a-\x1f\x7f]/g,
    (c) => `|${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

/** Jinja and Packer `{{ }}` `{% %}`, Terraform `%{ }`, Terraform and shells `${ }` `$( )`, ytt `#@ `, machine-controller `<< >>`. */
const OPENINGS = ["{{", "{%", "%{", "${", "$(", "#@ "];

/**
 * Markers that must be the whole text: `$NAME` of envsubst, `@NAME@` of configure and CMake, `%s`, `%(name)d` and `{name}` of Python,
 * `%NAME%` of cmd, `__NAME__`, `<%= name %>` of ERB, `#{name}` of Ruby, `((name))` of BOSH and Concourse.
 */
const NAMED = /^(?:\$[a-z_]\w*|@[a-z_]\w*@|%(?:\([\w.]+\))?[ds]|\{\w*\}|%[a-z_]\w*%|__[a-z]\w*__|<%[^>]*%>|#\{[^{}]+\}|\(\([\w./-]+\)\))$/i;

/** Whether a value contains a template marker, so that ESXi will see another text. */
export function isTemplate(value: string): boolean {
  const angle = value.indexOf("<<");
  return (angle >= 0 && value.includes(">>", angle)) || OPENINGS.some((opening) => value.includes(opening)) || NAMED.test(value);
}

/** Template code without effect on the text around it: control, comments, variables. */
const CONTROL =
  /^(?:\{(?:#|[{%][-+]?\s*(?:if|else|elif|end|for|with|range|block|define|macro|call|filter|set|raw|\/\*|\$\w+\s*:?=))|%\{~?\s*(?:if|else|endif|for|endfor)\b|#@[ \t])/;

/** Whether a template mark only controls other parts, without inserting text. */
export const isControl = (mark: string): boolean => CONTROL.test(mark);
