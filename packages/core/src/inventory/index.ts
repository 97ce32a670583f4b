export { hostsIn } from "./hosts.ts";
export { type Inventory, inventoryOf } from "./join.ts";
