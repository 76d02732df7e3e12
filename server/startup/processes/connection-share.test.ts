import { describe, expect, test } from 'vitest'
import { cloneDatabase } from '../../testing/database.ts'
import { connectionsFor, findShare, requireShare } from './connection-share.ts'

describe('the share of connections', () => {
  test('is whole for the embedded database, however many processes there are', () => {
    for (let processes = 2; processes <= 64; processes++)
      expect(findShare(processes, connectionsFor(processes) - 3)).toBe(1)
  })

  test("lets four processes start with PostgreSQL's default of 100 connections", () => {
    expect(findShare(2, 97)).toBe(0.9)
    expect(findShare(4, 97)).toBe(0.5)
    expect(findShare(5, 97)).toBeNull()
  })

  test('is refused with the number of connections that are needed', async () => {
    const database = await cloneDatabase()
    try {
      expect(await requireShare(database.connection, 2)).toBeGreaterThanOrEqual(0.5)
      await expect(requireShare(database.connection, 64)).rejects.toThrow(
        /max_connections is \d+, and ATRIUM_PROCESSES=64 needs at least 1\d{3}/,
      )
    } finally {
      await database.drop()
    }
  })
})
