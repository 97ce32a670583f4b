import { main } from "../../packages/cli/src/main.ts";
import { outside } from "../../packages/cli/src/process-io.ts";

/** Returns the output of the command on a terminal of a width, without colours. */
export async function onTerminal(cwd: string, words: readonly string[], width = 80): Promise<string> {
  let text = "";
  const print = (_: 1 | 2, part: string): void => {
    text += part;
  };
  await main(words, outside({ cwd, env: { NO_COLOR: "1" }, isTerminal: true, width, print }));
  return text;
}
