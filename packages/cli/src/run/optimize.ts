/** With this many files, later optimization saves more time than loading this code costs. */
const MANY = 100;

/**
 * Makes V8 of Node 20 and 21 wait eight times as long before it optimizes a function. A run over 1,000 Terraform files then takes
 * a third less CPU and a fifth less time, a run over 10,000 `.vmx` a tenth less CPU (`npm run bench`, with and without). Later
 * releases lack the option. Call this after loading the parts, because V8 rejects cached code that was compiled with other
 * options.
 */
export async function optimizeLate(files: number): Promise<void> {
  if (files < MANY || Number(process.versions.node.split(".")[0]) > 21) return;
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--interrupt-budget=540672");
}

/**
 * Makes V8 collect garbage when the heap has grown by 15 %; by itself it lets small heaps grow to a multiple. A size of 20,000 VMs by 3.4
 * million hourly rows then takes 385 MB and a tenth more CPU; without, and with all rows kept, it took 650 MB.
 */
export async function collectSooner(): Promise<void> {
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--heap-growing-percent=15");
}
