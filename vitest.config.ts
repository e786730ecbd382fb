import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { IN_WINDOW } from './e2e/desktop/in-window.ts';
import { LEFT_OUT } from './e2e/desktop/left-out.ts';
import { LongestFirst } from './e2e/harness/longest-first.ts';
import { memoryFolder } from './src-server/testing/memory-folder.ts';

// Threads and processes of the tests run the sources: each would strip their types again.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules', '.cache', 'programs');

const inMemory = memoryFolder();
if (inMemory !== undefined) process.env['TMPDIR'] ??= inMemory;

/** How long `expect.poll` waits for real processes: its default of a second is too short for a busy machine. */
const PATIENT = { poll: { timeout: 20_000, interval: 100 } };
/** The same for code in one process. */
const QUICK = { poll: { timeout: 15_000 } };

/**
 * One worker and one copy of the modules for many files: loading them again took longer than most tests. The
 * interface's stores are reset; other modules hold nothing that a test changes.
 */
const SHARED = { isolate: false } as const;

const fromRoot = (path: string): string => join(import.meta.dirname, path);

/** What takes longer hangs: tests run beside many others, and an exiting worker can keep a processor busy for 20 s. */
const LIMITS = { testTimeout: 180_000, hookTimeout: 180_000 } as const;

/** Journeys: whole processes that mostly wait for each other, so that several files run in parallel. */
const JOURNEYS = { ...LIMITS, expect: PATIENT, pool: 'forks' } as const;
/** Tests of the server open panels and stores that were set up once. */
const PREPARED = ['src-server/testing/panels/prepare-panel.ts'];
const OF_THE_CORE = 'src-server/**/*.core.test.ts';
/** Tests that also run on PostgreSQL; the rest by `TEST_DATABASE=postgres`. */
const ON_POSTGRES = ['store', 'domains/traffic', 'domains/clients', 'domains/nodes/sync'].map(
  (folder) => `src-server/${folder}/**/*.test.ts`,
);
/** Plans of SQLite's statements, an older file, and names by the thousand, which are the same texts in both. */
const IN_FILES_ALONE = [
  'src-server/**/*-plans.test.ts',
  'src-server/older-folder.test.ts',
  'src-server/domains/clients/verbs/clumsy-input.test.ts',
];

/** Journeys of the interface: one worker for many files, as the server's tests have. */
const OF_PAGES = { ...JOURNEYS, ...SHARED, setupFiles: ['e2e/ui/report-each-failure.ts'] } as const;
/** The application is built once for all journeys in it. */
const IN_ELECTRON = { ...OF_PAGES, globalSetup: ['e2e/desktop/build-once.ts'] } as const;

/**
 * unit: fast, no core process. postgres: some of the unit tests on PostgreSQL, and those only for it. renderer: pages
 * against a transport that answers from a table. main: the desktop application below its window. core: needs the real
 * core binary (CORE_BINARY or resources/core). e2e: whole panel processes with the real core and real clients. ui: the
 * web interface in a real browser. desktop: the application in a real Electron (ELECTRON_BIN, or the installed one).
 * window: journeys of ui that differ in its window. For `npm run soak`: soak, timings (journeys of e2e whose times are
 * asserted), window-soak (the other journeys of ui in the window).
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          expect: QUICK,
          include: ['src-server/**/*.test.ts'],
          exclude: [
            OF_THE_CORE,
            'src-server/**/*.postgres.test.ts',
            ...(process.env['TEST_DATABASE'] === 'postgres' ? IN_FILES_ALONE : []),
          ],
          globalSetup: PREPARED,
          ...SHARED,
          ...LIMITS,
          pool: 'forks',
        },
      },
      {
        test: {
          name: 'postgres',
          expect: PATIENT,
          include: ['src-server/**/*.postgres.test.ts', ...ON_POSTGRES],
          exclude: [OF_THE_CORE, ...IN_FILES_ALONE],
          globalSetup: ['src-server/testing/postgres/prepare-on-postgres.ts'],
          ...SHARED,
          ...LIMITS,
          pool: 'forks',
        },
      },
      {
        resolve: { alias: [{ find: /^zustand$/, replacement: fromRoot('src-renderer/testing/resettable-stores.ts') }] },
        test: {
          name: 'renderer',
          expect: QUICK,
          include: ['src-renderer/**/*.test.{ts,tsx}'],
          environment: 'jsdom',
          ...SHARED,
          setupFiles: ['src-renderer/testing/setup.ts'],
          ...LIMITS,
          pool: 'forks',
          css: { modules: { classNameStrategy: 'non-scoped' } },
        },
      },
      {
        test: {
          name: 'main',
          expect: QUICK,
          include: ['src-main/**/*.test.ts'],
          globalSetup: PREPARED,
          ...SHARED,
          // Without it, importing Electron's package downloads its program; nothing here runs one.
          env: { ELECTRON_OVERRIDE_DIST_PATH: 'nowhere' },
          pool: 'forks',
          ...LIMITS,
        },
      },
      {
        test: {
          name: 'core',
          expect: PATIENT,
          include: [OF_THE_CORE],
          globalSetup: PREPARED,
          ...SHARED,
          pool: 'forks',
          ...LIMITS,
        },
      },
      {
        test: {
          ...JOURNEYS,
          ...SHARED,
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          exclude: ['e2e/desktop/**', 'e2e/ui/**'],
        },
      },
      { test: { ...OF_PAGES, name: 'ui', include: ['e2e/ui/**/*.e2e.ts'] } },
      { test: { ...IN_ELECTRON, name: 'desktop', include: ['e2e/desktop/*.e2e.ts'] } },
      {
        test: {
          ...IN_ELECTRON,
          name: 'window',
          include: Object.keys(IN_WINDOW).map((file) => `e2e/ui/${file}`),
          env: { JOURNEYS_IN: 'window' },
        },
      },
      { test: { ...JOURNEYS, name: 'soak', include: ['e2e/soak/*.soak.ts'] } },
      {
        test: {
          ...JOURNEYS,
          name: 'timings',
          include: ['crash', 'enforcement', 'sessions'].map((file) => `e2e/${file}.e2e.ts`),
          env: { TIMES_ARE: 'asserted' },
        },
      },
      {
        test: {
          ...IN_ELECTRON,
          name: 'window-soak',
          include: ['e2e/ui/**/*.e2e.ts'],
          exclude: [...Object.keys(IN_WINDOW), ...Object.keys(LEFT_OUT)].map((file) => `e2e/ui/${file}`),
          env: { JOURNEYS_IN: 'window' },
        },
      },
    ],
  },
});
