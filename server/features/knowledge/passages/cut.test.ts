import { expect, test } from 'vitest'
import { markdownBlocks, type TextBlock } from '../../../../markdown/text-blocks.ts'
import { cutPassages } from './cut.ts'
import { detectAmong, detectLanguage } from './language.ts'
import { toExactWords, toStemmable } from './words.ts'

const sentences = (count: number) =>
  Array.from({ length: count }, (_, n) => `Sentence number ${n} says little about anything.`).join(' ')

test('passages are slices of 600 to 1,000 characters that overlap and leave nothing out', () => {
  const text = sentences(100)
  const passages = cutPassages(markdownBlocks(text))
  expect(passages.length).toBeGreaterThan(4)
  for (const [index, { from, to }] of passages.entries()) {
    const next = passages[index + 1]
    expect(to - from).toBeLessThanOrEqual(1000)
    if (!next) expect(to).toBe(text.length)
    else {
      expect(to - from).toBeGreaterThanOrEqual(600)
      expect(to - next.from).toBeGreaterThan(0)
      expect(to - next.from).toBeLessThanOrEqual(100)
      expect(text.slice(next.from)).toMatch(/^\S/)
    }
  }
})

test('a heading begins a passage, and passages have the path of headings', () => {
  const text = `# Guide\n\n## First\n\n${sentences(8)}\n\n## Second\n\n${sentences(8)}\n\n# Other\n\nend`
  expect(cutPassages(markdownBlocks(text)).map(({ heading }) => heading)).toEqual([
    'Guide › First',
    'Guide › Second',
    'Other',
  ])
})

test('a title stays above chapters of its own level, and a chapter doesn’t', () => {
  const text = `# Handbook\n\n# Pumps\n\n${sentences(8)}\n\n# Valves\n\n${sentences(8)}`
  expect(cutPassages(markdownBlocks(text)).map(({ heading }) => heading)).toEqual([
    'Handbook › Pumps',
    'Handbook › Valves',
  ])
})

test('a long heading leaves room for those below it', () => {
  const text = `# ${'long words '.repeat(100_000)}\n\n## Notice\n\n${sentences(8)}`
  const [passage] = cutPassages(markdownBlocks(text)).filter(({ heading }) => heading.endsWith('Notice'))
  expect(passage?.heading.length).toBeLessThan(200)
})

test('pages and rows are kept apart, and rows whole', () => {
  const row = 'cell '.repeat(60)
  const text = Array.from({ length: 10 }, () => row).join('\n')
  const blocks: TextBlock[] = Array.from({ length: 10 }, (_, n) => ({
    from: n * (row.length + 1),
    to: n * (row.length + 1) + row.length,
    isRow: true,
    page: n < 5 ? 1 : 2,
    context: 'Header',
  }))
  const passages = cutPassages({ text, blocks, pages: 2, truncated: false })
  expect(
    passages.map(({ page, context, from, to }) => [page, context, Math.round((to - from) / row.length)]),
  ).toEqual([
    [1, 'Header', 3],
    [1, 'Header', 2],
    [2, 'Header', 3],
    [2, 'Header', 2],
  ])
})

test.each([
  ['The tenant may end the lease with three months of notice, which must be given in writing.', 'english'],
  ['Der Mieter kann den Vertrag mit einer Frist von drei Monaten kündigen, und zwar schriftlich.', 'german'],
  [
    'El inquilino puede rescindir el contrato con un preaviso de tres meses, que debe darse por escrito.',
    'spanish',
  ],
  [
    'Le locataire peut résilier le bail avec un préavis de trois mois, qui doit être donné par écrit.',
    'french',
  ],
  ['Арендатор может расторгнуть договор, уведомив за три месяца.', 'russian'],
  ['INV-220 0042 4711 XK9', 'simple'],
  ['', 'simple'],
])('detects the language of %j', (text, language) => {
  expect(detectLanguage(text)).toBe(language)
})

test('a language is detected although names repeat articles of another, and in a sentence with few frequent words', () => {
  const teams =
    'Teams include clubs from the NFL (Los Angeles Rams), the NBA (Los Angeles Lakers, Los Angeles Clippers) and MLB (Los Angeles Dodgers, Los Angeles Angels).'
  expect(detectLanguage(teams)).toBe('english')
  const singer =
    'Six-time Grammy winner and Academy Award nominee Lady Gaga performed the national anthem, while Academy Award winner Marlee Matlin provided American Sign Language (ASL) translation.'
  expect(detectLanguage(singer)).toBe('english')
})

test('a question’s language is one that passages have, or unknown', () => {
  expect(detectAmong('Wann schließt das Büro?', ['english', 'german'])).toBe('german')
  expect(detectAmong('Wann schließt das Büro?', ['english'])).toBeNull()
  expect(detectAmong('Northwind', ['english', 'german'])).toBeNull()
})

test('words are folded for exact matches and kept for stemmers; scripts without spaces become pairs', () => {
  expect(toStemmable('Größe: INV-220')).toBe('größe inv 220')
  expect(toExactWords('Größe GRÖSSE e-mail')).toEqual(['grosse', 'e', 'mail'])
  expect(toStemmable('東京都 に')).toBe('東京 京都 に')
})
