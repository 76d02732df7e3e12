import { existsSync, readdirSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest test files, which start first and in this order, so that none of them runs alone at the end. */
const LONGEST = [
  /e2e\/(.*pages|start|crash)\.test|\/kills\//,
  /access\.test|\/e2e\/(device|uploads|files|webhook-crash)\.test|(hostile|plans|takeover|outbound|provider-failures|setup|object-store)\.test/,
  /\/e2e\//,
  /\/cli\//,
  /./,
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => LONGEST.findIndex((pattern) => pattern.test(moduleId))
    return sorted.toSorted((left, right) => rank(left) - rank(right))
  }
}

const TESTS = ['{contract,client,server,cli,dashboard,build,test,bench,examples}/**/*.test.ts']
/** Tests of modules that only Vite can load: components, and files imported as text. */
const VITE = ['dashboard/**/*.vite.test.ts']
const SCREENSHOTS = ['test/e2e/{*pages,setup,connections}.test.ts', 'test/screenshots/*.ts']
/** The browser tests of `npm test`. */
const FIRST_PAGES = ['setup']
/** The browser tests that CI adds: the first start and the main pages. */
const MAIN_PAGES = ['start', 'sign-in', 'home', 'projects', 'canvas', 'files', 'webhooks']
/**
 * The tests that CI adds to `npm test`: main pages, query plans, load, lost connections, random sequences, other database
 * servers, large contents.
 */
const CI_ONLY = [
  ...MAIN_PAGES.map((name) => `test/e2e/${name}.test.ts`),
  'test/{plans/plans,standby,readme,fairness/*}.test.ts',
  'server/**/fairness.test.ts',
  'cli/{login,files-put,transfers}.test.ts',
  'server/{backup/{backup,large-tables,silence},database/migrate,database/embedded/embedded}.test.ts',
  'server/database/lost-connection.test.ts',
  'server/features/agents/runs/engine/{provider-failures,interruptions}.test.ts',
  'server/{**/*.property,features/files/files/tree/tree,storage/memory}.test.ts',
  'dashboard/components/markdown/scaling.test.ts',
  'server/{storage/object-store,features/files/files/download/sizes,features/projects/export/manifest-thread}.test.ts',
]
/** The other browser tests, killed processes and hostile files: `npm run test:all` runs them before a release. */
const LONG = [
  ...readdirSync(join(import.meta.dirname, 'test/e2e'))
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => ![...FIRST_PAGES, ...MAIN_PAGES].includes(name.replace('.test.ts', '')))
    .map((name) => `test/e2e/${name}`),
  'test/kills/*.test.ts',
  'server/**/{hostile,takeover,plans,project-plans}.test.ts',
]
/** Inserts three million rows: `npm run test:plans` runs it, after every change of a list. */
const LARGE = ['test/plans/large-tables.test.ts']
/** Needs the packages of `test/conformance/package.json`: `npm run test:conformance` installs them. */
const CONFORMANCE = ['**/*.conformance.test.ts']
const INCLUDED: Record<string, string[]> = {
  screenshots: SCREENSHOTS,
  plans: LARGE,
  conformance: CONFORMANCE,
}
/** Whether the command names test files: these run even if a normal run excludes them. */
const namesTestFiles = process.argv.some((word) => word.includes('.test'))
const EXCLUDED: Record<string, string[]> = {
  test: namesTestFiles ? LARGE : [...CI_ONLY, ...LONG, ...LARGE, ...CONFORMANCE],
  ci: [...LONG, ...LARGE, ...CONFORMANCE],
  all: [...LARGE, ...CONFORMANCE],
}

/** Workers wait for browsers, disks and other processes: with one worker more than cores, a quarter of the CPU idled. */
const WORKERS = 2 * availableParallelism()

/** Files in memory: PostgreSQL creates and deletes a thousand per database, and no test data outlives the run. */
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 8 * 1024 ** 3

export default defineConfig(({ mode }) => {
  if (hasFreeBytes(MEMORY_FOLDER, MEMORY_BYTES_MIN)) process.env.TMPDIR ??= MEMORY_FOLDER
  const projectOptions = {
    // No test asserts a duration: these limits only end a test that hangs, also on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks' as const,
    maxWorkers: WORKERS,
    // Collecting garbage less often, and in one thread, takes a fifth less CPU time.
    execArgv: ['--initial-heap-size=1024', '--max-semi-space-size=32', '--single-threaded-gc'],
    // Files of a worker share imported modules, and the server of `shareTestApp`. Importing the server again for each
    // file took a fifth of the run.
    isolate: false,
    env: mode === 'screenshots' ? { SCREENSHOTS: 'true' } : {},
  }
  return {
    test: {
      // Runs once for all projects, because no project extends these options.
      globalSetup: 'server/testing/global-setup.ts',
      maxWorkers: WORKERS,
      sequence: { sequencer: LongestFirst },
      projects: [
        {
          test: {
            ...projectOptions,
            name: 'node',
            include: INCLUDED[mode] ?? TESTS,
            exclude: [...configDefaults.exclude, ...VITE, ...(EXCLUDED[mode] ?? [])],
            // Node imports TypeScript without Vite, as it does in production, which takes half the CPU time.
            experimental: { viteModuleRunner: false, nodeLoader: false },
          },
        },
        { test: { ...projectOptions, name: 'vite', include: INCLUDED[mode] ? [] : VITE } },
      ],
    },
  }
})

function hasFreeBytes(folder: string, bytes: number): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= bytes
}
