terraform {
  required_providers {
    vsphere = {
      source = "vmware/vsphere"
    }
  }
}
