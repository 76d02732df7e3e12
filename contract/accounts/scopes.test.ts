import { describe, expect, test } from 'vitest'
import { SCOPE_NAMES, type Scope, scopeGrants, scopesInRuns } from './scopes.ts'

describe('a key with the scope', () => {
  test.each(SCOPE_NAMES)('%s grants itself', (scope) => expect(scopeGrants([scope], scope)).toBe(true))

  test.each<[Scope, Scope]>([
    ['files:write', 'files:read'],
    ['connections:write', 'connections:read'],
    ['api-keys:write', 'api-keys:read'],
    ['mcp:write', 'mcp:read'],
  ])('%s grants %s, but not the other way round', (write, read) => {
    expect(scopeGrants([write], read)).toBe(true)
    expect(scopeGrants([read], write)).toBe(false)
  })

  test('terminal grants every scope except billing', () => {
    const refused = SCOPE_NAMES.filter((scope) => !scopeGrants(['terminal'], scope))
    expect(refused).toEqual(['billing:machine:charge'])
  })

  test('billing:machine:charge grants itself only', () => {
    const granted = SCOPE_NAMES.filter((scope) => scopeGrants(['billing:machine:charge'], scope))
    expect(granted).toEqual(['billing:machine:charge'])
  })
})

test('a key without scopes has no scope', () => {
  expect(SCOPE_NAMES.filter((scope) => scopeGrants([], scope))).toEqual([])
})

test('scopesInRuns adds file and model scopes to keys with an MCP scope, and none to other keys', () => {
  expect(scopesInRuns(['mcp:write'])).toEqual(['mcp:write', 'models:read', 'files:write'])
  expect(scopesInRuns(['mcp:read'])).toEqual(['mcp:read', 'models:read', 'files:read'])
  for (const held of [[], ['files:read'], ['billing:machine:charge']])
    expect(scopesInRuns(held)).toEqual(held)
})
