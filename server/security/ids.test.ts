import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUuid, newId } from './ids.ts'

const timeOf = (id: string) => Number.parseInt(id.replace('-', '').slice(0, 12), 16)

test('an id is a UUIDv7 with its creation time', () => {
  const before = Date.now()
  const id = newId()
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(timeOf(id)).toBeGreaterThanOrEqual(before)
  expect(timeOf(id)).toBeLessThanOrEqual(Date.now())
})

test('ids created within one millisecond are strictly increasing', () => {
  const now = Date.now()
  const ids = Array.from({ length: 20_000 }, () => newId(now))
  expect(ids.every((id, n) => n === 0 || id > ids[n - 1]!)).toBe(true)
  expect(new Set(ids.map((id) => id.slice(19))).size).toBe(ids.length)
})

test('ids are strictly increasing even when the clock goes backwards', () => {
  const start = Date.now() + 1_000_000
  fc.assert(
    fc.property(fc.array(fc.nat(100_000), { minLength: 2, maxLength: 200 }), (offsets) => {
      const ids = offsets.map((offset) => newId(start + offset))
      expect(ids.every((id, n) => n === 0 || id > ids[n - 1]!)).toBe(true)
    }),
  )
})

test('a UUID is recognized in upper and lower case, and only as the whole text', () => {
  const id = newId()
  for (const text of [id, id.toUpperCase()]) expect(isUuid(text), text).toBe(true)
  for (const text of ['', id.slice(1), `${id}0`, `${id}\n`, id.replaceAll('-', ''), id.replace(/.$/, 'g')])
    expect(isUuid(text), text).toBe(false)
})
