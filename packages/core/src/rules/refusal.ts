import { builtinRule, type Messages } from "./define.ts";

/** Returns the rule about definitions that a stack refuses. The facts have the data of the message that they name. */
export const refusalRule = <const M extends Messages>(family: string, messages: M, stack = family) =>
  builtinRule({
    id: `${family}/refused`,
    severity: "error",
    for: ["kvm"],
    on: ["kvm"],
    messages,
    *check({ vm: { kvm } }) {
      if (kvm?.stack === stack && kvm.refused)
        yield { messageId: kvm.refused.messageId, data: kvm.refused.data, at: kvm.refused.at } as never;
    },
  });
