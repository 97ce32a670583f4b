sizes = {
  web     = { cpus = 4, memory_gib = 8 }
  reports = { cpus = 27, memory_gib = 512 }
}
