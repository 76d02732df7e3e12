import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,client,server,cli,dashboard,test,bench}/**/*.test.ts'],
    globalSetup: 'server/testing/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // The default leaves a core idle, which on two cores is half of them.
    maxWorkers: '100%',
  },
})
