import { known, unknown } from "../../model/source.ts";
import type { Read } from "../../syntax/values.ts";

// cspell:disable
/**
 * The names of guests by their IDs: RVTools and vCenter show the name. From answers of ESX hosts to QueryConfigOption (vmware-tanzu/vm-operator,
 * external/vim/api/v1alpha1/testdata), terraform-provider-vcd's page of vcd_vapp_vm, exported VMs of govmomi's fixtures, vmcreate.pl of the
 * vSphere SDK for Perl, and Foreman's list of types (theforeman/foreman 4447). No name has two IDs.
 */
const GUESTS = `almalinux_64Guest=AlmaLinux (64-bit);amazonlinux2_64Guest=Amazon Linux 2 (64-bit);amazonlinux3_64Guest=Amazon Linux 3 (64-bit);
asianux3Guest=Asianux 3 (32-bit)|Asianux Server 3 (32-bit);asianux3_64Guest=Asianux 3 (64-bit)|Asianux Server 3 (64-bit);
asianux4Guest=Asianux 4 (32-bit)|Asianux Server 4 (32-bit);asianux4_64Guest=Asianux 4 (64-bit)|Asianux Server 4 (64-bit);
asianux7_64Guest=Asianux 7 (64-bit);asianux8_64Guest=Asianux 8 (64-bit)|MIRACLE LINUX 8 (64-bit);
centos64Guest=CentOS 4/5 (64-bit)|CentOS 4/5 or later (64-bit)|CentOS 4/5/6 (64-bit)|CentOS 4/5/6/7 (64-bit);
centos6Guest=CentOS 6 (32-bit);centos6_64Guest=CentOS 6 (64-bit);centos7_64Guest=CentOS 7 (64-bit);centos8_64Guest=CentOS 8 (64-bit);
centos9_64Guest=CentOS Stream (64-bit);centosGuest=CentOS 4/5 (32-bit)|CentOS 4/5 or later (32-bit)|CentOS 4/5/6 (32-bit);
coreos64Guest=CoreOS Linux (64-bit);crxPod1Guest=VMware CRX Pod 1 (64-bit);crxSys1Guest=VMware Photon CRX (64-bit);
darwin10Guest=Apple Mac OS X 10.6 (32-bit);darwin10_64Guest=Apple Mac OS X 10.6 (64-bit);darwin11Guest=Apple Mac OS X 10.7 (32-bit);
darwin11_64Guest=Apple Mac OS X 10.7 (64-bit);darwin12_64Guest=Apple Mac OS X 10.8 (64-bit);darwin13_64Guest=Apple Mac OS X 10.9 (64-bit);
darwin14_64Guest=Apple Mac OS X 10.10 (64-bit);darwin15_64Guest=Apple Mac OS X 10.11 (64-bit);darwin16_64Guest=Apple macOS 10.12 (64-bit);
darwin17_64Guest=Apple macOS 10.13 (64-bit);darwin18_64Guest=Apple macOS 10.14 (64-bit);darwin19_64Guest=Apple macOS 10.15 (64-bit);
darwin20_64Guest=Apple macOS 11 (64-bit);darwin21_64Guest=Apple macOS 12 (64-bit);darwin22_64Guest=Apple macOS 13 (64-bit);
darwin23_64Guest=Apple macOS 14 (64-bit);darwin64Guest=Apple Mac OS X 10.5 (64-bit);darwinGuest=Apple Mac OS X 10.5 (32-bit);
debian10Guest=Debian GNU/Linux 10 (32-bit);debian10_64Guest=Debian GNU/Linux 10 (64-bit);debian11Guest=Debian GNU/Linux 11 (32-bit);
debian11_64Guest=Debian GNU/Linux 11 (64-bit);debian12Guest=Debian GNU/Linux 12 (32-bit);debian12_64Guest=Debian GNU/Linux 12 (64-bit);
debian13Guest=Debian GNU/Linux 13 (32-bit);debian13_64Guest=Debian GNU/Linux 13 (64-bit);debian4Guest=Debian GNU/Linux 4 (32-bit);
debian4_64Guest=Debian GNU/Linux 4 (64-bit);debian5Guest=Debian GNU/Linux 5 (32-bit);debian5_64Guest=Debian GNU/Linux 5 (64-bit);
debian6Guest=Debian GNU/Linux 6 (32-bit);debian6_64Guest=Debian GNU/Linux 6 (64-bit);debian7Guest=Debian GNU/Linux 7 (32-bit);
debian7_64Guest=Debian GNU/Linux 7 (64-bit);debian8Guest=Debian GNU/Linux 8 (32-bit);debian8_64Guest=Debian GNU/Linux 8 (64-bit);
debian9Guest=Debian GNU/Linux 9 (32-bit);debian9_64Guest=Debian GNU/Linux 9 (64-bit);dosGuest=Microsoft MS-DOS;
eComStation2Guest=Serenity Systems eComStation 2|Serenity Systems eComStation 2.0;
eComStationGuest=Serenity Systems eComStation 1|Serenity Systems eComStation 1.x;fedora64Guest=Red Hat Fedora (64-bit);
fedoraGuest=Red Hat Fedora (32-bit);freebsd11Guest=FreeBSD 11 (32-bit);freebsd11_64Guest=FreeBSD 11 (64-bit);
freebsd12Guest=FreeBSD 12 (32-bit)|FreeBSD 12 or later versions (32-bit);
freebsd12_64Guest=FreeBSD 12 (64-bit)|FreeBSD 12 or later versions (64-bit);
freebsd13Guest=FreeBSD 13 (32-bit)|FreeBSD 13 or later versions (32-bit);
freebsd13_64Guest=FreeBSD 13 (64-bit)|FreeBSD 13 or later versions (64-bit);
freebsd14Guest=FreeBSD 14 (32-bit)|FreeBSD 14 or later versions (32-bit);
freebsd14_64Guest=FreeBSD 14 (64-bit)|FreeBSD 14 or later versions (64-bit);freebsd15Guest=FreeBSD 15 or later versions (32-bit);
freebsd15_64Guest=FreeBSD 15 or later versions (64-bit);freebsd64Guest=FreeBSD (64-bit)|FreeBSD Pre-11 versions (64-bit);
freebsdGuest=FreeBSD (32-bit)|FreeBSD Pre-11 versions (32-bit);fusionos_64Guest=FusionOS (64-bit);kylinlinux_64Guest=Kylin Linux (64-bit);
mandriva64Guest=Mandriva Linux (64-bit);mandrivaGuest=Mandriva Linux (32-bit);miraclelinux_64Guest=MIRACLE LINUX (64-bit);
netware4Guest=Novell NetWare 4;netware5Guest=Novell NetWare 5.1;netware6Guest=Novell NetWare 6.x;nld9Guest=Novell Linux Desktop 9;
oesGuest=Novell Open Enterprise Server;openServer5Guest=SCO OpenServer 5;openServer6Guest=SCO OpenServer 6;
opensuse64Guest=OpenSUSE Linux (64-bit)|SUSE openSUSE (64-bit);opensuseGuest=OpenSUSE Linux (32-bit)|SUSE openSUSE (32-bit);
oracleLinux10_64Guest=Oracle Linux 10 (64-bit);
oracleLinux64Guest=Oracle Linux 4/5 (64-bit)|Oracle Linux 4/5 or later (64-bit)|Oracle Linux 4/5/6 (64-bit)|Oracle Linux 4/5/6/7 (64-bit);
oracleLinux6Guest=Oracle Linux 6 (32-bit);oracleLinux6_64Guest=Oracle Linux 6 (64-bit);oracleLinux7_64Guest=Oracle Linux 7 (64-bit);
oracleLinux8_64Guest=Oracle Linux 8 (64-bit);oracleLinux9_64Guest=Oracle Linux 9 (64-bit);
oracleLinuxGuest=Oracle Linux 4/5 (32-bit)|Oracle Linux 4/5 or later (32-bit)|Oracle Linux 4/5/6 (32-bit);os2Guest=IBM OS/2;
other24xLinux64Guest=Other 2.4.x Linux (64-bit);other24xLinuxGuest=Other 2.4.x Linux (32-bit);
other26xLinux64Guest=Other 2.6.x Linux (64-bit);other26xLinuxGuest=Other 2.6.x Linux (32-bit);
other3xLinux64Guest=Other 3.x Linux (64-bit)|Other 3.x or later Linux (64-bit);
other3xLinuxGuest=Other 3.x Linux (32-bit)|Other 3.x or later Linux (32-bit);
other4xLinux64Guest=Other 4.x Linux (64-bit)|Other 4.x or later Linux (64-bit);
other4xLinuxGuest=Other 4.x Linux (32-bit)|Other 4.x or later Linux (32-bit);
other5xLinux64Guest=Other 5.x Linux (64-bit)|Other 5.x or later Linux (64-bit);
other5xLinuxGuest=Other 5.x Linux (32-bit)|Other 5.x or later Linux (32-bit);
other6xLinux64Guest=Other 6.x Linux (64-bit)|Other 6.x or later Linux (64-bit);
other6xLinuxGuest=Other 6.x Linux (32-bit)|Other 6.x or later Linux (32-bit);other7xLinux64Guest=Other 7.x or later Linux (64-bit);
other7xLinuxGuest=Other 7.x or later Linux (32-bit);otherGuest=Other (32-bit);otherGuest64=Other (64-bit);
otherLinux64Guest=Other Linux (64-bit);otherLinuxGuest=Other Linux (32-bit);pardus_64Guest=Pardus (64-bit);
prolinux_64Guest=ProLinux (64-bit);redhatGuest=Red Hat Linux 2.1;rhel10_64Guest=Red Hat Enterprise Linux 10 (64-bit);
rhel2Guest=Red Hat Enterprise Linux 2.1;rhel3Guest=Red Hat Enterprise Linux 3 (32-bit);rhel3_64Guest=Red Hat Enterprise Linux 3 (64-bit);
rhel4Guest=Red Hat Enterprise Linux 4 (32-bit);rhel4_64Guest=Red Hat Enterprise Linux 4 (64-bit);
rhel5Guest=Red Hat Enterprise Linux 5 (32-bit);rhel5_64Guest=Red Hat Enterprise Linux 5 (64-bit);
rhel6Guest=Red Hat Enterprise Linux 6 (32-bit);rhel6_64Guest=Red Hat Enterprise Linux 6 (64-bit);
rhel7Guest=Red Hat Enterprise Linux 7 (32-bit);rhel7_64Guest=Red Hat Enterprise Linux 7 (64-bit);
rhel8_64Guest=Red Hat Enterprise Linux 8 (64-bit);rhel9_64Guest=Red Hat Enterprise Linux 9 (64-bit);
rockylinux_64Guest=Rocky Linux (64-bit);sjdsGuest=Sun Java Desktop System;
sles10Guest=Novell SUSE Linux Enterprise 10 (32-bit)|SUSE Linux Enterprise 10 (32-bit);
sles10_64Guest=Novell SUSE Linux Enterprise 10 (64-bit)|SUSE Linux Enterprise 10 (64-bit);
sles11Guest=Novell SUSE Linux Enterprise 11 (32-bit)|SUSE Linux Enterprise 11 (32-bit);
sles11_64Guest=Novell SUSE Linux Enterprise 11 (64-bit)|SUSE Linux Enterprise 11 (64-bit)|SUSE Linux Enterprise Server 11.1 64bit;
sles12Guest=SUSE Linux Enterprise 12 (32-bit);sles12_64Guest=SUSE Linux Enterprise 12 (64-bit);
sles15_64Guest=SUSE Linux Enterprise 15 (64-bit);sles16_64Guest=SUSE Linux Enterprise 16 (64-bit);
sles64Guest=Novell SUSE Linux Enterprise 8/9 (64-bit)|SUSE Linux Enterprise 8/9 (64-bit);
slesGuest=Novell SUSE Linux Enterprise 8/9 (32-bit)|SUSE Linux Enterprise 8/9 (32-bit);solaris10Guest=Oracle Solaris 10 (32-bit);
solaris10_64Guest=Oracle Solaris 10 (64-bit);solaris11_64Guest=Oracle Solaris 11 (64-bit);solaris6Guest=Sun Microsystems Solaris 6;
solaris7Guest=Sun Microsystems Solaris 7;solaris8Guest=Sun Microsystems Solaris 8;solaris9Guest=Sun Microsystems Solaris 9;
suse64Guest=Suse Linux (64-bit);suseGuest=Suse Linux (32-bit);turboLinux64Guest=Turbolinux (64-bit);turboLinuxGuest=Turbolinux (32-bit);
ubuntu64Guest=Ubuntu Linux (64-bit);ubuntuGuest=Ubuntu Linux (32-bit);unixWare7Guest=SCO UnixWare 7;vmkernel5Guest=VMware ESXi 5.x;
vmkernel65Guest=VMware ESXi 6.5 or later|VMware ESXi 6.x;vmkernel6Guest=VMware ESXi 6.0;
vmkernel7Guest=VMware ESXi 7.0 or later|VMware ESXi 7.x;vmkernel8Guest=VMware ESXi 8|VMware ESXi 8.0 or later;
vmkernel9Guest=VMware ESXi 9.0 or later;vmkernelGuest=VMware ESX 4.x;vmwarePhoton64Guest=VMware Photon OS (64-bit);
win2000AdvServGuest=Microsoft Windows 2000;win2000ProGuest=Microsoft Windows 2000 Professional;
win2000ServGuest=Microsoft Windows 2000 Server;win31Guest=Microsoft Windows 3.1;win95Guest=Microsoft Windows 95;
win98Guest=Microsoft Windows 98;winLonghorn64Guest=Microsoft Windows Longhorn (64-bit)|Microsoft Windows Server 2008 (64-bit);
winLonghornGuest=Microsoft Windows Longhorn (32-bit)|Microsoft Windows Server 2008 (32-bit);winNTGuest=Microsoft Windows NT;
winNetBusinessGuest=Microsoft Small Business Server 2003|Microsoft Windows Small Business Server 2003;
winNetDatacenter64Guest=Microsoft Windows Server 2003 Datacenter (64-bit)|Microsoft Windows Server 2003 Datacenter Edition (64-bit);
winNetDatacenterGuest=Microsoft Windows Server 2003 Datacenter (32-bit)|Microsoft Windows Server 2003 Datacenter Edition (32-bit);
winNetEnterprise64Guest=Microsoft Windows Server 2003 (64-bit)|Microsoft Windows Server 2003 Enterprise Edition (64-bit)|Microsoft Windows Server 2003, Enterprise Edition (64-bit);
winNetEnterpriseGuest=Microsoft Windows Server 2003 (32-bit)|Microsoft Windows Server 2003 Enterprise Edition (32-bit);
winNetStandard64Guest=Microsoft Windows Server 2003 Standard (64-bit)|Microsoft Windows Server 2003 Standard Edition (64-bit);
winNetStandardGuest=Microsoft Windows Server 2003 Standard (32-bit)|Microsoft Windows Server 2003 Standard Edition (32-bit)|Microsoft Windows Server 2003, Standard Edition (32-bit);
winNetWebGuest=Microsoft Windows Server 2003 Web Edition (32-bit);winVista64Guest=Microsoft Windows Vista (64-bit);
winVistaGuest=Microsoft Windows Vista (32-bit);winXPHomeGuest=Microsoft Windows XP Home Edition;
winXPPro64Guest=Microsoft Windows XP Professional (64-bit);winXPProGuest=Microsoft Windows XP Professional (32-bit);
windows11_64Guest=Microsoft Windows 11 (64-bit);windows12_64Guest=Microsoft Windows (64-bit);
windows2019srvNext_64Guest=Microsoft Windows Server 2022 (64-bit);windows2019srv_64Guest=Microsoft Windows Server 2019 (64-bit);
windows2022srvNext_64Guest=Microsoft Windows Server 2025 (64-bit);windows7Guest=Microsoft Windows 7 (32-bit);
windows7Server64Guest=Microsoft Windows Server 2008 R2 (64-bit);windows7_64Guest=Microsoft Windows 7 (64-bit);
windows8Guest=Microsoft Windows 8 (32-bit)|Microsoft Windows 8.x (32-bit);windows8Server64Guest=Microsoft Windows Server 2012 (64-bit);
windows8_64Guest=Microsoft Windows 8 (64-bit)|Microsoft Windows 8.x (64-bit);windows9Guest=Microsoft Windows 10 (32-bit);
windows9Server64Guest=Microsoft Windows Server 2016 (64-bit)|Microsoft Windows Server 2016 or later (64-bit)|Microsoft Windows Server Threshold (64-bit);
windows9_64Guest=Microsoft Windows 10 (64-bit)`;
// cspell:enable

const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/\((32|64)[ -]bit\)/, "($1-bit)");

const IDS = new Map(
  GUESTS.split(/;\n?/).flatMap((entry) => {
    const [id = "", names = ""] = entry.split("=");
    return names.split("|").map((name) => [plain(name), id] as const);
  }),
);

/** Returns the ID of a guest by its name in words; an ID stays. */
export const guestOf: Read<string> = (text, range) => {
  const id = IDS.get(plain(text)) ?? (/^\S+$/.test(text.trim()) ? text.trim() : undefined);
  return id === undefined ? unknown(`"${text.trim().slice(0, 60)}" is the name of no known guest`, range) : known(id, range);
};
