import { expect, test } from 'vitest'
import { payloadText } from './event-details.tsx'

const received = (content: string) => payloadText({ payload: null, body: { encoding: 'utf8', content } })

test('a received payload keeps every digit in its numbers', () => {
  expect(received('{"id":9007199254740993,"price":1.10}')).toBe(
    '{\n  "id": 9007199254740993,\n  "price": 1.10\n}',
  )
})

test('a non-JSON payload is shown as received', () => {
  expect(received('a=1&b=2')).toBe('a=1&b=2')
  expect(payloadText({ payload: 'x', body: { encoding: 'base64', content: '/w==' } })).toBe('/w==')
  expect(payloadText({ payload: { a: 1 }, body: null })).toBe('{\n  "a": 1\n}')
})
