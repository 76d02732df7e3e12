import { describe, expect, test } from 'vitest'
import { collectTexts, KINDS, type Kind, ofRate, worstTexts } from './measure.ts'

const texts = collectTexts()
const FRAGMENT =
  /^(of|in|on|at|with|without|from|for|to|by|that|which|whose|after|before|as|and|or|also|even|only|while|until)\b/i

describe('English', () => {
  test.each(Object.keys(KINDS) as Kind[])(
    'uses compounds and possessives instead of chains of "of" in %s',
    (kind) => {
      const some = texts.filter((text) => text.kind === kind)
      const { limit } = KINDS[kind]
      const worst = worstTexts(some).map(({ path, text }) => `${path}: ${text.slice(0, 200)}`)
      expect(some.length).toBeGreaterThan(100)
      expect(
        ofRate(some),
        `"of" in 1,000 words of ${kind}; the worst are:\n${worst.join('\n')}`,
      ).toBeLessThan(limit)
    },
  )

  test('titles are predicates: none starts with a preposition or a relative', () => {
    const fragments = texts.filter(({ kind, text }) => kind === 'titles' && FRAGMENT.test(text))
    expect(fragments.map(({ path, text }) => `${path}: ${text}`)).toEqual([])
  })
})
