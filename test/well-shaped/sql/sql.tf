# vmlint: data=scsi1:0 log=scsi2:0
resource "vsphere_virtual_machine" "orders" {
  name                             = "orders-sql"
  resource_pool_id                 = data.vsphere_resource_pool.sql.id
  guest_id                         = "windows2019srvNext_64Guest"
  hardware_version                 = 20
  num_cpus                         = 16
  num_cores_per_socket             = 16
  memory                           = 262144
  memory_reservation               = 262144
  memory_reservation_locked_to_max = true
  scsi_type                        = "pvscsi"
  scsi_controller_count            = 3
  network_interface {
    network_id   = data.vsphere_network.sql.id
    adapter_type = "vmxnet3"
  }
  dynamic "disk" {
    for_each = { system = 0, data = 15, log = 30 }
    content {
      label            = disk.key
      size             = 200
      unit_number      = disk.value
      eagerly_scrub    = true
      thin_provisioned = false
    }
  }
}
