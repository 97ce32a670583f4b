import { fstatSync, writeSync } from "node:fs";
import { dayOf } from "@vmlint/core";
import { EXIT, main } from "./main.ts";
import { palette } from "./palette.ts";

/** process.stdout would do the same, and loading Node's streams for it takes longer than linting a file. */
function write(descriptor: 1 | 2, text: string): void {
  for (let rest = Buffer.from(text); rest.length > 0; ) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // A reader that closes the pipe early (`vmlint | head`) has what it wanted; one that is slow gets the rest later.
      if (code === "EPIPE") process.exit(EXIT.clean);
      if (code !== "EAGAIN") throw error;
    }
  }
}

const { env } = process;
const isTerminal = (): boolean => fstatSync(1).isCharacterDevice() && env.TERM !== "dumb";

main(process.argv.slice(2), {
  cwd: process.cwd(),
  env,
  out: (text) => write(1, text),
  err: (text) => write(2, text),
  today: () => dayOf(new Date()),
  ci: !["", "0", "false"].includes(env.CI ?? ""),
  palette: palette(!env.NO_COLOR && (env.FORCE_COLOR ? env.FORCE_COLOR !== "0" : isTerminal())),
}).then((code) => {
  process.exitCode = code;
});
