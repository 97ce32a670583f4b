export { seeGuest } from "./hosts/see-guest.ts";
export { type CheckedGuest, checkGuest, guestCheckJson, guestCheckText } from "./report/guest-check.ts";
