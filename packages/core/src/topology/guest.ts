import { CONFIG_OPTION_90, DENNEMAN_2013_SOCKETS, RIGHTSIZING_2017, type Source } from "../model/sources.ts";

export interface GuestLimit {
  readonly guest: string;
  readonly sockets: number;
  readonly source: Source;
}

/**
 * Sockets a guest can use, by the short names of a .vmx and the ids of the API. Windows clients and servers: guest
 * descriptors of an ESX 9.0 host (`numSupportedPhysicalSockets`); 2008 Standard: Task Manager of a published guest.
 */
const LIMITS: readonly (readonly [guestOs: RegExp, limit: GuestLimit])[] = [
  [/^(?:winserver2008standard|winlonghornstandard)/, { guest: "Windows Server 2008 Standard", sockets: 4, source: DENNEMAN_2013_SOCKETS }],
  [/^windows(?:7|8)(?:-64|_64guest|guest)?$/, { guest: "Windows 7 and 8", sockets: 2, source: CONFIG_OPTION_90 }],
  [/^windows(?:9|10|11|12)(?:-64|_64guest|guest)?$/, { guest: "Windows 10 and 11", sockets: 4, source: CONFIG_OPTION_90 }],
  [/^windows(?:8|9|2019|2022|2025)(?:srv|server)/, { guest: "Windows Server", sockets: 64, source: RIGHTSIZING_2017 }],
];

/** The socket limit of a guest OS; `undefined` when vmlint has no source for it. */
export const guestLimit = (guestOs: string): GuestLimit | undefined => LIMITS.find(([pattern]) => pattern.test(guestOs.toLowerCase()))?.[1];

/** vCPUs that a guest with a socket limit can use. */
export const usableByGuest = (limit: GuestLimit | undefined, vcpus: number, coresPerSocket: number): number =>
  limit ? Math.min(vcpus, limit.sockets * coresPerSocket) : vcpus;
