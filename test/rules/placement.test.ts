import { lint, requireHost, rules, type Workload } from "@vmlint/core";
import { parseConfig } from "@vmlint/core/config";
import { targetOf } from "@vmlint/core/program";
import { describe, expect, test } from "vitest";
import { said, written } from "../support/findings-of-rule.ts";

type Row = readonly [lines: string, host: string | undefined, expected: readonly string[]];

/** Where a number decides: one below it, at it and one above. */
const TABLES: Readonly<Record<string, readonly Row[]>> = {
  "affinity/any": [
    ["vcpus 4; affinity 0,2,4,6,8,10,12,14,16,18,20-29", "2x10x2@7.0", ["some hint"]],
    ["vcpus 4; affinity 0-10,40", "2x10x2@7.0", []],
    ["vcpus 4; affinity 0-19", "2x10x2@7.0", ["nodes info"]],
    ["vcpus 4; affinity 0-18", "2x10x2@7.0", ["some hint"]],
    ["vcpus 4; affinity 0-20", "2x10x2@7.0", ["some hint"]],
    ["vcpus 4; affinity 0-39", "2x10x2@7.0", []],
    ["vcpus 9; affinity 0-19", "2x10x2@7.0", ["nodes info"]],
    ["vcpus 10; affinity 0-19", "2x10x2@7.0", []],
    ["vcpus 4; affinity 0-40", "2x10x2@7.0", []],
    ["vcpus 4; affinity 0-19", undefined, []],
  ],
  "affinity/out-of-range": [
    ["vcpus 2; affinity 78,79", "dl580g7", []],
    ["vcpus 2; affinity 79,80", "dl580g7", ["range error"]],
    ["vcpus 2; affinity 79,80", undefined, []],
  ],
  "affinity/too-few": [
    ["vcpus 4; affinity 0,2,4", "dl580g7", ["few warning"]],
    ["vcpus 4; affinity 0,2,4,6", "dl580g7", []],
    ["vcpus 4; affinity 0,2,90", "dl580g7", []],
  ],
  "affinity/uneven-nodes": [
    ["vcpus 12; affinity 0,2,4,6,8,10,20,22,24,26,28,30", "dl580g7", []],
    ["vcpus 12; affinity 0,2,4,6,8,10,12,20,22,24,26,28", "dl580g7", ["uneven warning"]],
    ["vcpus 10; affinity 0,2,4,6,8,10,12,20,22,24", "dl580g7", []],
  ],
  "affinity/with-reservation": [
    ["affinity 0,2; cpuMin 0", undefined, []],
    ["affinity 0,2; cpuMin 1", undefined, ["reserved info"]],
    ["affinity 0,2; cpuMin 1; latency high", undefined, []],
  ],
  "cpu/cps-exceeds-pnode": [
    ["hw 17; vcpus 20; cps 4", "2x10x2@7.0", []],
    ["hw 17; vcpus 20; cps 20", "2x10x2@7.0", ["larger warning"]],
    ["hw 17; vcpus 11; cps 11; affinity 0-19", "2x10x2@7.0", []],
    ["hw 10; vcpus 20; cps 20", "2x10x2@6.0", []],
    ["hw 17; vcpus 20; cps 10", "2x10x2@7.0", []],
    ["hw 17; vcpus 11; cps 11", "2x10x2@7.0", ["larger warning"]],
    ["hw 17; vcpus 22; cps 11", "2x10x2@7.0", []],
    // Sockets of 7 go into nodes of 14: the limit of 4 does not let them.
    ["hw 17; vcpus 28; cps 7; numa.vcpu.maxPerMachineNode 4", "4x14x2@7.0", []],
  ],
  "host/node-not-socket": [
    ["hw 20; vcpus 14; node 0", "2x24x2/2@8.0", ["split info"]],
    ["hw 20; vcpus 14; perVirtual 7", "2x24x2/2@8.0", []],
    ["hw 20; vcpus 12", "2x24x2/2@8.0", []],
    ["hw 20; vcpus 13", "2x24x2/2@8.0", []],
    ["hw 20; vcpus 14", "2x24x2/2@8.0", ["split info"]],
    ["hw 20; vcpus 24", "2x24x2/2@8.0", ["split info"]],
    ["hw 20; vcpus 26", "2x24x2/2@8.0", []],
    ["hw 20; vcpus 14; affinity 0-27", "2x24x2/2@8.0", []],
    // Whichever release it is of.
    ["hw 20; vcpus 14", "2x24x2/2", ["split info"]],
    // One socket of 14 on nodes of 12: no source documents the placement of its vCPUs.
    ["hw 20; vcpus 14; cps 14", "2x24x2/2@8.0", []],
    ["hw 20; vcpus 26; cps 13", "2x32x2/4@8.0", []],
    ["hw 20; vcpus 14; nodes 0", "2x24x2/2@8.0", []],
    ["hw 20; vcpus 30", "1x48x2/2@8.0", ["split info"]],
    ["hw 20; vcpus 30; consolidate FALSE", "1x48x2/2@8.0", []],
  ],
  "hotadd/growth-beyond-node": [
    ["hw 17; vcpus 8; hotadd TRUE; most 10", "2x10x2@7.0", []],
    ["hw 17; vcpus 8; hotadd TRUE; most 11", "2x10x2@7.0", ["grows info"]],
    ["hw 18; vcpus 8; hotadd TRUE; most 160", "2x96x2@7.0 U1", ["grows info"]],
    ["hw 17; vcpus 12; hotadd TRUE; most 14", "2x10x2@7.0", []],
    ["hw 17; vcpus 8; hotadd TRUE; most 12; affinity 0-15", "2x10x2@7.0", []],
    ["hw 17; vcpus 1; hotadd TRUE; most 10; consolidate FALSE", "2x10x2@7.0", []],
    ["hw 17; vcpus 8; hotadd TRUE; most 12", "1x10x2@7.0", []],
    ["hw 20; vcpus 8; hotadd TRUE; most 12; allow TRUE", "2x10x2@8.0", []],
  ],
  "hotadd/windows-fake-nodes": [
    ["hw 14; vcpus 8; hotadd TRUE; guest windows2019srv-64", "2x20x2@7.0 U3", ["empty info"]],
    ["hw 14; vcpus 8; hotadd TRUE; guest windows2019srv-64", "2x20x2@6.7", ["empty info"]],
    ["hw 14; vcpus 8; hotadd TRUE; guest windows2019srv-64; most 64", "2x20x2@6.7", []],
    ["hw 14; vcpus 8; hotadd TRUE; guest windows2019srv-64; most 65", "2x20x2@6.7", ["empty info"]],
    ["hw 14; vcpus 64; hotadd TRUE; guest windows2019srv-64", "4x20x2@6.7", ["empty info"]],
    ["hw 14; vcpus 65; hotadd TRUE; guest windows2019srv-64", "4x20x2@6.7", ["memoryless warning"]],
    ["hw 11; vcpus 8; hotadd TRUE; guest windows2019srv-64", "2x20x2@6.5", ["empty info"]],
    ["hw 10; vcpus 8; hotadd TRUE; guest windows2019srv-64", "2x20x2@6.5", []],
    ["hw 11; vcpus 8; hotadd TRUE; guest windows2019srv-64", "2x20x2@6.0", []],
    ["hw 11; vcpus 8; hotadd TRUE; guest windows2019srv-64", "2x20x2@8.0", []],
    ["hw 11; vcpus 8; hotadd TRUE; guest windows2019srv-64", "2x20x2", []],
    ["hw 11; vcpus 8; hotadd TRUE; guest windows7srv-64", "2x20x2@6.5", ["empty info"]],
    ["hw 11; vcpus 8; hotadd TRUE; guest windows9Server64Guest", "2x20x2@6.5", ["empty info"]],
    ["hw 11; vcpus 8; hotadd TRUE; guest windows2019srv_64Guest", "2x20x2@6.5", ["empty info"]],
    ["hw 11; vcpus 8; hotadd TRUE; guest windows2019srvNext-64", "2x20x2@6.5", []],
    ["hw 11; vcpus 8; hotadd TRUE; guest windows2022srvNext-64", "2x20x2@6.5", []],
    ["hw 11; vcpus 8; hotadd TRUE; guest windows9-64", "2x20x2@6.5", []],
    ["hw 11; vcpus 8; hotadd FALSE; guest windows2019srv-64", "2x20x2@6.5", []],
  ],
  "numa/autosize-stale-host": [
    ["hw 17; vcpus 36; cookie 360012; stored 18; affinity 0-35", "4x14x2@7.0", []],
    ["hw 17; vcpus 37; cookie 370012; stored 19", "4x14x2@7.0", []],
    ["hw 17; vcpus 16; cookie 160012; stored 16; consolidate FALSE", "2x20x2@7.0", ["large warning"]],
    ["hw 17; vcpus 36; cookie 360012; stored 18", "4x14x2@7.0", ["large warning"]],
    ["hw 17; vcpus 36; cookie 360012; stored 12", "4x14x2@7.0", []],
    ["hw 17; vcpus 36; cookie 370012; stored 18", "4x14x2@7.0", []],
    ["hw 17; vcpus 36; cookie 360012; stored 18; once FALSE", "4x14x2@7.0", []],
    ["hw 17; vcpus 16; cookie 160012; stored 8", "2x20x2@7.0", ["small info"]],
    ["hw 17; vcpus 16; cookie 160012; stored 16", "2x20x2@7.0", []],
    ["hw 10; vcpus 16; cookie 160012; stored 8; mem 262144", "2x20x2:512@6.0", ["small info"]],
    ["hw 10; vcpus 16; cookie 160012; stored 8; mem 262148", "2x20x2:512@6.0", []],
    // From 6.5 on, the stored nodes do not determine the VM's nodes.
    ["hw 17; vcpus 16; cookie 160012; stored 8; mem 262148", "2x20x2:512@7.0", ["small info"]],
    ["hw 17; vcpus 16; cookie 160012; stored 6; mem 163840", "4x12x2:256@7.0", ["large warning"]],
  ],
  "numa/consolidate-narrow": [
    ["hw 17; vcpus 8; mem 196608; consolidate FALSE; affinity 0-7", "2x12x2:384@7.0", []],
    ["hw 17; vcpus 8; mem 196608; consolidate FALSE", "2x12x2:384@7.0", ["spread info"]],
    ["hw 17; vcpus 8; mem 196612; consolidate FALSE", "2x12x2:384@7.0", []],
    ["hw 17; vcpus 12; mem 4096; consolidate FALSE", "2x12x2:384@7.0", ["spread info"]],
    ["hw 17; vcpus 13; mem 4096; consolidate FALSE", "2x12x2:384@7.0", []],
    ["hw 17; vcpus 8; mem 4096; consolidate TRUE", "2x12x2:384@7.0", []],
    ["hw 17; vcpus 8; mem 4096; consolidate FALSE", "2x12x2@7.0", []],
  ],
  "numa/cps-defines-vnuma": [
    ["hw 17; vcpus 32; cps 2; follow 1", "4x10x2@7.0", []],
    ["hw 10; vcpus 32; cps 2; perVirtual 4", "4x10x2@6.0", []],
    ["hw 10; vcpus 55; cps 11", "dl580g7", []],
    ["hw 10; vcpus 15; cps 3", "dl580g7", ["nodes warning"]],
    ["hw 10; vcpus 12; cps 3", "dl580g7", []],
    ["hw 10; vcpus 8; cps 1", "dl580g7", []],
    ["hw 10; vcpus 10; cps 2", "dl580g7", ["nodes warning"]],
    ["hw 10; vcpus 8; cps 2", "dl580g7", []],
    ["hw 10; vcpus 32; cps 2", "4x10x2@6.0", ["nodes warning"]],
    ["hw 10; vcpus 32; cps 2", "4x10x2@6.5", []],
  ],
  "numa/cps-misaligned": [
    ["hw 18; vcpus 156; cps 12", "2x96x2@7.0 U1", ["uneven warning"]], // one core per socket would be too many
    ["hw 18; vcpus 150; cps 10", "2x96x2@7.0 U1", ["slight info"]], // two would be uneven, too, and three make 75 + 75
    ["hw 17; vcpus 26; cps 2; affinity 0-25", "2x20x2@7.0", []],
    ["hw 17; vcpus 26; cps 2; perVirtual 14", "2x20x2@7.0", []],
    ["hw 17; vcpus 20; cps 4; consolidate FALSE", "4x20x2@7.0", []],
    ["hw 17; vcpus 24; cps 8", "2x10x2@7.0", []],
    ["hw 10; vcpus 30; cps 15", "4x10x2@6.0", []],
    ["hw 17; vcpus 22; cps 2", "4x10x2@7.0", []],
    ["hw 17; vcpus 30; cps 15", "2x20x2@7.0", []],
    ["hw 17; vcpus 30; cps 2", "2x20x2@7.0", ["slight info"]],
    ["hw 17; vcpus 34; cps 2", "2x20x2@7.0", ["slight info"]],
    ["hw 17; vcpus 26; cps 2", "2x20x2@7.0", ["uneven warning"]],
    ["hw 17; vcpus 28; cps 2", "2x20x2@7.0", []],
    ["hw 17; vcpus 30; cps 6", "2x20x2@7.0", ["uneven warning"]],
    ["hw 17; vcpus 24; cps 8", "2x20x2@7.0", ["uneven warning"]],
    ["hw 17; vcpus 20; cps 4", "2x20x2@7.0", []],
  ],
  "numa/followcps": [
    ["hw 17; vcpus 50; cps 1; follow 1", "4x10x2@7.0", []],
    ["hw 17; vcpus 32; cps 4; follow 1; perVirtual 4", "2x20x2@7.0", []],
    ["hw 17; vcpus 32; cps 16; follow 1", "2x20x2@7.0", []],
    ["hw 17; vcpus 33; cps 11; follow 1", "2x20x2@7.0", ["follows warning"]],
    ["hw 17; vcpus 32; cps 4; follow 1", "2x20x2@7.0", ["follows warning"]],
    ["hw 17; vcpus 32; cps 4; follow 0", "2x20x2@7.0", []],
    ["hw 17; vcpus 16; cps 2; follow 1; mem 131072", "4x10x2:256@7.0", ["follows warning"]],
    ["hw 17; vcpus 16; cps 2; follow 1; mem 131076", "4x10x2:256@7.0", []],
    ["hw 20; vcpus 47; follow 1", "2x20x2@8.0", []],
  ],
  "numa/hidden-by-hotadd": [
    ["hw 17; vcpus 10; hotadd TRUE", "2x10x2@7.0", []],
    ["hw 17; vcpus 11; hotadd TRUE", "2x10x2@7.0", ["hidden warning"]],
    ["hw 20; vcpus 12; hotadd TRUE; allow TRUE", "2x10x2@8.0", []],
    ["hw 19; vcpus 12; hotadd TRUE; allow TRUE", "2x10x2@8.0", ["hidden warning"]],
    ["hw 17; vcpus 12; hotadd TRUE; affinity 0-23", "2x10x2@7.0", []],
  ],
  "numa/maxpermachinenode": [
    ["hw 17; vcpus 12; mem 4096; perMachine 11; affinity 0-11", "2x20x2:512@7.0", []],
    ["hw 17; vcpus 24; mem 4096; perMachine 20", "2x20x2:512@7.0", []],
    ["hw 17; vcpus 24; mem 4096; perMachine 24", "2x20x2:512@7.0", []],
    ["hw 17; vcpus 12; mem 4096; perMachine 11", "2x20x2:512@7.0", ["splits info"]],
    ["hw 17; vcpus 12; mem 4096; perMachine 12", "2x20x2:512@7.0", []],
    ["hw 17; vcpus 12; mem 262144; perMachine 6", "2x20x2:512@7.0", ["splits info"]],
    ["hw 17; vcpus 12; mem 262148; perMachine 6", "2x20x2:512@7.0", []],
    ["hw 17; vcpus 12; mem 4096; numa.vcpu.maxPerClient 6", "2x20x2:512@7.0", ["splits info"]],
    ["hw 17; vcpus 16; mem 4096; perMachine 4", "4x6x2:512@7.0", []],
  ],
  "numa/maxpervnode-uneven": [
    ["hw 7; vcpus 8; perVirtual 3", "2x10x2@7.0", []],
    ["hw 17; vcpus 13; perVirtual 9", "4x10x2@7.0", ["uneven warning"]],
    ["hw 17; vcpus 20; perVirtual 9", "4x10x2@7.0", ["uneven warning"]],
    ["hw 17; vcpus 20; perVirtual 10", "4x10x2@7.0", []],
    ["hw 17; vcpus 20; perVirtual 20", "4x20x2@7.0", []],
  ],
  "numa/mem-exceeds-node": [
    ["hw 20; vcpus 12; mem 262148; affinity 0-11", "2x20x2:512@8.0", []],
    ["hw 20; vcpus 12; mem 262144", "2x20x2:512@8.0", []],
    ["hw 20; vcpus 12; mem 262148", "2x20x2:512@8.0", ["slight info"]],
    ["hw 20; vcpus 12; mem 264764", "2x20x2:512@8.0", ["slight info"]],
    ["hw 20; vcpus 12; mem 264768", "2x20x2:512@8.0", ["remote warning"]],
    ["hw 20; vcpus 12; mem 524284", "2x20x2:512@8.0", ["remote warning"]],
    ["hw 20; vcpus 12; mem 524288", "2x20x2:512@8.0", []],
    // No source documents how a socket of 8 spreads, or the placement of a socket of 24.
    ["hw 17; vcpus 8; cps 8; mem 262148; numa.consolidate FALSE", "2x20x2:512@7.0", []],
    ["hw 20; vcpus 24; cps 24; mem 262148", "2x20x2:512@8.0", []],
    ["hw 20; vcpus 24; mem 524288", "2x20x2:512@8.0", []],
    ["hw 20; vcpus 12; mem 262148", "1x20x2:256@8.0", []],
    ["hw 20; vcpus 12; mem 262148", "2x20x2@8.0", []],
  ],
  "numa/more-nodes-than-host": [
    ["hw 17; vcpus 30; perVirtual 5", "3x10x2@7.0", ["more info"]],
    ["hw 17; vcpus 20; perVirtual 5", "2x10x2@7.0", []], // may be an EPYC with caches of 5 cores
    ["hw 17; vcpus 32; perVirtual 4; affinity 0-31", "4x10x2@7.0", []],
    // On the threads of the host: no size makes 4 nodes of at most 10.
    ["hw 17; vcpus 60; perVirtual 12", "4x10x2@7.0", []],
  ],
  "numa/node-affinity-range": [
    ["nodes 1", "2x10x2@7.0", []],
    ["nodes 2", "2x10x2@7.0", ["range error"]],
    ["nodes 3", "2x10x2/2@7.0", []],
  ],
  "numa/node-affinity-size": [
    ["vcpus 10; nodes 0", "2x10x2:512@7.0", []],
    ["vcpus 11; nodes 0", "2x10x2:512@7.0", ["cores warning"]],
    ["vcpus 20; nodes 0; preferHt TRUE", "2x10x2:512@7.0", []],
    ["vcpus 21; nodes 0; preferHt TRUE", "2x10x2:512@7.0", ["cores warning"]],
    ["vcpus 4; mem 262144; nodes 0", "2x10x2:512@7.0", []],
    ["vcpus 4; mem 262148; nodes 0", "2x10x2:512@7.0", ["memory warning"]],
    ["vcpus 11; nodes 0,5", "2x10x2:512@7.0", []],
  ],
  "numa/prefer-ht-no-fit": [
    ["hw 17; vcpus 16; perVirtual 8; preferHt TRUE; affinity 0-15", "2x10x2@7.0", []],
    ["hw 17; vcpus 24; preferHt TRUE", "4x10x2@7.0", []],
    ["hw 17; vcpus 16; preferHt TRUE; consolidate FALSE", "4x10x2@7.0", []],
    ["hw 17; vcpus 30; cps 15; preferHt TRUE", "4x10x2@7.0", []],
    ["hw 17; vcpus 10; preferHt TRUE", "2x10x1@7.0", []],
    ["hw 17; vcpus 11; preferHt TRUE", "2x10x1@7.0", ["noThreads warning"]],
    ["hw 17; vcpus 20; preferHt TRUE", "2x10x1@7.0", ["noThreads warning"]],
    ["hw 17; vcpus 21; preferHt TRUE", "2x10x1@7.0", []],
    ["hw 17; vcpus 16; preferHt TRUE", "2x10x2@7.0", []],
    ["hw 17; vcpus 16; perVirtual 8; preferHt TRUE", "2x10x2@7.0", ["same info"]],
  ],
  "numa/spans-nodes": [
    ["hw 17; vcpus 6", "1x24x2/4@7.0", []],
    ["hw 17; vcpus 7", "1x24x2/4@7.0", ["spans info"]],
    ["hw 17; vcpus 8", "1x24x2/4@7.0", ["spans info"]],
    ["hw 17; vcpus 9", "1x24x2/4@7.0", []],
    ["hw 13; vcpus 8", "1x24x2/4@6.5 U2", []],
    ["hw 13; vcpus 8", "1x24x2/4@6.5 U3", ["spans info"]],
    ["hw 14; vcpus 8", "1x24x2/4@6.7 U1", []],
    ["hw 14; vcpus 8", "1x24x2/4@6.7 U2", ["spans info"]],
    ["hw 17; vcpus 8; hotadd TRUE", "1x24x2/4@7.0", ["spans info"]],
    ["hw 17; vcpus 8; min 8", "1x24x2/4@7.0", []],
    ["hw 17; vcpus 8; affinity 0-7", "1x24x2/4@7.0", []],
    ["hw 17; vcpus 8; preferHt TRUE", "1x24x2/4@7.0", []],
    ["hw 17; vcpus 8; perVirtual 4", "1x24x2/4@7.0", []],
    ["hw 17; vcpus 8; cps 8", "1x24x2/4@7.0", []],
    ["hw 17; vcpus 8; numa.vcpu.maxPerMachineNode 4", "2x10x2@7.0", []],
  ],
  "numa/vcpu-min-hides": [
    ["hw 13; vcpus 8; perVirtual 4", "1x24x2/4@6.5 U2", []],
    ["hw 13; vcpus 8; affinity 0-7", "1x24x2/4@6.5 U2", []],
    ["hw 13; vcpus 6", "1x24x2/4@6.5 U2", []],
    ["hw 13; vcpus 8", "1x24x2/4@6.5 U2", ["byDefault warning"]],
    ["hw 13; vcpus 8", "1x24x2/4@6.5", []],
    ["hw 13; vcpus 9", "1x24x2/4@6.5 U2", []],
    ["hw 17; vcpus 16; min 16", "2x10x2@7.0", []],
    ["hw 17; vcpus 16; min 17", "2x10x2@7.0", ["raised warning"]],
    ["hw 17; vcpus 10; min 17", "2x10x2@7.0", []],
  ],
  "numa/vpd-spans-ppd": [
    ["hw 18; vcpus 192; cps 2; perVirtual 96", "4x60x2@7.0 U1", ["byHand info"]],
    ["hw 17; vcpus 22; perVirtual 11; affinity 0-21", "4x10x2@7.0", []],
    ["hw 17; vcpus 10; perVirtual 10", "2x5x2@7.0", ["byHand info"]],
    ["hw 10; vcpus 40; cps 10", "dl580g7", []],
    ["hw 10; vcpus 40; cps 20", "dl580g7", ["sockets warning"]],
    ["hw 17; vcpus 20; perVirtual 10", "4x10x2@7.0", []],
    ["hw 17; vcpus 22; perVirtual 11", "4x10x2@7.0", ["byHand info"]],
    ["hw 17; vcpus 20; perVirtual 21", "4x10x2@7.0", ["byHand info"]],
  ],
  "numa/wide-uneven": [
    ["hw 17; vcpus 26; cps 2", "2x20x2@7.0", []],
    ["hw 17; vcpus 45; cps 9", "4x20x2@7.0", []],
    ["hw 17; vcpus 10", "4x10x2@7.0", []],
    ["hw 17; vcpus 11", "4x10x2@7.0", ["uneven warning"]],
    ["hw 17; vcpus 12", "4x10x2@7.0", []],
    ["hw 17; vcpus 22", "4x10x2@7.0", ["slight info"]],
    ["hw 17; vcpus 24", "4x10x2@7.0", []],
    ["hw 17; vcpus 27", "4x10x2@7.0", ["odd info"]],
    ["hw 17; vcpus 11; perVirtual 6", "4x10x2@7.0", []],
    // Every release that runs it lays it out unevenly.
    ["hw 17; vcpus 11", "4x10x2", ["uneven warning"]],
  ],
  "topo/manual-cps-on-v8": [
    ["hw 20; vcpus 16; cps 8", "r640", ["manual info"]],
    ["hw 20; vcpus 16; cps 16", "r640", []],
    ["hw 19; vcpus 16; cps 8", "r640", []],
    ["hw 20; vcpus 36; cps 3; cookie 360012; stored 4", "2x20x2@8.0", []],
  ],
  "topo/many-single-core-sockets": [
    ["hw 19; vcpus 8; affinity 0-15", "r640", []],
    ["hw 19; vcpus 8; perVirtual 1", "8x4x2@8.0", []],
    // Fewer than 9 vCPUs and a size by hand: sources contradict each other.
    ["hw 19; vcpus 8; perVirtual 2", "4x4x2@8.0", []],
    ["hw 19; vcpus 12; perVirtual 3", "4x4x2@8.0", ["hardware info"]],
    ["hw 19; vcpus 12; perVirtual 2", "8x4x2@8.0", ["hardware info"]],
    ["hw 19; vcpus 12; perVirtual 1", "8x4x2/2@8.0", []],
    ["hw 19; vcpus 18; perVirtual 6", "2x10x2@8.0", []],
    ["hw 20; vcpus 8; cps 1; smt 2", "r640", []],
    ["hw 19; vcpus 64", "2x64x2@8.0", ["hardware info"]],
    ["hw 19; vcpus 72", "2x72x2@8.0", []],
    ["hw 19; vcpus 7", "r640", []],
    ["hw 19; vcpus 8", "r640", ["hardware info"]],
    ["hw 19; vcpus 8; smt 2", "r640", ["hardware info"]],
    ["hw 20; vcpus 8; cps 1", "r640", ["byHand info"]],
    ["hw 20; vcpus 8", "r640", []],
    ["hw 19; vcpus 8", "2x24x2@7.0", []],
  ],
  "topo/windows-client-sockets": [
    ["hw 19; vcpus 2; cps 1; guest windows9-64", undefined, []],
    ["hw 19; vcpus 3; cps 1; guest windows9-64", undefined, ["editions info"]],
    ["hw 19; vcpus 4; cps 1; guest windows11-64", undefined, ["editions info"]],
    ["hw 19; vcpus 4; cps 1; guest windows11-64", "2x2x2@8.0", ["editions info"]],
    ["hw 19; vcpus 4; cps 1; guest windows11-64", "4x1x2@8.0", []], // sockets of 2 are larger than a node
    ["hw 19; vcpus 5; cps 1; guest windows9-64", undefined, []],
    ["hw 19; vcpus 4; cps 2; guest windows9-64", undefined, []],
    ["hw 20; vcpus 4; guest windows9-64", undefined, []],
    ["hw 19; vcpus 4; cps 1; guest windows7-64", undefined, []],
  ],
};

for (const [id, rows] of Object.entries(TABLES)) {
  describe(id, () => {
    test.each(rows)("%s on %s", (lines, host, expected) => {
      expect(said(id, written(lines), host)).toEqual(expected);
    });
  });
}

describe("rules that ask what runs in the VM", () => {
  test.each<[string, string, string, Workload | undefined, readonly string[]]>([
    ["numa/llc-boundary", "hw 20; vcpus 8", "dual-epyc-7763", { kind: "imdg" }, []],
    ["numa/llc-boundary", "hw 20; vcpus 9", "dual-epyc-7763", { kind: "imdg" }, ["wider hint"]],
    ["numa/llc-boundary", "hw 20; vcpus 9", "dual-epyc-7763", { kind: "latency" }, ["wider hint"]],
    ["numa/llc-boundary", "hw 20; vcpus 9", "dual-epyc-7763", { kind: "mssql" }, []],
    ["numa/llc-boundary", "hw 20; vcpus 9", "dual-epyc-7763", undefined, []],
    ["numa/llc-boundary", "hw 20; vcpus 9; affinity 0-17", "dual-epyc-7763", { kind: "imdg" }, []],
    ["numa/llc-boundary", "hw 20; vcpus 9", "r640", { kind: "imdg" }, []],
    ["numa/more-nodes-than-host", "hw 17; vcpus 32; perVirtual 4", "4x10x2@7.0", { kind: "mssql", version: "2022" }, ["more info"]],
    // With virtual hyper-threading pairs of vCPUs are the threads of one core; whether editions count them as one no source says.
    ["affinity/ht-siblings", "hw 20; vcpus 8; smt 2; affinity 0-7", "2x20x2@8.0", undefined, []],
    ["affinity/ht-siblings", "hw 20; vcpus 8; smt 1; affinity 0-7", "2x20x2@8.0", undefined, ["siblings warning"]],
    ["numa/node-affinity-size", "hw 20; vcpus 40; smt 2; nodes 0", "2x20x2@8.0", undefined, []],
    ["numa/node-affinity-size", "hw 20; vcpus 42; smt 2; nodes 0", "2x20x2@8.0", undefined, ["cores warning"]],
    ["numa/node-affinity-size", "hw 20; vcpus 40; smt 1; nodes 0", "2x20x2@8.0", undefined, ["cores warning"]],
    ["cpu/cps-exceeds-pnode", "hw 20; vcpus 40; cps 40; smt 2", "2x20x2@8.0", undefined, []],
    ["cpu/cps-exceeds-pnode", "hw 20; vcpus 40; cps 40; smt 1", "2x20x2@8.0", undefined, ["larger warning"]],
    ...([1, 2] as const).flatMap((smt): [string, string, string, Workload, readonly string[]][] =>
      (
        [
          ["mssql/standard-cores", { kind: "mssql", edition: "standard", version: "2019" }, "capped warning"],
          ["mssql/enterprise-cal-20", { kind: "mssql", edition: "enterprise", licensing: "server-cal" }, "capped error"],
          ["mssql/web", { kind: "mssql", edition: "web", version: "2019" }, "cores warning"],
        ] as const
      ).map(([id, workload, finding]) => [id, `hw 20; vcpus 32; cps 32; smt ${smt}`, "2x20x2@8.0", workload, smt === 1 ? [finding] : []]),
    ),
    // ESXi would make nodes of 72 or 66, which SQL Server does not support.
    ["numa/followcps", "hw 19; vcpus 144; cps 24; follow 1", "2x96x2@7.0", { kind: "mssql" }, []],
    ["numa/followcps", "hw 19; vcpus 144; cps 24; follow 1", "2x96x2@7.0", { kind: "oracle" }, ["follows warning"]],
    ["numa/cps-defines-vnuma", "hw 11; vcpus 66; cps 33", "1x128x2@6.0", { kind: "mssql" }, []],
    ["numa/cps-defines-vnuma", "hw 11; vcpus 66; cps 33", "1x128x2@6.0", { kind: "oracle" }, ["nodes warning"]],
    ["topo/keep-cps1-network", "hw 20; vcpus 1", "r640", { kind: "latency" }, []],
    ["topo/keep-cps1-network", "hw 20; vcpus 2", "r640", { kind: "latency" }, ["automatic hint"]],
    ["topo/keep-cps1-network", "hw 20; vcpus 2; cps 2", "r640", { kind: "latency" }, []],
    ["topo/keep-cps1-network", "hw 20; vcpus 8; guest windows11-64", "r640", { kind: "latency" }, []],
    // 19+18: no source shows the sockets that ESXi chooses for uneven nodes.
    ["topo/keep-cps1-network", "hw 20; vcpus 37", "2x24x2@8.0", { kind: "latency" }, []],
    ["topo/keep-cps1-network", "hw 20; vcpus 36", "2x24x2@8.0", { kind: "latency" }, ["automatic hint"]],
    ["topo/keep-cps1-network", "hw 20; vcpus 8", "r640", { kind: "oracle" }, []],
    ["topo/keep-cps1-network", "hw 20; vcpus 8", "r640", undefined, []],
    ["topo/keep-cps1-network", "hw 20; vcpus 2; consolidate FALSE; min 2", "r640", { kind: "latency" }, []],
    ["topo/many-single-core-sockets", "hw 19; vcpus 8; guest windows9-64", "r640", { kind: "oracle" }, []],
    ["topo/many-single-core-sockets", "hw 19; vcpus 8", "r640", { kind: "mssql", edition: "standard", version: "2019" }, []],
    ["topo/many-single-core-sockets", "hw 19; vcpus 24", "r640", { kind: "mssql", edition: "developer" }, ["hardware info"]],
    ["topo/many-single-core-sockets", "hw 19; vcpus 24", "r640", { kind: "mssql", edition: "enterprise" }, []],
    ["topo/many-single-core-sockets", "hw 19; vcpus 8", "r640", { kind: "latency" }, []],
    ["topo/many-single-core-sockets", "hw 19; vcpus 8", "r640", { kind: "vdi" }, []],
    ["topo/many-single-core-sockets", "hw 19; vcpus 8", "r640", { kind: "oracle" }, ["hardware info"]],
  ])("%s: %s on %s for %o", (id, lines, host, workload, expected) => {
    expect(said(id, written(lines), host, workload)).toEqual(expected);
  });
});

test("changes in numbers", () => {
  const diagnosticOf = (id: string, lines: string, host?: string, workload?: Workload) =>
    lint(written(lines).join("\n"), {
      rules: rules.filter((rule) => rule.id === id),
      target: { ...(host !== undefined && { host: requireHost(host) }), workload },
    }).diagnostics[0];
  const first = (...asked: Parameters<typeof diagnosticOf>) => {
    const found = diagnosticOf(...asked);
    return found && [found.message, ...found.fixes.flatMap(({ edits }) => edits.flatMap(({ newText }) => newText.trim().split(/\s*\n/)))];
  };
  expect(first("numa/mem-exceeds-node", "hw 20; vcpus 12; mem 393216; hotadd TRUE; preferHt TRUE", "2x20x2:512@8.0")).toEqual([
    "12 vCPUs are kept on 1 NUMA node of 256 GiB, and the VM has 384 GiB: at least 128 GiB are remote. To make 2 NUMA nodes of 6 vCPUs, set cores per socket and numa.vcpu.coresPerNode to 6, and turn preferHT and CPU hot add off.",
    "FALSE",
    "FALSE",
    'cpuid.coresPerSocket = "6"',
    'numa.vcpu.coresPerNode = "6"',
  ]);
  expect(first("hotadd/windows-fake-nodes", "hw 14; vcpus 8; hotadd TRUE; guest windows2019srv-64", "2x20x2@6.7")).toEqual([
    "CPU hot add may take the VM from 8 to 128 vCPUs, and this Windows makes an empty NUMA node for each further group of 64. Set cpuid.maxVCPUs to 20, or turn hot add off.",
    'cpuid.maxVCPUs = "20"',
    "FALSE",
  ]);
  expect(diagnosticOf("numa/mem-exceeds-node", "hw 20; vcpus 12; mem 393216", "2x20x2:512@8.0")?.data.instead).toEqual({
    nodes: 2,
    size: 6,
    sets: ["cores per socket", "numa.vcpu.coresPerNode"],
    minVcpus: null,
    without: [],
  });
  const spread = (lines: string, host: string) => first("numa/mem-exceeds-node", lines, host)?.slice(1);
  expect(spread("hw 20; vcpus 12; mem 393216", "2x20x2:512@8.0")).toEqual([
    'cpuid.coresPerSocket = "6"',
    'numa.vcpu.coresPerNode = "6"',
    'numa.consolidate = "FALSE"',
  ]);
  expect(spread("hw 20; vcpus 12; mem 393216; hotadd TRUE; allow TRUE", "2x20x2:512@8.0")).toEqual([
    'cpuid.coresPerSocket = "6"',
    'numa.vcpu.coresPerNode = "6"',
    'numa.consolidate = "FALSE"',
  ]);
  // 13 vCPUs cannot form two equal nodes, neither by a manual setting nor by a spread.
  expect(spread("hw 20; vcpus 13; mem 393216", "2x20x2:512@8.0")).toEqual([]);
  // Before hardware version 8 the guest always sees one node.
  expect(spread("hw 7; vcpus 4; mem 40960", "2x4x2:64@6.5")).toEqual([]);
  // Nor is this: a limit of 20 on nodes that have 10 without the threads of preferHT.
  expect(spread("hw 20; vcpus 20; mem 393216; preferHt TRUE; numa.vcpu.maxPerMachineNode 20", "2x10x2:512@8.0")).toEqual([]);
  // No source documents a VM with more vCPUs than the host has logical CPUs, so there is no suggestion.
  expect(spread("hw 20; vcpus 20; numa.vcpu.maxPerMachineNode 32; mem 102400", "2x4x2:128@8.0")).toBeUndefined();
  // Nodes of 10 need no threads, nodes of 12 do.
  expect(spread("hw 20; vcpus 20; mem 393216; preferHt TRUE", "2x10x2:512@8.0")?.slice(0, 1)).toEqual(["FALSE"]);
  expect(spread("hw 20; vcpus 36; mem 614400; preferHt TRUE", "4x10x2:1024@8.0")).toEqual([
    'cpuid.coresPerSocket = "12"',
    'numa.vcpu.coresPerNode = "12"',
  ]);
  expect(first("numa/node-affinity-size", "vcpus 11; nodes 0; preferHt TRUE", "2x10x1:512@7.0")?.[0]).toContain("10 cores");
  expect(first("numa/cores-per-node-divides", "vcpus 23; node 12; hw 20")?.slice(1)).toEqual(["0"]);
  expect(first("numa/maxpervnode-with-cps", "hw 10; vcpus 10; cps 2; perVirtual 5", "2x10x2@6.0")?.slice(1)).toEqual(["1"]);
  expect(first("smt/num-smt-host", "smt 2; hw 19")?.slice(1)).toEqual(["1"]);
  expect(first("smt/num-smt-multiple", "vcpus 7; smt 2")?.slice(1)).toEqual(["8", "1"]);
  expect(first("topo/keep-cps1-network", "hw 20; vcpus 8", "r640", { kind: "latency" })?.slice(1)).toEqual(['cpuid.coresPerSocket = "1"']);
  const keys = (lines: string) => diagnosticOf("affinity/disables-numa", lines)?.fixes[0]?.edits.map(({ newText }) => newText.trim());
  expect(keys("nodes 0; affinity 0-3")).toEqual(["all"]);
  expect(keys("nodes 0; sched.mem.affinity 0")).toEqual(["all"]);
  expect(keys("nodes 0; affinity 0-3; sched.mem.affinity 0")).toEqual(["all", "all"]);
  expect(first("affinity/out-of-range", "vcpus 2; affinity 78-87", "dl580g7")?.[0]).toContain("80,81,82,83,84,85,86,87");
  expect(first("affinity/out-of-range", "vcpus 2; affinity 78-87", "dl580g7")?.[0]).not.toContain("more");
  expect(first("affinity/out-of-range", "vcpus 2; affinity 78-89", "dl580g7")?.[0]).toContain("80,81,82,83,84,85,86,87 and 2 more");
  expect(first("affinity/uneven-nodes", "vcpus 12; affinity 0,2,4,6,8,10,12,14,16,18,20,22", "2x11x2@7.0")?.[0]).toContain("11+1 cores");
  // Below 40 the guest sees one node, so the only better count is 10. 40 vCPUs instead of 11 would be absurd.
  expect(diagnosticOf("numa/wide-uneven", "hw 17; vcpus 11; min 40", "4x10x2@7.0")?.data).toMatchObject({ below: 10, above: null });
  // A node of 75, which ESXi would make, is more than SQL Server is supported with.
  const sized = (workload: Workload) => diagnosticOf("numa/cps-defines-vnuma", "hw 11; vcpus 75; cps 3", "2x96x2@6.0", workload)?.data.auto;
  expect([sized({ kind: "oracle" }), sized({ kind: "mssql" })]).toEqual([[75], null]);
  const titles = (...asked: Parameters<typeof diagnosticOf>) => diagnosticOf(...asked)?.fixes.map(({ title }) => title);
  expect(titles("numa/vpd-spans-ppd", "hw 17; vcpus 22; perVirtual 11", "4x10x2@7.0")).toEqual([]);
  expect(titles("numa/vpd-spans-ppd", "hw 17; vcpus 24; perVirtual 12", "4x10x2@7.0")).toEqual(["Make nodes of 8"]);
  expect(titles("numa/vpd-spans-ppd", "hw 10; vcpus 40; cps 20", "dl580g7")).toEqual(["Set 10 cores per socket"]);
  // As many nodes of 128 GiB as the memory takes.
  expect(titles("numa/maxpervnode-uneven", "hw 17; vcpus 9; mem 131072; perVirtual 2", "4x14x2:512@7.0")).toEqual(["Make nodes of 9"]);
  expect(titles("numa/maxpervnode-uneven", "hw 17; vcpus 9; mem 200000; perVirtual 2", "4x14x2:512@7.0")).toEqual([]);
  const uneven = (lines: string) => first("numa/maxpervnode-uneven", lines, "4x14x2:512@7.0")?.[0];
  // Without the option an odd count is uneven as well.
  for (const vcpus of [9, 19])
    expect(uneven(`hw 17; vcpus ${vcpus}; mem 200000; perVirtual 2`)).toMatch(
      /equal\. Choose an even vCPU count that divides into at most 4 nodes of at most 14, and into no fewer than 2 for the memory\.$/,
    );
  // A VM that fills a node stays in it; a larger one has none to stay in.
  const bounds = (vcpus: number) =>
    first("hotadd/windows-fake-nodes", `hw 14; vcpus ${vcpus}; hotadd TRUE; guest windows2019srv-64`, "2x20x2@6.7")?.[1];
  expect([20, 21].map(bounds)).toEqual(['cpuid.maxVCPUs = "20"', 'cpuid.maxVCPUs = "64"']);
  expect(first("affinity/any", "vcpus 4; affinity 20-39", "2x10x2@7.0")).toEqual([
    "The 20 logical CPUs are all in NUMA node 1. Set numa.nodeAffinity to 1 instead of the affinity, so that ESXi can still manage the VM there.",
    "all",
    'numa.nodeAffinity = "1"',
  ]);
});

describe("skipped checks", () => {
  const skips = (id: string, lines: string, host?: string) =>
    lint(written(lines).join("\n"), {
      rules: rules.filter((rule) => rule.id === id),
      target: host === undefined ? {} : { host: requireHost(host) },
    }).skipped.map(({ reason }) => reason);
  test.each<[string, string, string | undefined, readonly string[]]>([
    ["guest/max-sockets", "vcpus 4; hw 20; guest windows9-64", undefined, []],
    ["guest/max-sockets", "vcpus 5; hw 20; guest windows9-64", undefined, ["no-host"]],
    ["numa/mem-exceeds-node", "hw 20; vcpus 4; mem 4096", "1x20x2@8.0", []],
    ["numa/mem-exceeds-node", "hw 20; vcpus 4; mem 4096", "2x20x2@8.0", ["host-incomplete"]],
    ["numa/vpd-spans-ppd", "hw 20; vcpus 4; perVirtual {{n}}", "2x20x2@8.0", ["unknown-value"]],
    ["numa/vpd-spans-ppd", "hw 20; vcpus 4; hotadd {{n}}", "2x20x2@8.0", []],
  ])("%s: %s on %s", (id, lines, host, expected) => {
    expect(skips(id, lines, host)).toEqual(expected);
  });
});

test("sockets that a host uses as the size of its nodes are named, because no setting of the VM causes them", () => {
  const host = { ...requireHost("4x10x2@8.0"), followCoresPerSocket: true };
  const only = rules.filter(({ id }) => id === "numa/vpd-spans-ppd");
  const { diagnostics } = lint(written("hw 20; vcpus 40; cps 20").join("\n"), { rules: only, target: { host } });
  expect(diagnostics.map(({ messageId }) => messageId)).toEqual(["sockets"]);
});

test("these rules do not fire on Workstation files, on values from a template, or without the host they need", () => {
  const hosted =
    'ethernet0.connectionType = "nat"\nvirtualHW.version = "17"\nnumvcpus = "22"\ncpuid.coresPerSocket = "2"\nvcpu.hotadd = "TRUE"';
  const template = `numvcpus = "{{ a }}"\ncpuid.coresPerSocket = "{{ b }}"\nmemSize = "{{ c }}"\nsched.cpu.affinity = "{{ d }}"\nnuma.vcpu.min = "{{ e }}"\nnuma.nodeAffinity = "{{ f }}"`;
  const only = rules.filter(({ id }) => id in TABLES);
  for (const text of [hosted, template])
    expect(lint(text, { rules: only, target: { host: requireHost("2x10x2:64@7.0") } }).diagnostics).toEqual([]);
  const wide = 'virtualHW.version = "17"\nnumvcpus = "22"\nvcpu.hotadd = "TRUE"\nsched.cpu.affinity = "0-7"';
  expect(lint(wide, { rules: only }).diagnostics).toEqual([]);
});

describe("a VM that may run on several hosts", () => {
  const config = (hosts: string) =>
    parseConfig(`extends: [all]\nhost: 2x20x2:512@7.0\nclusters: { prod: [${hosts}], other: ["2x8x2@7.0", "4x10x2@7.0"] }`, "vmlint.yaml");
  const found = (lines: string, hosts: string, only = /^(affinity\/cluster|numa\/node-affinity-set|host\/heterogeneous-cluster)$/) => {
    const { diagnostics } = lint(written(lines).join("\n"), {
      rules: rules.filter(({ id }) => only.test(id)),
      target: (vm) => targetOf(config(hosts))(vm, () => "a.vmx"),
    });
    return diagnostics.map(({ ruleId, messageId, severity }) => `${ruleId} ${messageId} ${severity}`);
  };
  const TWO = '"2x20x2:512@7.0", "4x14x2@7.0"';
  test.each<[string, string, readonly string[]]>([
    ["hw 17; vcpus 14", TWO, []],
    ["hw 17; vcpus 15", TWO, ["host/heterogeneous-cluster differs warning"]],
    ["hw 17; vcpus 28", TWO, []],
    ["hw 17; vcpus 29", TWO, ["host/heterogeneous-cluster differs warning"]],
    ["hw 17; vcpus 36; once FALSE", TWO, ["host/heterogeneous-cluster eachBoot info"]],
    // The guest sees the same nodes on both hosts.
    ["hw 17; vcpus 15; hotadd TRUE", TWO, ["host/heterogeneous-cluster hidden warning"]],
    ["hw 17; vcpus 15; hotadd TRUE; once FALSE", TWO, ["host/heterogeneous-cluster hidden warning"]],
    ["hw 17; vcpus 15; once FALSE", TWO, ["host/heterogeneous-cluster eachBoot info"]],
    ["hw 17; vcpus 15; numa.autosize TRUE", TWO, []],
    // Either 4+4+2 or 4+3+3 on that host; no source decides.
    ["hw 13; vcpus 10; numa.autosize TRUE", '"2x20x2:512@7.0", "8x4x2@6.7"', []],
    // 18+18 as was seen without it, or 20+16 as its page says.
    ["hw 17; vcpus 36; numa.autosize TRUE", TWO, []],
    ["hw 17; vcpus 36", '"2x20x2:512@7.0", "2x20x2@7.0"', []],
    ["hw 17; vcpus 36", '"2x20x2:512@7.0", "4x14x2"', []],
    ["hw 17; vcpus 36", '"4x14x2@7.0", "2x20x2@7.0"', []],
    ["hw 17; vcpus 36", '"2x20x2:512@7.0"', []],
    ["hw 17; vcpus 36; affinity 0-35", TWO, ["affinity/cluster moves warning"]],
    ["hw 17; vcpus 48; cps 16", TWO, []],
    ["vcpus 4; affinity 0,2,4,6", TWO, ["affinity/cluster moves warning"]],
    ["vcpus 4; affinity 0,2,4,6", '"2x20x2:512@7.0"', []],
    ["vcpus 4; affinity all", TWO, []],
    ["vcpus 4; nodes 0", TWO, ["numa/node-affinity-set moves info"]],
    ["vcpus 4; nodes 0", '"2x20x2:512@7.0"', []],
  ])("%s in a cluster of %s", (lines, hosts, expected) => {
    expect(found(lines, hosts)).toEqual(expected);
  });

  test.each<[string, string, readonly string[]]>([
    ["hw 17; vcpus 16; cps 1; preferHt TRUE; perVirtual 8", '"2x20x2:512@7.0", "2x10x2:512@7.0"', ["numa/prefer-ht-no-fit same info"]],
    ["hw 17; vcpus 24; cps 1; preferHt TRUE; perVirtual 12", '"2x20x2:512@7.0", "4x14x2@7.0"', ["numa/prefer-ht-no-fit same info"]],
    ["hw 17; vcpus 24; cps 1; preferHt TRUE; perVirtual 12", '"2x20x2:512@7.0", "4x10x2@7.0"', []],
    ["hw 17; vcpus 24; cps 1; preferHt TRUE; perVirtual 12", '"2x20x2:512@7.0", "2x11x2@7.0"', []],
    ["hw 17; vcpus 24; cps 1; preferHt TRUE; perVirtual 12", '"2x20x2:512@7.0", "4x14x2"', []],
    ["hw 17; vcpus 12; mem 65536; perMachine 6", '"2x20x2:512@7.0", "4x24x2@7.0"', ["numa/maxpermachinenode splits info"]],
    ["hw 17; vcpus 12; mem 65536; perMachine 6", '"2x20x2:512@7.0", "4x6x2@7.0"', []],
    ["hw 17; vcpus 8; mem 65536; consolidate FALSE", '"2x20x2:512@7.0", "2x8x2:128@7.0"', ["numa/consolidate-narrow spread info"]],
    ["hw 17; vcpus 8; mem 65536; consolidate FALSE", '"2x20x2:512@7.0", "2x8x2:124@7.0"', []],
    ["hw 17; vcpus 8; mem 65536; consolidate FALSE", '"2x20x2:512@7.0", "2x6x2:512@7.0"', []],
    ["hw 17; vcpus 8; mem 65536; consolidate FALSE", '"2x20x2:512@7.0", "2x8x2@7.0"', []],
  ])("%s is to be removed where no host of a cluster of %s needs it", (lines, hosts, expected) => {
    expect(found(lines, hosts, /^numa\/(prefer-ht-no-fit|maxpermachinenode|consolidate-narrow)$/)).toEqual(expected);
  });

  test("an unknown host of a cluster is rejected with its place", () => {
    expect(() => config("esx99")).toThrow('vmlint.yaml:3:20: There is no host "esx99".');
  });

  test.each([
    ["numa/consolidate-narrow", "hw 17; vcpus 8; mem 65536; consolidate FALSE"],
    ["numa/maxpermachinenode", "hw 17; vcpus 12; mem 65536; perMachine 6"],
    ["numa/mem-exceeds-node", "hw 17; vcpus 8; mem 419430"],
    ["numa/node-affinity-size", "hw 17; vcpus 8; mem 419430; nodes 0"],
  ])("%s does not fire on nodes of unequal memory", (id, lines) => {
    const only = rules.filter((rule) => rule.id === id);
    const on = (more: object) =>
      lint(written(lines).join("\n"), { rules: only, target: { host: { ...requireHost("2x20x2:512@7.0"), ...more } } });
    expect(on({}).diagnostics).toHaveLength(1);
    expect(on({ unevenMemory: true })).toMatchObject({ diagnostics: [], skipped: [{ ruleId: id, reason: "host-incomplete" }] });
  });

  test("more hosts than a sentence holds are counted", () => {
    const hosts = ["2x20x2:512@7.0", "4x14x2@7.0", "4x10x2@7.0", "8x8x2@7.0", "4x16x2@7.0"];
    const elsewhere = hosts.slice(1).map((name) => requireHost(name));
    const messages = (text: string) =>
      lint(text, {
        rules: rules.filter(({ id }) => /cluster$/.test(id)),
        target: { host: requireHost(hosts[0] ?? ""), otherHosts: elsewhere },
      }).diagnostics.map(({ message }) => message);
    const two = ["4x14x2@7.0", "4x10x2@7.0"].map((name) => requireHost(name));
    expect(
      lint('virtualHW.version = "17"\nnumvcpus = "36"', {
        rules: rules.filter(({ id }) => id === "host/heterogeneous-cluster"),
        target: { host: requireHost(hosts[0] ?? ""), otherHosts: two },
      }).diagnostics[0]?.message,
    ).toContain("(1 more host of the cluster differs as well)");
    expect(messages('numvcpus = "4"\nsched.cpu.affinity = "0-7"')).toEqual([
      "The affinity lists 8 logical CPUs of one machine, but the VM can also run on 4x14x2@7.0, 4x10x2@7.0, 8x8x2@7.0 and 1 more. Remove the affinity, or keep the VM on one host.",
    ]);
    expect(messages('virtualHW.version = "17"\nnumvcpus = "36"')).toEqual([
      "The 36 vCPUs are placed 18+18 on 2x20x2:512@7.0 and 9+9+9+9 on 4x10x2@7.0 (2 more hosts of the cluster differ as well), but the guest keeps the nodes of the host of its first power-on. Choose a vCPU count with the same layout on every host, or keep the VM on hosts of one kind.",
    ]);
  });
});
