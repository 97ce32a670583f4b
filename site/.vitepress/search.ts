/**
 * Ranks headings of examples below rules and guides. VitePress copies the function into its pages, so it uses nothing from outside. The
 * examples of a rule page are below the headings "Reported" and "Fine".
 */
export const searchOptions = {
  boostDocument: (_id: unknown, _term: string, fields?: Record<string, unknown>): number => {
    const titles = Array.isArray(fields?.titles) ? fields.titles : [];
    const isExample = ["Reported", "Fine"].some((title) => titles.includes(title) || fields?.title === title);
    return isExample ? 0.05 : titles.length === 0 ? 1.5 : 1;
  },
};
