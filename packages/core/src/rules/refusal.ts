import { defineRule, type Messages } from "./define.ts";

/** Returns the rule about definitions that a stack refuses. The facts have the data of the message that they name. */
export const refusalRule = <const M extends Messages>(family: string, messages: M, stack = family) =>
  defineRule({
    id: `${family}/refused`,
    since: "0.1.0",
    severity: "error",
    for: ["kvm"],
    on: ["kvm"],
    messages,
    *check({ vm: { kvm } }) {
      if (kvm?.stack === stack && kvm.refused)
        yield { messageId: kvm.refused.messageId, data: kvm.refused.data, at: kvm.refused.at } as never;
    },
  });
