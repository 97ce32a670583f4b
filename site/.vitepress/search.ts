/**
 * Ranks headings of examples below rules and guides. VitePress copies the function into its pages, so it uses nothing from outside. The
 * examples of a rule page are below the headings "Reported" and "Fine".
 */
export const searchOptions = {
  boostDocument: (_id: unknown, _term: string, fields?: Record<string, unknown>): number => {
    const above = String([fields?.titles ?? ""].flat().join(" "));
    const isExample = /\b(Reported|Fine)$/.test(above) || /^(Reported|Fine)$/.test(String(fields?.title));
    return isExample ? 0.2 : above === "" ? 1.5 : 1;
  },
};
