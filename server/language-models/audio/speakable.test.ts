import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSpeaker, toSpeakable } from './speakable.ts'

function speakAll(chunks: string[]) {
  const speaker = createSpeaker()
  const pieces = [...chunks.flatMap((chunk) => speaker.add(chunk)), ...speaker.end()]
  return { text: pieces.map(({ text }) => text).join(''), pieces }
}

test.each([
  ['**Yes**, *it* is `done`.', 'Yes, it is done.'],
  ['## Opening hours', 'Opening hours'],
  ['- [x] one', 'one'],
  [
    'See [the terms](https://a.example/x?y=1) or https://www.b.example/long/path.',
    'See the terms or b.example',
  ],
  ['| Day | Hours |', 'Day, Hours. '],
  ['|---|:--:|', ''],
  ['2 * 3 is 6, and snake_case stays', '2 * 3 is 6, and snake_case stays'],
  ['Fine 👍🏽 <b>so</b> 1 < 2', 'Fine so 1 < 2'],
])('%j is spoken as %j', (raw, text) => {
  expect(toSpeakable(raw)).toBe(text)
})

test('complete sentences are spoken, code is skipped, and the rest is spoken at the end', () => {
  const speaker = createSpeaker()
  const texts = (chunk: string) => speaker.add(chunk).map(({ text }) => text)
  expect(texts('Hello th')).toEqual([])
  expect(texts('ere. How can')).toEqual(['Hello there. '])
  expect(texts(' I help?\n```js\nalert(1). x\n')).toEqual(['How can I help? ', '', ''])
  expect(texts('```\nBye [for. now')).toEqual([''])
  expect(speaker.takeWords()).toEqual([])
  expect(texts('](https://x.example). Then')).toEqual(['Bye for. now. '])
  expect(speaker.end()).toEqual([{ text: 'Then', characters: 4 }])
})

test('complete words can be spoken before their sentence ends', () => {
  const speaker = createSpeaker()
  speaker.add('This sentence is lo')
  expect(speaker.takeWords()).toEqual([{ text: 'This sentence is ', characters: 17 }])
  expect(speaker.end()).toEqual([{ text: 'lo', characters: 2 }])
})

test('prose is spoken the same for any chunks, and every character is counted', () => {
  const word = fc.constantFrom(
    'one',
    'two.',
    '**three**',
    'four!',
    'a, b',
    '\n',
    'see [x](https://y.example)',
    '5.5',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.array(fc.nat({ max: 9 })), (words, cuts) => {
      const text = words.join(' ')
      const chunks: string[] = []
      for (let at = 0, index = 0; at < text.length; index += 1) {
        const size = (cuts[index % (cuts.length || 1)] ?? 3) + 1
        chunks.push(text.slice(at, at + size))
        at += size
      }
      const parts = speakAll(chunks)
      expect(parts.pieces.reduce((sum, { characters }) => sum + characters, 0)).toBe(text.length)
      const compact = (value: string) => value.replace(/\s+/g, ' ').trim()
      expect(compact(parts.text)).toBe(compact(speakAll([text]).text))
      expect(parts.text).not.toMatch(/\*\*|https:/)
    }),
  )
})
