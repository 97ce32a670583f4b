resource "vsphere_virtual_machine" "packets" {
  name               = "packets"
  num_cpus           = 8
  memory             = 65536
  memory_reservation = 65536
  guest_id           = "rhel9_64Guest"
  hardware_version   = 20
  network_interface {
    network_id        = data.vsphere_network.data.id
    adapter_type      = "sriov"
    physical_function = "0000:3b:00.1"
  }
}
