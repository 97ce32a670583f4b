/** A question with answers to choose from. An editor shows a list to filter, a terminal prints the answers. */
export interface Question<T> {
  readonly title: string;
  /** The texts that can be typed. */
  readonly hint: string;
  readonly groups: readonly ChoiceGroup<T>[];
  /** Reads a typed answer that is in no group. */
  readonly read?: (text: string) => TypedAnswer<T>;
}

export interface ChoiceGroup<T> {
  readonly title: string;
  readonly choices: readonly Choice<T>[];
}

export interface Choice<T> {
  readonly label: string;
  readonly description: string;
  /** The name of an icon of VS Code. */
  readonly icon?: string;
  readonly answer: T;
  /** Whether Enter chooses it. */
  readonly isDefault?: boolean;
}

export type TypedAnswer<T> = { readonly answer: T } | { readonly wrong: string };

/** Shows a question to the user. Returns `undefined` if the user gives no answer. */
export type Ask = <T>(question: Question<T>) => Promise<T | undefined>;

/** Returns the choices with every word of a text. Choices with whole words come first. */
export function choicesWith<T>({ groups }: Question<T>, text: string): readonly Choice<T>[] {
  const words = text.toLowerCase().split(/\s+/);
  const described = ({ label, description }: Choice<T>) => `${label} ${description}`.toLowerCase();
  const found = groups.flatMap(({ choices }) => choices).filter((choice) => words.every((word) => described(choice).includes(word)));
  const isExact = (choice: Choice<T>): boolean =>
    words.every((word) =>
      described(choice)
        .split(/[\s,]+/)
        .includes(word),
    );
  return [...found.filter(isExact), ...found.filter((choice) => !isExact(choice))];
}
