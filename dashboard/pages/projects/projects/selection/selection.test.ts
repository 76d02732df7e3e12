import { beforeEach, expect, test } from 'vitest'
import { clearSelection, deselectMissing, selectedIds, selectTo, toggleSelected } from './selection.ts'

beforeEach(clearSelection)

test('a range extends from the last selected row, in both directions', () => {
  toggleSelected('c')
  selectTo('e', ['a', 'b', 'c', 'd', 'e'])
  selectTo('b', ['a', 'b', 'c', 'd', 'e'])
  expect([...selectedIds()].sort()).toEqual(['b', 'c', 'd', 'e'])
})

test("a range whose first row isn't listed selects one row", () => {
  toggleSelected('b')
  deselectMissing(['a', 'c', 'd'])
  selectTo('d', ['a', 'c', 'd'])
  expect([...selectedIds()]).toEqual(['d'])
})
