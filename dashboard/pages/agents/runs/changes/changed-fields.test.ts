import { expect, test } from 'vitest'
import { changedFields, groupFields } from './changed-fields.ts'

test('changedFields lists the fields that differ, as text', () => {
  expect(
    changedFields({
      before: { title: 'Plan', x: 10, tags: ['a'], metadata: {}, locked: false, sha256: 'aa' },
      after: { title: 'Plan', x: 20, tags: ['a', 'b'], metadata: { done: 1 }, locked: true, sha256: 'bb' },
    }),
  ).toEqual([
    { field: 'x', before: '10', after: '20' },
    { field: 'tags', before: 'a', after: 'a, b' },
    { field: 'metadata', before: '', after: '{\n  "done": 1\n}' },
    { field: 'locked', before: '', after: 'yes' },
  ])
})

test("changedFields lists a created item's values and leaves out empty ones", () => {
  expect(changedFields({ before: null, after: { title: 'New', color: null, metadata: {} } })).toEqual([
    { field: 'title', before: '', after: 'New' },
  ])
})

test('groupFields joins short values and separates long texts', () => {
  const long = { field: 'content', before: '', after: 'One\nTwo' }
  const fields = [
    { field: 'x', before: '10', after: '20' },
    { field: 'title', before: '', after: 'Plan' },
    long,
  ]
  expect(groupFields(fields, (field) => field.toUpperCase())).toEqual({
    short: { before: 'X: 10', after: 'X: 20\nTITLE: Plan' },
    long: [long],
  })
})
