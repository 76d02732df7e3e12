import { describe, expect, test } from 'vitest'
import { type HashQueue, hashPassword, verifyPassword } from './passwords.ts'

const TEST: HashQueue = { lane: 'known', key: 'test' }
const anonymous = (key: string): HashQueue => ({ lane: 'anonymous', key })

const PASSWORD = 'correct horse battery staple'

describe('a password', () => {
  test('is stored as argon2id with the recommended cost, salted each time', async () => {
    const [first, second] = await Promise.all([hashPassword(PASSWORD, TEST), hashPassword(PASSWORD, TEST)])
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(first).not.toBe(second)
    expect(first).not.toContain(PASSWORD)
  })

  test('verifies, and no other password does', async () => {
    const stored = await hashPassword(PASSWORD, TEST)
    expect(await verifyPassword(stored, PASSWORD, TEST)).toBe(true)
    for (const other of ['', ` ${PASSWORD}`, PASSWORD.toUpperCase(), `${PASSWORD}\0`]) {
      expect(await verifyPassword(stored, other, TEST)).toBe(false)
    }
  })

  test('verifies in another Unicode normalization form', async () => {
    const stored = await hashPassword('Zoë’s café'.normalize('NFC'), TEST)
    expect(await verifyPassword(stored, 'Zoë’s café'.normalize('NFD'), TEST)).toBe(true)
  })

  test('never verifies for a user without a password', async () => {
    expect(await verifyPassword(null, PASSWORD, TEST)).toBe(false)
    expect(await verifyPassword(null, 'a password of no account', TEST)).toBe(false)
  })

  test('verifies for many concurrent sign-ins, even if some fail', async () => {
    const stored = await hashPassword(PASSWORD, TEST)
    const checks = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) =>
        verifyPassword(n % 3 === 0 ? 'not a hash' : stored, PASSWORD, TEST),
      ),
    )
    expect(checks.map((check) => check.status === 'fulfilled' && check.value)).toEqual(
      Array.from({ length: 12 }, (_, n) => n % 3 !== 0),
    )
    expect(await verifyPassword(stored, PASSWORD, TEST)).toBe(true)
  })
})

describe('password hash queue', () => {
  const decoys = (count: number, keyOf: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => verifyPassword(null, PASSWORD, anonymous(keyOf(n))))
  const codesOf = (results: PromiseSettledResult<boolean>[]) =>
    results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))

  test("serves other clients before one that sends many, and limits each client's waiting requests", async () => {
    let isDone = false
    const busy = Promise.allSettled(decoys(35, () => 'busy')).finally(() => {
      isDone = true
    })
    expect(await verifyPassword(null, PASSWORD, anonymous('other'))).toBe(false)
    expect(isDone).toBe(false)
    const codes = codesOf(await busy)
    expect(codes).toContain('RATE_LIMITED')
    // On a busy machine, some of those that may wait reach the end of their time.
    expect(codes.filter((code) => code !== 'UNAVAILABLE').every((code) => code === 'RATE_LIMITED')).toBe(true)
  })

  test('refuses with UNAVAILABLE and retry-after when too many clients wait', async () => {
    const results = await Promise.allSettled(decoys(104, (n) => `client ${n}`))
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]).toMatchObject({ code: 'UNAVAILABLE', retryAfterS: 3 })
    expect(await verifyPassword(null, PASSWORD, anonymous('client 103'))).toBe(false)
  })

  test('hashes for known callers while full with anonymous ones', async () => {
    let ended = 0
    const flood = decoys(100, (n) => `client ${n}`).map((check) => check.finally(() => ended++))
    const known = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        verifyPassword(null, PASSWORD, { lane: 'known', key: `user ${n}` }),
      ),
    )
    expect(known).toEqual([false, false, false, false])
    expect(ended).toBeLessThan(50)
    await Promise.allSettled(flood)
  })
})
