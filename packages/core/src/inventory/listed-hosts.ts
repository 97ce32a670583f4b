import { hostStatisticsIn } from "../formats/host-statistics/host-statistics.ts";
import { CLUSTER_WORDS, HOST_WORDS } from "../formats/vi-json/recognise.ts";
import { clustersIn, hostSystemsIn } from "../hosts/host-systems.ts";
import type { FileContext } from "../model/files.ts";
import type { InventoryCluster, InventoryHost } from "../model/inventory-host.ts";
import { readJson } from "../syntax/json/json.ts";
import { modelOf } from "./model.ts";
import type { FileStatistics } from "./running-vms.ts";
import { exportedHosts } from "./rvtools-hosts.ts";
import { tableHosts } from "./table-hosts.ts";

/** The hosts and clusters that a text lists. */
export interface Listing {
  readonly hosts: readonly InventoryHost[];
  readonly clusters: readonly InventoryCluster[];
  /** Measurements of running VMs. */
  readonly statistics?: FileStatistics | undefined;
}

/** Whether VMs of other files have something from it. */
export const hasFacts = ({ hosts, statistics }: Listing): boolean => hosts.length > 0 || statistics !== undefined;

/** Returns the hosts, clusters and statistics of an inventory; empty lists if it has only VMs. */
export function listingIn(text: string, context: FileContext): Listing {
  const statistics = hostStatisticsIn(text);
  if (statistics) return { hosts: [], clusters: [], statistics: { ...statistics, path: context.path } };
  const { hosts, clusters } = /^\s*[[{]/.test(text)
    ? apiListing(text, context.path)
    : { hosts: exportedHosts(text, context), clusters: [] };
  return { hosts: hosts.length > 0 ? hosts : tableHosts(text, context.path), clusters };
}

const isListing = (text: string): boolean => HOST_WORDS.test(text) || CLUSTER_WORDS.test(text);

/** Reads the output of govc or the vSphere API. */
function apiListing(text: string, path: string): Listing {
  const read = isListing(text) ? readJson(text) : { message: "" };
  const documents = "message" in read ? [] : read.documents.map(({ range: [start, end] }) => text.slice(start, end)).filter(isListing);
  const values = documents.map((document): unknown => JSON.parse(document));
  return {
    hosts: values.flatMap(hostSystemsIn).map(({ name, id, cluster, facts }) => {
      return { name, id, cluster, path, model: modelOf({ name, title: "the inventory", path, facts }) };
    }),
    clusters: values.flatMap(clustersIn).map((cluster) => ({ ...cluster, path })),
  };
}
