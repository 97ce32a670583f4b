import { onceEach } from "../model/memoize.ts";
import { CONFIG_OPTION_9, DENNEMAN_2013_SOCKETS, INFORMIT_2003, type Source } from "../model/sources.ts";

interface GuestLimit {
  readonly guest: string;
  readonly sockets: number;
  readonly source: Source;
  /** Sockets that its common editions are documented to use, if fewer (WINDOWS_SOCKETS: Pro and Education 2, Home 1). */
  readonly commonSockets?: number;
  /** Sockets of Standard, if the id leaves the edition of the server open. */
  readonly standardSockets?: number;
}

/**
 * Sockets a guest can use. Windows clients and servers, by release: guest descriptors of an ESX 9 host (`numSupportedPhysicalSockets`),
 * alike in each hardware version that has the guest; 2008 Standard: Task Manager of a published guest.
 */
const SERVER_2008_STANDARD: GuestLimit = { guest: "Windows Server 2008 Standard", sockets: 4, source: DENNEMAN_2013_SOCKETS };
const WINDOWS_XP: GuestLimit = { guest: "Windows XP and Vista", sockets: 2, source: CONFIG_OPTION_9 };
const WINDOWS_7: GuestLimit = { guest: "Windows 7 and 8", sockets: 2, source: CONFIG_OPTION_9 };
const WINDOWS_10: GuestLimit = { guest: "Windows 10 and 11", sockets: 4, commonSockets: 2, source: CONFIG_OPTION_9 };
const WINDOWS_SERVER: GuestLimit = { guest: "Windows Server", sockets: 64, source: CONFIG_OPTION_9 };
/** Standard of 2003 and 2008: INFORMIT_2003, DENNEMAN_2013_SOCKETS. Later servers use 64 in Standard too (WINDOWS_SERVER). */
const SERVER_2008: GuestLimit = { ...WINDOWS_SERVER, guest: "Windows Server 2008", standardSockets: 4 };
const SERVER_2008_R2: GuestLimit = { ...WINDOWS_SERVER, guest: "Windows Server 2008 R2", standardSockets: 4 };
const SERVER_2003: GuestLimit = { guest: "Windows Server 2003", sockets: 64, source: CONFIG_OPTION_9 };
const SERVER_2003_STANDARD: GuestLimit = { guest: "Windows Server 2003 Standard", sockets: 4, source: INFORMIT_2003 };

/** Ids from before "windows7", without bits, in the spellings of a .vmx and of the API. */
const OLDER: ReadonlyMap<string, GuestLimit> = new Map([
  ["longhorn", SERVER_2008],
  ["winlonghorn", SERVER_2008],
  ["winnetstandard", SERVER_2003_STANDARD],
  ["winnetenterprise", SERVER_2003],
  ["winnetdatacenter", SERVER_2003],
]);

const CLIENTS = new Map([...["7", "8"].map(by(WINDOWS_7)), ...["9", "10", "11", "12"].map(by(WINDOWS_10))]);
const SERVERS = new Map([["7", SERVER_2008_R2] as const, ...["8", "9", "2019", "2022", "2025"].map(by(WINDOWS_SERVER))]);

function by(limit: GuestLimit) {
  return (release: string) => [release, limit] as const;
}

/** The parts of a name of Windows, by the short names of a .vmx and the ids of the API, in lower case. */
const WINDOWS = /^windows(\d+)(srv|server|)(.*)$/s;

/** The socket limit of a guest OS; `undefined` when vmlint has no source for it. */
export const guestLimit = onceEach((guestOs): GuestLimit | undefined => {
  const name = guestOs.toLowerCase();
  if (name.startsWith("winserver2008standard") || name.startsWith("winlonghornstandard")) return SERVER_2008_STANDARD;
  if (name.startsWith("winxppro") || name.startsWith("winvista")) return WINDOWS_XP;
  const older = OLDER.get(name.replace(/[-_]?(?:64)?(?:guest)?$/, ""));
  if (older) return older;
  const [, release = "", server, ending = ""] = WINDOWS.exec(name) ?? [];
  if (server) return SERVERS.get(release);
  return ["", "-64", "_64guest", "guest"].includes(ending) ? CLIENTS.get(release) : undefined;
});

interface GuestMemory {
  readonly guest: string;
  readonly mostMiB: number;
}

/**
 * The most GiB of any edition of a guest, in 32 and in 64 bits ("Memory Limits for Windows and Windows Server Releases"; the descriptors of
 * an ESX 9 host have the same or, for a server, the VM's own limit). Windows 11 and Server from 2019 on are not on the page; 32-bit Server
 * 2003 Datacenter has 64 there and 128 in the descriptors.
 */
const MOST_GIB: Readonly<Record<string, readonly [guest: string, bits32: number | null, bits64: number | null]>> = {
  winxppro: ["Windows XP", 4, 128],
  winxphome: ["Windows XP", 4, null],
  winvista: ["Windows Vista", 4, 128],
  windows7: ["Windows 7", 4, 192],
  windows8: ["Windows 8", 4, 512],
  windows9: ["Windows 10", 4, 6144],
  winnetweb: ["Windows Server 2003 Web Edition", 2, null],
  winnetbusiness: ["Windows Small Business Server 2003", 4, null],
  winnetstandard: ["Windows Server 2003 Standard", 4, 32],
  winnetenterprise: ["Windows Server 2003 Enterprise", 64, 1024],
  winnetdatacenter: ["Windows Server 2003 Datacenter", null, 1024],
  longhorn: ["Windows Server 2008", 64, 1024],
  windows7srv: ["Windows Server 2008 R2", null, 2048],
  windows8srv: ["Windows Server 2012", null, 4096],
};

/** Returns the most memory that a guest OS uses in any edition; `undefined` without a source. */
export const guestMemory = onceEach((guestOs): GuestMemory | undefined => {
  const [, name = "", bits = "32"] = /^(.*?)[-_]?(64)?(?:guest)?$/s.exec(guestOs.toLowerCase()) ?? [];
  const key = name === "winlonghorn" ? "longhorn" : name.replace(/server$/, "srv");
  const [guest, bits32, bits64] = (Object.hasOwn(MOST_GIB, key) && MOST_GIB[key]) || [];
  const most = bits === "64" ? bits64 : bits32;
  return guest !== undefined && most ? { guest: bits32 && bits64 ? `${guest}, ${bits}-bit` : guest, mostMiB: most * 1024 } : undefined;
});

/** Windows treats 64 processors as one group, and before build 20348 splits larger nodes (KB 340275). */
export const WINDOWS_GROUP = 64;

/** 64-bit Windows Server 2008 R2 to 2019, all of builds before 20348, by both spellings. */
export function groupsMakeNodes(guestOs: string): boolean {
  const [, release = "", server, ending = ""] = WINDOWS.exec(guestOs.toLowerCase()) ?? [];
  return server !== "" && ["7", "8", "9", "2019"].includes(release) && ["-64", "_64guest", "64guest"].includes(ending);
}

/** Windows Server from 2016 on, which is licensed by core, by both spellings. */
export function isWindowsServer(guestOs: string): boolean {
  const [, release = "", server] = WINDOWS.exec(guestOs.toLowerCase()) ?? [];
  return (server ?? "") !== "" && ["9", "2019", "2022", "2025"].includes(release);
}

const LINUX =
  /^(?:almalinux|amazonlinux|asianux|centos|coreos|debian|fedora|genericlinux|kylinlinux|mandriva|miraclelinux|opensuse|oraclelinux|other\w*linux|pardus|prolinux|rhel|rockylinux|sles|suse|turbolinux|ubuntu|vmware-?photon)/;

/** A 64-bit Linux, by both spellings. */
export const isLinux64 = (guestOs: string): boolean => LINUX.test(guestOs.toLowerCase()) && /64(?:guest)?$/i.test(guestOs);

/** A 64-bit Linux that starts with at most this memory cannot exceed it by hot add (TERRAFORM_HOT_ADD). */
export const LINUX_HOT_ADD_MIB = 3 * 1024;

/** Other guests, and a larger Linux, take up to this many times their memory at power-on (HOT_ADD_2019). */
export const HOT_ADD_TIMES = 16;

/** The most memory of a running VM that had so much at power-on. */
export const mostByHotAdd = (guestOs: string | undefined, memoryMiB: number): number =>
  Math.min(
    memoryMiB * HOT_ADD_TIMES,
    guestOs !== undefined && isLinux64(guestOs) && memoryMiB <= LINUX_HOT_ADD_MIB ? LINUX_HOT_ADD_MIB : Infinity,
  );

/** vCPUs that a guest with a socket limit can use. */
export const usableByGuest = (limit: GuestLimit | undefined, vcpus: number, coresPerSocket: number): number =>
  limit ? Math.min(vcpus, limit.sockets * coresPerSocket) : vcpus;

/** The fewest core licences of a VM with Windows Server that is licensed by VM (WINDOWS_SERVER_LICENSING). */
export const LEAST_WINDOWS_LICENCES = 8;

/** The fewest vCPUs that a guest OS is documented to need. */
interface GuestLeast {
  readonly guest: string;
  readonly vcpus: number;
}

/**
 * Returns the fewest vCPUs of a guest OS (Microsoft, "Windows 11 requirements": two or more cores); `undefined` for others. Servers have no
 * minimum: VMware's guide to operations ("Rightsizing", 2021) calls one vCPU valid, and a minimum of two wrong.
 */
export const leastVcpusOf = (guestOs: string): GuestLeast | undefined =>
  /^windows11(?:[-_]?64)?(?:guest)?$/i.test(guestOs) ? { guest: "Windows 11", vcpus: 2 } : undefined;
