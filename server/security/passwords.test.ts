import { describe, expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './passwords.ts'

const PASSWORD = 'correct horse battery staple'

describe('a password', () => {
  test('is stored as argon2id with the recommended cost, salted each time', async () => {
    const [first, second] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)])
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(first).not.toBe(second)
    expect(first).not.toContain(PASSWORD)
  })

  test('verifies, and no other password does', async () => {
    const stored = await hashPassword(PASSWORD)
    expect(await verifyPassword(stored, PASSWORD)).toBe(true)
    for (const other of ['', ` ${PASSWORD}`, PASSWORD.toUpperCase(), `${PASSWORD}\0`]) {
      expect(await verifyPassword(stored, other)).toBe(false)
    }
  })

  test('verifies in another Unicode normalization form', async () => {
    const stored = await hashPassword('Zoë’s café'.normalize('NFC'))
    expect(await verifyPassword(stored, 'Zoë’s café'.normalize('NFD'))).toBe(true)
  })

  test('never verifies for a user without a password', async () => {
    expect(await verifyPassword(null, PASSWORD)).toBe(false)
    expect(await verifyPassword(null, 'a password nobody has')).toBe(false)
  })

  test('verifies for many concurrent sign-ins, even if some fail', async () => {
    const stored = await hashPassword(PASSWORD)
    const checks = await Promise.allSettled(
      Array.from({ length: 12 }, (_, n) => verifyPassword(n % 3 === 0 ? 'not a hash' : stored, PASSWORD)),
    )
    expect(checks.map((check) => check.status === 'fulfilled' && check.value)).toEqual(
      Array.from({ length: 12 }, (_, n) => n % 3 !== 0),
    )
    expect(await verifyPassword(stored, PASSWORD)).toBe(true)
  })
})
