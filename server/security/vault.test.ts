import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sameSecret, sha256 } from './digest.ts'
import { createVault, UnsealError } from './vault.ts'

const SECRET = 'a secret for tests, long enough to be one'
const vault = createVault(SECRET)
const text = () => fc.string({ unit: 'grapheme' })

describe('a signature', () => {
  test('verifies for the signed text, even after a restart', () => {
    fc.assert(
      fc.property(text(), text(), (purpose, value) => {
        expect(createVault(SECRET).verify(purpose, value, vault.sign(purpose, value))).toBe(true)
      }),
    )
  })

  test('is refused for another text or purpose', () => {
    fc.assert(
      fc.property(text(), text(), text(), (purpose, value, other) => {
        const tag = vault.sign(purpose, value)
        expect(vault.verify(purpose, other, tag)).toBe(other === value)
        expect(vault.verify(other, value, tag)).toBe(other === purpose)
      }),
    )
  })

  test('is refused under another secret', () => {
    const other = createVault(`${SECRET}.`)
    expect(other.verify('purpose', 'text', vault.sign('purpose', 'text'))).toBe(false)
  })

  test('is refused when it is forged, at any length', () => {
    fc.assert(
      fc.property(text(), (tag) => {
        expect(vault.verify('purpose', 'text', tag)).toBe(false)
      }),
    )
  })

  test('reveals neither the secret nor the text', () => {
    const tag = vault.sign('purpose', 'text')
    expect(tag).toMatch(/^[\w-]{43}$/)
    expect(tag).not.toContain('text')
  })
})

test('sameSecret compares secrets with any lengths', () => {
  expect(sameSecret('one', 'one')).toBe(true)
  expect(sameSecret('one', 'one more')).toBe(false)
  expect(sameSecret('', 'one')).toBe(false)
})

test('the digest is SHA-256', () => {
  expect(sha256('abc').toString('hex')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
})

describe('a sealed text', () => {
  const sealed = vault.seal('table.column:1', 'text')

  test('opens with its own location', () => {
    expect(vault.open('table.column:1', sealed)).toBe('text')
  })

  test.each<[string, () => string]>([
    ['it is opened for another row', () => vault.open('table.column:2', sealed)],
    ['it was sealed with another secret', () => createVault(`${SECRET}.`).open('table.column:1', sealed)],
    ['it was changed', () => vault.open('table.column:1', `${sealed.slice(0, -2)}AA`)],
    [
      'its tag has the wrong length',
      () => vault.open('table.column:1', sealed.replace(/\.[^.]+\.([^.]+)$/, '.AA.$1')),
    ],
    ['it is malformed', () => vault.open('table.column:1', 'text')],
  ])('throws an UnsealError when %s', (_name, open) => {
    expect(open).toThrow(UnsealError)
  })

  test('makes tryOpen return null when it cannot be opened', () => {
    expect(vault.tryOpen('table.column:1', sealed)).toBe('text')
    expect(vault.tryOpen('table.column:2', sealed)).toBeNull()
    expect(createVault(`${SECRET}.`).tryOpen('table.column:1', sealed)).toBeNull()
  })
})
