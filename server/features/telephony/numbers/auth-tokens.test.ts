import { expect, test } from 'vitest'
import type { PublicContext } from '../../../context.ts'
import { Busy, notFound } from '../../../errors.ts'
import type { TelephonyOptions } from '../dependencies.ts'
import { createAuthTokens } from './auth-tokens.ts'
import type { CalledNumberRow } from './called-number.ts'

const number = { id: 'n', orgId: 'o', connectionId: 'c', accountId: 'AC1', accountVersion: '1' }

/** The tokens of a number while every statement fails. */
function findWhile(error: Error) {
  const sql = () => {
    const failed = Promise.reject(error)
    // Fragments are not awaited.
    failed.catch(() => {})
    return failed
  }
  const ctx = { sql } as unknown as PublicContext<'outbound' | 'vault'>
  const tokens = createAuthTokens({ connectors: {}, accounts: {} } as unknown as TelephonyOptions)
  return tokens.find(ctx, number as CalledNumberRow, { fresh: false })
}

test('a number without its account has no auth token', async () =>
  expect(await findWhile(notFound('Connection'))).toEqual([]))

test('a busy server does not mistake a signed callback for a forged one', () =>
  expect(findWhile(new Busy('UNAVAILABLE', 'Too many requests are running'))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  }))
