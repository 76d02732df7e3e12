import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest, in the order in which they start, so that no worker has one left at the end. */
const LONGEST = [
  /e2e\/(.*pages|start|crash)\.test|\/kills\//,
  /\/cli\/(files|commands)\.test|access\.test|\/e2e\/(device|uploads|files|webhook-crash)\.test|(hostile|plans|project-files|memory|object-store)\.test/,
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

const TESTS = ['{contract,client,server,cli,dashboard,test,bench}/**/*.test.ts']
const SCREENSHOTS = ['test/e2e/*pages.test.ts', 'test/screenshots/*.ts']
/** Inserts three million rows: `npm run test:plans` runs it, after every change of a list. */
const LARGE = ['test/plans/large-tables.test.ts']
const INCLUDED: Record<string, string[]> = { screenshots: SCREENSHOTS, plans: LARGE }

export default defineConfig(({ mode }) => ({
  test: {
    globalSetup: 'server/testing/global-setup.ts',
    // No test asserts a duration: these limits only end a test that hangs, also on a busy machine.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // Workers wait for browsers, disks and other processes: with one worker more than cores, a quarter of the CPU idled.
    maxWorkers: 2 * availableParallelism(),
    // Files of a worker share imported modules: each file has its own server and database, and modules hold no state.
    // Importing the server again for each file took a fifth of the run.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    include: INCLUDED[mode] ?? TESTS,
    exclude: [...configDefaults.exclude, ...(mode === 'plans' ? [] : LARGE)],
    env: mode === 'screenshots' ? { SCREENSHOTS: 'true' } : {},
  },
}))
