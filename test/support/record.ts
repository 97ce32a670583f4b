import type { Rule, Severity } from "@vmlint/core";

/** The rules of a release: each with its messages and their severities. */
export interface RulesRecord {
  readonly version: string;
  readonly rules: Readonly<Record<string, Readonly<Record<string, Severity>>>>;
}

type Recorded = Pick<Rule, "id" | "severity" | "severities" | "messageIds" | "history" | "since">;

const messagesOf = ({ messageIds, severity, severities = {} }: Recorded): Readonly<Record<string, Severity>> =>
  Object.fromEntries(messageIds.map((messageId) => [messageId, severities[messageId] ?? severity]));

export const recordOf = (version: string, rules: readonly Recorded[]): RulesRecord => ({
  version,
  rules: Object.fromEntries(rules.map((rule) => [rule.id, messagesOf(rule)])),
});

/** Returns the changes since a release that are missing from the changelog above that release or from a rule's history. */
export function unannounced({ version, rules: released }: RulesRecord, rules: readonly Recorded[], changelog: string): readonly string[] {
  const heading = changelog.indexOf(`\n## ${version}\n`);
  const news = heading < 0 ? changelog : changelog.slice(0, heading);
  const found: string[] = [];
  const mustSay = (id: string, what: string) => {
    if (!news.includes(`\`${id}\``)) found.push(`${what}: the changelog above ${version} does not name \`${id}\``);
  };
  for (const [id, before] of Object.entries(released)) {
    const rule = rules.find((candidate) => candidate.id === id);
    if (!rule) {
      mustSay(id, `${id} is gone`);
      continue;
    }
    const now = messagesOf(rule);
    for (const [messageId, severity] of Object.entries(before)) {
      const changed = now[messageId];
      if (changed === undefined) mustSay(id, `message ${messageId} of ${id} is gone`);
      else if (changed !== severity) {
        mustSay(id, `${messageId} of ${id} was ${severity} and is ${changed}`);
        const told = rule.history?.some(
          (entry) => entry.until === version && entry.severity === severity && (entry.messageId ?? messageId) === messageId,
        );
        if (!told) found.push(`${messageId} of ${id} was ${severity} until ${version}: its history does not say so`);
      }
    }
  }
  return found;
}
