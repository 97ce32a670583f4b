export { type Inventory, inventoryOf } from "./join.ts";
export { hasFacts, type Listing, listingIn } from "./listed-hosts.ts";
