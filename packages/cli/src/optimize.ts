/** From so many files on, optimizing less pays more than it costs to load what says so. */
const MANY = 100;

/**
 * Has V8 of Node 20 and 21 wait eight times as long before it optimizes a function: a run over 1,000 Terraform files takes a third less CPU
 * and a fifth less time by this, one over 10,000 `.vmx` a tenth less CPU (`npm run bench`, with and without). Later ones have no such
 * option. To be called once the parts are loaded: V8 refuses the form that the build has kept of them where its options are others.
 */
export async function optimizeLate(files: number): Promise<void> {
  if (files < MANY || Number(process.versions.node.split(".")[0]) > 21) return;
  const { setFlagsFromString } = await import("node:v8");
  setFlagsFromString("--interrupt-budget=540672");
}
