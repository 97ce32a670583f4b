/** The file that `vmlint init --spec` writes: every setting with its meaning and its default. */
export const STARTER = `# A virtual machine that does not exist yet. Check it like a .vmx file: vmlint topology vm.yaml --host 2x24x2:768@8.0
apiVersion: vmlint.dev/v1
kind: VirtualMachine
metadata:
  name: new-vm
# host: lab                        # a host of vmlint.yaml, a built-in one or a short form such as 2x24x2:768@8.0
# workload: { kind: mssql, edition: standard, version: "2022", licensing: core }
#   more keys: update, maxdop, costThreshold, concurrency, profile, environment, data, log, faultTolerance
spec:
  vcpus: 8
  memoryMiB: 32768
  hardwareVersion: 20
  # coresPerSocket: auto           # default: 1 before hardware version 20, chosen by ESXi at power-on from then on
  # coresPerNumaNode: 8            # vCPUs of a virtual NUMA node, by hand; default: ESXi sizes the nodes
  # threadsPerCore: 1              # 2 = virtual hyper-threading
  # guestOs: windows2022srvNext-64 # as .vmx files name it
  # cpuHotAdd: false               # true hides the NUMA nodes from the guest
  # memoryHotAdd: false
  # latencySensitivity: normal     # low, normal, medium, high
  # cpuAffinity: [0, 2, 4, 6]      # physical CPUs, or "0-7"; ends NUMA scheduling
  # numaNodeAffinity: [0]
  # cpuReservationMHz: 0
  # cpuLimitMHz: unlimited
  # memoryReservationMiB: 0
  # memoryReservationLocked: false # true = all memory, always
  # memoryLimitMiB: unlimited
  # scsiControllers: [{ bus: 0, type: pvscsi }]  # pvscsi, lsilogic, lsisas1068, buslogic
  # otherControllers: [{ kind: nvme, bus: 0 }]   # nvme, sata, ide
  # disks: [{ bus: "scsi0:0", provisioning: eager }]  # thin, lazy, eager; ioFilters: [name]
  # nics: [{ index: 0, type: vmxnet3 }]
  # passthrough: [{ id: pciPassthru0 }]          # passthrough devices
  # advanced:                      # any other option of ESXi
  #   numa.vcpu.preferHT: "TRUE"
`;
