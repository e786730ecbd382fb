import { defineConfig } from 'vitest/config';
import { LEFT_OUT } from './e2e/desktop/left-out.ts';

/** How long `expect.poll` waits where real processes answer: its default of a second is too short for a busy machine. */
const PATIENT = { poll: { timeout: 20_000, interval: 100 } };
/** The same for pages that answer from a table. */
const QUICK = { poll: { timeout: 5_000 } };

/**
 * unit: fast, no core process. renderer: pages against a transport that answers from a table. main: the desktop application below
 * its window. core: needs the real core binary (CORE_BINARY or resources/core).
 * e2e: whole panel processes with the real core and real clients. ui: the web interface in a real browser. desktop: the
 * application in a real Electron (ELECTRON_BIN, or the installed one). window: the journeys of ui once more, in its window.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src-server/**/*.test.ts'],
          exclude: ['src-server/**/*.core.test.ts'],
          pool: 'forks',
        },
      },
      {
        test: {
          name: 'renderer',
          expect: QUICK,
          include: ['src-renderer/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          setupFiles: ['src-renderer/testing/setup.ts'],
          pool: 'forks',
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
      {
        test: {
          name: 'main',
          expect: QUICK,
          include: ['src-main/**/*.test.ts'],
          // Without it importing the package of Electron fetches its program; nothing here runs one.
          env: { ELECTRON_OVERRIDE_DIST_PATH: 'nowhere' },
          pool: 'forks',
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'core',
          expect: PATIENT,
          include: ['src-server/**/*.core.test.ts'],
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'e2e',
          expect: PATIENT,
          include: ['e2e/**/*.e2e.ts'],
          exclude: ['e2e/desktop/**', 'e2e/ui/**'],
          pool: 'forks',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'ui',
          expect: PATIENT,
          include: ['e2e/ui/*.e2e.ts'],
          pool: 'forks',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'desktop',
          expect: PATIENT,
          include: ['e2e/desktop/*.e2e.ts'],
          pool: 'forks',
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'window',
          expect: PATIENT,
          include: ['e2e/ui/*.e2e.ts'],
          exclude: Object.keys(LEFT_OUT).map((file) => `e2e/ui/${file}`),
          env: { JOURNEYS_IN: 'window' },
          pool: 'forks',
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
