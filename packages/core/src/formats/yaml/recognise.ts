/**
 * Each text below contains one of these words. Searching for each word is faster than the expression, and fastest for words with a rare
 * first letter.
 */
const WORDS = [
  "Sphere",
  "vsphere",
  "vmware",
  "vmlint.dev/",
  "kubevirt.io/",
  "OS-FLV-",
  "VCPUs",
  "OS::Nova::Flavor",
  "compute_flavor",
  "os_nova_flavor",
  '"extra_specs"',
  "virt:",
  "scsihw",
  "smbios1",
  "vmgenid",
];

/**
 * The signs of a possible VM in YAML or JSON, for the kinds in `kinds.ts`: an API group or a kind, an Ansible module, a Pulumi resource, a
 * platform of OpenShift's installer.
 */
const SIGNS = new RegExp(
  [
    "vmlint\\.dev/",
    "apiVersion[\"']?\\s*:\\s*[\"']?(?:infrastructure\\.cluster\\.x-k8s\\.io|vmoperator\\.vmware\\.com)/",
    "VSphereMachineConfig",
    "VSphereMachineProviderSpec",
    "VmwarevsphereConfig",
    "cloudProvider[\"']?\\s*:\\s*[\"']?vsphere",
    "controlPlane[\"']?\\s*:",
    "kind[\"']?\\s*:\\s*[\"']?VirtualMachine(?:Instance|InstanceReplicaSet|Pool)?[\"']?\\s*(?:[,}#\\n\\r]|$)",
    "hive\\.openshift\\.io/",
    "vmware_guest\\b",
    "vmware\\.vmware\\.vm\\b",
    'OS-FLV-|\\bVCPUs["\']?\\s*:|OS::Nova::Flavor|compute_flavor\\b|os_nova_flavor\\b|"extra_specs"\\s*:',
    "(?:^|[\\n\\r])[ \\t-]*(?:community\\.libvirt\\.)?virt[ \\t]*:",
    "\\b(?:vmgenid|scsihw|smbios1)[\"']?\\s*:",
    "vsphere:(?:index[:/])?[vV]irtualMachine",
  ].join("|"),
);

/** Whether a text may contain a VM. One search rules out nearly all YAML and JSON files. */
export const mayHoldYaml = (text: string): boolean => WORDS.some((word) => text.includes(word)) && SIGNS.test(text);
