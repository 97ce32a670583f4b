import { readFileSync } from "node:fs";

const { repository }: { repository: string } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** The address of the sources; undefined until the root package.json states it. */
export const REPOSITORY = repository || undefined;
