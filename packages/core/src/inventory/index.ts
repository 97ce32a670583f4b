export { type Inventory, inventoryOf } from "./join.ts";
export { hostsIn } from "./listed-hosts.ts";
