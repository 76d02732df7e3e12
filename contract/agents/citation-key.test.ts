import { describe, expect, test } from 'vitest'
import { citedKeys, keepKeys, splitAtKeys } from './citation-key.ts'

describe('citation keys', () => {
  test('are found once each, alone, in a row or in one pair of brackets', () => {
    expect(citedKeys('Rain [k3f9a2]. Snow [k00001][k9zzzz] and hail [k3f9a2, k1abcd].')).toEqual([
      'k3f9a2',
      'k00001',
      'k9zzzz',
      'k1abcd',
    ])
  })

  test.each(['[known]', '[kernel]', '[k8s]', '[3]', '[K3F9A2]', 'k3f9a2', '[ k3f9a2 ]'])(
    'are not found in %s',
    (text) => expect(citedKeys(text)).toEqual([]),
  )

  test('are removed with the space before them if nothing is known of them', () => {
    const known = new Map([['k3f9a2', null]])
    const text = 'One [k3f9a2, k1abcd], two [k1abcd], three[k1abcd].'
    expect(keepKeys(text, known)).toBe('One [k3f9a2], two, three.')
  })

  test('split a text', () => {
    expect(splitAtKeys('One [k3f9a2]. [k1abcd, k00001]')).toEqual([
      'One',
      ['k3f9a2'],
      '.',
      ['k1abcd', 'k00001'],
    ])
  })
})
