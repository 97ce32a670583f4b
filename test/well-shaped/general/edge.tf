# One server in a shop: every VM on its one socket.
resource "vsphere_virtual_machine" "shop" {
  for_each             = { till = 2, stock = 4 }
  name                 = "edge-${each.key}"
  resource_pool_id     = data.vsphere_resource_pool.shop.id
  guest_id             = "ubuntu64Guest"
  num_cpus             = each.value
  num_cores_per_socket = each.value
  memory               = each.value * 4096
  scsi_type            = "pvscsi"
  network_interface {
    network_id   = data.vsphere_network.shop.id
    adapter_type = "vmxnet3"
  }
  disk {
    label = "disk0"
    size  = 60
  }
}
