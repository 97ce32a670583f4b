import { onceEach } from "../model/once.ts";
import { CONFIG_OPTION_90, DENNEMAN_2013_SOCKETS, RIGHTSIZING_2017, type Source } from "../model/sources.ts";

export interface GuestLimit {
  readonly guest: string;
  readonly sockets: number;
  readonly source: Source;
  /** Sockets that its common editions are said to use, where that is fewer (WINDOWS_SOCKETS: Pro and Education 2, Home 1). */
  readonly commonSockets?: number;
}

/**
 * Sockets a guest can use, by the short names of a .vmx and the ids of the API. Windows clients and servers: guest
 * descriptors of an ESX 9.0 host (`numSupportedPhysicalSockets`); 2008 Standard: Task Manager of a published guest.
 */
const LIMITS: readonly (readonly [guestOs: RegExp, limit: GuestLimit])[] = [
  [/^(?:winserver2008standard|winlonghornstandard)/, { guest: "Windows Server 2008 Standard", sockets: 4, source: DENNEMAN_2013_SOCKETS }],
  [/^windows(?:7|8)(?:-64|_64guest|guest)?$/, { guest: "Windows 7 and 8", sockets: 2, source: CONFIG_OPTION_90 }],
  [
    /^windows(?:9|10|11|12)(?:-64|_64guest|guest)?$/,
    { guest: "Windows 10 and 11", sockets: 4, commonSockets: 2, source: CONFIG_OPTION_90 },
  ],
  [/^windows(?:8|9|2019|2022|2025)(?:srv|server)/, { guest: "Windows Server", sockets: 64, source: RIGHTSIZING_2017 }],
];

/** The socket limit of a guest OS; `undefined` when vmlint has no source for it. */
export const guestLimit = onceEach(
  (guestOs): GuestLimit | undefined => LIMITS.find(([pattern]) => pattern.test(guestOs.toLowerCase()))?.[1],
);

/** Windows takes 64 processors as one group, and before build 20348 makes NUMA nodes of its own for more (KB 340275). */
export const WINDOWS_GROUP = 64;

/** 64-bit Windows Server 2008 R2 to 2019, all of builds before 20348, by both spellings. */
export const groupsMakeNodes = (guestOs: string): boolean => /^windows(?:7|8|9|2019)(?:srv|server)(?:-64|_?64guest)$/i.test(guestOs);

/** vCPUs that a guest with a socket limit can use. */
export const usableByGuest = (limit: GuestLimit | undefined, vcpus: number, coresPerSocket: number): number =>
  limit ? Math.min(vcpus, limit.sockets * coresPerSocket) : vcpus;
