import { expect, test } from 'vitest'
import { quotaExceeded } from './quotas.ts'

test.each([
  ['history', 'Prune canvas histories, or purge deleted projects. This server’s operator can raise it'],
  ['storage', 'Purge files in the trash. This server’s operator can raise it'],
  ['webhooks', 'used. This server’s operator can raise it'],
] as const)('the error for a full quota (%s) names the remedy', (quota, remedy) => {
  expect(quotaExceeded({ quota, used: 2, allowed: 1 }).message).toContain(remedy)
})
