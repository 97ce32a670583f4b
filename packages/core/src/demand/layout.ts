import type { DemandColumns } from "../model/columns.ts";
import { configuredColumn, type Identity, identityOf, type Metric, type MetricColumn, metricOf } from "./columns.ts";

/** A column with numbers, and its place. */
export interface Column extends MetricColumn {
  readonly at: number;
  readonly title: string;
}

/** The columns of an export. */
export interface Layout {
  readonly identities: Readonly<Partial<Record<Identity, number>>>;
  readonly metrics: readonly Column[];
}

/** The columns that make a table an export of demand. An inventory may have other numbers, too. */
const MAIN: readonly Metric[] = ["demand", "busy", "busyPercent", "recommended", "recommendedMHz", "remove", "add"];

/** Whether a table is about demand or recommendations: it names VMs, and has a number about them. */
export const isDemandLayout = ({ identities, metrics }: Layout): boolean =>
  identities.name !== undefined && metrics.some(({ metric }) => MAIN.includes(metric));

/** Returns the columns of a table by its titles. The names of the configuration win over the names of known programs. */
export function layoutOf(titles: readonly string[], columns: DemandColumns | undefined): Layout {
  const own = columns && layoutBy(titles, (title) => configuredColumn(title, columns));
  return own && isDemandLayout(own) ? own : layoutBy(titles, (title) => identityOf(title) ?? metricOf(title));
}

function layoutBy(titles: readonly string[], holds: (title: string) => Identity | MetricColumn | undefined): Layout {
  const identities: Partial<Record<Identity, number>> = {};
  const metrics: Column[] = [];
  for (const [at, title] of titles.entries()) {
    const found = holds(title);
    if (typeof found === "string") identities[found] ??= at;
    else if (found) metrics.push({ ...found, at, title: title.trim() });
  }
  return { identities, metrics };
}
