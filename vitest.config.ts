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
      tier('engine', {
        include: ['packages/*/test/**/*.engine.test.ts'],
        globalSetup: [
          'packages/sandbox/test/support/postgres-for-tests.ts',
          'packages/sandbox/test/support/management-cluster-for-tests.ts',
        ],
        // The management cluster is one, and what it takes for a step is its own: tests that share it wait for each other.
        maxWorkers: 1,
        fileParallelism: false,
        testTimeout: 5 * 60_000,
        hookTimeout: 3 * 60_000,
      }),
    ],
  },
});
