import { expect, test } from 'vitest'
import type { TableColumn } from '../../../../api/tables.ts'
import { columnsInView, DESKTOP, dropIndex, measure, PHONE } from './geometry.ts'

const columns = Array.from({ length: 50 }, (_, n): TableColumn => ({ id: `c${n}`, name: '', type: 'text' }))
const geometry = measure(columns, { c0: 300, c1: 100 }, DESKTOP)

test('columns follow each other with their widths, and the first one leaves room on a phone', () => {
  expect(geometry.lefts.slice(0, 4)).toEqual([56, 356, 456, 636])
  expect(geometry.totalWidth).toBe(56 + 300 + 100 + 48 * 180)
  const phone = measure(columns, { c0: 300, c1: 600 }, PHONE)
  expect([phone.frozenWidth, phone.widths[1]]).toEqual([40 + 128, 220])
})

test('draws the columns near the window only', () => {
  expect(columnsInView(geometry, 0, 800)).toEqual([1, 6])
  const [first, last] = columnsInView(geometry, 4000, 800)
  expect(geometry.lefts[first]! + 180).toBeGreaterThan(4000)
  expect(geometry.lefts[first]!).toBeLessThan(4000 + 356)
  expect(last - first).toBeLessThan(9)
  expect(columnsInView(geometry, 100_000, 800)[1]).toBe(50)
})

test('a column is dropped at the edge that is closer to the pointer, also over the first column', () => {
  expect(dropIndex(geometry, 60, 0)).toBe(0)
  expect(dropIndex(geometry, 60, 4000)).toBe(0)
  expect(dropIndex(geometry, 340, 4000)).toBe(1)
  expect(dropIndex(geometry, 400, 0)).toBe(1)
  expect(dropIndex(geometry, 420, 0)).toBe(2)
  expect(dropIndex(geometry, 100_000, 0)).toBe(50)
})
