import { existsSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The slowest test files, which start first and in this order, so that none of them runs alone at the end. */
const LONGEST = [
  // 90 to 150 seconds each on two quiet cores.
  /\/(large-tables\.slow|access|plans\.slow)\.test/,
  /\.release\.|\/(parallel-writes|start\.slow|password-hashing\.slow|provider-failures\.slow|silence\.slow)\.test/,
  /\.(browser|slow)\.|\/(hostile-text|run-budgets|publish|workflows|outbound)\.test/,
  /./,
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => LONGEST.findIndex((pattern) => pattern.test(moduleId))
    return sorted.toSorted((left, right) => rank(left) - rank(right))
  }
}

const TESTS = '**/*.test.ts'
/** Main pages in a browser. */
const BROWSER = '**/*.browser.test.ts'
/** Query plans, load, lost connections, random sequences, other database servers, large contents. */
const SLOW = '**/*.slow.test.ts'
/** The other browser tests (`*.release.browser.test.ts`), killed processes and hostile files. */
const RELEASE = '**/*.release.*'
/** Inserts three million rows: after every change of a list. */
const LARGE = '**/*.large.test.ts'
/** Needs the packages of `test/conformance/package.json`: `npm run test:conformance` installs them. */
const CONFORMANCE = '**/*.conformance.test.ts'
/** Pages for people to look at; `npm run screenshots` also runs the browser tests that take screenshots. */
const SCREENSHOTS = '**/*.screenshots.test.ts'
/** Tests of modules that only Vite can load: components, and files imported as text. */
const VITE = '**/*.vite.test.ts'

/** What each mode runs is decided by the name of a test file alone, wherever the file is. */
const MODES: Record<string, { include: string[]; exclude: string[] }> = {
  test: { include: [TESTS], exclude: [BROWSER, SLOW, RELEASE, LARGE, CONFORMANCE, SCREENSHOTS] },
  ci: { include: [TESTS], exclude: [RELEASE, LARGE, CONFORMANCE, SCREENSHOTS] },
  all: { include: [TESTS], exclude: [LARGE, CONFORMANCE, SCREENSHOTS] },
  plans: { include: [LARGE], exclude: [] },
  conformance: { include: [CONFORMANCE], exclude: [] },
  screenshots: { include: [SCREENSHOTS, '**/{*pages,setup,connections}.*browser.test.ts'], exclude: [] },
}
/** Whether the command names test files: these run even if a normal run excludes them. */
const namesTestFiles = process.argv.some((word) => word.includes('.test'))

/** Workers wait for browsers, disks and other processes: with one worker more than cores, a quarter of the CPU idled. */
const WORKERS = 2 * availableParallelism()

/** Files in memory: PostgreSQL creates and deletes a thousand per database, and no test data outlives the run. */
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 8 * 1024 ** 3

export default defineConfig(({ mode: named }) => {
  const mode = named === 'test' && namesTestFiles ? 'all' : named
  const { include, exclude } = MODES[mode] ?? MODES.test!
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
            include,
            exclude: [...configDefaults.exclude, VITE, ...exclude],
            // Node imports TypeScript without Vite, as it does in production, which takes half the CPU time.
            experimental: { viteModuleRunner: false, nodeLoader: false },
          },
        },
        { test: { ...projectOptions, name: 'vite', include: include.includes(TESTS) ? [VITE] : [] } },
      ],
    },
  }
})

function hasFreeBytes(folder: string, bytes: number): boolean {
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize >= bytes
}
