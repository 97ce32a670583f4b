import type { Ask, Choice, ChoiceGroup } from "@vmlint/core/config-language";
import { padded, widthOf } from "@vmlint/core/program";
import type { Io } from "../io.ts";

/** The choices of a longer group are not printed. */
const MOST_PRINTED = 30;

/** Returns an `ask` for a terminal: it prints choices with numbers, and reads a number, words of a choice, or a text that the question reads. */
export async function terminalAsk(io: Io, readLine: NonNullable<Io["ask"]>): Promise<Ask> {
  const { choicesWith } = await import("@vmlint/core/config-language");
  return async (question) => {
    const all = question.groups.flatMap(({ choices }) => choices);
    const preset = all.find(({ isDefault }) => isDefault);
    io.err(`\n${question.title}\n`);
    let numbered = printChoices(io, question.groups);
    io.err(`  ${question.hint}.\n`);
    for (;;) {
      const text = (await readLine(`Answer (Enter: ${preset?.label ?? "none"}): `)).trim();
      if (text === "") return preset?.answer;
      const chosen = all.find(({ label }) => label.toLowerCase() === text.toLowerCase()) ?? numbered[Number(text) - 1];
      if (chosen) return chosen.answer;
      const typed = question.read?.(text);
      if (typed && "answer" in typed) return typed.answer;
      const matches = choicesWith(question, text);
      if (matches.length === 1) return matches[0]?.answer;
      if (matches.length > 1) numbered = printChoices(io, [{ title: "", choices: matches }]);
      else io.err(`${typed?.wrong ?? `No choice has the words "${text}".`}\n`);
    }
  };
}

/** Prints choices with numbers, and figures in one line. Returns the numbered choices. */
function printChoices<T>(io: Io, groups: readonly ChoiceGroup<T>[]): readonly Choice<T>[] {
  const numbered: Choice<T>[] = [];
  for (const { title, choices } of groups) {
    if (title !== "") io.err(`  ${title}\n`);
    if (choices.length > MOST_PRINTED) io.err(`       ${choices.length} choices: type some of their words\n`);
    else if (choices.every(({ label }) => FIGURE.test(label))) io.err(`       ${choices.map(({ label }) => label).join(", ")}\n`);
    else {
      const width = Math.max(...choices.map(({ label }) => widthOf(label)));
      for (const choice of choices) {
        numbered.push(choice);
        io.err(`${`${numbered.length}`.padStart(5)}  ${padded(choice.label, width)}  ${choice.description}`.trimEnd().concat("\n"));
      }
    }
  }
  return numbered;
}

/** A number of such a choice would look like another choice. */
const FIGURE = /^[\d.]+$/;
