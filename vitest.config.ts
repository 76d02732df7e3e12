import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONG = [/e2e\/(.*pages|start|crash)\.test/, /\/e2e\//, /\/cli\//, /./]

/** What takes long comes first, so that no worker is left with it at the end while the others have nothing to do. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification) => LONG.findIndex((pattern) => pattern.test(moduleId))
    return sorted.toSorted((left, right) => rank(left) - rank(right))
  }
}

export default defineConfig({
  test: {
    include: ['{contract,client,server,cli,dashboard,test,bench}/**/*.test.ts'],
    globalSetup: 'server/testing/global-setup.ts',
    // Time is no claim of any test: these only end one that hangs, on a busy machine as well.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    pool: 'forks',
    // One more than there are cores, since each waits at times: for a browser, a disk, another process.
    maxWorkers: availableParallelism() + 1,
    // Files share what is imported: each has a server and a database of its own, and no state is kept in modules. To
    // import the server again for each of them took a fifth of the whole run.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
})
