import { afterAll, beforeAll, expect, test } from 'vitest'
import { createVault } from '../security/vault.ts'
import { cloneDatabase } from '../testing/database.ts'
import { openDatabase, type Pool } from './database.ts'
import { requireSameSecret } from './installation-state.ts'

const [FIRST, SECOND] = ['first', 'second'].map((name) => createVault(`the ${name} secret of this test`)) as [
  ReturnType<typeof createVault>,
  ReturnType<typeof createVault>,
]

let database: Awaited<ReturnType<typeof cloneDatabase>>
let sql: Pool
beforeAll(async () => {
  database = await cloneDatabase()
  sql = openDatabase(database.connection, 'test')
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

const isAccepted = (vault: typeof FIRST, acceptsNew = false) =>
  requireSameSecret(sql, vault, acceptsNew).then(
    () => true,
    () => false,
  )

test('requireSameSecret accepts one secret from concurrent first starts, and only that one afterward', async () => {
  const accepted = await Promise.all([isAccepted(FIRST), isAccepted(SECOND)])
  expect(accepted.toSorted()).toEqual([false, true])
  expect(await Promise.all([isAccepted(FIRST), isAccepted(SECOND)])).toEqual(accepted)
})

test('requireSameSecret replaces the fingerprint when the operator accepts the new secret', async () => {
  await sql`delete from installation`
  expect(await isAccepted(FIRST)).toBe(true)
  expect(await isAccepted(SECOND, true)).toBe(true)
  expect(await isAccepted(FIRST)).toBe(false)
  expect(await isAccepted(SECOND)).toBe(true)
})

test('requireSameSecret names ATRIUM_SECRET and how to accept the new one, and stores neither secret', async () => {
  await sql`delete from installation`
  await requireSameSecret(sql, FIRST, false)
  await expect(requireSameSecret(sql, SECOND, false)).rejects.toThrow(
    /Set ATRIUM_SECRET to the secret its other processes.*npm start -- --accept-new-secret/,
  )
  const [row] = await sql<{ text: string }[]>`select to_jsonb(installation)::text as text from installation`
  expect(row!.text).not.toMatch(/of this test/)
})
