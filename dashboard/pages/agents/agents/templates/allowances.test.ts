import { describe, expect, test } from 'vitest'
import { NEW_DRAFT } from '../editor/draft.ts'
import { toAllowances } from './allowances.ts'

const names = (draft: Partial<typeof NEW_DRAFT>, kind: string) =>
  toAllowances({ ...NEW_DRAFT, ...draft }, new Map([['github', 'GitHub']]))
    .filter((each) => each.kind === kind)
    .map(({ name }) => name)

describe('toAllowances', () => {
  test('lists enabled tools and apps as allowed', () => {
    expect(names({ allowedConnectors: ['github'] }, 'may')).toEqual([
      'blocks',
      'tables',
      'files',
      'memory',
      'code',
      'github',
    ])
  })

  test('asks for risks without a rule, except deleting', () => {
    expect(names({}, 'asks')).toEqual(['send', 'spend', 'share', 'execute'])
  })

  test('follows the rules of an agent', () => {
    const approvals = { send: 'allow', delete: 'ask', spend: 'deny' } as const
    expect(names({ approvals }, 'may')).toContain('send')
    expect(names({ approvals }, 'asks')).toEqual(['delete', 'share', 'execute'])
    expect(names({ approvals }, 'never')).toEqual(['spend'])
  })
})
