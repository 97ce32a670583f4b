/**
 * Words, one of which is in every text below: a search for each costs less than the expression, and least for those that begin with a
 * letter that texts rarely have.
 */
const WORDS = ["Sphere", "vsphere", "vmware", "vmlint.dev/"];

/**
 * What a YAML or JSON text has in it that may describe a VM, as the kinds of documents in `kinds.ts` recognise them: an API group or
 * a kind, a module of Ansible, a resource of Pulumi, a platform of OpenShift's installer.
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
    "hive\\.openshift\\.io/",
    "vmware_guest\\b",
    "vmware\\.vmware\\.vm\\b",
    "vsphere:(?:index[:/])?[vV]irtualMachine",
  ].join("|"),
);

/** Whether a text may describe a VM, at the cost of a search: nearly every YAML and JSON file does not. */
export const mayHoldYaml = (text: string): boolean => WORDS.some((word) => text.includes(word)) && SIGNS.test(text);
