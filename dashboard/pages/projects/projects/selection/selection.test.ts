import { beforeEach, expect, test } from 'vitest'
import { clearSelection, deselectMissing, selectedIds, selectTo, toggleSelected } from './selection.ts'

beforeEach(clearSelection)

test('a range is selected from the row that was selected last, in both directions', () => {
  toggleSelected('c')
  selectTo('e', ['a', 'b', 'c', 'd', 'e'])
  selectTo('b', ['a', 'b', 'c', 'd', 'e'])
  expect([...selectedIds()].sort()).toEqual(['b', 'c', 'd', 'e'])
})

test('a range without a first row in the list selects one row', () => {
  toggleSelected('b')
  deselectMissing(['a', 'c', 'd'])
  selectTo('d', ['a', 'c', 'd'])
  expect([...selectedIds()]).toEqual(['d'])
})
