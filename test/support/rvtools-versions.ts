import type { Sheets } from "./write-workbook.ts";

/**
 * The columns of the sheets of RVTools, each with the version that added it; no version: 3.4 or older. From the chapter "Version information"
 * of RVTools' documentation (Dell, version 4.6.1 of 2024-05-14). Four public lists have the same columns: vInfo and vHost of 3.6 (a Perl script with
 * the function create_groups_from_tabvHost), vInfo of 3.9.5 (RVToolsCSVContent in TransitionManager's tests), all sheets of 4.4.1 (REF_COLUMNS of
 * a PowerShell script) and of 4.6 (the page "RVTools Sheets & Columns Reference").
 */
const TAIL =
  "Annotation|Datacenter|Cluster|Host|Folder 3.7|OS according to the configuration file|OS according to the VMware Tools 3.9|VM ID 3.8|VM UUID 3.8|VI SDK Server 3.9|VI SDK UUID 3.9";
const OF_VM = "VM|Powerstate 3.8|Template 3.8|SRM Placeholder 4.1.2";
const COLUMNS: Readonly<Record<string, string>> = {
  vInfo: `VM|Powerstate|Template 3.8|SRM Placeholder 4.1.2|Config status 3.8|DNS Name|Connection state 3.6|Guest state 3.6|Heartbeat|Consolidation Needed 3.5|
PowerOn|Suspended To Memory 4.6.1|Suspend time 3.6|Suspend Interval 4.6.1|Creation date 3.11.6|Change Version 3.8|CPUs|Overall Cpu Readiness 4.6.1|Memory|
Active Memory 4.6.1|NICs|Disks|Total disk capacity MiB 4.4.1|Fixed Passthru HotPlug 4.6.1|min Required EVC Mode Key 4.0.4|Latency Sensitivity 3.10|
Op Notification Timeout 4.6.1|EnableUUID 3.10|CBT 3.10|Primary IP Address 3.11.6|Network #1|Network #2|Network #3|Network #4|Network #5 4.1.2|Network #6 4.1.2|
Network #7 4.1.2|Network #8 4.1.2|Num Monitors 3.8|Video Ram KiB 3.8|Resource pool 3.5|Folder ID 4.4.1|Folder|vApp|DAS protection 3.6|FT State|FT Role 4.4.1|
FT Latency|FT Bandwidth|FT Sec. Latency|Vm Failover In Progress 4.6.1|Provisioned MiB|In Use MiB|Unshared MiB|HA Restart Priority 3.6|
HA Isolation Response 3.6|HA VM Monitoring 3.8|Cluster rule(s) 3.6|Cluster rule name(s) 3.6|Boot Required|Boot delay 3.7|Boot retry delay 3.7|
Boot retry enabled 3.7|Boot BIOS setup 3.7|Reboot PowerOff 4.4.1|EFI Secure boot 4.4.1|Firmware 3.7|HW version|HW upgrade status 3.7|HW upgrade policy 3.7|
HW target 3.7|Path|Log directory 3.11.6|Snapshot directory 3.11.6|Suspend directory 3.11.6|Annotation|Datacenter|Cluster|Host|
OS according to the configuration file|OS according to the VMware Tools 3.8|Customization Info 4.6.1|Guest Detailed Data 4.6.1|VM ID 3.8|SMBIOS UUID 4.4.1|
VM UUID 3.8|VI SDK Server type 3.9|VI SDK API Version 3.9|VI SDK Server 3.9|VI SDK UUID 3.9`,
  vCPU: `${OF_VM}|CPUs|Sockets 3.6|Cores p/s 3.5|Max|Overall|Level|Shares|Reservation|Entitlement|DRS Entitlement|Limit|Hot Add 3.6|Hot Remove 3.6|
Numa Hotadd Exposed 4.4.1|${TAIL}`,
  vMemory: `${OF_VM}|Size MiB|Memory Reservation Locked To Max 4.0.4|Overhead|Max|Consumed|Consumed Overhead|Private|Shared|Swapped|Ballooned|Active|
Entitlement|DRS Entitlement|Level|Shares|Reservation|Limit|Hot Add 3.6|${TAIL}`,
  vDisk: `${OF_VM}|Disk|Disk Key 4.1.2|Disk UUID 4.4.1|Disk Path 4.1.2|Capacity MiB|Raw 3.5|Disk Mode|Sharing mode 4.4.1|Thin|Eagerly Scrub|Split|
Write Through|Level|Shares|Reservation 3.7|Limit 3.7|Controller|Label 3.10|SCSI Unit #|Unit # 3.10|Shared Bus 3.10|Path|Raw LUN ID 3.5|Raw Comp. Mode 3.5|
Internal Sort Column 4.1.2|${TAIL}`,
  vNetwork: `${OF_VM}|NIC label 4.1.2|Adapter|Network|Switch 3.5|Connected|Starts Connected 3.5|Mac Address|Type|IPv4 Address 4.1.2|IPv6 Address 4.1.2|
Direct Path IO 3.11.6|Internal Sort Column 4.1.2|${TAIL}`,
  vHost: `Host|Datacenter|Cluster|Config status 3.8|Compliance Check State 4.6.1|in Maintenance Mode 4.0.4|in Quarantine Mode 4.0.4|vSAN Fault Domain Name 4.1.2|
CPU Model|Speed|HT Available|HT Active|# CPU|Cores per CPU|# Cores|CPU usage %|# Memory|Memory Tiering Type 4.6.1|Memory usage %|Console|# NICs|# HBAs|
# VMs total 4.1.2|# VMs|VMs per Core|# vCPUs|vCPUs per Core|vRAM|VM Used memory|VM Memory Swapped|VM Memory Ballooned|VMotion support 3.6|
Storage VMotion support 3.6|Current EVC|Max EVC|Assigned License(s) 3.10|ATS Heartbeat 3.10|ATS Locking 3.10|Current CPU power man. policy 3.10|
Supported CPU power man. 3.10|Host Power Policy 3.10|ESX Version|Boot time|DNS Servers|DHCP|Domain|Domain List 4.6.1|DNS Search Order|NTP Server(s)|
NTPD running 3.8|Time Zone|Time Zone Name|GMT Offset|Vendor|Model|Serial number 3.11.6|Service tag 3.7|OEM specific string 3.7|BIOS Vendor 3.11.6|
BIOS Version|BIOS Date|Certificate Issuer 4.6.1|Certificate Start Date 4.6.1|Certificate Expiry Date 4.6.1|Certificate Status 4.6.1|
Certificate Subject 4.6.1|Object ID|UUID 4.3.1|VI SDK Server 3.9|VI SDK UUID 3.9`,
};

/** Titles that changed: the version of the new one, the old one, and the new one. */
const RENAMED: readonly (readonly [since: string, old: string, title: RegExp])[] = [
  ["4.1.2", "MB", /\bMiB\b/],
  ["4.1.2", "KB", /\bKiB\b/],
  ["3.8", "OS", /^OS according to the configuration file$/],
  ["3.8", "VM Version", /^HW version$/],
];

const isSince = (version: string, since: string): boolean => version.localeCompare(since, "en", { numeric: true }) >= 0;

/** Returns the columns of a sheet of a version: the title that the estate has, and the title of the version. */
function columnsOf(sheet: string, version: string): readonly (readonly [own: string, title: string])[] {
  return (COLUMNS[sheet] ?? "")
    .replaceAll("\n", "")
    .split("|")
    .flatMap((entry) => {
      const [, own = "", since = ""] = /^(.*?)(?: (\d+\.[\d.]+))?$/.exec(entry) ?? [];
      const title = RENAMED.reduce((name, [from, old, pattern]) => (isSince(version, from) ? name : name.replace(pattern, old)), own);
      return since === "" || isSince(version, since) ? [[own, title] as const] : [];
    });
}

/** Returns an estate as a version of RVTools exports it, with all columns of its sheets. */
export const inVersion = (sheets: Sheets, version: string): Sheets =>
  Object.fromEntries(
    Object.keys(COLUMNS).map((sheet) => {
      const columns = columnsOf(sheet, version);
      const [head = [], ...rows] = sheets[sheet] ?? [];
      const places = columns.map(([own]) => head.indexOf(own));
      return [sheet, [columns.map(([, title]) => title), ...rows.map((row) => places.map((at) => row[at] ?? ""))]];
    }),
  );

/** Returns the columns that the estate has and a version lacks. */
export const missingIn = (sheets: Sheets, version: string): ReadonlySet<string> =>
  new Set(
    Object.keys(COLUMNS).flatMap((sheet) => {
      const has = new Set(columnsOf(sheet, version).map(([own]) => own));
      return (sheets[sheet]?.[0] ?? []).map(String).filter((title) => !has.has(title));
    }),
  );

/** The names of columns in RVTools' database that are more than the title without spaces. */
const DATABASE_NAMES: Readonly<Record<string, string>> = {
  "vInfo VM": "VMName",
  "vCPU VM": "VMName",
  "vMemory VM": "VMName",
  "vDisk VM": "VMName",
  "vNetwork VM": "VMName",
  "vHost Host": "Name",
  "vInfo HW version": "Version",
  "vInfo OS according to the configuration file": "OS",
  "vInfo VM UUID": "UUID",
  "vInfo VM ID": "ObjectID",
  "vCPU Cores p/s": "CoresPerSocket",
  "vHost # CPU": "NumCpu",
  "vHost # Cores": "NumCpuCores",
  "vHost # Memory": "MemorySize",
  "vHost Speed": "CpuMhz",
  "vHost ESX Version": "FullName",
};

/** Returns an estate with the names of columns in RVTools' database, as the option `-DBColumnNames` writes them. */
export const inDatabaseNames = (sheets: Sheets): Sheets =>
  Object.fromEntries(
    Object.entries(sheets).map(([sheet, [head = [], ...rows]]) => [
      sheet,
      [head.map((title) => sheet + (DATABASE_NAMES[`${sheet} ${title}`] ?? String(title).replace(/[^A-Za-z]/g, ""))), ...rows],
    ]),
  );
