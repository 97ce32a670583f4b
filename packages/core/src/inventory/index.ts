export { type Inventory, inventoryOf } from "./join.ts";
export { type Listing, listingIn } from "./listed-hosts.ts";
