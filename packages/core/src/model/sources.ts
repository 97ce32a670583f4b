/**
 * Where a figure or a behaviour comes from. The key is what a reason prints; the title and place are for people. VMware's pages moved to
 * Broadcom: the place is the page there, or the book that has the page of the title.
 */
export interface Source {
  readonly key: string;
  readonly title: string;
  readonly url?: string;
}

/** Performance study on an HP DL580 G7, 4 x Xeon E7-4870, ESXi 5.5 U1, DVD Store 2. */
export const SQL55: Source = { key: "vmware-sql-5.5", title: "VMware, Performance and Scalability of Microsoft SQL Server on VMware vSphere 5.5 (2014)" };
export const PERF55: Source = { key: "vsphere-5.5-performance", title: "VMware, Performance Best Practices for vSphere 5.5 (2013), p. 20, as quoted by Heroix (2014)", url: "https://blog.heroix.com/blog/vmware-vcpu-over-allocation-1" };
export const VTOPO80: Source = { key: "broadcom-vtopology-8.0", title: "Broadcom, VMware vSphere 8.0 Virtual Topology: Performance Study (March 2025)" };
export const DAKIC19: Source = { key: "dakic-2019", title: "V. Dakic, Influence of Virtual Storage Controller Type on Microsoft SQL Server 2019 Performance (DAAAM 2019)", url: "https://doi.org/10.2507/30th.daaam.proceedings.050" };
export const PVSCSI_DOC_60: Source = { key: "vsphere-6.0-pvscsi", title: "vSphere 6.0 Host Client, About VMware Paravirtual SCSI Controllers (no living page found)" };
export const VNUMA_DOC_50: Source = { key: "vsphere-5.0-vnuma", title: "vSphere 5.0 Resource Management, Using Virtual NUMA (no living page found)" };
export const VNUMA_DOC_65: Source = { key: "vsphere-6.5-vnuma", title: "vSphere 6.5 to 8.0 Resource Management, Using Virtual NUMA", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-resource-management-8-0.html" };
export const VNUMA_ATTRIBUTES_60: Source = { key: "vsphere-6.0-numa-attributes", title: "vSphere 6.0 Resource Management, Advanced Virtual NUMA Attributes (GUID-89C52376, no living page found)" };
export const VNUMA_ATTRIBUTES_70: Source = { key: "vsphere-7.0-numa-attributes", title: "vSphere 7.0 Resource Management, Advanced Virtual NUMA Attributes (as that of 6.5, it has the words of 6.0)", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-resource-management.html" };
export const VNUMA_CONTROLS_67: Source = { key: "vsphere-6.7-vnuma-controls", title: "vSphere 6.7 Resource Management, Virtual NUMA Controls (GUID-3E956FB5)" };
export const VTOPO_DOC_80: Source = { key: "vsphere-8.0-vtopology", title: "vSphere 8.0 Resource Management, Configuring Virtual Topology", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-resource-management-8-0.html" };
export const VIRTUAL_NUMA_API: Source = { key: "vsphere-virtual-numa-api", title: "Virtual Infrastructure JSON API, VirtualMachineVirtualNuma", url: "https://developer.broadcom.com/xapis/virtual-infrastructure-json-api/latest/data-structures/VirtualMachineVirtualNuma" };
export const NUMA_INFO_API: Source = { key: "vsphere-virtual-numa-info-api", title: "Virtual Infrastructure JSON API, VirtualMachineVirtualNumaInfo", url: "https://developer.broadcom.com/xapis/virtual-infrastructure-json-api/latest/data-structures/VirtualMachineVirtualNumaInfo" };
export const VCAT_VNUMA: Source = {
  key: "vcat-vnuma",
  title: "VMware vCloud Architecture Toolkit, Architecting a vSphere Compute Platform, 5.10 vNUMA",
  url: "http://download3.vmware.com/vcat/vmw-vcloud-architecture-toolkit-spv1-webworks/Core%20Platform/Architecting%20a%20vSphere%20Compute%20Platform/Architecting%20a%20vSphere%20Compute%20Platform.1.021.html",
};
export const ORACLE_PARTITIONING: Source = { key: "oracle-partitioning", title: "Oracle, Partitioning Policy: affinity management and VMware are soft partitioning, so that all processors count (as quoted in 2014)", url: "http://www.definedbysoftware.com/2014/02/19/oracle-soft-partitioning-and-vsphere-drs-clusters/" };
export const NUMA_CONTROLS_DOC: Source = { key: "vsphere-numa-controls", title: "vSphere Resource Management, Specifying NUMA Controls", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-resource-management-8-0.html" };
export const AFFINITY_DOC: Source = { key: "vsphere-cpu-affinity", title: "vSphere 7.0 Resource Management, Potential Issues with CPU Affinity", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-resource-management.html" };
export const LATENCY_DOC: Source = { key: "vsphere-8.0-latency", title: "vSphere 8.0 VM Administration, Configure Virtual Machines with High Latency Sensitivity", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-virtual-machine-administration-guide-8-0.html" };
export const VHT_RESERVATION_DOC: Source = { key: "vsphere-8.0-vht-reservation", title: "vSphere 8.0 Resource Management, Full CPU Reservation with Virtual Hyperthreading", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-resource-management-8-0.html" };
export const LATENCY_55: Source = { key: "vsphere-5.5-latency", title: "VMware, Deploying Extremely Latency-Sensitive Applications in vSphere 5.5 (2013), abstract", url: "https://ntpro.nl/blog/archives/2469-Deploying-Extremely-Latency-Sensitive-Applications-in-VMware-vSphere-5.5.html" };
/** Of July 2020, when 7.0 was the newest release. */
export const LATENCY_REFUSED: Source = { key: "ocp4-vsphere-upi-36", title: "ocp4-vsphere-upi-automation issue 36: ESXi's refusal of a VM of latency sensitivity High without a CPU reservation (2020)", url: "https://github.com/RedHatOfficial/ocp4-vsphere-upi-automation/issues/36" };
export const HARDWARE_DOC: Source = {
  key: "vsphere-8.0-hardware-features",
  title: "vSphere 8.0 VM Administration, Hardware Features Available with Virtual Machine Compatibility Settings",
  url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-virtual-machine-administration-guide-8-0/configuring-virtual-machine-hardwarevsphere-vm-admin/virtual-machine-compatibilityvsphere-vm-admin/hardware-features-available-with-virtual-machine-compatibility-levelsvsphere-vm-admin.html",
};
/**
 * No text names the release: the config-option-descriptor.xml in the same folder maps the hosts to hardware version 23 ("ESXi 9.x"), so it
 * is later than 9.0.
 */
export const CONFIG_OPTION_9: Source = { key: "esx-9-config-option", title: "VirtualMachineConfigOption dumps of an ESX 9 host, published in vmware-tanzu/vm-operator", url: "https://github.com/vmware-tanzu/vm-operator/tree/main/external/vim/api/v1alpha1/testdata/xml/normal" };
export const GOVMOMI: Source = { key: "govmomi", title: "vmware/govmomi, vim25/types: hardware and ESXi versions", url: "https://github.com/vmware/govmomi" };
export const VM_OPERATOR: Source = { key: "vm-operator", title: "vmware-tanzu/vm-operator, the checks VMware's own webhook makes before power-on", url: "https://github.com/vmware-tanzu/vm-operator" };
export const DENNEMAN_2010_ESX41: Source = { key: "denneman-2010-09", title: "F. Denneman, ESX 4.1 NUMA Scheduling (2010)", url: "https://frankdenneman.nl/2010/09/13/esx-4-1-numa-scheduling/" };
export const DENNEMAN_2010_PREFERHT: Source = { key: "denneman-2010-10", title: "F. Denneman, NUMA, Hyperthreading and NUMA.PreferHT (2010)", url: "https://frankdenneman.nl/2010/10/07/numa-hyperthreading-and-numa-preferht/" };
export const DENNEMAN_2011: Source = { key: "denneman-2011-01", title: "F. Denneman, AMD Magny-Cours and ESX (2011)", url: "https://frankdenneman.nl/2011/01/05/amd-magny-cours-and-esx/" };
export const DENNEMAN_2016_NUMA5: Source = { key: "denneman-2016-08", title: "F. Denneman, NUMA Deep Dive part 5: ESXi VMkernel NUMA constructs (2016)", url: "https://frankdenneman.nl/2016/08/22/numa-deep-dive-part-5-esxi-vmkernel-numa-constructs/" };
export const DENNEMAN_2016_DECOUPLING: Source = { key: "denneman-2016-12", title: "F. Denneman, Decoupling of Cores per Socket from Virtual NUMA Topology in vSphere 6.5 (2016)", url: "https://frankdenneman.nl/2016/12/12/decoupling-cores-per-socket-virtual-numa-topology-vsphere-6-5/" };
export const DENNEMAN_2017_HOTADD: Source = { key: "denneman-2017-04", title: "F. Denneman, Impact of CPU Hot Add on NUMA scheduling (2017)", url: "https://frankdenneman.nl/2017/04/14/impact-cpu-hot-add-numa-scheduling/" };
export const DENNEMAN_2017_MEMORY: Source = { key: "denneman-2017-10", title: "F. Denneman, VM memory config exceeds the memory capacity of the physical NUMA node (2017)", url: "https://frankdenneman.nl/2017/10/05/vm-memory-config-exceeds-memory-capacity-physical-numa-node/" };
export const DENNEMAN_2019_EPYC: Source = { key: "denneman-2019-02", title: "F. Denneman, AMD EPYC and vSphere vNUMA (2019)", url: "https://frankdenneman.nl/2019/02/19/amd-epyc-and-vsphere-vnuma/" };
export const KB_415687: Source = { key: "kb-415687", title: "Broadcom KB 415687, NUMA and hyper-threading: considerations for preferHT", url: "https://knowledge.broadcom.com/external/article/415687/numa-and-hyperthreading-preferht-conside.html" };
export const SUPERDOME_FLEX: Source = { key: "superdome-flex-2018", title: "D. Cortes, The Unique Modular Architecture of HPE Superdome Flex: 4 to 32 sockets in a single system (2018)", url: "https://www.connect-converge.com/the-unique-modular-architecture-of-hpe-superdome-flex-how-it-works-and-why-it-matters/" };
export const SPEC_CPU2017: Source = { key: "spec-cpu2017", title: "SPEC CPU 2017 results published by July 2025, as collected in blue-plum-cloud/cpu2017data", url: "https://github.com/blue-plum-cloud/cpu2017data/blob/d7a2968/data/test.csv" };
export const KB_430776: Source = { key: "kb-430776", title: "Broadcom KB 430776, VMs are crashing or failing to boot on shared NUMA nodes: initial placement next to low-latency VMs", url: "https://knowledge.broadcom.com/external/article/430776/vms-are-crashing-or-failing-to-boot-on-s.html" };
export const KB_432801: Source = { key: "kb-432801", title: "Broadcom KB 432801, guidance for the firmware and NUMA settings of AMD EPYC (ESXi 8 and 9)", url: "https://knowledge.broadcom.com/external/article/432801/guidance-for-amd-epyc-bios-and-numa-conf.html" };
export const KB_67996: Source = { key: "kb-67996", title: "VMware KB 67996, automatic virtual NUMA client sizer (6.5 U3, 6.7 U2)" };
export const DENNEMAN_2021_CLASSES: Source = { key: "denneman-2021-05", title: "F. Denneman, VM Service: aligning Kubernetes nodes to the physical infrastructure (2021)", url: "https://frankdenneman.nl/2021/05/03/vm-service-help-developers-by-aligning-their-kubernetes-nodes-to-the-physical-infrastructure/" };
export const DENNEMAN_2021_CPS: Source = { key: "denneman-2021-12", title: "F. Denneman, vSphere 7 Cores per Socket and Virtual NUMA (2021)", url: "https://frankdenneman.nl/2021/12/02/vsphere-7-cores-per-socket-and-virtual-numa/" };
export const DENNEMAN_2022_MISMATCH: Source = {
  key: "denneman-2022-03",
  title: "F. Denneman, Solving vNUMA topology mismatch when migrating between dual and quad socket servers (2022)",
  url: "https://frankdenneman.nl/2022/03/11/solving-vnuma-topology-mismatch-when-migrating-between-dual-socket-servers-and-quad-socket-servers/",
};
export const DENNEMAN_2022_DEVICES: Source = { key: "denneman-2022-10", title: "F. Denneman, vSphere 8 CPU Topology Device Assignment (2022)", url: "https://frankdenneman.nl/2022/10/25/vsphere-8-cpu-topology-device-assignment/" };
export const DENNEMAN_2022_MEMORY: Source = { key: "denneman-2022-11", title: "F. Denneman, vSphere 8 CPU topology for large memory footprint VMs (2022)", url: "https://frankdenneman.nl/2022/11/03/vsphere-8-cpu-topology-for-large-memory-footprint-vms-exceeding-numa-boundaries/" };
export const DENNEMAN_2013_SOCKETS: Source = { key: "denneman-2013-09", title: "F. Denneman, vCPU configuration: virtual sockets and virtual cores (2013)", url: "https://frankdenneman.nl/2013/09/18/vcpu-configuration-performance-impact-between-virtual-sockets-and-virtual-cores/" };
export const RIGHTSIZING_2017: Source = { key: "achtemichuk-2017-03", title: "M. Achtemichuk, Virtual Machine vCPU and vNUMA Rightsizing: Rules of Thumb (2017)", url: "https://blogs.vmware.com/performance/2017/03/virtual-machine-vcpu-and-vnuma-rightsizing-rules-of-thumb.html" };
export const SQL_CAPACITY: Source = { key: "microsoft-sql-capacity", title: "Microsoft, Compute capacity limits by edition of SQL Server", url: "https://learn.microsoft.com/en-us/sql/sql-server/compute-capacity-limits-by-edition-of-sql-server" };
export const CORE_MINIMUM_LIBRARY: Source = {
  key: "license-library-sql-2014",
  title: "License Library, how SQL Server 2014 licences are counted in virtual machines",
  url: "https://license-library.de/en/use-cases/an-internal-project-caused-the-question-how-microsoft-sql-server-2014-licenses-have-to-be-counted-in-a-virtual-environment-what-are-the-rules-that-apply-in-this-scenario/",
};
export const CORE_MINIMUM_DORSEY: Source = { key: "dorsey-licensing-minimums", title: "D. Dorsey, Licensing Minimums", url: "https://dustindorsey.com/licensing-minimums/" };
export const SQL_2008R2_MEMORY: Source = { key: "microsoft-sql-2008-r2-memory", title: "Microsoft, Memory Supported by the Editions of SQL Server (2008 R2)", url: "https://learn.microsoft.com/en-us/previous-versions/sql/sql-server-2008-r2/ms143685(v=sql.105)" };
export const SQL_2014_CAPACITY: Source = { key: "microsoft-sql-2014-capacity", title: "Microsoft, Compute Capacity Limits by Edition of SQL Server 2014", url: "https://learn.microsoft.com/en-us/previous-versions/sql/2014/sql-server/compute-capacity-limits-by-edition-of-sql-server" };
export const SQL_2014_FEATURES: Source = { key: "microsoft-sql-2014-features", title: "Microsoft, Features Supported by the Editions of SQL Server 2014, Cross-Box Scale Limits", url: "https://learn.microsoft.com/en-us/previous-versions/sql/2014/getting-started/features-supported-by-the-editions-of-sql-server-2014" };
export const SQL_2025_CAPACITY: Source = { key: "microsoft-sql-2025-editions", title: "Microsoft, Editions and supported features of SQL Server 2025, Scale limits", url: "https://learn.microsoft.com/en-us/sql/sql-server/editions-and-components-of-sql-server-2025" };
export const SQL_2025_ISSUES: Source = { key: "microsoft-sql-2025-known-issues", title: "Microsoft, SQL Server 2025 known issues", url: "https://learn.microsoft.com/en-us/sql/sql-server/sql-server-2025-known-issues" };
export const SQL_EDITIONS_DOC: Source = { key: "microsoft-sql-editions", title: "Microsoft, Editions and supported features of SQL Server 2016, 2017, 2019 and 2022, Scale limits", url: "https://learn.microsoft.com/en-us/sql/sql-server/editions-and-components-of-sql-server-2022" };
export const SQL_MAXDOP: Source = { key: "microsoft-sql-maxdop", title: "Microsoft, Configure the max degree of parallelism server configuration option", url: "https://learn.microsoft.com/en-us/sql/database-engine/configure-windows/configure-the-max-degree-of-parallelism-server-configuration-option" };
export const SQL_SOFT_NUMA: Source = { key: "microsoft-sql-soft-numa", title: "Microsoft, Soft-NUMA (SQL Server)", url: "https://learn.microsoft.com/en-us/sql/database-engine/configure-windows/soft-numa-sql-server" };
export const KB_374613: Source = { key: "kb-374613", title: "Broadcom KB 374613, SQL Server 2022 Update 11 breaking change: more than 64 logical processors in a NUMA node", url: "https://knowledge.broadcom.com/external/article/374613/sql-server-2022-update-11-breaking-chang.html" };
/** DVD Store on SQL Server 2008 R2, one VM on an HP DL580 G7, 4 x Xeon E7-4850, ESXi 5.0 U1. */
export const HOUSE_OF_BRICK: Source = { key: "house-of-brick-vcpus", title: "House of Brick, vCPU over-allocation (DVD Store, ESXi 5.0 Update 1)" };
export const VROOM_FT: Source = { key: "vroom-ft-6", title: "VMware VROOM! blog, Fault Tolerance Performance in vSphere 6" };
export const FT_DOC_41: Source = { key: "vsphere-4.1-ft", title: "vSphere 4.1 Availability, Turn On Fault Tolerance for Virtual Machines (no living page found)" };
export const FT_DOC_67: Source = { key: "vsphere-6.7-ft", title: "vSphere 6.7 Availability, Fault Tolerance Requirements, Limits, and Licensing (p. 50)" };
/** The page names no release. It is from 2023, so vmlint applies it to 7.0 and 8.0. */
export const OVH_FT: Source = {
  key: "ovh-fault-tolerance",
  title: "OVHcloud, SAP infrastructure with VMware on OVHcloud solution (2023; secondary): at most 8 vCPUs and 128 GB with Fault Tolerance",
  url: "https://github.com/ovh/docs/blob/154999a72f212bf9bb7027ae9a919322f8386695/pages/hosted_private_cloud/sap_on_ovhcloud/concept_vmware_for_sap/guide.en-gb.md",
};
export const FT_DOC_80: Source = {
  key: "vsphere-8.0-ft",
  title: "vSphere 8.0 Availability, Fault Tolerance Requirements, Limits, and Licensing",
  url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-availability/providing-fault-tolerance-for-virtual-machines/fault-tolerance-requirements-limits-and-licensing.html",
};
export const DIRECTPATH_65: Source = { key: "vsphere-6.5-directpath", title: "vSphere 6.5 Networking, DirectPath I/O (p. 148): features that it makes unavailable, such as Fault Tolerance" };
export const FT_DEVICES_80: Source = { key: "vsphere-8.0-ft-devices", title: "vSphere 8.0 Availability, Features and Devices Incompatible with Fault Tolerance", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-availability.html" };
/** Iometer, 4K sequential reads, on a Dell R720, 2 x Xeon E5-2665, ESXi 6.0 U1. */
export const VROOM_VAIO: Source = { key: "vroom-vaio-6", title: "VMware VROOM! blog, Scaling Performance for VAIO in vSphere 6.0 U1" };
/** netperf TCP_RR, a VM of 2 vCPUs on 4 x Xeon E5-4650, 10 Gbit/s. */
export const VROOM_DOCKER: Source = { key: "vroom-docker", title: "VMware VROOM! blog, Docker containers in vSphere: netperf TCP_RR with the latency sensitivity feature" };
export const NETWORK_DOC: Source = { key: "vmware-virtual-nics", title: "VMware Cloud on AWS Performance, Virtual network adapters (GUID-838CD673, no living page found)" };
export const DISK_FORMAT_DOC: Source = { key: "vmware-disk-format", title: "VMware Tanzu Application Service 5.0, Provisioning a virtual disk in vSphere (no living page found)" };
export const SCSI_QUEUES: Source = { key: "blogbyte-scsi-queues", title: "blogbyte.net, Queue depth of VMware SCSI controllers (secondary)", url: "http://www.blogbyte.net/home/vmware-scsi-controllers" };
export const EXCHANGE_HEALTH_CHECKER: Source = { key: "exchange-health-checker", title: "Microsoft, Exchange Health Checker, analysis of the hardware (CSS-Exchange)", url: "https://github.com/microsoft/CSS-Exchange/blob/main/Diagnostics/HealthChecker/Analyzer/Invoke-AnalyzerHardwareInformation.ps1" };
export const EXCHANGE_REQUIREMENTS: Source = { key: "exchange-system-requirements", title: "Microsoft, Exchange Server system requirements, hardware: up to 2 processor sockets are recommended, and up to 256 GB of memory", url: "https://learn.microsoft.com/en-us/exchange/plan-and-deploy/system-requirements" };
export const WINDOWS_SERVER_LICENSING: Source = { key: "windows-server-2022-licensing", title: "Microsoft, Windows Server 2022 licensing guide (October 2022, read from a copy): licensing by virtual machine", url: "https://www.scribd.com/document/638123129/Licensing-guide-PLT-Windows-Server-2022-Oct2022" };
export const SQL_2022_LICENSING: Source = { key: "sql-server-2022-licensing", title: "Microsoft, SQL Server 2022 licensing guide (November 2022, read from a copy): licensing individual virtual machines", url: "https://www.slideshare.net/slideshow/ms-sql-server-2022-licensing-guidedd-pdf/275266633" };
export const ORACLE_LICENSING: Source = { key: "oracle-database-licensing", title: "Oracle, Database Licensing Information User Manual 19c, Standard Edition 2", url: "https://docs.oracle.com/en/database/oracle/oracle-database/19/dblic/Licensing-Information.html" };
export const ORACLE_SE2_DBI: Source = { key: "dbi-oracle-se2", title: "dbi services, Oracle Standard Edition on AWS (2020; quotes the rules of Standard Edition 2)", url: "https://www.dbi-services.com/blog/oracle-standard-edition-on-aws-a-socket-arithmetic/" };
export const EXCHANGE_BIG: Source = { key: "exchange-how-big", title: "Microsoft Exchange Team, Ask the Perf Guy: How big is too big?", url: "https://techcommunity.microsoft.com/blog/exchange/ask-the-perf-guy-how-big-is-too-big/603855" };
export const GEODE_VSPHERE: Source = { key: "geode-vsphere", title: "Apache Geode (GemFire), Improving Performance on vSphere", url: "https://geode.apache.org/docs/guide/115/managing/monitor_tune/performance_on_vsphere.html" };
export const DELL_HANA: Source = { key: "dell-hana-sizes", title: "Dell, PowerFlex for SAP: CPU and memory sizes for SAP HANA VMs", url: "https://infohub.delltechnologies.com/l/validation-guide-dell-emc-powerflex-hyperconverged-infrastructure-for-sap-1/cpu-and-memory-sizes-for-sap-hana-vms-5" };
export const HANA_12TB: Source = { key: "vmware-hana-12tb", title: "VMware, SAP grants support for 12 TB SAP HANA VMs on vSphere 7.0 U2/U3 and later running on Intel Cascade Lake (2021)", url: "https://blogs.vmware.com/apps/2021/10/12tb-sap-hana-vms.html" };
export const HANA_SNC2: Source = {
  key: "vmware-hana-snc2",
  title: "VMware, Half-Socket VM support for SAP HANA on vSphere 8 and 4th Gen Intel Xeon Scalable processors (2024)",
  url: "https://blogs.vmware.com/apps/2024/04/half-socket-vm-support-for-sap-hana-on-vsphere-8-and-4th-gen-intel-xeon-scalable-processors-sapphire-rapids.html",
};
export const SAP_HANA_FLAVORS: Source = {
  key: "sap-hana-flavors",
  title: "SAP Converged Cloud, flavors of SAP HANA on VMware: CUSTOM_MEMORY_RESERVABLE_MB equals ram",
  url: "https://github.com/sapcc/helm-charts/blob/ef836a4a7d2f04d722c93d313e88ca2670df541d/openstack/sap-seeds/templates/_flavors_hana_no_exclusive.tpl",
};
export const OVH_HANA_MODULE: Source = { key: "ovh-hana-module", title: "OVHcloud's Terraform module for SAP HANA on vSphere, v1.0.1: memory_reservation equals memory", url: "https://github.com/ovh/terraform-vsphere-sap-hana-database" };
export const OPEN_VM_TOOLS: Source = { key: "open-vm-tools", title: "open-vm-tools, lib/dict/dictll.c, lib/misc/escape.c and vmstdio.c: VMware's own reader of .vmx lines", url: "https://github.com/vmware/open-vm-tools" };
export const HARDWARE_DOC_65: Source = {
  key: "vsphere-6.5-hardware-features",
  title: "vSphere 6.5 VM Administration, Hardware Features Available with Virtual Machine Compatibility Settings (now in KB 318970)",
  url: "https://knowledge.broadcom.com/external/article/318970/hardware-features-available-with-virtual.html",
};
export const HARDWARE_DOC_67: Source = {
  key: "vsphere-6.7-hardware-features",
  title: "vSphere 6.7 VM Administration, Hardware Features Available with Virtual Machine Compatibility Settings (now in KB 318970)",
  url: "https://knowledge.broadcom.com/external/article/318970/hardware-features-available-with-virtual.html",
};
export const VCPU_LIMITS_DOC_67: Source = { key: "vsphere-6.7-vcpu-limits", title: "vSphere 6.7 VM Administration, Virtual CPU Configuration and Limitations", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/6-7/vsphere-virtual-machine-administration-guide-6-7.html" };
export const MULTICORE_DOC_70: Source = { key: "vsphere-7.0-multicore", title: "vSphere 7.0 VM Administration, Multicore Virtual CPUs", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-virtual-machine-administration.html" };
export const MEMORY_DOC: Source = { key: "vsphere-memory-configuration", title: "vSphere VM Administration, Change the Memory Configuration (the same text from 6.0 to VMware Cloud on AWS)", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-virtual-machine-administration-guide-8-0.html" };
export const MEMORY_ALLOCATION_DOC_67: Source = { key: "vsphere-6.7-memory-allocation", title: "vSphere 6.7 VM Administration, Allocate Memory Resources", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/6-7/vsphere-virtual-machine-administration-guide-6-7.html" };
export const MEMORY_LIMIT: Source = { key: "ntpro-memory-limit", title: "VMware knowledge base, Impact of virtual machine memory and CPU resource limits, as quoted by ntpro.nl", url: "https://www.ntpro.nl/blog/archives/2537-Are-you-afraid-of-the-ballooning-ghost.html" };
/** It covers both limits: a VM at its CPU limit cannot run, even on an idle host. */
export const KB_326270: Source = { key: "kb-326270", title: "Broadcom KB 326270, Impact of virtual machine memory and CPU resource limits", url: "https://knowledge.broadcom.com/external/article?articleNumber=326270" };
export const LIMITS_DOC_60: Source = {
  key: "vsphere-6.0-limits",
  title: "vSphere 6.0 to 9.0 Resource Management, Resource Allocation Limit: mostly none is needed, and idle resources may be wasted",
  url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/9-0/vsphere-resource-management/configuring-resource-allocation-settings.html",
};
export const SHARES_DOC_70: Source = { key: "vsphere-7.0-shares", title: "vSphere 7.0 Resource Management, Resource Allocation Shares", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-resource-management/configuring-resource-allocation-settings/resource-allocation-shares.html" };
/** "Under normal operating conditions, this value should remain under 5%", of each vCPU. */
export const READY_KB: Source = { key: "vmware-kb-2001003", title: "VMware KB 2001003, Troubleshooting ESXi virtual machine performance issues: %READY remains under 5 % normally", url: "https://knowledge.broadcom.com/external/article?legacyId=2001003" };
export const POWER_POLICY_70: Source = { key: "vsphere-7.0-power-policy", title: "VMware, Host Power Management in vSphere 7.0 (2021): High Performance for latency-sensitive applications, else Balanced", url: "https://blogs.vmware.com/performance/2021/09/hpm-vsphere7-perf.html" };
/** With the side-channel aware scheduler (version 2) VMs may share a host with hyper-threading on. */
export const L1TF_KB: Source = { key: "vmware-kb-55806", title: "VMware KB 55806, L1 Terminal Fault (CVE-2018-3646): the side-channel aware schedulers of ESXi", url: "https://knowledge.broadcom.com/external/article?legacyId=55806" };
/** The host swaps if the driver is missing, disabled or at its maximum (also p. 30 of the guide of 4.0 and p. 37 of 6.7). */
export const BALLOON_DOC_67: Source = { key: "vsphere-6.7-balloon", title: "vSphere 6.7 and 7.0 Resource Management, Memory Balloon Driver and Using Swap Files", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-resource-management.html" };
export const HUGE_PAGES_DOC_67: Source = {
  key: "vsphere-6.7-1gb-pages",
  title: "vSphere 6.7 to 8.0 Resource Management, Backing Guest vRAM with 1GB Pages: a VM without a full reservation does not power on",
  url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-resource-management-8-0.html",
};
/** "Deprecated as of vSphere API 6.7": no page documents that ESXi ignores it since then. */
export const HT_SHARING_API: Source = {
  key: "vsphere-ht-sharing-api",
  title: "Virtual Infrastructure JSON API, VirtualMachineHtSharing: with none, the other logical CPU of a core is halted (deprecated in 6.7)",
  url: "https://developer.broadcom.com/xapis/virtual-infrastructure-json-api/latest/data-structures/VirtualMachineHtSharing_enum",
};
export const KB_326271: Source = { key: "kb-326271", title: "Broadcom KB 326271, Allowing vCPUs of an SMP virtual machine to share a core: two busy threads give 10 to 30 % more than one", url: "https://knowledge.broadcom.com/external/article/326271/allowing-vcpus-of-an-smp-virtual-machine.html" };
export const KB_326328: Source = { key: "kb-326328", title: "Broadcom KB 326328, Consolidating vCPUs for an SMP virtual machine", url: "https://knowledge.broadcom.com/external/article/326328/consolidating-vcpus-for-an-smp-virtual-m.html" };
/** ESX on a Xeon of the 5500 series. */
export const EPT_2009: Source = { key: "vmware-ept-2009", title: "VMware, Performance Evaluation of Intel EPT Hardware Assist (2009)", url: "https://blogs.vmware.com/performance/2009/03/performance-evaluation-of-intel-ept-hardware-assist.html" };
export const SOFTWARE_MMU_DOC_65: Source = { key: "vsphere-6.5-software-mmu", title: "vSphere 6.5 Resource Management, Software-Based Memory Virtualization", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-resource-management.html" };
/** Broadcom also calls NVMe slower than DRAM, and adds as much NVMe as DRAM by default. */
export const MEMORY_TIERING: Source = { key: "vmware-memory-tiering-2025", title: "VMware, NVMe Memory Tiering Design and Sizing on VMware Cloud Foundation 9, part 1 (2025): active memory is at most half of the DRAM", url: "https://blogs.vmware.com/cloud-foundation/?p=26970" };
/** The page was not read itself: a public guide to memory tiering in 9.1 quotes it. */
export const MEMORY_TIERING_91: Source = {
  key: "vsphere-9.1-memory-tiering",
  title: "vSphere 9.1 Resource Management, Virtual Machine Types and Performance with Memory Tiering (as quoted): low-latency VMs stay in DRAM",
  url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/9-1/vsphere-resource-management/memory-tiering-over-nvme/capacity-planning-considerations/virtual-machine-types-and-performance-with-memory-tiering.html",
};
/** The same guide quotes it. */
export const MEMORY_TIERING_BLOG_91: Source = {
  key: "vmware-memory-tiering-2026-05",
  title: "VMware, Advanced Memory Tiering Enhancements in VMware Cloud Foundation 9.1 (2026, as quoted): 9.0 starts no low-latency VM on a tiered host",
  url: "https://blogs.vmware.com/cloud-foundation/2026/05/07/advanced-memory-tiering-enhancements-in-vmware-cloud-foundation-9-1/",
};
/** Quoted for VMs with nested virtualization: 9.0 starts none on a tiered host. */
export const LAM_2025_NESTED: Source = { key: "lam-2025-06", title: "W. Lam, NVMe Tiering with Nested Virtualization in VCF 9.0 (2025, as quoted)", url: "https://williamlam.com/2025/06/nvme-tiering-with-nested-virtualization-in-vcf-9-0.html" };
export const KB_448305: Source = { key: "kb-448305", title: "Broadcom KB 448305, RHEL 8 virtual machines do not utilize memory tiering (as quoted): a full reservation keeps a VM in DRAM", url: "https://knowledge.broadcom.com/external/article/448305/rhel-8-virtual-machines-do-not-utilize-m.html" };
export const PASSTHROUGH_DOC_70: Source = { key: "vsphere-7.0-passthrough", title: "vSphere 7.0 Networking, Configure a PCI Device on a Virtual Machine: adding one sets the memory reservation to the memory size", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/7-0/vsphere-networking.html" };
export const SRIOV_DOC_67: Source = { key: "vsphere-6.7-sriov", title: "vSphere 6.7 Networking, Assign a Virtual Function as SR-IOV Passthrough Adapter to a Virtual Machine (p. 154)" };
export const BOSH_372: Source = { key: "bosh-vsphere-cpi-372", title: "bosh-vsphere-cpi-release pull request 372: ESXi's refusal of a VM with a PCI device and no reservation", url: "https://github.com/cloudfoundry/bosh-vsphere-cpi-release/pull/372" };
export const CLOUD_DIRECTOR_API: Source = { key: "cloud-director-api", title: "VMware Cloud Director API, InstantiateVmHardwareCustomizationParams", url: "https://developer.broadcom.com/xapis/vcloud-availability-for-vcloud-director-api/latest/types/InstantiateVmHardwareCustomizationParamsType.html" };
export const VCD_634: Source = { key: "terraform-provider-vcd-634", title: "terraform-provider-vcd issue 634: Cloud Director's refusal of 1 CPU with 2 cores per socket", url: "https://github.com/vmware/terraform-provider-vcd/issues/634" };
export const SOLORI_2010: Source = { key: "solori-2010-11", title: "Solori, Short-Take: vSphere Multi-core Virtual Machines (ESX 4.1, with the log of the refused power-on)", url: "https://blog.solori.net/2010/11/08/short-take-vsphere-multi-core-virtual-machines/" };
export const VMX_MESSAGES: Source = { key: "vmware-vmx-messages", title: "The messages of vmware-vmx, the program that runs a VM, for cpuid.numSMT" };
export const VHT_DOC: Source = { key: "vsphere-8.0-vht", title: "vSphere 8.0 Resource Management, Virtual Hyperthreading", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-resource-management-8-0.html" };
export const TOPOLOGY_DOC_80: Source = { key: "vsphere-8.0-cpu-topology", title: "vSphere 8.0 VM Administration, Configuring the CPU Topology of a Virtual Machine", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-virtual-machine-administration-guide-8-0.html" };
export const LAM_2022: Source = { key: "lam-2022-11", title: "W. Lam, Virtual NUMA and CPU hot add support in vSphere 8 (2022), with the API's own description", url: "https://williamlam.com/2022/11/virtual-numa-vnuma-and-cpu-hot-add-support-in-vsphere-8.html" };
export const DENNEMAN_2022_SNC: Source = { key: "denneman-2022-09", title: "F. Denneman, Sub-NUMA Clustering (2022)", url: "https://frankdenneman.nl/2022/09/21/sub-numa-clustering/" };
export const KB_340275: Source = { key: "kb-340275", title: "Broadcom KB 340275, Enabling vCPU HotAdd creates fake NUMA nodes on Windows", url: "https://knowledge.broadcom.com/external/article/340275/enabling-vcpu-hotadd-creates-fake-numa-n.html" };
export const WINDOWS_MEMORY: Source = { key: "microsoft-windows-memory", title: "Microsoft, Memory Limits for Windows and Windows Server Releases", url: "https://learn.microsoft.com/en-us/windows/win32/memory/memory-limits-for-windows-releases" };
export const WINDOWS_SOCKETS: Source = { key: "windows-10-sockets", title: "CPU Socket and Core Count Limits in Windows 10 (2022; secondary: no page of Microsoft's states the limits)", url: "https://blog.poly.nomial.co.uk/2022-04-07-cpu-socket-and-core-count-limits-in-windows-10-and-how-to-remove-them.html" };
export const EXTRA_CONFIG: Source = {
  key: "vsphere-api-extra-config",
  title: "vSphere API as pyVmomi documents it, vim.vm.ConfigSpec, extraConfig: keys that conflict with other fields are silently ignored",
  url: "https://github.com/vmware/pyvmomi/blob/47cd87846578ab25784de400c15315dcfab70516/docs/vim/vm/ConfigSpec.rst",
};
export const OVF_EXTRA_CONFIG: Source = {
  key: "vsphere-automation-ovf-extra-config",
  title: "vSphere Automation SDK, com.vmware.vcenter.ovf, ExtraConfigParams: vmw:ExtraConfig cannot set what other properties set",
  url: "https://vmware.github.io/vsphere-automation-sdk-java/vsphere/cloud/vsphereautomation-client-sdk/com/vmware/vcenter/ovf/ExtraConfigParams.html",
};
export const TERRAFORM_2339: Source = { key: "terraform-provider-vsphere-2339", title: "terraform-provider-vsphere, issue 2339: sched.cpu.affinity in extra_config had no effect", url: "https://github.com/vmware/terraform-provider-vsphere/issues/2339" };
export const PACKER_33: Source = { key: "packer-plugin-vsphere-33", title: "packer-plugin-vsphere, issue 33: not all configuration_parameters are accepted, tried by a maintainer", url: "https://github.com/vmware/packer-plugin-vsphere/issues/33" };
export const PACKER_48: Source = { key: "packer-plugin-vsphere-48", title: "packer-plugin-vsphere, issue 48: vhv.enable in configuration_parameters is not written", url: "https://github.com/vmware/packer-plugin-vsphere/issues/48" };
export const GOVMOMI_1462: Source = { key: "govmomi-1462", title: "govmomi, issue 1462: govc vm.change -e cpuid.coresPerSocket, given as the way to set it", url: "https://github.com/vmware/govmomi/issues/1462" };
export const RANCHER_30814: Source = { key: "rancher-30814", title: "Rancher, issue 30814: govc vm.change -e cpuid.coresPerSocket, given as the way to set it", url: "https://github.com/rancher/rancher/issues/30814" };
export const TERRAFORM_PROVIDER: Source = { key: "terraform-provider-vsphere-2.16.1", title: "terraform-provider-vsphere v2.16.1, virtual_machine_config_structure.go", url: "https://github.com/vmware/terraform-provider-vsphere/blob/v2.16.1/vsphere/virtual_machine_config_structure.go" };
export const TERRAFORM_SRIOV: Source = { key: "terraform-provider-vsphere-sriov", title: "terraform-provider-vsphere, vsphere_virtual_machine, SR-IOV network interfaces", url: "https://github.com/vmware/terraform-provider-vsphere/blob/main/docs/resources/virtual_machine.md" };
export const TERRAFORM_HOT_ADD: Source = { key: "terraform-provider-vsphere-hot-add", title: "terraform-provider-vsphere, vsphere_virtual_machine, memory_hot_add_enabled: a note after VMware KB 2008405", url: "https://github.com/vmware/terraform-provider-vsphere/blob/main/docs/resources/virtual_machine.md" };
export const TERRAFORM_1352: Source = { key: "terraform-provider-vsphere-1352", title: "terraform-provider-vsphere issue 1352: more than 3072 MB by hot add on 64-bit Linux", url: "https://github.com/vmware/terraform-provider-vsphere/issues/1352" };
export const HOT_ADD_2019: Source = { key: "vcdx200-memory-hot-add", title: "VMware KB 2020846, as a blog of 2019 quotes it: up to 16 times the memory at power-on", url: "https://www.vcdx200.com/2019/03/vmware-vsphere-memory-hot-add.html" };
export const MEMORY_API: Source = { key: "vsphere-automation-memory", title: "vSphere Automation API, Vm_Hardware_Memory_Info: memory is added in multiples of an increment, up to a limit", url: "https://developer.broadcom.com/xapis/vsphere-automation-api/v8.0U1/vcenter/data-structures/Vm_Hardware_Memory_Info" };
export const TERRAFORM_532: Source = { key: "terraform-provider-vsphere-532", title: "terraform-provider-vsphere issue 532: num_cpus is the total number of cores (a user's question)", url: "https://github.com/vmware/terraform-provider-vsphere/issues/532" };
export const TERRAFORM_42: Source = { key: "terraform-provider-vsphere-42", title: "terraform-provider-vsphere issue 42: a Windows guest of 16 sockets uses 2 (a user's report)", url: "https://github.com/vmware/terraform-provider-vsphere/issues/42" };

/** Its figure: a GPU's memory rounded up to a power of two, then the next power of two. */
export const KB_323402: Source = { key: "kb-323402", title: "Broadcom KB 323402, virtual machines with PCI passthrough and insufficient MMIO allocation do not power on", url: "https://knowledge.broadcom.com/external/article/323402/failed-to-power-on-virtual-machines-with.html" };
export const DELL_199172: Source = { key: "dell-000199172", title: "Dell 000199172, PCI passthrough: module DevicePowerOn power on failed when using GPUs with virtual machines on vSphere", url: "https://www.dell.com/support/kbdoc/en-us/000199172/pci-passthrough-module-devicepoweron-power-on-failed" };
export const DENNEMAN_2023_MMIO: Source = {
  key: "denneman-2023-05",
  title: "F. Denneman, vSphere ML Accelerator Spectrum: ESXi host BIOS, VM, and vCenter settings (2023), with BAR1 and MMIO sizes of GPUs",
  url: "https://frankdenneman.nl/2023/05/30/vsphere-ml-accelerator-spectrum-deep-dive-esxi-host-bios-vm-and-vcenter-settings/",
};
export const DENNEMAN_2023_PASSTHROUGH: Source = {
  key: "denneman-2023-06",
  title: "F. Denneman, vSphere ML Accelerator Spectrum: Using Dynamic DirectPath IO (passthrough) with VMs (2023)",
  url: "https://frankdenneman.nl/2023/06/06/vsphere-ml-accelerator-spectrum-deep-dive-using-dynamic-directpath-io-passthrough-with-vms/",
};
export const NVIDIA_MMIO: Source = { key: "nvidia-ai-enterprise-mmio", title: "NVIDIA AI Enterprise, vGPU for Compute: GPUs requiring 64 GB or more of MMIO space with large-memory VMs", url: "https://docs.nvidia.com/ai-enterprise/release-7/latest/infra-software/vgpu.html" };
export const KB_309986: Source = { key: "kb-309986", title: "Broadcom KB 309986, Configuring VMDirectPath I/O passthrough devices: 16 on 7.x, 32 on 8.0, 64 on 8.0 U1, 128 on 8.0 U2", url: "https://knowledge.broadcom.com/external/article/309986/configuring-vmdirectpath-io-passthrough.html" };
export const KB_88161: Source = { key: "vmware-kb-88161", title: "VMware KB 88161, a virtual IOMMU with vGPU, as listed by findbugzero.com: up to 7.x such a VM does not power on", url: "https://findbugzero.com/operational-defect-database/vendors/vmware/defects/88161" };
export const KB_311903: Source = { key: "kb-311903", title: "Broadcom KB 311903, Limitations of virtual Software Guard Extensions (SGX) in vSphere: hardware version 17 or later", url: "https://knowledge.broadcom.com/external/article?articleNumber=311903" };
export const SECURE_BOOT_65: Source = { key: "vsphere-6.5-secure-boot", title: "vSphere 6.5 Security, Enable or Disable UEFI Secure Boot for a Virtual Machine: EFI firmware, hardware version 13 or later", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/6-5/vsphere-security-6-5.html" };
export const CLOUD_DIRECTOR_TPM: Source = { key: "cloud-director-tpm", title: "VMware Cloud Director 10.4, requirements of TPM devices: EFI firmware, hardware version 14 or later", url: "https://techdocs.broadcom.com/us/en/vmware-cis/cloud-director/vmware-cloud-director/10-6.html" };
export const VBS_DOC_80: Source = { key: "vsphere-8.0-vbs", title: "vSphere 8.0 Security, Virtualization-Based Security Best Practices: hardware version 14 on Intel, 19 on AMD", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-security-8-0.html" };
export const VBS_API: Source = { key: "vsphere-api-vbs", title: "vSphere API as govmomi documents it, VirtualMachineFlagInfo, vbsEnabled and vvtdEnabled: else error is returned", url: "https://github.com/vmware/govmomi/blob/main/vim25/types/types.go" };
export const HOT_PLUG_DOC_80: Source = {
  key: "vsphere-8.0-passthrough-hot-plug",
  title: "vSphere 8.0 Networking, hot-add and hot-remove support for VMDirectPath I/O devices: features that are not supported with it",
  url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/8-0/vsphere-networking-8-0.html",
};
export const HOT_PLUG_API: Source = { key: "vsphere-api-passthrough-hot-plug", title: "vSphere API as govmomi documents it, VirtualMachineConfigSpec, fixedPassthruHotPlugEnabled: all memory should be reserved", url: "https://github.com/vmware/govmomi/blob/main/vim25/types/types.go" };
export const VGPU_DOC_67: Source = { key: "vsphere-6.7-vgpu", title: "vSphere 6.7 VM Administration, Add an NVIDIA GRID vGPU to a Virtual Machine", url: "https://techdocs.broadcom.com/us/en/vmware-cis/vsphere/vsphere/6-7/vsphere-virtual-machine-administration-guide-6-7.html" };
export const TERRAFORM_VTPM: Source = { key: "terraform-provider-vsphere-vtpm", title: "terraform-provider-vsphere, resource_vsphere_virtual_machine.go: vtpm requires firmware to be set to efi", url: "https://github.com/vmware/terraform-provider-vsphere/blob/main/vsphere/resource_vsphere_virtual_machine.go" };
export const CPU_MANAGER_DOC: Source = { key: "kubernetes-cpu-manager", title: "Kubernetes, Control CPU Management Policies on the Node", url: "https://kubernetes.io/docs/tasks/administer-cluster/cpu-management-policies/" };
export const TOPOLOGY_MANAGER_DOC: Source = { key: "kubernetes-topology-manager", title: "Kubernetes, Control Topology Management Policies on a Node: at most 8 NUMA nodes", url: "https://kubernetes.io/docs/tasks/administer-cluster/topology-manager/" };
export const NUMA_NODES_KEP: Source = { key: "kubernetes-kep-4622", title: "Kubernetes enhancement 4622: the topology manager's option max-allowable-numa-nodes", url: "https://github.com/kubernetes/enhancements/issues/4622" };
export const CAPV_1749: Source = { key: "cluster-api-provider-vsphere-1749", title: "cluster-api-provider-vsphere issue 1749: PCI devices need hardware version 17", url: "https://github.com/kubernetes-sigs/cluster-api-provider-vsphere/issues/1749" };
export const VM_OPERATOR_158: Source = { key: "vm-operator-158", title: "vm-operator issue 158: NVIDIA's PCI devices need hardware version 17", url: "https://github.com/vmware-tanzu/vm-operator/issues/158" };
export const INFORMIT_2003: Source = { key: "informit-server-2003", title: "InformIT, Windows Server 2003 editions: Standard has the four processors of Windows NT Server 4.0's basic edition", url: "https://www.informit.com/articles/article.aspx?p=352989&seqNum=3" };
export const TURBONOMIC_2016: Source = { key: "turbonomic-2016-08", title: "Turbonomic, CPU sizing: cores vs. sockets (2016; a VM of 4 cores per socket was to get 5 vCPUs, and got 8)", url: "https://greencircle.vmturbo.com/docs/DOC-3544-turbo-tip-cpu-sizing-cores-vs-sockets" };
export const INSTALLER_5179: Source = { key: "openshift-installer-5179", title: "openshift/installer, issue 5179: cpus: 1 with coresPerSocket: 8 breaks the installation", url: "https://github.com/openshift/installer/issues/5179" };
export const INSTALLER_6822: Source = { key: "openshift-installer-6822", title: "openshift/installer, pull request 6822 (4.13, 4.12): vCPUs must be a multiple of the cores per socket, by default 4 and 4", url: "https://github.com/openshift/installer/pull/6822" };
export const HIVE_POOL: Source = { key: "hive-machinepool-webhook", title: "openshift/hive, webhook that validates machine pools (August 2026)", url: "https://github.com/openshift/hive/blob/master/pkg/validating-webhooks/hive/v1/machinepool_validating_admission_hook.go" };
export const CAPV_TYPES: Source = { key: "capv-1.17-types", title: "cluster-api-provider-vsphere 1.17, types.go and clone.go", url: "https://github.com/kubernetes-sigs/cluster-api-provider-vsphere/blob/v1.17.0-rc.2/api/govmomi/v1beta2/types.go" };
export const OPENSHIFT_WEBHOOK: Source = { key: "machine-api-operator-webhook", title: "openshift/machine-api-operator, webhook of machines and reconciler for vSphere (August 2026)", url: "https://github.com/openshift/machine-api-operator/blob/951196122fe4f1115782da6c14660116905029c4/pkg/webhooks/machine_webhook.go" };
export const MACHINE_CONTROLLER: Source = { key: "machine-controller-1.66.2", title: "kubermatic/machine-controller v1.66.2, its provider for vSphere", url: "https://github.com/kubermatic/machine-controller/blob/v1.66.2/pkg/cloudprovider/provider/vsphere/helper.go" };
export const VMWARE_REST: Source = { key: "vmware-rest-vcenter-vm", title: "vmware.vmware_rest 4, plugins/modules/vcenter_vm.py", url: "https://github.com/ansible-collections/vmware.vmware_rest/blob/main/plugins/modules/vcenter_vm.py" };
export const EKS_ANYWHERE: Source = { key: "eks-anywhere-vsphere", title: "EKS Anywhere, defaults of VSphereMachineConfig (August 2026)", url: "https://github.com/aws/eks-anywhere/blob/main/pkg/providers/vsphere/defaults.go" };
export const VM_OPERATOR_WEBHOOK: Source = { key: "vm-operator-compute-webhook", title: "vm-operator, webhooks that validate VMs and classes (August 2026)", url: "https://github.com/vmware-tanzu/vm-operator/blob/main/webhooks/virtualmachine/validation/virtualmachine_validator_compute.go" };
export const RANCHER_DRIVER: Source = { key: "rancher-machine-vsphere", title: "rancher/machine v0.15.0-rancher144, its driver for vSphere", url: "https://github.com/rancher/machine/blob/v0.15.0-rancher144/drivers/vmwarevsphere/vsphere.go" };
export const VCD_PROVIDER: Source = { key: "terraform-provider-vcd-3.14.1", title: "terraform-provider-vcd v3.14.1, arguments of a VM", url: "https://github.com/vmware/terraform-provider-vcd/blob/v3.14.1/vcd/resource_vcd_vapp_vm.go" };
export const ESXI_PROVIDER: Source = { key: "terraform-provider-esxi-1.10.3", title: "terraform-provider-esxi v1.10.3, guest-create.go", url: "https://github.com/josenk/terraform-provider-esxi/blob/v1.10.3/esxi/guest-create.go" };
export const PACKER_VSPHERE: Source = { key: "packer-plugin-vsphere-2.0.0", title: "packer-plugin-vsphere v2.0.0, builder/vsphere/common/step_hardware.go", url: "https://github.com/vmware/packer-plugin-vsphere/blob/v2.0.0/builder/vsphere/common/step_hardware.go" };
export const PACKER_VMWARE: Source = { key: "packer-plugin-vmware-2.1.0", title: "packer-plugin-vmware v2.1.0, builder/vmware/iso/config.go and common/driver.go", url: "https://github.com/vmware/packer-plugin-vmware/blob/v2.1.0/builder/vmware/iso/config.go" };
export const PACKER_VMWARE_34: Source = { key: "packer-plugin-vmware-34", title: 'packer-plugin-vmware, issue 34: 1 vCPU and 2 cores per socket are "Invalid: 0.5" in Workstation', url: "https://github.com/vmware/packer-plugin-vmware/issues/34" };
export const VMWARE_GUEST: Source = { key: "community.vmware-6.2.1", title: "community.vmware 6.2.1, plugins/modules/vmware_guest.py", url: "https://github.com/ansible-collections/community.vmware/blob/6.2.1/plugins/modules/vmware_guest.py" };
export const VMWARE_GUEST_1596: Source = { key: "community.vmware-1596", title: "community.vmware, issue 1596: num_cpu_cores_per_socket without num_cpus is not applied", url: "https://github.com/ansible-collections/community.vmware/issues/1596" };
export const VMWARE_VM: Source = { key: "vmware.vmware-2.9.0", title: "vmware.vmware 2.9.0, plugins/module_utils/vm/parameter_handlers", url: "https://github.com/ansible-collections/vmware.vmware/tree/2.9.0/plugins/module_utils/vm/parameter_handlers" };
export const TERRAFORM_2770: Source = { key: "terraform-provider-vsphere-2770", title: "terraform-provider-vsphere, issue 2770: num_cores_per_socket = 0 plans no change for a VM that exists", url: "https://github.com/vmware/terraform-provider-vsphere/issues/2770" };
export const FUSION_12: Source = { key: "fusion-12.2.5-hardware", title: "VMware Fusion 12.2.5, its help on the virtual hardware: up to 32 virtual processors and 128 GB", url: "https://softwareupdate.vmware.com/cds/vmw-desktop/fusion/12.2.5/20904517/arm64/core/com.vmware.fusion.zip.tar" };
export const KUBEVIRT_VCPU: Source = { key: "kubevirt-vcpu", title: "KubeVirt, converter/vcpu/vcpu.go: CPU topology, dedicated CPUs and NUMA nodes of a guest", url: "https://github.com/kubevirt/kubevirt/blob/d923fdb815cd/pkg/virt-launcher/virtwrap/converter/vcpu/vcpu.go" };
export const KUBEVIRT_DEFAULTS: Source = { key: "kubevirt-defaults", title: "KubeVirt, pkg/defaults/defaults.go: default topology, and the most sockets after hot plug", url: "https://github.com/kubevirt/kubevirt/blob/d923fdb815cd/pkg/defaults/defaults.go" };
export const KUBEVIRT_ADMISSION: Source = { key: "kubevirt-admission", title: "KubeVirt, admission of VMs: validating-webhook/admitters, and pkg/instancetype", url: "https://github.com/kubevirt/kubevirt/blob/d923fdb815cd/pkg/virt-api/webhooks/validating-webhook/admitters/vmi-create-admitter.go" };
export const KUBEVIRT_INSTANCETYPE: Source = { key: "kubevirt-instancetype-cpu", title: "KubeVirt, pkg/instancetype/apply/cpu.go: topology of the vCPUs of an instancetype", url: "https://github.com/kubevirt/kubevirt/blob/d923fdb815cd/pkg/instancetype/apply/cpu.go" };
export const KUBEVIRT_NUMA: Source = { key: "kubevirt-numa", title: "KubeVirt user guide, NUMA: a guest may get uneven nodes, and other ones after it moves", url: "https://github.com/kubevirt/user-guide/blob/bf1f3564e2a4/docs/compute/numa.md" };
export const KUBEVIRT_OVERCOMMIT: Source = { key: "kubevirt-overcommit", title: "KubeVirt user guide, node overcommit: a pod requests the guest memory and an overhead", url: "https://github.com/kubevirt/user-guide/blob/bf1f3564e2a4/docs/compute/node_overcommit.md" };
export const KUBEVIRT_DEDICATED: Source = { key: "kubevirt-dedicated-cpus", title: "KubeVirt user guide, dedicated CPU resources: sockets clearly faster than cores in microbenchmarks", url: "https://github.com/kubevirt/user-guide/blob/bf1f3564e2a4/docs/compute/dedicated_cpu_resources.md" };
export const KUBEVIRT_17248: Source = { key: "kubevirt-17248", title: "KubeVirt, issue 17248: 208 possible vCPUs of a VM with 52 on a host with 56 CPUs", url: "https://github.com/kubevirt/kubevirt/issues/17248" };
export const KUBEVIRT_PIN_TEST: Source = { key: "kubevirt-vcpu-test", title: "KubeVirt, converter/vcpu/vcpu_test.go: 12 vCPUs shown as 12 cores run on both threads of 6 host cores", url: "https://github.com/kubevirt/kubevirt/blob/d923fdb815cd/pkg/virt-launcher/virtwrap/converter/vcpu/vcpu_test.go" };
export const HARVESTER_11410: Source = { key: "harvester-11410", title: "Harvester, issue 11410: an imported VM of 8 vCPUs in 1 socket gets 64 vCPUs and a limit of 8 CPUs", url: "https://github.com/harvester/harvester/issues/11410" };
export const FORKLIFT_VSPHERE: Source = { key: "forklift-vsphere", title: "Forklift, after 2.9.2, vsphere/builder.go: sockets, cores and memory of an imported VM (lines 1029-1039)", url: "https://github.com/kubev2v/forklift/blob/d42511bb28a6/pkg/controller/plan/adapter/vsphere/builder.go#L1029-L1039" };
export const FORKLIFT_POLICIES: Source = { key: "forklift-policies", title: "Forklift, after 2.9.2, validation/policies: warnings about affinity of CPUs and NUMA nodes, and about hot plug", url: "https://github.com/kubev2v/forklift/tree/d42511bb28a6/validation/policies/io/konveyor/forklift/vmware" };
export const FORKLIFT_OVA: Source = { key: "forklift-ova", title: "Forklift, after 2.9.2, ovfbase/builder.go: sockets and cores of an imported OVA (lines 302-309)", url: "https://github.com/kubev2v/forklift/blob/d42511bb28a6/pkg/controller/plan/adapter/ovfbase/builder.go#L302-L309" };
export const HARVESTER_VMWARE: Source = { key: "harvester-vmware", title: "Harvester, vm-import-controller after 1.8.1, helper.go: cores are the vCPUs, sockets the cores of a socket (lines 57-71)", url: "https://github.com/harvester/vm-import-controller/blob/ed3398ba8676/pkg/source/helper.go#L57-L71" };
export const HARVESTER_OVA: Source = { key: "harvester-ova", title: "Harvester, vm-import-controller after 1.8.1, ova/client.go: one socket for an OVA (lines 199-204)", url: "https://github.com/harvester/vm-import-controller/blob/ed3398ba8676/pkg/source/ova/client.go#L199-L204" };
export const V2V_VMX: Source = { key: "virt-v2v-vmx", title: "virt-v2v 2.13.3, input/parse_domain_from_vmx.ml: sockets and cores of a .vmx (lines 391-407)", url: "https://github.com/libguestfs/virt-v2v/blob/71376bdb2965/input/parse_domain_from_vmx.ml#L391-L407" };
export const V2V_KUBEVIRT: Source = { key: "virt-v2v-kubevirt", title: "virt-v2v 2.13.3, output/create_kubevirt_yaml.ml: cores, or sockets, cores and the unknown field thread (lines 111-125)", url: "https://github.com/libguestfs/virt-v2v/blob/71376bdb2965/output/create_kubevirt_yaml.ml#L111-L125" };
export const V2V_OVA: Source = { key: "virt-v2v-ova", title: "virt-v2v 2.13.3, input/OVF.ml: sockets and cores of an OVA (lines 72-93)", url: "https://github.com/libguestfs/virt-v2v/blob/71376bdb2965/input/OVF.ml#L72-L93" };
export const V2V_OPENSTACK: Source = { key: "virt-v2v-openstack", title: "virt-v2v 2.13.3, output/openstack_image_properties.ml: sockets and cores of an image (lines 62-71)", url: "https://github.com/libguestfs/virt-v2v/blob/71376bdb2965/output/openstack_image_properties.ml#L62-L71" };
export const V2V_LIBVIRT: Source = { key: "virt-v2v-libvirt", title: "virt-v2v 2.13.3, output/create_libvirt_xml.ml: the topology of a domain, if the source has one (lines 98-107)", url: "https://github.com/libguestfs/virt-v2v/blob/71376bdb2965/output/create_libvirt_xml.ml#L98-L107" };
export const PROXMOX_IMPORT: Source = { key: "proxmox-esxi-import", title: "Proxmox VE, pve-storage 9.1.7, ESXiPlugin.pm: sockets and cores of an imported .vmx (lines 889-896 and 1044-1046)", url: "https://github.com/proxmox/pve-storage/blob/0c56bad8b2a7/src/PVE/Storage/ESXiPlugin.pm#L889-L896" };
export const PROXMOX_SCSI: Source = { key: "proxmox-esxi-scsi", title: "Proxmox VE, pve-storage 9.1.7, ESXiPlugin.pm: OVMF has no LSI drivers, so a VM with EFI gets another SCSI controller (lines 1153-1164)", url: "https://github.com/proxmox/pve-storage/blob/0c56bad8b2a7/src/PVE/Storage/ESXiPlugin.pm#L1153-L1164" };
export const PROXMOX_OVF: Source = { key: "proxmox-ovf-import", title: "Proxmox VE, pve-storage 9.1.7, GuestImport/OVF.pm: the count of an OVF becomes cores (line 243)", url: "https://github.com/proxmox/pve-storage/blob/0c56bad8b2a7/src/PVE/GuestImport/OVF.pm#L243" };
export const COMMON_INSTANCETYPES: Source = { key: "common-instancetypes", title: "kubevirt/common-instancetypes (Apache-2.0), instancetypes and preferences", url: "https://github.com/kubevirt/common-instancetypes/tree/7c1e305b6d5ac7d80c45d993028dc22d257877c9" };
export const QEMU_L3: Source = { key: "qemu-14c985cffa", title: "QEMU, commit 14c985cffa: a shared L3 cache, with wake-up interrupts of SAP HANA in a guest of 8 vCPUs", url: "https://github.com/qemu/qemu/commit/14c985cffa6cb177fc01a163d8bcf227c104718c" };
export const CPU_MANAGER: Source = { key: "kubernetes-cpu-manager", title: "Kubernetes, node resource managers: CPU manager policies and their options", url: "https://kubernetes.io/docs/concepts/policy/node-resource-managers/" };
export const LIBVIRT_NUMA: Source = { key: "libvirt-numa", title: "libvirt 11.3.0, src/conf/numa_conf.c: cells, memnode and refused domains", url: "https://gitlab.com/libvirt/libvirt/-/blob/v11.3.0/src/conf/numa_conf.c" };
export const LIBVIRT_DOMAIN: Source = { key: "libvirt-domain", title: "libvirt 11.3.0, src/conf/domain_conf.c: vCPUs, pins and cells of a domain", url: "https://gitlab.com/libvirt/libvirt/-/blob/v11.3.0/src/conf/domain_conf.c" };
export const LIBVIRT_COMMAND: Source = { key: "libvirt-qemu-command", title: "libvirt 11.3.0, src/qemu/qemu_command.c: a domain without topology has sockets of one core", url: "https://gitlab.com/libvirt/libvirt/-/blob/v11.3.0/src/qemu/qemu_command.c" };
export const LIBVIRT_RECTIFY: Source = { key: "libvirt-qemu-domain", title: "libvirt 11.3.0, src/qemu/qemu_domain.c, qemuDomainDefNumaCPUsRectify: vCPUs of no cell join cell 0", url: "https://gitlab.com/libvirt/libvirt/-/blob/v11.3.0/src/qemu/qemu_domain.c" };
export const LIBVIRT_VALIDATE: Source = { key: "libvirt-qemu-validate", title: "libvirt 11.3.0, src/qemu/qemu_validate.c: the topology must have as many CPUs as the domain", url: "https://gitlab.com/libvirt/libvirt/-/blob/v11.3.0/src/qemu/qemu_validate.c" };
export const LIBVIRT_FORMAT: Source = { key: "libvirt-formatdomain", title: "libvirt, Domain XML format: CPU allocation, CPU tuning, NUMA node tuning", url: "https://libvirt.org/formatdomain.html" };
export const LINUX_SMPBOOT: Source = { key: "linux-smpboot", title: "Linux, arch/x86/kernel/smpboot.c, topology_sane: threads of a core in two nodes are no siblings", url: "https://github.com/torvalds/linux/blob/v6.12/arch/x86/kernel/smpboot.c" };
export const HWLOC_712: Source = { key: "hwloc-712", title: "hwloc, issue 712: cells that copy the host's numbering do not follow the sockets of the guest", url: "https://github.com/open-mpi/hwloc/issues/712" };
export const VIRT_MANAGER_155: Source = { key: "virt-manager-155", title: "virt-manager, issue 155: libvirt's default of one-core sockets, and a maintainer who prefers cores", url: "https://github.com/virt-manager/virt-manager/issues/155" };
export const PROXMOX_CPUS: Source = { key: "proxmox-cpus", title: "Proxmox VE 9.2, qemu-server, src/PVE/QemuServer.pm: sockets, cores, vCPUs, affinity", url: "https://github.com/proxmox/qemu-server/blob/e6352be67f70/src/PVE/QemuServer.pm" };
export const PROXMOX_MEMORY: Source = { key: "proxmox-memory", title: "Proxmox VE 9.2, qemu-server, src/PVE/QemuServer/Memory.pm: NUMA nodes, huge pages, hot plug of memory", url: "https://github.com/proxmox/qemu-server/blob/e6352be67f70/src/PVE/QemuServer/Memory.pm" };
export const QEMU_NUMA: Source = { key: "qemu-10-run", title: "QEMU 10.0.13, run with the options of a definition: the memory of nodes must be that of the machine", url: "https://github.com/qemu/qemu/blob/v10.0.0/hw/core/numa.c" };
export const NOVA_HARDWARE: Source = { key: "nova-hardware", title: "OpenStack Nova 34.0.0, nova/virt/hardware.py: CPU topology, NUMA cells and refused flavors", url: "https://github.com/openstack/nova/blob/00a030403f67/nova/virt/hardware.py" };
export const NOVA_FLAVORS: Source = { key: "nova-extra-specs", title: "OpenStack Nova, Extra specs: hw:cpu_*, hw:numa_*, hw:mem_page_size", url: "https://docs.openstack.org/nova/latest/configuration/extra-specs.html" };
