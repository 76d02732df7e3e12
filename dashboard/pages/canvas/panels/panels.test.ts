import { describe, expect, test } from 'vitest'
import { newBlock } from '../model/new-block.ts'
import { type Block, type Change, type NewBlock, unsavedBlock } from '../store/items.ts'
import { changeSubject, groupChanges, listDifferences, summarizeChanges } from './history-groups.ts'
import { outlineEntries } from './outline-entries.ts'

const change = (seq: number, fields: Partial<Change> = {}): Change => ({
  seq,
  entity: 'block',
  itemId: `b${seq}`,
  action: 'created',
  before: null,
  after: {},
  by: { id: 'ada', name: 'Ada' },
  runId: null,
  createdAt: new Date(Date.UTC(2026, 0, 1, 12, 0, seq)).toISOString(),
  ...fields,
})

describe('history', () => {
  test('groups consecutive changes by one author; a run, another author or a pause starts a new group', () => {
    const later = new Date(Date.UTC(2026, 0, 1, 13)).toISOString()
    const groups = groupChanges([
      change(6, { createdAt: later }),
      change(5, { runId: 'r' }),
      change(4, { by: null }),
      change(3, { action: 'moved', itemId: 'b1' }),
      change(2, { entity: 'edge' }),
      change(1),
    ])
    expect(groups.map(({ seq, by, changes }) => [seq, by, changes.length])).toEqual([
      [6, 'Ada', 1],
      [5, 'Ada', 1],
      [4, 'Guest', 1],
      [3, 'Ada', 3],
    ])
    expect(summarizeChanges(groups[3]!)).toBe('moved a block, added a block and a connection')
  })

  test('lists changed fields with previous and new values', () => {
    const before = { content: 'Old', x: 1.4, y: 2, locked: false, parentId: 'removed' }
    const after = { content: 'New', x: 1000.6, y: 2, locked: true, parentId: 'g' }
    const group = unsavedBlock({ ...newBlock('group', { title: 'Launch' }), id: 'g' }, 'p')
    const blocks = new Map([['g', group]])
    expect(listDifferences(change(1, { action: 'updated', before, after }), blocks)).toEqual([
      { field: 'Text', before: 'Old', after: 'New' },
      { field: 'Locked', before: 'no', after: 'yes' },
      { field: 'Group', before: 'a removed group', after: 'Launch' },
      { field: 'Position', before: '1, 2', after: '1,001, 2' },
    ])
    expect(listDifferences(change(1), blocks)).toEqual([])
  })

  test("names a change's subject, even after its deletion", () => {
    const deleted = change(1, {
      action: 'deleted',
      before: { type: 'note', content: '## Plan' },
      after: null,
    })
    expect(changeSubject(deleted, new Map())).toBe('Note “Plan”')
    expect(changeSubject(change(2, { entity: 'edge' }), new Map())).toBe('Connection')
  })
})

describe('outline', () => {
  const block = (id: string, fields: Partial<NewBlock> = {}): [string, Block] => [
    id,
    unsavedBlock({ ...newBlock('note', fields), id }, 'p'),
  ]
  const blocks = new Map([
    block('second', { y: 900, content: 'Second' }),
    block('group', { type: 'group', title: 'First' }),
    block('inside', { parentId: 'group', content: 'Inside' }),
    block('lost', { parentId: 'missing', y: 2000 }),
  ])
  const shown = (isOpen: boolean, words = '') =>
    outlineEntries(blocks, () => isOpen, words).map(({ block: { id }, level }) => [id, level])

  test('lists every block in reading order, with group members', () => {
    expect(shown(true)).toEqual([
      ['group', 1],
      ['inside', 2],
      ['second', 1],
      ['lost', 1],
    ])
    expect(shown(false)).toEqual([
      ['group', 1],
      ['second', 1],
      ['lost', 1],
    ])
  })

  test('finds blocks by their text, including in collapsed groups', () => {
    expect(shown(false, 'insi')).toEqual([['inside', 1]])
  })
})
