/** The page of a plugin rule in tests, which have no texts to show. */
export const PAGE = { since: "1.0.0", summary: "", why: "", whenNot: "", evidence: null, sources: [], bad: [], good: [] } as const;
