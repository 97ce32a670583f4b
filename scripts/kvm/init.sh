#!/bin/busybox sh
# What a booted guest runs: prints the topology that its kernel shows, one fact a line, and powers off.
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
cd /sys/devices/system/cpu
for cpu in cpu[0-9]*; do
  [ -r "$cpu/topology/core_id" ] || continue
  l3=none
  for cache in "$cpu"/cache/index*; do
    [ "$(cat "$cache/level" 2>/dev/null)" = 3 ] && l3=$(cat "$cache/shared_cpu_list")
  done
  # The threads of a core that Linux found on two nodes are no siblings; the number of the core is still the same.
  echo "@vcpu ${cpu#cpu} socket $(cat "$cpu/topology/physical_package_id") core $(cat "$cpu/topology/core_id") siblings $(cat "$cpu/topology/thread_siblings_list") l3 $l3"
done
for node in /sys/devices/system/node/node[0-9]*; do
  echo "@node ${node##*node} kib $(sed -n 's/.*MemTotal: *\([0-9]*\).*/\1/p' "$node/meminfo") vcpus $(cat "$node/cpulist")"
done
echo @end
poweroff -f
