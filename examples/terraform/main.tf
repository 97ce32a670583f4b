# A root module as people write it: sizes in a variable, one module for all VMs.
terraform {
  required_providers {
    vsphere = {
      source  = "vmware/vsphere"
      version = "~> 2.16"
    }
  }
}

variable "sizes" {
  type = map(object({ cpus = number, memory_gib = number }))
}

# SQL Server Standard, of which nobody said how many sockets it has.
# vmlint: workload=mssql edition=standard version=2022 licensing=core
module "sql" {
  source   = "./modules/vm"
  for_each = toset(["sql-a", "sql-b"])
  name     = each.key
  cpus     = 8
  memory   = 64 * 1024
}

# vmlint: workload=general
module "web" {
  source = "./modules/vm"
  count  = 3
  name   = format("web-%02d", count.index + 1)
  cpus   = var.sizes["web"].cpus
  memory = var.sizes["web"].memory_gib * 1024
}

# vmlint: workload=hana
module "reports" {
  source           = "./modules/vm"
  name             = "reports"
  cpus             = var.sizes["reports"].cpus
  cores_per_socket = 0 # assigned at power-on
  memory           = var.sizes["reports"].memory_gib * 1024
}
