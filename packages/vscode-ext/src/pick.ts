import type { Ask, Question } from "@vmlint/core/config-language";
import { type QuickPickItem, QuickPickItemKind, window } from "vscode";

type Entry<T> = QuickPickItem & { readonly choice?: { readonly answer: T } };

/** Shows a question as a list to filter. A text that the question reads becomes an entry. */
export const pick: Ask = async <T>(question: Question<T>): Promise<T | undefined> => {
  const { choicesWith } = await import("@vmlint/core/config-language");
  const list = window.createQuickPick<Entry<T>>();
  const entries = question.groups.flatMap(({ title, choices }): readonly Entry<T>[] => [
    ...(title === "" ? [] : [{ label: title, kind: QuickPickItemKind.Separator }]),
    ...choices.map((choice) => ({
      label: choice.icon === undefined ? choice.label : `$(${choice.icon}) ${choice.label}`,
      description: choice.description,
      choice,
    })),
  ]);
  /** Returns the entry for a typed text that no choice has. */
  const typedEntry = (text: string): readonly Entry<T>[] => {
    const typed = text === "" || choicesWith(question, text).length > 0 ? undefined : question.read?.(text);
    if (!typed) return [];
    if ("wrong" in typed) return [{ label: `$(info) ${typed.wrong}`, alwaysShow: true }];
    return [{ label: `$(check) Use ${text}`, alwaysShow: true, choice: typed }];
  };
  // In descriptions the list would find scattered digits: 4870 in an EPYC 9454 of 48 cores.
  Object.assign(list, { title: `vmlint: ${question.title}`, placeholder: question.hint, items: entries });
  list.activeItems = entries.filter(({ choice }) => choice && "isDefault" in choice && choice.isDefault);
  return new Promise((resolve) => {
    list.onDidChangeValue((text) => {
      list.items = [...entries, ...typedEntry(text.trim())];
    });
    list.onDidAccept(() => {
      const [entry] = list.selectedItems;
      if (!entry?.choice) return;
      resolve(entry.choice.answer);
      list.hide();
    });
    list.onDidHide(() => {
      resolve(undefined);
      list.dispose();
    });
    list.show();
  });
};
