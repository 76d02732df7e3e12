import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{contract,client,server,cli,dashboard,test,bench}/**/*.test.ts'],
    globalSetup: 'server/testing/global-setup.ts',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    pool: 'forks',
  },
})
