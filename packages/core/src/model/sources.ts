/**
 * Where a figure or a behaviour comes from. The key is what a reason prints; the title and place are for people. VMware's pages moved to
 * Broadcom: the place is the page there, or the book that has the page of the title.
 */
export interface Source {
  readonly key: string;
  readonly title: string;
  readonly url?: string;
}

const source = (key: string, title: string, url?: string): Source => ({ key, title, ...(url && { url }) });

/** Performance study on an HP DL580 G7, 4 x Xeon E7-4870, ESXi 5.5 U1, DVD Store 2. */
export const SQL55 = source("vmware-sql-5.5", "VMware, Performance and Scalability of Microsoft SQL Server on VMware vSphere 5.5 (2014)");
export const PERF55 = source(
  "vsphere-5.5-performance",
  "VMware, Performance Best Practices for vSphere 5.5 (2013), p. 20, as quoted by Heroix (2014)",
  "https://blog.heroix.com/blog/vmware-vcpu-over-allocation-1",
);
export const VTOPO80 = source("broadcom-vtopology-8.0", "Broadcom, VMware vSphere 8.0 Virtual Topology: Performance Study (March 2025)");
export const DAKIC19 = source(
  "dakic-2019",
  "V. Dakic, Influence of Virtual Storage Controller Type on Microsoft SQL Server 2019 Performance (DAAAM 2019)",
  "https://doi.org/10.2507/30th.daaam.proceedings.050",
);
export const PVSCSI_DOC_60 = source(
  "vsphere-6.0-pvscsi",
  "vSphere 6.0 Host Client, About VMware Paravirtual SCSI Controllers (no living page found)",
);
export const VNUMA_DOC_50 = source("vsphere-5.0-vnuma", "vSphere 5.0 Resource Management, Using Virtual NUMA (no living page found)");
export const VNUMA_DOC_65 = source(
  "vsphere-6.5-vnuma",
  "vSphere 6.5 to 8.0 Resource Management, Using Virtual NUMA",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-resource-management-8-0.html",
);
export const VNUMA_ATTRIBUTES_60 = source(
  "vsphere-6.0-numa-attributes",
  "vSphere 6.0 Resource Management, Advanced Virtual NUMA Attributes (GUID-89C52376, no living page found)",
);
export const VNUMA_ATTRIBUTES_70 = source(
  "vsphere-7.0-numa-attributes",
  "vSphere 7.0 Resource Management, Advanced Virtual NUMA Attributes (as that of 6.5, it has the words of 6.0)",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-resource-management.html",
);
export const VNUMA_CONTROLS_67 = source(
  "vsphere-6.7-vnuma-controls",
  "vSphere 6.7 Resource Management, Virtual NUMA Controls (GUID-3E956FB5)",
);
export const VTOPO_DOC_80 = source(
  "vsphere-8.0-vtopology",
  "vSphere 8.0 Resource Management, Configuring Virtual Topology",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-resource-management-8-0.html",
);
export const VIRTUAL_NUMA_API = source(
  "vsphere-virtual-numa-api",
  "Virtual Infrastructure JSON API, VirtualMachineVirtualNuma",
  "https://developer.broadcom.com/xapis/virtual-infrastructure-json-api/latest/data-structures/VirtualMachineVirtualNuma",
);
export const NUMA_INFO_API = source(
  "vsphere-virtual-numa-info-api",
  "Virtual Infrastructure JSON API, VirtualMachineVirtualNumaInfo",
  "https://developer.broadcom.com/xapis/virtual-infrastructure-json-api/latest/data-structures/VirtualMachineVirtualNumaInfo",
);
export const VCAT_VNUMA = source(
  "vcat-vnuma",
  "VMware vCloud Architecture Toolkit, Architecting a vSphere Compute Platform, 5.10 vNUMA",
  "http://download3.vmware.com/vcat/vmw-vcloud-architecture-toolkit-spv1-webworks/Core%20Platform/Architecting%20a%20vSphere%20Compute%20Platform/Architecting%20a%20vSphere%20Compute%20Platform.1.021.html",
);
export const ORACLE_PARTITIONING = source(
  "oracle-partitioning",
  "Oracle, Partitioning Policy: affinity management and VMware are soft partitioning, so that all processors count (as quoted in 2014)",
  "http://www.definedbysoftware.com/2014/02/19/oracle-soft-partitioning-and-vsphere-drs-clusters/",
);
export const NUMA_CONTROLS_DOC = source(
  "vsphere-numa-controls",
  "vSphere Resource Management, Specifying NUMA Controls",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-resource-management-8-0.html",
);
export const AFFINITY_DOC = source(
  "vsphere-cpu-affinity",
  "vSphere 7.0 Resource Management, Potential Issues with CPU Affinity",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-resource-management.html",
);
export const LATENCY_DOC = source(
  "vsphere-8.0-latency",
  "vSphere 8.0 VM Administration, Configure Virtual Machines with High Latency Sensitivity",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-virtual-machine-administration-guide-8-0.html",
);
export const VHT_RESERVATION_DOC = source(
  "vsphere-8.0-vht-reservation",
  "vSphere 8.0 Resource Management, Full CPU Reservation with Virtual Hyperthreading",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-resource-management-8-0.html",
);
export const LATENCY_55 = source(
  "vsphere-5.5-latency",
  "VMware, Deploying Extremely Latency-Sensitive Applications in vSphere 5.5 (2013), abstract",
  "https://ntpro.nl/blog/archives/2469-Deploying-Extremely-Latency-Sensitive-Applications-in-VMware-vSphere-5.5.html",
);
/** Of July 2020, when 7.0 was the newest release. */
export const LATENCY_REFUSED = source(
  "ocp4-vsphere-upi-36",
  "ocp4-vsphere-upi-automation issue 36: ESXi's refusal of a VM of latency sensitivity High without a CPU reservation (2020)",
  "https://github.com/RedHatOfficial/ocp4-vsphere-upi-automation/issues/36",
);
export const HARDWARE_DOC = source(
  "vsphere-8.0-hardware-features",
  "vSphere 8.0 VM Administration, Hardware Features Available with Virtual Machine Compatibility Settings",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-virtual-machine-administration-guide-8-0/configuring-virtual-machine-hardwarevsphere-vm-admin/virtual-machine-compatibilityvsphere-vm-admin/hardware-features-available-with-virtual-machine-compatibility-levelsvsphere-vm-admin.html",
);
/**
 * No text names the release: the config-option-descriptor.xml in the same folder maps the hosts to hardware version 23 ("ESXi 9.x"), so it
 * is later than 9.0.
 */
export const CONFIG_OPTION_9 = source(
  "esx-9-config-option",
  "VirtualMachineConfigOption dumps of an ESX 9 host, published in vmware-tanzu/vm-operator",
  "https://github.com/vmware-tanzu/vm-operator/tree/main/external/vim/api/v1alpha1/testdata/xml/normal",
);
export const GOVMOMI = source("govmomi", "vmware/govmomi, vim25/types: hardware and ESXi versions", "https://github.com/vmware/govmomi");
export const VM_OPERATOR = source(
  "vm-operator",
  "vmware-tanzu/vm-operator, the checks VMware's own webhook makes before power-on",
  "https://github.com/vmware-tanzu/vm-operator",
);
export const DENNEMAN_2010_ESX41 = source(
  "denneman-2010-09",
  "F. Denneman, ESX 4.1 NUMA Scheduling (2010)",
  "https://frankdenneman.nl/2010/09/13/esx-4-1-numa-scheduling/",
);
export const DENNEMAN_2010_PREFERHT = source(
  "denneman-2010-10",
  "F. Denneman, NUMA, Hyperthreading and NUMA.PreferHT (2010)",
  "https://frankdenneman.nl/2010/10/07/numa-hyperthreading-and-numa-preferht/",
);
export const DENNEMAN_2011 = source(
  "denneman-2011-01",
  "F. Denneman, AMD Magny-Cours and ESX (2011)",
  "https://frankdenneman.nl/2011/01/05/amd-magny-cours-and-esx/",
);
export const DENNEMAN_2016_NUMA5 = source(
  "denneman-2016-08",
  "F. Denneman, NUMA Deep Dive part 5: ESXi VMkernel NUMA constructs (2016)",
  "https://frankdenneman.nl/2016/08/22/numa-deep-dive-part-5-esxi-vmkernel-numa-constructs/",
);
export const DENNEMAN_2016_DECOUPLING = source(
  "denneman-2016-12",
  "F. Denneman, Decoupling of Cores per Socket from Virtual NUMA Topology in vSphere 6.5 (2016)",
  "https://frankdenneman.nl/2016/12/12/decoupling-cores-per-socket-virtual-numa-topology-vsphere-6-5/",
);
export const DENNEMAN_2017_HOTADD = source(
  "denneman-2017-04",
  "F. Denneman, Impact of CPU Hot Add on NUMA scheduling (2017)",
  "https://frankdenneman.nl/2017/04/14/impact-cpu-hot-add-numa-scheduling/",
);
export const DENNEMAN_2017_MEMORY = source(
  "denneman-2017-10",
  "F. Denneman, VM memory config exceeds the memory capacity of the physical NUMA node (2017)",
  "https://frankdenneman.nl/2017/10/05/vm-memory-config-exceeds-memory-capacity-physical-numa-node/",
);
export const DENNEMAN_2019_EPYC = source(
  "denneman-2019-02",
  "F. Denneman, AMD EPYC and vSphere vNUMA (2019)",
  "https://frankdenneman.nl/2019/02/19/amd-epyc-and-vsphere-vnuma/",
);
export const KB_415687 = source(
  "kb-415687",
  "Broadcom KB 415687, NUMA and hyper-threading: considerations for preferHT",
  "https://knowledge.broadcom.com/external/article/415687/numa-and-hyperthreading-preferht-conside.html",
);
export const SUPERDOME_FLEX = source(
  "superdome-flex-2018",
  "D. Cortes, The Unique Modular Architecture of HPE Superdome Flex: 4 to 32 sockets in a single system (2018)",
  "https://www.connect-converge.com/the-unique-modular-architecture-of-hpe-superdome-flex-how-it-works-and-why-it-matters/",
);
export const SPEC_CPU2017 = source(
  "spec-cpu2017",
  "SPEC CPU 2017 results published by July 2025, as collected in blue-plum-cloud/cpu2017data",
  "https://github.com/blue-plum-cloud/cpu2017data/blob/d7a2968/data/test.csv",
);
export const KB_430776 = source(
  "kb-430776",
  "Broadcom KB 430776, VMs are crashing or failing to boot on shared NUMA nodes: initial placement next to low-latency VMs",
  "https://knowledge.broadcom.com/external/article/430776/vms-are-crashing-or-failing-to-boot-on-s.html",
);
export const KB_432801 = source(
  "kb-432801",
  "Broadcom KB 432801, guidance for the firmware and NUMA settings of AMD EPYC (ESXi 8 and 9)",
  "https://knowledge.broadcom.com/external/article/432801/guidance-for-amd-epyc-bios-and-numa-conf.html",
);
export const KB_67996 = source("kb-67996", "VMware KB 67996, automatic virtual NUMA client sizer (6.5 U3, 6.7 U2)");
export const DENNEMAN_2021_CLASSES = source(
  "denneman-2021-05",
  "F. Denneman, VM Service: aligning Kubernetes nodes to the physical infrastructure (2021)",
  "https://frankdenneman.nl/2021/05/03/vm-service-help-developers-by-aligning-their-kubernetes-nodes-to-the-physical-infrastructure/",
);
export const DENNEMAN_2021_CPS = source(
  "denneman-2021-12",
  "F. Denneman, vSphere 7 Cores per Socket and Virtual NUMA (2021)",
  "https://frankdenneman.nl/2021/12/02/vsphere-7-cores-per-socket-and-virtual-numa/",
);
export const DENNEMAN_2022_MISMATCH = source(
  "denneman-2022-03",
  "F. Denneman, Solving vNUMA topology mismatch when migrating between dual and quad socket servers (2022)",
  "https://frankdenneman.nl/2022/03/11/solving-vnuma-topology-mismatch-when-migrating-between-dual-socket-servers-and-quad-socket-servers/",
);
export const DENNEMAN_2022_DEVICES = source(
  "denneman-2022-10",
  "F. Denneman, vSphere 8 CPU Topology Device Assignment (2022)",
  "https://frankdenneman.nl/2022/10/25/vsphere-8-cpu-topology-device-assignment/",
);
export const DENNEMAN_2022_MEMORY = source(
  "denneman-2022-11",
  "F. Denneman, vSphere 8 CPU topology for large memory footprint VMs (2022)",
  "https://frankdenneman.nl/2022/11/03/vsphere-8-cpu-topology-for-large-memory-footprint-vms-exceeding-numa-boundaries/",
);
export const DENNEMAN_2013_SOCKETS = source(
  "denneman-2013-09",
  "F. Denneman, vCPU configuration: virtual sockets and virtual cores (2013)",
  "https://frankdenneman.nl/2013/09/18/vcpu-configuration-performance-impact-between-virtual-sockets-and-virtual-cores/",
);
export const RIGHTSIZING_2017 = source(
  "achtemichuk-2017-03",
  "M. Achtemichuk, Virtual Machine vCPU and vNUMA Rightsizing: Rules of Thumb (2017)",
  "https://blogs.vmware.com/performance/2017/03/virtual-machine-vcpu-and-vnuma-rightsizing-rules-of-thumb.html",
);
export const SQL_CAPACITY = source(
  "microsoft-sql-capacity",
  "Microsoft, Compute capacity limits by edition of SQL Server",
  "https://learn.microsoft.com/en-us/sql/sql-server/compute-capacity-limits-by-edition-of-sql-server",
);
export const CORE_MINIMUM_LIBRARY = source(
  "license-library-sql-2014",
  "License Library, how SQL Server 2014 licences are counted in virtual machines",
  "https://license-library.de/en/use-cases/an-internal-project-caused-the-question-how-microsoft-sql-server-2014-licenses-have-to-be-counted-in-a-virtual-environment-what-are-the-rules-that-apply-in-this-scenario/",
);
export const CORE_MINIMUM_DORSEY = source(
  "dorsey-licensing-minimums",
  "D. Dorsey, Licensing Minimums",
  "https://dustindorsey.com/licensing-minimums/",
);
export const SQL_2008R2_MEMORY = source(
  "microsoft-sql-2008-r2-memory",
  "Microsoft, Memory Supported by the Editions of SQL Server (2008 R2)",
  "https://learn.microsoft.com/en-us/previous-versions/sql/sql-server-2008-r2/ms143685(v=sql.105)",
);
export const SQL_2014_CAPACITY = source(
  "microsoft-sql-2014-capacity",
  "Microsoft, Compute Capacity Limits by Edition of SQL Server 2014",
  "https://learn.microsoft.com/en-us/previous-versions/sql/2014/sql-server/compute-capacity-limits-by-edition-of-sql-server",
);
export const SQL_2014_FEATURES = source(
  "microsoft-sql-2014-features",
  "Microsoft, Features Supported by the Editions of SQL Server 2014, Cross-Box Scale Limits",
  "https://learn.microsoft.com/en-us/previous-versions/sql/2014/getting-started/features-supported-by-the-editions-of-sql-server-2014",
);
export const SQL_2025_CAPACITY = source(
  "microsoft-sql-2025-editions",
  "Microsoft, Editions and supported features of SQL Server 2025, Scale limits",
  "https://learn.microsoft.com/en-us/sql/sql-server/editions-and-components-of-sql-server-2025",
);
export const SQL_2025_ISSUES = source(
  "microsoft-sql-2025-known-issues",
  "Microsoft, SQL Server 2025 known issues",
  "https://learn.microsoft.com/en-us/sql/sql-server/sql-server-2025-known-issues",
);
export const SQL_EDITIONS_DOC = source(
  "microsoft-sql-editions",
  "Microsoft, Editions and supported features of SQL Server 2016, 2017, 2019 and 2022, Scale limits",
  "https://learn.microsoft.com/en-us/sql/sql-server/editions-and-components-of-sql-server-2022",
);
export const SQL_MAXDOP = source(
  "microsoft-sql-maxdop",
  "Microsoft, Configure the max degree of parallelism server configuration option",
  "https://learn.microsoft.com/en-us/sql/database-engine/configure-windows/configure-the-max-degree-of-parallelism-server-configuration-option",
);
export const SQL_SOFT_NUMA = source(
  "microsoft-sql-soft-numa",
  "Microsoft, Soft-NUMA (SQL Server)",
  "https://learn.microsoft.com/en-us/sql/database-engine/configure-windows/soft-numa-sql-server",
);
export const KB_374613 = source(
  "kb-374613",
  "Broadcom KB 374613, SQL Server 2022 Update 11 breaking change: more than 64 logical processors in a NUMA node",
  "https://knowledge.broadcom.com/external/article/374613/sql-server-2022-update-11-breaking-chang.html",
);
/** DVD Store on SQL Server 2008 R2, one VM on an HP DL580 G7, 4 x Xeon E7-4850, ESXi 5.0 U1. */
export const HOUSE_OF_BRICK = source("house-of-brick-vcpus", "House of Brick, vCPU over-allocation (DVD Store, ESXi 5.0 Update 1)");
export const VROOM_FT = source("vroom-ft-6", "VMware VROOM! blog, Fault Tolerance Performance in vSphere 6");
export const FT_DOC_41 = source(
  "vsphere-4.1-ft",
  "vSphere 4.1 Availability, Turn On Fault Tolerance for Virtual Machines (no living page found)",
);
export const FT_DOC_67 = source("vsphere-6.7-ft", "vSphere 6.7 Availability, Fault Tolerance Requirements, Limits, and Licensing (p. 50)");
/** The page names no release. It is from 2023, so vmlint applies it to 7.0 and 8.0. */
export const OVH_FT = source(
  "ovh-fault-tolerance",
  "OVHcloud, SAP infrastructure with VMware on OVHcloud solution (2023; secondary): at most 8 vCPUs and 128 GB with Fault Tolerance",
  "https://github.com/ovh/docs/blob/154999a72f212bf9bb7027ae9a919322f8386695/pages/hosted_private_cloud/sap_on_ovhcloud/concept_vmware_for_sap/guide.en-gb.md",
);
export const FT_DOC_80 = source(
  "vsphere-8.0-ft",
  "vSphere 8.0 Availability, Fault Tolerance Requirements, Limits, and Licensing",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-availability/providing-fault-tolerance-for-virtual-machines/fault-tolerance-requirements-limits-and-licensing.html",
);
export const DIRECTPATH_65 = source(
  "vsphere-6.5-directpath",
  "vSphere 6.5 Networking, DirectPath I/O (p. 148): features that it makes unavailable, such as Fault Tolerance",
);
export const FT_DEVICES_80 = source(
  "vsphere-8.0-ft-devices",
  "vSphere 8.0 Availability, Features and Devices Incompatible with Fault Tolerance",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-availability.html",
);
/** Iometer, 4K sequential reads, on a Dell R720, 2 x Xeon E5-2665, ESXi 6.0 U1. */
export const VROOM_VAIO = source("vroom-vaio-6", "VMware VROOM! blog, Scaling Performance for VAIO in vSphere 6.0 U1");
/** netperf TCP_RR, a VM of 2 vCPUs on 4 x Xeon E5-4650, 10 Gbit/s. */
export const VROOM_DOCKER = source(
  "vroom-docker",
  "VMware VROOM! blog, Docker containers in vSphere: netperf TCP_RR with the latency sensitivity feature",
);
export const NETWORK_DOC = source(
  "vmware-virtual-nics",
  "VMware Cloud on AWS Performance, Virtual network adapters (GUID-838CD673, no living page found)",
);
export const DISK_FORMAT_DOC = source(
  "vmware-disk-format",
  "VMware Tanzu Application Service 5.0, Provisioning a virtual disk in vSphere (no living page found)",
);
export const SCSI_QUEUES = source(
  "blogbyte-scsi-queues",
  "blogbyte.net, Queue depth of VMware SCSI controllers (secondary)",
  "http://www.blogbyte.net/home/vmware-scsi-controllers",
);
export const EXCHANGE_HEALTH_CHECKER = source(
  "exchange-health-checker",
  "Microsoft, Exchange Health Checker, analysis of the hardware (CSS-Exchange)",
  "https://github.com/microsoft/CSS-Exchange/blob/main/Diagnostics/HealthChecker/Analyzer/Invoke-AnalyzerHardwareInformation.ps1",
);
export const EXCHANGE_REQUIREMENTS = source(
  "exchange-system-requirements",
  "Microsoft, Exchange Server system requirements, hardware: up to 2 processor sockets are recommended, and up to 256 GB of memory",
  "https://learn.microsoft.com/en-us/exchange/plan-and-deploy/system-requirements",
);
export const WINDOWS_SERVER_LICENSING = source(
  "windows-server-2022-licensing",
  "Microsoft, Windows Server 2022 licensing guide (October 2022, read from a copy): licensing by virtual machine",
  "https://www.scribd.com/document/638123129/Licensing-guide-PLT-Windows-Server-2022-Oct2022",
);
export const SQL_2022_LICENSING = source(
  "sql-server-2022-licensing",
  "Microsoft, SQL Server 2022 licensing guide (November 2022, read from a copy): licensing individual virtual machines",
  "https://www.slideshare.net/slideshow/ms-sql-server-2022-licensing-guidedd-pdf/275266633",
);
export const ORACLE_LICENSING = source(
  "oracle-database-licensing",
  "Oracle, Database Licensing Information User Manual 19c, Standard Edition 2",
  "https://docs.oracle.com/en/database/oracle/oracle-database/19/dblic/Licensing-Information.html",
);
export const ORACLE_SE2_DBI = source(
  "dbi-oracle-se2",
  "dbi services, Oracle Standard Edition on AWS (2020; quotes the rules of Standard Edition 2)",
  "https://www.dbi-services.com/blog/oracle-standard-edition-on-aws-a-socket-arithmetic/",
);
export const EXCHANGE_BIG = source(
  "exchange-how-big",
  "Microsoft Exchange Team, Ask the Perf Guy: How big is too big?",
  "https://techcommunity.microsoft.com/blog/exchange/ask-the-perf-guy-how-big-is-too-big/603855",
);
export const GEODE_VSPHERE = source(
  "geode-vsphere",
  "Apache Geode (GemFire), Improving Performance on vSphere",
  "https://geode.apache.org/docs/guide/115/managing/monitor_tune/performance_on_vsphere.html",
);
export const DELL_HANA = source(
  "dell-hana-sizes",
  "Dell, PowerFlex for SAP: CPU and memory sizes for SAP HANA VMs",
  "https://infohub.delltechnologies.com/l/validation-guide-dell-emc-powerflex-hyperconverged-infrastructure-for-sap-1/cpu-and-memory-sizes-for-sap-hana-vms-5",
);
export const HANA_12TB = source(
  "vmware-hana-12tb",
  "VMware, SAP grants support for 12 TB SAP HANA VMs on vSphere 7.0 U2/U3 and later running on Intel Cascade Lake (2021)",
  "https://blogs.vmware.com/apps/2021/10/12tb-sap-hana-vms.html",
);
export const HANA_SNC2 = source(
  "vmware-hana-snc2",
  "VMware, Half-Socket VM support for SAP HANA on vSphere 8 and 4th Gen Intel Xeon Scalable processors (2024)",
  "https://blogs.vmware.com/apps/2024/04/half-socket-vm-support-for-sap-hana-on-vsphere-8-and-4th-gen-intel-xeon-scalable-processors-sapphire-rapids.html",
);
export const OVH_HANA_MODULE = source(
  "ovh-hana-module",
  "OVHcloud's Terraform module for SAP HANA on vSphere, v1.0.1: memory_reservation equals memory",
  "https://github.com/ovh/terraform-vsphere-sap-hana-database",
);
export const OPEN_VM_TOOLS = source(
  "open-vm-tools",
  "open-vm-tools, lib/dict/dictll.c, lib/misc/escape.c and vmstdio.c: VMware's own reader of .vmx lines",
  "https://github.com/vmware/open-vm-tools",
);
export const HARDWARE_DOC_65 = source(
  "vsphere-6.5-hardware-features",
  "vSphere 6.5 VM Administration, Hardware Features Available with Virtual Machine Compatibility Settings (now in KB 318970)",
  "https://knowledge.broadcom.com/external/article/318970/hardware-features-available-with-virtual.html",
);
export const HARDWARE_DOC_67 = source(
  "vsphere-6.7-hardware-features",
  "vSphere 6.7 VM Administration, Hardware Features Available with Virtual Machine Compatibility Settings (now in KB 318970)",
  "https://knowledge.broadcom.com/external/article/318970/hardware-features-available-with-virtual.html",
);
export const VCPU_LIMITS_DOC_67 = source(
  "vsphere-6.7-vcpu-limits",
  "vSphere 6.7 VM Administration, Virtual CPU Configuration and Limitations",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/6-7/vsphere-virtual-machine-administration-guide-6-7.html",
);
export const MULTICORE_DOC_70 = source(
  "vsphere-7.0-multicore",
  "vSphere 7.0 VM Administration, Multicore Virtual CPUs",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-virtual-machine-administration.html",
);
export const MEMORY_DOC = source(
  "vsphere-memory-configuration",
  "vSphere VM Administration, Change the Memory Configuration (the same text from 6.0 to VMware Cloud on AWS)",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-virtual-machine-administration-guide-8-0.html",
);
export const MEMORY_ALLOCATION_DOC_67 = source(
  "vsphere-6.7-memory-allocation",
  "vSphere 6.7 VM Administration, Allocate Memory Resources",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/6-7/vsphere-virtual-machine-administration-guide-6-7.html",
);
export const MEMORY_LIMIT = source(
  "ntpro-memory-limit",
  "VMware knowledge base, Impact of virtual machine memory and CPU resource limits, as quoted by ntpro.nl",
  "https://www.ntpro.nl/blog/archives/2537-Are-you-afraid-of-the-ballooning-ghost.html",
);
/** It covers both limits: a VM at its CPU limit cannot run, even on an idle host. */
export const KB_326270 = source(
  "kb-326270",
  "Broadcom KB 326270, Impact of virtual machine memory and CPU resource limits",
  "https://knowledge.broadcom.com/external/article?articleNumber=326270",
);
export const LIMITS_DOC_60 = source(
  "vsphere-6.0-limits",
  "vSphere 6.0 to 9.0 Resource Management, Resource Allocation Limit: mostly none is needed, and idle resources may be wasted",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/9-0/vsphere-resource-management/configuring-resource-allocation-settings.html",
);
export const SHARES_DOC_70 = source(
  "vsphere-7.0-shares",
  "vSphere 7.0 Resource Management, Resource Allocation Shares",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-resource-management/configuring-resource-allocation-settings/resource-allocation-shares.html",
);
/** "Under normal operating conditions, this value should remain under 5%", of each vCPU. */
export const READY_KB = source(
  "vmware-kb-2001003",
  "VMware KB 2001003, Troubleshooting ESXi virtual machine performance issues: %READY remains under 5 % normally",
  "https://knowledge.broadcom.com/external/article?legacyId=2001003",
);
export const POWER_POLICY_70 = source(
  "vsphere-7.0-power-policy",
  "VMware, Host Power Management in vSphere 7.0 (2021): High Performance for latency-sensitive applications, else Balanced",
  "https://blogs.vmware.com/performance/2021/09/hpm-vsphere7-perf.html",
);
/** With the side-channel aware scheduler (version 2) VMs may share a host with hyper-threading on. */
export const L1TF_KB = source(
  "vmware-kb-55806",
  "VMware KB 55806, L1 Terminal Fault (CVE-2018-3646): the side-channel aware schedulers of ESXi",
  "https://knowledge.broadcom.com/external/article?legacyId=55806",
);
/** The host swaps if the driver is missing, disabled or at its maximum (also p. 30 of the guide of 4.0 and p. 37 of 6.7). */
export const BALLOON_DOC_67 = source(
  "vsphere-6.7-balloon",
  "vSphere 6.7 and 7.0 Resource Management, Memory Balloon Driver and Using Swap Files",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-resource-management.html",
);
export const HUGE_PAGES_DOC_67 = source(
  "vsphere-6.7-1gb-pages",
  "vSphere 6.7 to 8.0 Resource Management, Backing Guest vRAM with 1GB Pages: a VM without a full reservation does not power on",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-resource-management-8-0.html",
);
/** "Deprecated as of vSphere API 6.7": no page documents that ESXi ignores it since then. */
export const HT_SHARING_API = source(
  "vsphere-ht-sharing-api",
  "Virtual Infrastructure JSON API, VirtualMachineHtSharing: with none, the other logical CPU of a core is halted (deprecated in 6.7)",
  "https://developer.broadcom.com/xapis/virtual-infrastructure-json-api/latest/data-structures/VirtualMachineHtSharing_enum",
);
export const KB_326271 = source(
  "kb-326271",
  "Broadcom KB 326271, Allowing vCPUs of an SMP virtual machine to share a core: two busy threads give 10 to 30 % more than one",
  "https://knowledge.broadcom.com/external/article/326271/allowing-vcpus-of-an-smp-virtual-machine.html",
);
export const KB_326328 = source(
  "kb-326328",
  "Broadcom KB 326328, Consolidating vCPUs for an SMP virtual machine",
  "https://knowledge.broadcom.com/external/article/326328/consolidating-vcpus-for-an-smp-virtual-m.html",
);
/** ESX on a Xeon of the 5500 series. */
export const EPT_2009 = source(
  "vmware-ept-2009",
  "VMware, Performance Evaluation of Intel EPT Hardware Assist (2009)",
  "https://blogs.vmware.com/performance/2009/03/performance-evaluation-of-intel-ept-hardware-assist.html",
);
export const SOFTWARE_MMU_DOC_65 = source(
  "vsphere-6.5-software-mmu",
  "vSphere 6.5 Resource Management, Software-Based Memory Virtualization",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-resource-management.html",
);
/** Broadcom also calls NVMe slower than DRAM, and adds as much NVMe as DRAM by default. */
export const MEMORY_TIERING = source(
  "vmware-memory-tiering-2025",
  "VMware, NVMe Memory Tiering Design and Sizing on VMware Cloud Foundation 9, part 1 (2025): active memory is at most half of the DRAM",
  "https://blogs.vmware.com/cloud-foundation/?p=26970",
);
/** The page was not read itself: a public guide to memory tiering in 9.1 quotes it. */
export const MEMORY_TIERING_91 = source(
  "vsphere-9.1-memory-tiering",
  "vSphere 9.1 Resource Management, Virtual Machine Types and Performance with Memory Tiering (as quoted): low-latency VMs stay in DRAM",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/9-1/vsphere-resource-management/memory-tiering-over-nvme/capacity-planning-considerations/virtual-machine-types-and-performance-with-memory-tiering.html",
);
/** The same guide quotes it. */
export const MEMORY_TIERING_BLOG_91 = source(
  "vmware-memory-tiering-2026-05",
  "VMware, Advanced Memory Tiering Enhancements in VMware Cloud Foundation 9.1 (2026, as quoted): 9.0 starts no low-latency VM on a tiered host",
  "https://blogs.vmware.com/cloud-foundation/2026/05/07/advanced-memory-tiering-enhancements-in-vmware-cloud-foundation-9-1/",
);
/** Quoted for VMs with nested virtualization: 9.0 starts none on a tiered host. */
export const LAM_2025_NESTED = source(
  "lam-2025-06",
  "W. Lam, NVMe Tiering with Nested Virtualization in VCF 9.0 (2025, as quoted)",
  "https://williamlam.com/2025/06/nvme-tiering-with-nested-virtualization-in-vcf-9-0.html",
);
export const KB_448305 = source(
  "kb-448305",
  "Broadcom KB 448305, RHEL 8 virtual machines do not utilize memory tiering (as quoted): a full reservation keeps a VM in DRAM",
  "https://knowledge.broadcom.com/external/article/448305/rhel-8-virtual-machines-do-not-utilize-m.html",
);
export const PASSTHROUGH_DOC_70 = source(
  "vsphere-7.0-passthrough",
  "vSphere 7.0 Networking, Configure a PCI Device on a Virtual Machine: adding one sets the memory reservation to the memory size",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-networking.html",
);
export const SRIOV_DOC_67 = source(
  "vsphere-6.7-sriov",
  "vSphere 6.7 Networking, Assign a Virtual Function as SR-IOV Passthrough Adapter to a Virtual Machine (p. 154)",
);
export const BOSH_372 = source(
  "bosh-vsphere-cpi-372",
  "bosh-vsphere-cpi-release pull request 372: ESXi's refusal of a VM with a PCI device and no reservation",
  "https://github.com/cloudfoundry/bosh-vsphere-cpi-release/pull/372",
);
export const CLOUD_DIRECTOR_API = source(
  "cloud-director-api",
  "VMware Cloud Director API, InstantiateVmHardwareCustomizationParams",
  "https://developer.broadcom.com/xapis/vcloud-availability-for-vcloud-director-api/latest/types/InstantiateVmHardwareCustomizationParamsType.html",
);
export const VCD_634 = source(
  "terraform-provider-vcd-634",
  "terraform-provider-vcd issue 634: Cloud Director's refusal of 1 CPU with 2 cores per socket",
  "https://github.com/vmware/terraform-provider-vcd/issues/634",
);
export const SOLORI_2010 = source(
  "solori-2010-11",
  "Solori, Short-Take: vSphere Multi-core Virtual Machines (ESX 4.1, with the log of the refused power-on)",
  "https://blog.solori.net/2010/11/08/short-take-vsphere-multi-core-virtual-machines/",
);
export const VMX_MESSAGES = source("vmware-vmx-messages", "The messages of vmware-vmx, the program that runs a VM, for cpuid.numSMT");
export const VHT_DOC = source(
  "vsphere-8.0-vht",
  "vSphere 8.0 Resource Management, Virtual Hyperthreading",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-resource-management-8-0.html",
);
export const TOPOLOGY_DOC_80 = source(
  "vsphere-8.0-cpu-topology",
  "vSphere 8.0 VM Administration, Configuring the CPU Topology of a Virtual Machine",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-virtual-machine-administration-guide-8-0.html",
);
export const LAM_2022 = source(
  "lam-2022-11",
  "W. Lam, Virtual NUMA and CPU hot add support in vSphere 8 (2022), with the API's own description",
  "https://williamlam.com/2022/11/virtual-numa-vnuma-and-cpu-hot-add-support-in-vsphere-8.html",
);
export const DENNEMAN_2022_SNC = source(
  "denneman-2022-09",
  "F. Denneman, Sub-NUMA Clustering (2022)",
  "https://frankdenneman.nl/2022/09/21/sub-numa-clustering/",
);
export const KB_340275 = source(
  "kb-340275",
  "Broadcom KB 340275, Enabling vCPU HotAdd creates fake NUMA nodes on Windows",
  "https://knowledge.broadcom.com/external/article/340275/enabling-vcpu-hotadd-creates-fake-numa-n.html",
);
export const WINDOWS_MEMORY = source(
  "microsoft-windows-memory",
  "Microsoft, Memory Limits for Windows and Windows Server Releases",
  "https://learn.microsoft.com/en-us/windows/win32/memory/memory-limits-for-windows-releases",
);
export const WINDOWS_SOCKETS = source(
  "windows-10-sockets",
  "CPU Socket and Core Count Limits in Windows 10 (2022; secondary: no page of Microsoft's states the limits)",
  "https://blog.poly.nomial.co.uk/2022-04-07-cpu-socket-and-core-count-limits-in-windows-10-and-how-to-remove-them.html",
);
export const EXTRA_CONFIG = source(
  "vsphere-api-extra-config",
  "vSphere API as pyVmomi documents it, vim.vm.ConfigSpec, extraConfig: keys that conflict with other fields are silently ignored",
  "https://github.com/vmware/pyvmomi/blob/47cd87846578ab25784de400c15315dcfab70516/docs/vim/vm/ConfigSpec.rst",
);
export const OVF_EXTRA_CONFIG = source(
  "vsphere-automation-ovf-extra-config",
  "vSphere Automation SDK, com.vmware.vcenter.ovf, ExtraConfigParams: vmw:ExtraConfig cannot set what other properties set",
  "https://vmware.github.io/vsphere-automation-sdk-java/vsphere/cloud/vsphereautomation-client-sdk/com/vmware/vcenter/ovf/ExtraConfigParams.html",
);
export const TERRAFORM_2339 = source(
  "terraform-provider-vsphere-2339",
  "terraform-provider-vsphere, issue 2339: sched.cpu.affinity in extra_config had no effect",
  "https://github.com/vmware/terraform-provider-vsphere/issues/2339",
);
export const PACKER_33 = source(
  "packer-plugin-vsphere-33",
  "packer-plugin-vsphere, issue 33: not all configuration_parameters are accepted, tried by a maintainer",
  "https://github.com/vmware/packer-plugin-vsphere/issues/33",
);
export const PACKER_48 = source(
  "packer-plugin-vsphere-48",
  "packer-plugin-vsphere, issue 48: vhv.enable in configuration_parameters is not written",
  "https://github.com/vmware/packer-plugin-vsphere/issues/48",
);
export const GOVMOMI_1462 = source(
  "govmomi-1462",
  "govmomi, issue 1462: govc vm.change -e cpuid.coresPerSocket, given as the way to set it",
  "https://github.com/vmware/govmomi/issues/1462",
);
export const RANCHER_30814 = source(
  "rancher-30814",
  "Rancher, issue 30814: govc vm.change -e cpuid.coresPerSocket, given as the way to set it",
  "https://github.com/rancher/rancher/issues/30814",
);
export const TERRAFORM_PROVIDER = source(
  "terraform-provider-vsphere-2.16.1",
  "terraform-provider-vsphere v2.16.1, virtual_machine_config_structure.go",
  "https://github.com/vmware/terraform-provider-vsphere/blob/v2.16.1/vsphere/virtual_machine_config_structure.go",
);
export const TERRAFORM_SRIOV = source(
  "terraform-provider-vsphere-sriov",
  "terraform-provider-vsphere, vsphere_virtual_machine, SR-IOV network interfaces",
  "https://github.com/vmware/terraform-provider-vsphere/blob/main/docs/resources/virtual_machine.md",
);
export const TERRAFORM_HOT_ADD = source(
  "terraform-provider-vsphere-hot-add",
  "terraform-provider-vsphere, vsphere_virtual_machine, memory_hot_add_enabled: a note after VMware KB 2008405",
  "https://github.com/vmware/terraform-provider-vsphere/blob/main/docs/resources/virtual_machine.md",
);
export const TERRAFORM_1352 = source(
  "terraform-provider-vsphere-1352",
  "terraform-provider-vsphere issue 1352: more than 3072 MB by hot add on 64-bit Linux",
  "https://github.com/vmware/terraform-provider-vsphere/issues/1352",
);
export const HOT_ADD_2019 = source(
  "vcdx200-memory-hot-add",
  "VMware KB 2020846, as a blog of 2019 quotes it: up to 16 times the memory at power-on",
  "https://www.vcdx200.com/2019/03/vmware-vsphere-memory-hot-add.html",
);
export const MEMORY_API = source(
  "vsphere-automation-memory",
  "vSphere Automation API, Vm_Hardware_Memory_Info: memory is added in multiples of an increment, up to a limit",
  "https://developer.broadcom.com/xapis/vsphere-automation-api/v8.0U1/vcenter/data-structures/Vm_Hardware_Memory_Info",
);
export const TERRAFORM_532 = source(
  "terraform-provider-vsphere-532",
  "terraform-provider-vsphere issue 532: num_cpus is the total number of cores (a user's question)",
  "https://github.com/vmware/terraform-provider-vsphere/issues/532",
);
export const TERRAFORM_42 = source(
  "terraform-provider-vsphere-42",
  "terraform-provider-vsphere issue 42: a Windows guest of 16 sockets uses 2 (a user's report)",
  "https://github.com/vmware/terraform-provider-vsphere/issues/42",
);

/** Its figure: a GPU's memory rounded up to a power of two, then the next power of two. */
export const KB_323402 = source(
  "kb-323402",
  "Broadcom KB 323402, virtual machines with PCI passthrough and insufficient MMIO allocation do not power on",
  "https://knowledge.broadcom.com/external/article/323402/failed-to-power-on-virtual-machines-with.html",
);
export const DELL_199172 = source(
  "dell-000199172",
  "Dell 000199172, PCI passthrough: module DevicePowerOn power on failed when using GPUs with virtual machines on vSphere",
  "https://www.dell.com/support/kbdoc/en-us/000199172/pci-passthrough-module-devicepoweron-power-on-failed",
);
export const DENNEMAN_2023_MMIO = source(
  "denneman-2023-05",
  "F. Denneman, vSphere ML Accelerator Spectrum: ESXi host BIOS, VM, and vCenter settings (2023), with BAR1 and MMIO sizes of GPUs",
  "https://frankdenneman.nl/2023/05/30/vsphere-ml-accelerator-spectrum-deep-dive-esxi-host-bios-vm-and-vcenter-settings/",
);
export const DENNEMAN_2023_PASSTHROUGH = source(
  "denneman-2023-06",
  "F. Denneman, vSphere ML Accelerator Spectrum: Using Dynamic DirectPath IO (passthrough) with VMs (2023)",
  "https://frankdenneman.nl/2023/06/06/vsphere-ml-accelerator-spectrum-deep-dive-using-dynamic-directpath-io-passthrough-with-vms/",
);
export const NVIDIA_MMIO = source(
  "nvidia-ai-enterprise-mmio",
  "NVIDIA AI Enterprise, vGPU for Compute: GPUs requiring 64 GB or more of MMIO space with large-memory VMs",
  "https://docs.nvidia.com/ai-enterprise/release-7/latest/infra-software/vgpu.html",
);
export const KB_309986 = source(
  "kb-309986",
  "Broadcom KB 309986, Configuring VMDirectPath I/O passthrough devices: 16 on 7.x, 32 on 8.0, 64 on 8.0 U1, 128 on 8.0 U2",
  "https://knowledge.broadcom.com/external/article/309986/configuring-vmdirectpath-io-passthrough.html",
);
export const KB_88161 = source(
  "vmware-kb-88161",
  "VMware KB 88161, a virtual IOMMU with vGPU, as listed by findbugzero.com: up to 7.x such a VM does not power on",
  "https://findbugzero.com/operational-defect-database/vendors/vmware/defects/88161",
);
export const KB_311903 = source(
  "kb-311903",
  "Broadcom KB 311903, Limitations of virtual Software Guard Extensions (SGX) in vSphere: hardware version 17 or later",
  "https://knowledge.broadcom.com/external/article?articleNumber=311903",
);
export const SECURE_BOOT_65 = source(
  "vsphere-6.5-secure-boot",
  "vSphere 6.5 Security, Enable or Disable UEFI Secure Boot for a Virtual Machine: EFI firmware, hardware version 13 or later",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/6-5/vsphere-security-6-5.html",
);
export const CLOUD_DIRECTOR_TPM = source(
  "cloud-director-tpm",
  "VMware Cloud Director 10.4, requirements of TPM devices: EFI firmware, hardware version 14 or later",
  "https://techdocs.broadcom.com/us/en/vmware-cis/cloud-director/vmware-cloud-director/10-6.html",
);
export const VBS_DOC_80 = source(
  "vsphere-8.0-vbs",
  "vSphere 8.0 Security, Virtualization-Based Security Best Practices: hardware version 14 on Intel, 19 on AMD",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-security-8-0.html",
);
export const VBS_API = source(
  "vsphere-api-vbs",
  "vSphere API as govmomi documents it, VirtualMachineFlagInfo, vbsEnabled and vvtdEnabled: else error is returned",
  "https://github.com/vmware/govmomi/blob/main/vim25/types/types.go",
);
export const HOT_PLUG_DOC_80 = source(
  "vsphere-8.0-passthrough-hot-plug",
  "vSphere 8.0 Networking, hot-add and hot-remove support for VMDirectPath I/O devices: features that are not supported with it",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-networking-8-0.html",
);
export const HOT_PLUG_API = source(
  "vsphere-api-passthrough-hot-plug",
  "vSphere API as govmomi documents it, VirtualMachineConfigSpec, fixedPassthruHotPlugEnabled: all memory should be reserved",
  "https://github.com/vmware/govmomi/blob/main/vim25/types/types.go",
);
export const VGPU_DOC_67 = source(
  "vsphere-6.7-vgpu",
  "vSphere 6.7 VM Administration, Add an NVIDIA GRID vGPU to a Virtual Machine",
  "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/6-7/vsphere-virtual-machine-administration-guide-6-7.html",
);
export const TERRAFORM_VTPM = source(
  "terraform-provider-vsphere-vtpm",
  "terraform-provider-vsphere, resource_vsphere_virtual_machine.go: vtpm requires firmware to be set to efi",
  "https://github.com/vmware/terraform-provider-vsphere/blob/main/vsphere/resource_vsphere_virtual_machine.go",
);
export const CPU_MANAGER_DOC = source(
  "kubernetes-cpu-manager",
  "Kubernetes, Control CPU Management Policies on the Node",
  "https://kubernetes.io/docs/tasks/administer-cluster/cpu-management-policies/",
);
export const TOPOLOGY_MANAGER_DOC = source(
  "kubernetes-topology-manager",
  "Kubernetes, Control Topology Management Policies on a Node: at most 8 NUMA nodes",
  "https://kubernetes.io/docs/tasks/administer-cluster/topology-manager/",
);
export const NUMA_NODES_KEP = source(
  "kubernetes-kep-4622",
  "Kubernetes enhancement 4622: the topology manager's option max-allowable-numa-nodes",
  "https://github.com/kubernetes/enhancements/issues/4622",
);
export const CAPV_1749 = source(
  "cluster-api-provider-vsphere-1749",
  "cluster-api-provider-vsphere issue 1749: PCI devices need hardware version 17",
  "https://github.com/kubernetes-sigs/cluster-api-provider-vsphere/issues/1749",
);
export const VM_OPERATOR_158 = source(
  "vm-operator-158",
  "vm-operator issue 158: NVIDIA's PCI devices need hardware version 17",
  "https://github.com/vmware-tanzu/vm-operator/issues/158",
);
export const INFORMIT_2003 = source(
  "informit-server-2003",
  "InformIT, Windows Server 2003 editions: Standard has the four processors of Windows NT Server 4.0's basic edition",
  "https://www.informit.com/articles/article.aspx?p=352989&seqNum=3",
);
export const TURBONOMIC_2016 = source(
  "turbonomic-2016-08",
  "Turbonomic, CPU sizing: cores vs. sockets (2016; a VM of 4 cores per socket was to get 5 vCPUs, and got 8)",
  "https://greencircle.vmturbo.com/docs/DOC-3544-turbo-tip-cpu-sizing-cores-vs-sockets",
);
export const INSTALLER_5179 = source(
  "openshift-installer-5179",
  "openshift/installer, issue 5179: cpus: 1 with coresPerSocket: 8 breaks the installation",
  "https://github.com/openshift/installer/issues/5179",
);
export const INSTALLER_6822 = source(
  "openshift-installer-6822",
  "openshift/installer, pull request 6822 (4.13, 4.12): vCPUs must be a multiple of the cores per socket, by default 4 and 4",
  "https://github.com/openshift/installer/pull/6822",
);
export const HIVE_POOL = source(
  "hive-machinepool-webhook",
  "openshift/hive, webhook that validates machine pools (August 2026)",
  "https://github.com/openshift/hive/blob/master/pkg/validating-webhooks/hive/v1/machinepool_validating_admission_hook.go",
);
export const CAPV_TYPES = source(
  "capv-1.17-types",
  "cluster-api-provider-vsphere 1.17, types.go and clone.go",
  "https://github.com/kubernetes-sigs/cluster-api-provider-vsphere/blob/v1.17.0-rc.2/api/govmomi/v1beta2/types.go",
);
export const OPENSHIFT_WEBHOOK = source(
  "machine-api-operator-webhook",
  "openshift/machine-api-operator, webhook of machines and reconciler for vSphere (August 2026)",
  "https://github.com/openshift/machine-api-operator/blob/951196122fe4f1115782da6c14660116905029c4/pkg/webhooks/machine_webhook.go",
);
export const MACHINE_CONTROLLER = source(
  "machine-controller-1.66.2",
  "kubermatic/machine-controller v1.66.2, its provider for vSphere",
  "https://github.com/kubermatic/machine-controller/blob/v1.66.2/pkg/cloudprovider/provider/vsphere/helper.go",
);
export const VMWARE_REST = source(
  "vmware-rest-vcenter-vm",
  "vmware.vmware_rest 4, plugins/modules/vcenter_vm.py",
  "https://github.com/ansible-collections/vmware.vmware_rest/blob/main/plugins/modules/vcenter_vm.py",
);
export const EKS_ANYWHERE = source(
  "eks-anywhere-vsphere",
  "EKS Anywhere, defaults of VSphereMachineConfig (August 2026)",
  "https://github.com/aws/eks-anywhere/blob/main/pkg/providers/vsphere/defaults.go",
);
export const VM_OPERATOR_WEBHOOK = source(
  "vm-operator-compute-webhook",
  "vm-operator, webhooks that validate VMs and classes (August 2026)",
  "https://github.com/vmware-tanzu/vm-operator/blob/main/webhooks/virtualmachine/validation/virtualmachine_validator_compute.go",
);
export const RANCHER_DRIVER = source(
  "rancher-machine-vsphere",
  "rancher/machine v0.15.0-rancher144, its driver for vSphere",
  "https://github.com/rancher/machine/blob/v0.15.0-rancher144/drivers/vmwarevsphere/vsphere.go",
);
export const VCD_PROVIDER = source(
  "terraform-provider-vcd-3.14.1",
  "terraform-provider-vcd v3.14.1, arguments of a VM",
  "https://github.com/vmware/terraform-provider-vcd/blob/v3.14.1/vcd/resource_vcd_vapp_vm.go",
);
export const ESXI_PROVIDER = source(
  "terraform-provider-esxi-1.10.3",
  "terraform-provider-esxi v1.10.3, guest-create.go",
  "https://github.com/josenk/terraform-provider-esxi/blob/v1.10.3/esxi/guest-create.go",
);
export const PACKER_VSPHERE = source(
  "packer-plugin-vsphere-2.0.0",
  "packer-plugin-vsphere v2.0.0, builder/vsphere/common/step_hardware.go",
  "https://github.com/vmware/packer-plugin-vsphere/blob/v2.0.0/builder/vsphere/common/step_hardware.go",
);
export const PACKER_VMWARE = source(
  "packer-plugin-vmware-2.1.0",
  "packer-plugin-vmware v2.1.0, builder/vmware/iso/config.go and common/driver.go",
  "https://github.com/vmware/packer-plugin-vmware/blob/v2.1.0/builder/vmware/iso/config.go",
);
export const PACKER_VMWARE_34 = source(
  "packer-plugin-vmware-34",
  'packer-plugin-vmware, issue 34: 1 vCPU and 2 cores per socket are "Invalid: 0.5" in Workstation',
  "https://github.com/vmware/packer-plugin-vmware/issues/34",
);
export const VMWARE_GUEST = source(
  "community.vmware-6.2.1",
  "community.vmware 6.2.1, plugins/modules/vmware_guest.py",
  "https://github.com/ansible-collections/community.vmware/blob/6.2.1/plugins/modules/vmware_guest.py",
);
export const VMWARE_GUEST_1596 = source(
  "community.vmware-1596",
  "community.vmware, issue 1596: num_cpu_cores_per_socket without num_cpus is not applied",
  "https://github.com/ansible-collections/community.vmware/issues/1596",
);
export const VMWARE_VM = source(
  "vmware.vmware-2.9.0",
  "vmware.vmware 2.9.0, plugins/module_utils/vm/parameter_handlers",
  "https://github.com/ansible-collections/vmware.vmware/tree/2.9.0/plugins/module_utils/vm/parameter_handlers",
);
export const TERRAFORM_2770 = source(
  "terraform-provider-vsphere-2770",
  "terraform-provider-vsphere, issue 2770: num_cores_per_socket = 0 plans no change for a VM that exists",
  "https://github.com/vmware/terraform-provider-vsphere/issues/2770",
);
export const FUSION_12 = source(
  "fusion-12.2.5-hardware",
  "VMware Fusion 12.2.5, its help on the virtual hardware: up to 32 virtual processors and 128 GB",
  "https://softwareupdate.vmware.com/cds/vmw-desktop/fusion/12.2.5/20904517/arm64/core/com.vmware.fusion.zip.tar",
);
export const KUBEVIRT_VCPU = source(
  "kubevirt-vcpu",
  "KubeVirt, converter/vcpu/vcpu.go: CPU topology, dedicated CPUs and NUMA nodes of a guest",
  "https://github.com/kubevirt/kubevirt/blob/d923fdb815cd/pkg/virt-launcher/virtwrap/converter/vcpu/vcpu.go",
);
export const KUBEVIRT_DEFAULTS = source(
  "kubevirt-defaults",
  "KubeVirt, pkg/defaults/defaults.go: default topology, and the most sockets after hot plug",
  "https://github.com/kubevirt/kubevirt/blob/d923fdb815cd/pkg/defaults/defaults.go",
);
export const KUBEVIRT_ADMISSION = source(
  "kubevirt-admission",
  "KubeVirt, admission of VMs: validating-webhook/admitters, and pkg/instancetype",
  "https://github.com/kubevirt/kubevirt/blob/d923fdb815cd/pkg/virt-api/webhooks/validating-webhook/admitters/vmi-create-admitter.go",
);
export const KUBEVIRT_INSTANCETYPE = source(
  "kubevirt-instancetype-cpu",
  "KubeVirt, pkg/instancetype/apply/cpu.go: topology of the vCPUs of an instancetype",
  "https://github.com/kubevirt/kubevirt/blob/d923fdb815cd/pkg/instancetype/apply/cpu.go",
);
export const KUBEVIRT_NUMA = source(
  "kubevirt-numa",
  "KubeVirt user guide, NUMA: a guest may get uneven nodes, and other ones after it moves",
  "https://github.com/kubevirt/user-guide/blob/bf1f3564e2a4/docs/compute/numa.md",
);
export const KUBEVIRT_OVERCOMMIT = source(
  "kubevirt-overcommit",
  "KubeVirt user guide, node overcommit: a pod requests the guest memory and an overhead",
  "https://github.com/kubevirt/user-guide/blob/bf1f3564e2a4/docs/compute/node_overcommit.md",
);
export const KUBEVIRT_DEDICATED = source(
  "kubevirt-dedicated-cpus",
  "KubeVirt user guide, dedicated CPU resources: sockets clearly faster than cores in microbenchmarks",
  "https://github.com/kubevirt/user-guide/blob/bf1f3564e2a4/docs/compute/dedicated_cpu_resources.md",
);
export const KUBEVIRT_17248 = source(
  "kubevirt-17248",
  "KubeVirt, issue 17248: 208 possible vCPUs of a VM with 52 on a host with 56 CPUs",
  "https://github.com/kubevirt/kubevirt/issues/17248",
);
export const KUBEVIRT_PIN_TEST = source(
  "kubevirt-vcpu-test",
  "KubeVirt, converter/vcpu/vcpu_test.go: 12 vCPUs shown as 12 cores run on both threads of 6 host cores",
  "https://github.com/kubevirt/kubevirt/blob/d923fdb815cd/pkg/virt-launcher/virtwrap/converter/vcpu/vcpu_test.go",
);
export const HARVESTER_11410 = source(
  "harvester-11410",
  "Harvester, issue 11410: an imported VM of 8 vCPUs in 1 socket gets 64 vCPUs and a limit of 8 CPUs",
  "https://github.com/harvester/harvester/issues/11410",
);
export const FORKLIFT_VSPHERE = source(
  "forklift-vsphere",
  "Forklift, after 2.9.2, vsphere/builder.go: sockets, cores and memory of an imported VM (lines 1029-1039)",
  "https://github.com/kubev2v/forklift/blob/d42511bb28a6/pkg/controller/plan/adapter/vsphere/builder.go#L1029-L1039",
);
export const FORKLIFT_POLICIES = source(
  "forklift-policies",
  "Forklift, after 2.9.2, validation/policies: warnings about affinity of CPUs and NUMA nodes, and about hot plug",
  "https://github.com/kubev2v/forklift/tree/d42511bb28a6/validation/policies/io/konveyor/forklift/vmware",
);
export const FORKLIFT_OVA = source(
  "forklift-ova",
  "Forklift, after 2.9.2, ovfbase/builder.go: sockets and cores of an imported OVA (lines 302-309)",
  "https://github.com/kubev2v/forklift/blob/d42511bb28a6/pkg/controller/plan/adapter/ovfbase/builder.go#L302-L309",
);
export const HARVESTER_VMWARE = source(
  "harvester-vmware",
  "Harvester, vm-import-controller after 1.8.1, helper.go: cores are the vCPUs, sockets the cores of a socket (lines 57-71)",
  "https://github.com/harvester/vm-import-controller/blob/ed3398ba8676/pkg/source/helper.go#L57-L71",
);
export const HARVESTER_OVA = source(
  "harvester-ova",
  "Harvester, vm-import-controller after 1.8.1, ova/client.go: one socket for an OVA (lines 199-204)",
  "https://github.com/harvester/vm-import-controller/blob/ed3398ba8676/pkg/source/ova/client.go#L199-L204",
);
export const V2V_VMX = source(
  "virt-v2v-vmx",
  "virt-v2v 2.13.3, input/parse_domain_from_vmx.ml: sockets and cores of a .vmx (lines 391-407)",
  "https://github.com/libguestfs/virt-v2v/blob/71376bdb2965/input/parse_domain_from_vmx.ml#L391-L407",
);
export const V2V_KUBEVIRT = source(
  "virt-v2v-kubevirt",
  "virt-v2v 2.13.3, output/create_kubevirt_yaml.ml: cores, or sockets, cores and the unknown field thread (lines 111-125)",
  "https://github.com/libguestfs/virt-v2v/blob/71376bdb2965/output/create_kubevirt_yaml.ml#L111-L125",
);
export const V2V_OVA = source(
  "virt-v2v-ova",
  "virt-v2v 2.13.3, input/OVF.ml: sockets and cores of an OVA (lines 72-93)",
  "https://github.com/libguestfs/virt-v2v/blob/71376bdb2965/input/OVF.ml#L72-L93",
);
export const V2V_OPENSTACK = source(
  "virt-v2v-openstack",
  "virt-v2v 2.13.3, output/openstack_image_properties.ml: sockets and cores of an image (lines 62-71)",
  "https://github.com/libguestfs/virt-v2v/blob/71376bdb2965/output/openstack_image_properties.ml#L62-L71",
);
export const V2V_LIBVIRT = source(
  "virt-v2v-libvirt",
  "virt-v2v 2.13.3, output/create_libvirt_xml.ml: the topology of a domain, if the source has one (lines 98-107)",
  "https://github.com/libguestfs/virt-v2v/blob/71376bdb2965/output/create_libvirt_xml.ml#L98-L107",
);
export const PROXMOX_IMPORT = source(
  "proxmox-esxi-import",
  "Proxmox VE, pve-storage 9.1.7, ESXiPlugin.pm: sockets and cores of an imported .vmx (lines 889-896 and 1044-1046)",
  "https://github.com/proxmox/pve-storage/blob/0c56bad8b2a7/src/PVE/Storage/ESXiPlugin.pm#L889-L896",
);
export const PROXMOX_SCSI = source(
  "proxmox-esxi-scsi",
  "Proxmox VE, pve-storage 9.1.7, ESXiPlugin.pm: OVMF has no LSI drivers, so a VM with EFI gets another SCSI controller (lines 1153-1164)",
  "https://github.com/proxmox/pve-storage/blob/0c56bad8b2a7/src/PVE/Storage/ESXiPlugin.pm#L1153-L1164",
);
export const PROXMOX_OVF = source(
  "proxmox-ovf-import",
  "Proxmox VE, pve-storage 9.1.7, GuestImport/OVF.pm: the count of an OVF becomes cores (line 243)",
  "https://github.com/proxmox/pve-storage/blob/0c56bad8b2a7/src/PVE/GuestImport/OVF.pm#L243",
);
export const COMMON_INSTANCETYPES = source(
  "common-instancetypes",
  "kubevirt/common-instancetypes (Apache-2.0), instancetypes and preferences",
  "https://github.com/kubevirt/common-instancetypes/tree/7c1e305b6d5ac7d80c45d993028dc22d257877c9",
);
export const QEMU_L3 = source(
  "qemu-14c985cffa",
  "QEMU, commit 14c985cffa: a shared L3 cache, with wake-up interrupts of SAP HANA in a guest of 8 vCPUs",
  "https://github.com/qemu/qemu/commit/14c985cffa6cb177fc01a163d8bcf227c104718c",
);
export const CPU_MANAGER = source(
  "kubernetes-cpu-manager",
  "Kubernetes, node resource managers: CPU manager policies and their options",
  "https://kubernetes.io/docs/concepts/policy/node-resource-managers/",
);
export const LIBVIRT_NUMA = source(
  "libvirt-numa",
  "libvirt 11.3.0, src/conf/numa_conf.c: cells, memnode and refused domains",
  "https://gitlab.com/libvirt/libvirt/-/blob/v11.3.0/src/conf/numa_conf.c",
);
export const LIBVIRT_DOMAIN = source(
  "libvirt-domain",
  "libvirt 11.3.0, src/conf/domain_conf.c: vCPUs, pins and cells of a domain",
  "https://gitlab.com/libvirt/libvirt/-/blob/v11.3.0/src/conf/domain_conf.c",
);
export const LIBVIRT_COMMAND = source(
  "libvirt-qemu-command",
  "libvirt 11.3.0, src/qemu/qemu_command.c: a domain without topology has sockets of one core",
  "https://gitlab.com/libvirt/libvirt/-/blob/v11.3.0/src/qemu/qemu_command.c",
);
export const LIBVIRT_RECTIFY = source(
  "libvirt-qemu-domain",
  "libvirt 11.3.0, src/qemu/qemu_domain.c, qemuDomainDefNumaCPUsRectify: vCPUs of no cell join cell 0",
  "https://gitlab.com/libvirt/libvirt/-/blob/v11.3.0/src/qemu/qemu_domain.c",
);
export const LIBVIRT_VALIDATE = source(
  "libvirt-qemu-validate",
  "libvirt 11.3.0, src/qemu/qemu_validate.c: the topology must have as many CPUs as the domain",
  "https://gitlab.com/libvirt/libvirt/-/blob/v11.3.0/src/qemu/qemu_validate.c",
);
export const LIBVIRT_FORMAT = source(
  "libvirt-formatdomain",
  "libvirt, Domain XML format: CPU allocation, CPU tuning, NUMA node tuning",
  "https://libvirt.org/formatdomain.html",
);
export const LINUX_SMPBOOT = source(
  "linux-smpboot",
  "Linux, arch/x86/kernel/smpboot.c, topology_sane: threads of a core in two nodes are no siblings",
  "https://github.com/torvalds/linux/blob/v6.12/arch/x86/kernel/smpboot.c",
);
export const HWLOC_712 = source(
  "hwloc-712",
  "hwloc, issue 712: cells that copy the host's numbering do not follow the sockets of the guest",
  "https://github.com/open-mpi/hwloc/issues/712",
);
export const VIRT_MANAGER_155 = source(
  "virt-manager-155",
  "virt-manager, issue 155: libvirt's default of one-core sockets, and a maintainer who prefers cores",
  "https://github.com/virt-manager/virt-manager/issues/155",
);
export const PROXMOX_CPUS = source(
  "proxmox-cpus",
  "Proxmox VE 9.2, qemu-server, src/PVE/QemuServer.pm: sockets, cores, vCPUs, affinity",
  "https://github.com/proxmox/qemu-server/blob/e6352be67f70/src/PVE/QemuServer.pm",
);
export const PROXMOX_MEMORY = source(
  "proxmox-memory",
  "Proxmox VE 9.2, qemu-server, src/PVE/QemuServer/Memory.pm: NUMA nodes, huge pages, hot plug of memory",
  "https://github.com/proxmox/qemu-server/blob/e6352be67f70/src/PVE/QemuServer/Memory.pm",
);
export const QEMU_NUMA = source(
  "qemu-10-run",
  "QEMU 10.0.13, run with the options of a definition: the memory of nodes must be that of the machine",
  "https://github.com/qemu/qemu/blob/v10.0.0/hw/core/numa.c",
);
export const NOVA_HARDWARE = source(
  "nova-hardware",
  "OpenStack Nova 34.0.0, nova/virt/hardware.py: CPU topology, NUMA cells and refused flavors",
  "https://github.com/openstack/nova/blob/00a030403f67/nova/virt/hardware.py",
);
export const NOVA_FLAVORS = source(
  "nova-extra-specs",
  "OpenStack Nova, Extra specs: hw:cpu_*, hw:numa_*, hw:mem_page_size",
  "https://docs.openstack.org/nova/latest/configuration/extra-specs.html",
);
