source "vsphere-iso" "ubuntu" {
  vm_name              = "image"
  guest_os_type        = "ubuntu64Guest"
  vm_version           = 19
  CPUs                 = 4
  cpu_cores            = 4
  RAM                  = 8192
  disk_controller_type = ["pvscsi"]
  storage { disk_size = 40960 }
  network_adapters {
    network      = "build"
    network_card = "vmxnet3"
  }
}

build {
  sources = ["source.vsphere-iso.ubuntu"]
}
