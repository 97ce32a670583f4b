/** A turn of phrase that is hard to read, as it was found in a sentence. */
export interface Phrase {
  readonly name: string;
  readonly advice: string;
  readonly found: string;
}
export function familiesIn(sentence: string): readonly Phrase[];
