import { existsSync, statfsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Start first, in this order, so none runs alone at the end. */
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
const BROWSER = '**/*.browser.test.ts'
/** Query plans, load, lost connections, random sequences, other database servers, large contents. */
const SLOW = '**/*.slow.test.ts'
/** Other browser tests (`*.release.browser.test.ts`), killed processes and hostile files. */
const RELEASE = '**/*.release.*'
/** Inserts three million rows. Run after every list change. */
const LARGE = '**/*.large.test.ts'
/** `npm run test:conformance` installs the required `test/conformance/package.json`. */
const CONFORMANCE = '**/*.conformance.test.ts'
/** For visual review. `npm run screenshots` also runs browser tests that take screenshots. */
const SCREENSHOTS = '**/*.screenshots.test.ts'
/** For modules only Vite can load: components and text imports. */
const VITE = '**/*.vite.test.ts'

/** Only a test file's name decides which modes run it. */
const MODES: Record<string, { include: string[]; exclude: string[] }> = {
  test: { include: [TESTS], exclude: [BROWSER, SLOW, RELEASE, LARGE, CONFORMANCE, SCREENSHOTS] },
  ci: { include: [TESTS], exclude: [RELEASE, LARGE, CONFORMANCE, SCREENSHOTS] },
  all: { include: [TESTS], exclude: [LARGE, CONFORMANCE, SCREENSHOTS] },
  plans: { include: [LARGE], exclude: [] },
  conformance: { include: [CONFORMANCE], exclude: [] },
  screenshots: { include: [SCREENSHOTS, '**/{*pages,setup,connections}.*browser.test.ts'], exclude: [] },
}
/** Named files run even if a normal run excludes them. */
const namesTestFiles = process.argv.some((word) => word.includes('.test'))

/** Workers wait for browsers, disks and other processes: with one more than cores, a quarter of the CPU idled. */
const WORKERS = 2 * availableParallelism()

/** PostgreSQL creates and deletes a thousand files per database, and no test data outlives the run. */
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 8 * 1024 ** 3

export default defineConfig(({ mode: named }) => {
  const mode = named === 'test' && namesTestFiles ? 'all' : named
  const { include, exclude } = MODES[mode] ?? MODES.test!
  if (hasFreeBytes(MEMORY_FOLDER, MEMORY_BYTES_MIN)) process.env.TMPDIR ??= MEMORY_FOLDER
  const projectOptions = {
    // No test asserts a duration: these only end hanging tests.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks' as const,
    maxWorkers: WORKERS,
    // Rarer, single-threaded garbage collection takes a fifth less CPU time.
    execArgv: ['--initial-heap-size=1024', '--max-semi-space-size=32', '--single-threaded-gc'],
    // Reimporting the server per file took a fifth of the run. Files share modules and the `shareTestApp` server.
    isolate: false,
    env: mode === 'screenshots' ? { SCREENSHOTS: 'true' } : {},
  }
  return {
    test: {
      // Runs once, because no project extends these options.
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
            // Node imports TypeScript without Vite, as in production, for half the CPU time.
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
