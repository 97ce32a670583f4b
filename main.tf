# theirs
variable "cpus" {}
resource "vsphere_virtual_machine" "vm" {
  num_cpus             = 2
  num_cores_per_socket = 2
  hardware_version     = 10
}
