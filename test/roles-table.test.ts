import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rolesTable } from './roles-table.ts'
import { SECURITY_FILE, withRolesTable } from './write-roles-table.ts'

test('SECURITY.md shows the roles the contract declares; npm run roles updates it', () => {
  const document = readFileSync(SECURITY_FILE, 'utf8')
  expect(document).toContain(rolesTable())
  expect(document).toBe(withRolesTable(document))
})
