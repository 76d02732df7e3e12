import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newId } from '../security/ids.ts'
import { randomHex } from '../security/random.ts'
import { createVault } from '../security/vault.ts'
import { type SignedRead, type SignedWrite, signUrlToken, verifyUrlToken } from './signed-urls.ts'

const SECRET = 'a secret for tests, long enough to be one'
/** The limit of a path parameter in the contract. */
const LENGTH_MAX = 4000

const vault = createVault(SECRET)
const now = new Date('2026-01-01T00:00:00.000Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const key = `${newId()}/${randomHex(16)}`
const read: SignedRead = {
  method: 'GET',
  key,
  expiresAt: later(1000),
  mimeType: 'text/plain',
  disposition: `attachment; filename="a.txt"; filename*=UTF-8''a.txt`,
}
const write: SignedWrite = { method: 'PUT', key, expiresAt: later(1000), size: 5 }

describe('URL token', () => {
  test('verifies as the signed permission, even after a restart', () => {
    expect(verifyUrlToken(createVault(SECRET), 'GET', signUrlToken(vault, read), now)).toEqual(read)
    expect(verifyUrlToken(createVault(SECRET), 'PUT', signUrlToken(vault, write), now)).toEqual(write)
  })

  test('is valid until it expires', () => {
    const token = signUrlToken(vault, read)
    expect(verifyUrlToken(vault, 'GET', token, later(999))).toEqual(read)
    expect(verifyUrlToken(vault, 'GET', token, later(1000))).toBe('expired')
    expect(verifyUrlToken(vault, 'PUT', signUrlToken(vault, write), later(1000))).toBe('expired')
  })

  test('does not permit a write if issued for reading, and vice versa', () => {
    expect(verifyUrlToken(vault, 'PUT', signUrlToken(vault, read), now)).toBe('wrong_method')
    expect(verifyUrlToken(vault, 'GET', signUrlToken(vault, write), now)).toBe('wrong_method')
  })

  test('is refused if another deployment signed it', () => {
    const foreign = createVault('another secret, which is long enough too')
    expect(verifyUrlToken(vault, 'GET', signUrlToken(foreign, read), now)).toBe('bad_signature')
  })

  test('is refused with any character changed, added or removed', () => {
    const token = signUrlToken(vault, read)
    const refused = ['bad_signature', 'malformed']
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'A' ? 'B' : 'A'
      const [before, after] = [token.slice(0, at), token.slice(at + 1)]
      expect(refused).toContain(verifyUrlToken(vault, 'GET', before + other + after, now))
      expect(refused).toContain(verifyUrlToken(vault, 'GET', before + after, now))
    }
    expect(refused).toContain(verifyUrlToken(vault, 'GET', `${token}A`, now))
    expect(refused).toContain(verifyUrlToken(vault, 'GET', `${token}=`, now))
  })

  test("is refused with one token's payload and another's signature", () => {
    const [payload] = signUrlToken(vault, read).split('.')
    const [, tag] = signUrlToken(vault, { ...read, key: `${newId()}/${randomHex(16)}` }).split('.')
    expect(verifyUrlToken(vault, 'GET', `${payload}.${tag}`, now)).toBe('bad_signature')
  })

  test('is refused if signed for another purpose', () => {
    const [payload] = signUrlToken(vault, read).split('.') as [string]
    expect(verifyUrlToken(vault, 'GET', `${payload}.${vault.sign('cursor:files', payload)}`, now)).toBe(
      'bad_signature',
    )
  })

  test('is malformed with a valid signature and an invalid payload or key', () => {
    const tokenOf = (value: unknown) => {
      const text = deflateRawSync(JSON.stringify(value)).toString('base64url')
      return `${text}.${vault.sign('object-ticket', text)}`
    }
    expect(verifyUrlToken(vault, 'PUT', tokenOf(['PUT', key, later(1).getTime(), 5]), now)).toMatchObject({
      key,
    })
    for (const value of [
      null,
      [],
      ['PUT', key, later(1).getTime(), -1],
      ['PUT', '../secret', later(1).getTime(), 5],
      ['GET', key, later(1).getTime(), 5],
    ]) {
      expect(verifyUrlToken(vault, 'PUT', tokenOf(value), now)).toBe('malformed')
    }
    const text = Buffer.from('not compressed').toString('base64url')
    expect(verifyUrlToken(vault, 'PUT', `${text}.${vault.sign('object-ticket', text)}`, now)).toBe(
      'malformed',
    )
  })

  test('is refused without an exception if forged', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(verifyUrlToken(vault, 'GET', text, now)).toBeTypeOf('string')
        expect(verifyUrlToken(vault, 'GET', `${text}.${text}`, now)).toBeTypeOf('string')
      }),
    )
  })

  test('fits into a URL for a file name in any length and script', () => {
    const name = fc.string({
      unit: fc.integer({ min: 0x1_00_00, max: 0x10_ff_ff }).map(String.fromCodePoint),
    })
    fc.assert(
      fc.property(fc.array(name, { minLength: 255, maxLength: 255 }), (letters) => {
        const long = [...letters.join('')].slice(0, 255).join('')
        const disposition = `attachment; filename="${'_'.repeat(255)}"; filename*=UTF-8''${encodeURIComponent(long)}`
        expect(signUrlToken(vault, { ...read, disposition }).length).toBeLessThan(LENGTH_MAX)
      }),
      { numRuns: 20 },
    )
  })
})
