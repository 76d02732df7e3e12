import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const RATIO_MIN = 4.5
const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8')

/** The tones of each color token, as `tokens.css` declares them: one for both themes, or light and dark. */
const TONES = new Map(
  [...css.matchAll(/--color-([\w-]+):\s*(?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/g)].map(
    ([, name, light, dark, both]) => [name!, { light: (light ?? both)!, dark: (dark ?? both)! }],
  ),
)

const GROUNDS = ['app', 'page', 'card', 'float', 'inset', 'neutral-4']
const MEANINGS = ['accent', 'selection', 'good', 'warning', 'bad', 'info']

/** Each text token with the backgrounds on which components put it. */
const PAIRS: [text: string, background: string][] = [
  ...['neutral-10', 'neutral-11', 'neutral-12'].flatMap((text) =>
    [...GROUNDS, 'neutral-5', ...MEANINGS.map((meaning) => `${meaning}-wash`)].map(
      (ground): [string, string] => [text, ground],
    ),
  ),
  ...MEANINGS.flatMap((meaning) =>
    [...GROUNDS, `${meaning}-wash`].map((ground): [string, string] => [`${meaning}-text`, ground]),
  ),
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((hue): [string, string] => [`hue-${hue}`, `hue-${hue}-soft`]),
  // Code.
  ...[1, 2, 3, 4, 5, 6].map((hue): [string, string] => [`hue-${hue}`, 'inset']),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['on-accent', 'selection-solid'],
  ['on-danger', 'danger'],
  ['on-danger', 'danger-strong'],
]

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  test.each(PAIRS)(`shows %s on %s with a contrast ratio of at least ${RATIO_MIN}`, (text, background) => {
    const ratio = contrast(TONES.get(text)![theme], TONES.get(background)![theme])
    expect(ratio).toBeGreaterThanOrEqual(RATIO_MIN)
  })
})

/** The contrast ratio of WCAG 2. */
function contrast(first: string, second: string): number {
  const [light, dark] = [luminance(first), luminance(second)].sort((left, right) => right - left)
  return (light! + 0.05) / (dark! + 0.05)
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
