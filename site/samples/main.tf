# One VM for SQL Server, one for an in-memory grid.

variable "cpus" {
  type    = number
  default = 8
}

# vmlint: workload=mssql edition=standard version=2022
resource "vsphere_virtual_machine" "sql" {
  name                 = "sql01"
  resource_pool_id     = "resgroup-1"
  guest_id             = "windows2019srv_64Guest"
  hardware_version     = 19
  num_cpus             = var.cpus
  num_cores_per_socket = 1
  memory               = 65536
}

# vmlint: workload=imdg
resource "vsphere_virtual_machine" "grid" {
  count            = 2
  name             = "grid-${count.index + 1}"
  resource_pool_id = "resgroup-1"
  guest_id         = "other5xLinux64Guest"
  hardware_version = 19
  num_cpus         = 27
  memory           = 262144
}
