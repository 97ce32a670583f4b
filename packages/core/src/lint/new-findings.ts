import type { Diagnostic } from "../model/diagnostic.ts";

/** Returns whether some findings lack an equal of a finding. Two hosts may differ in the numbers of its message. */
export const isNotIn =
  (others: readonly Diagnostic[]) =>
  ({ ruleId, messageId, severity }: Diagnostic): boolean =>
    !others.some((other) => other.ruleId === ruleId && other.messageId === messageId && other.severity === severity);
