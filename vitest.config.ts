import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["@vmlint/source"] },
  ssr: { resolve: { conditions: ["@vmlint/source"], externalConditions: ["@vmlint/source"] } },
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/setup.ts"],
    globalSetup: ["test/support/build.ts"],
    testTimeout: 120_000,
    // Vitest leaves one core idle by default, which doubles the time on two.
    maxWorkers: "100%",
  },
});
