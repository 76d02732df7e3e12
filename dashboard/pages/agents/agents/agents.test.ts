import { describe, expect, test } from 'vitest'
import { changedLines, changedValues } from './changed-values.ts'
import { changedSettings, NEW_DRAFT, toSettings } from './editor/draft.ts'

describe('a draft', () => {
  test("sends only the settings that differ, in the API's format", () => {
    const draft = {
      ...NEW_DRAFT,
      name: ' Writer ',
      approvals: { send: 'ask', share: 'deny' } as const,
      budget: '2.50',
    }
    const edited = { ...draft, name: 'Editor', budget: '', maxSteps: '5', fallbackModels: ['a/b', ' '] }
    expect(changedSettings(draft, edited)).toEqual({
      name: 'Editor',
      budget: null,
      maxSteps: 5,
      fallbackModels: ['a/b'],
    })
    expect(changedSettings(draft, { ...draft, approvals: { share: 'deny', send: 'ask' } })).toEqual({})
  })

  test('has the default model, no budget and no emoji when empty', () => {
    expect(toSettings(NEW_DRAFT)).toMatchObject({ model: null, budget: null, emoji: null, description: null })
  })
})

describe('version changes', () => {
  test("are the lines between a text's common start and end", () => {
    expect(changedLines('a\nb\nc', 'a\nx\ny\nc')).toEqual({ removed: ['b'], added: ['x', 'y'] })
    expect(changedLines('a\na', 'a\na\na')).toEqual({ removed: [], added: ['a'] })
    expect(changedLines('', 'a')).toEqual({ removed: [], added: ['a'] })
  })

  test('are the entries found in only one value, or all if only the order differs', () => {
    const tools = changedValues('tools', { web: false, files: true }, { web: true, files: true })
    expect(tools).toEqual({ removed: ['web: off'], added: ['web: on'] })
    expect(changedValues('fallbackModels', ['a/1', 'a/2'], ['a/2', 'a/1'])).toEqual({
      removed: ['a/1', 'a/2'],
      added: ['a/2', 'a/1'],
    })
    expect(changedValues('budget', null, { amount: '2.500000', currency: 'USD' })).toEqual({
      removed: [],
      added: ['$2.50'],
    })
  })
})
