import { type Collection, collectRow } from "./collect.ts";
import type { Layout } from "./layout.ts";
import type { Convention } from "./numbers.ts";
import type { RowReader } from "./row-reader.ts";

/** Reads tables with a column for each number: views of VCF Operations, Live Optics and home-made tables. */
export const tableReader = (layout: Layout, convention: Convention, collection: Collection): RowReader => ({
  take: (cell, row) => {
    const wrong = collectRow(collection, cell, { row, layout, convention });
    return wrong === undefined ? undefined : `it writes numbers as 1,546.6 and as 1.546,6: row ${row} has "${wrong}"`;
  },
});
