import { defineConfig } from 'vitest/config';

// Sources are tested, not what was built: the custom export condition points every workspace import at src/.
const resolve = { conditions: ['jeroboam-source'] };
const ssr = { resolve: { conditions: ['jeroboam-source'], externalConditions: ['jeroboam-source'] } };

/** One tier of tests: what is real in it is told in CONTRIBUTING.md. */
const tier = (name: string, options: Record<string, unknown>) => ({
  resolve,
  ssr,
  test: { name, environment: 'node', ...options },
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      tier('unit', { include: ['packages/*/test/**/*.unit.test.ts'] }),
      tier('service', {
        include: ['packages/*/test/**/*.service.test.ts'],
        globalSetup: ['packages/sandbox/test/support/postgres-for-tests.ts'],
        testTimeout: 60_000,
        hookTimeout: 120_000,
      }),
    ],
  },
});
