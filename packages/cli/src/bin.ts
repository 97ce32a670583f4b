import colors from "picocolors";
import { EXIT, main } from "./main.ts";

// A reader that closes the pipe early (`vmlint | head`) has what it wanted.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.clean);
  throw error;
});

main(process.argv.slice(2), {
  cwd: process.cwd(),
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  palette: colors,
}).then((code) => {
  process.exitCode = code;
});
