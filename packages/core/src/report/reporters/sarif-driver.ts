import type { ReportingDescriptor, Result, ToolComponent } from "sarif";
import { docsUrl, page, pageOrCommand } from "../../lint/finding.ts";
import type { Severity } from "../../model/diagnostic.ts";
import type { Rule } from "../../rules/define.ts";
import { rules as builtin } from "../../rules/index.ts";
import { pageOf } from "../../rules/page-of.ts";
import { HOMEPAGE } from "../../version.ts";
import type { Tool } from "../result.ts";

type Level = NonNullable<Result["level"]>;

/** The SARIF levels of severities. */
export const LEVELS: Readonly<Record<Severity, Level>> = { error: "error", warning: "warning", info: "note", hint: "note" };

/** Returns the tool, with the rules of these ids. */
export const driver = ({ name, version }: Tool, ids: readonly string[], rules: readonly Rule[] = builtin): ToolComponent => ({
  name,
  version,
  semanticVersion: version,
  ...(HOMEPAGE !== undefined && { informationUri: HOMEPAGE }),
  rules: ids.map((id) =>
    descriptor(
      id,
      rules.find((rule) => rule.id === id),
    ),
  ),
});

function descriptor(id: string, rule: Rule | undefined): ReportingDescriptor {
  const uri = rule ? page(rule).docsUrl : docsUrl(id);
  const help = uri === "" ? {} : { helpUri: uri };
  if (!rule) return { id, ...help };
  const { summary, why } = pageOf(rule);
  return {
    id,
    shortDescription: { text: `${summary}.` },
    fullDescription: { text: why },
    ...help,
    help: { text: helpOf(rule, plain).join("\n\n"), markdown: helpOf(rule, markdown).join("\n\n") },
    defaultConfiguration: { level: LEVELS[rule.severity] },
    properties: { tags: [id.slice(0, id.indexOf("/"))] },
  };
}

interface Style {
  readonly title: (text: string) => string;
  readonly link: (text: string, url: string) => string;
}

const plain: Style = { title: (text) => `${text}:`, link: (text, url) => `${text}: ${url}` };
const markdown: Style = { title: (text) => `## ${text}`, link: (text, url) => `[${text}](${url})` };

/** Returns the text of a rule page without its examples. */
const helpOf = (rule: Rule, { title, link }: Style): readonly string[] => {
  const { why, whenNot, evidence, sources } = pageOf(rule);
  return [
    title("Why"),
    why,
    ...(evidence ? [title("Evidence"), `${evidence.figure} (${evidence.source.title}).`] : []),
    ...(evidence?.against ? [`Against: ${evidence.against}`] : []),
    title("When not to follow it"),
    whenNot,
    ...(sources.length > 0
      ? [title("Sources"), sources.map((source) => `- ${source.url ? link(source.title, source.url) : source.title}`).join("\n")]
      : []),
    ...pageLink(rule, link),
  ];
};

function pageLink(rule: Rule, link: Style["link"]): readonly string[] {
  const { docsUrl } = page(rule);
  const title = "The rule's page, with examples";
  return [docsUrl === "" ? `${title}: ${pageOrCommand(rule.id, "")}` : link(title, docsUrl)];
}
