variable "name" {
  type = string
}

variable "cpus" {
  type = number
}

variable "memory" {
  type = number
}

variable "cores_per_socket" {
  type    = number
  default = null
}

data "vsphere_virtual_machine" "template" {
  name = "windows-2022"
}

resource "vsphere_virtual_machine" "this" {
  name                 = var.name
  num_cpus             = var.cpus
  num_cores_per_socket = var.cores_per_socket
  memory               = var.memory
  hardware_version     = 20
  guest_id             = data.vsphere_virtual_machine.template.guest_id
  scsi_type            = data.vsphere_virtual_machine.template.scsi_type

  clone {
    template_uuid = data.vsphere_virtual_machine.template.id
  }
}
