import { defineConfig } from "vitest/config";

/** Tests that replace modules or globals, or run the programs as installed: each file in a process of its own. */
const ALONE = [
  "test/{integrations,release,vscode}/**/*.test.ts",
  "test/cli/{init-schema,windows,windows-paths}.test.ts",
  "test/esxi/headline.test.ts",
  "test/report/{html,picture}.test.ts",
  "test/site/playground.test.ts",
  "test/packages.test.ts",
];

/** All others share their modules, which halves the CPU of a run: importing the sources is most of a small test. */
const TOGETHER = { isolate: false, pool: "threads" } as const;

export default defineConfig({
  resolve: { conditions: ["@vmlint/source"] },
  ssr: { resolve: { conditions: ["@vmlint/source"], externalConditions: ["@vmlint/source"] } },
  test: {
    setupFiles: ["test/setup.ts"],
    globalSetup: ["test/support/build.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Vitest leaves one core idle by default, which doubles the time on two.
    maxWorkers: "100%",
    projects: [
      { extends: true, test: { name: "together", include: ["test/**/*.test.ts"], exclude: ALONE, ...TOGETHER } },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
  },
});
