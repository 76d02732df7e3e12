import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,client,server,cli,dashboard,test,bench}/**/*.test.ts'],
    globalSetup: 'server/testing/global-setup.ts',
    // Time is no claim of any test: these only end one that hangs, on a busy machine as well.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    pool: 'forks',
    // The default leaves a core idle, which on two cores is half of them.
    maxWorkers: '100%',
  },
})
