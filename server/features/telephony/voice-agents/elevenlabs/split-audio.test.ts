import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { acceptedSchemes } from '../../../../signatures/signature-schemes.ts'
import { verify } from '../../../../signatures/verify.ts'
import { toSecret } from '../named-agent.ts'
import { splitAudio, TooLargeError } from './split-audio.ts'
import { streamedSignature } from './webhook.ts'

async function split(body: string, sizes: readonly number[], textBytesMax = 1_000_000) {
  async function* chunks() {
    const bytes = Buffer.from(body)
    for (let at = 0, n = 0; at < bytes.length; n++) {
      const size = sizes[n % sizes.length]!
      yield bytes.subarray(at, at + size)
      at += size
    }
  }
  const parts = splitAudio(chunks(), { textBytesMax })
  const audio: Buffer[] = []
  const kinds: string[] = []
  for (;;) {
    const next = await parts.next()
    if (next.done) return { text: next.value, audio: Buffer.concat(audio), kinds }
    if (next.value.kind === 'audio') audio.push(next.value.bytes)
    else kinds.push(next.value.kind)
  }
}

describe('event recording', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 })

  test('is decoded from parts at any size, and never confused with spoken text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.oneof(fc.string(), fc.constantFrom('\\"', 'é🙂\u0000', '","full_audio":"QUJD')),
        fc.boolean(),
        sizes,
        async (bytes, value, isEscaped, chunkSizes) => {
          const event = { type: 'post_call_audio', data: { agent_id: value, note: `"full_audio":"${value}` } }
          const base64 = Buffer.from(bytes).toString('base64')
          const written = isEscaped ? base64.replaceAll('/', '\\/') : base64
          const body = `${JSON.stringify(event).slice(0, -2)} , "full_audio" : "${written}"}}`
          const { text, audio, kinds } = await split(body, chunkSizes)
          expect(audio.equals(Buffer.from(bytes))).toBe(true)
          expect(JSON.parse(text)).toEqual({ ...event, data: { ...event.data, full_audio: '' } })
          expect(kinds).toEqual(['start', 'end'])
        },
      ),
      { numRuns: 50 },
    )
  })

  test.each([
    ['outside of the data', '{"full_audio":"QUJD","data":{}}'],
    ['deeper in the data', '{"data":{"variables":{"full_audio":"QUJD"}}}'],
    ['as a value', '{"data":{"x":"full_audio","y":["full_audio","QUJD"]}}'],
    ['as a value that is not text', '{"data":{"full_audio":null}}'],
  ])('is ignored %s', async (_, body) => {
    const { text, kinds } = await split(body, [3])
    expect(text).toBe(body)
    expect(kinds).toEqual([])
  })

  test('may be large, but the rest of the event is limited', async () => {
    const body = `{"data":{"full_audio":"${randomBytes(3000).toString('base64')}"}}`
    expect((await split(body, [64], 100)).audio.length).toBe(3000)
    await expect(split(`{"data":{"x":"${'x'.repeat(200)}"}}`, [64], 100)).rejects.toThrow(TooLargeError)
  })
})

describe('signature over a body in parts', () => {
  const body = '{"id":1,"text":"héllo"}'
  const headersWith = (v0: string, t = 1739537297) => ({ 'elevenlabs-signature': `t=${t},v0=${v0}` })
  const V0 = 'e3c10145f151c8c77329f4e4e69a4d6fe5c9a6b45c4a821ffc60d24ad11ae8c2'
  const at = (seconds: number) => new Date((1739537297 + seconds) * 1000)

  function check(headers: Record<string, string>, now: Date, secret: string | null = 'wsec_test') {
    const signature = streamedSignature(headers, secret, now)
    if (signature.refusal !== null) return signature.refusal
    for (const byte of Buffer.from(body)) signature.add(Buffer.of(byte))
    return signature.isValid()
  }

  test('matches the published vector, and is accepted as long as the signature verifier accepts it', () => {
    expect(check(headersWith(V0), at(0))).toBe(true)
    expect(check(headersWith(V0), at(1800))).toBe(true)
    const request = { url: '', headers: headersWith(V0), body: Buffer.from(body) }
    expect(verify(acceptedSchemes('elevenlabs'), request, [toSecret('wsec_test')], at(1800)).valid).toBe(true)
    expect(check({ 'elevenlabs-signature': `v0=${'0'.repeat(64)}, t=1739537297, v0=${V0}` }, at(0))).toBe(
      true,
    )
  })

  test.each([
    ['an old timestamp', headersWith(V0), 1801, 'timestamp_skew'],
    ['a timestamp in the future', headersWith(V0), -301, 'timestamp_skew'],
    ['another timestamp', headersWith(V0, 1739537298), 0, false],
    ['another signature', headersWith(V0.replace('e', 'f')), 0, false],
    ['half of a signature', headersWith(V0.slice(0, 32)), 0, 'malformed_signature'],
    ['no timestamp', { 'elevenlabs-signature': `v0=${V0}` }, 0, 'malformed_signature'],
    ['no header', {}, 0, 'missing_signature'],
  ])('is refused: %s', (_, headers, age, outcome) => {
    expect(check(headers as Record<string, string>, at(age))).toBe(outcome)
  })

  test('is refused without a secret', () => {
    expect(check(headersWith(V0), at(0), null)).toBe('bad_signature')
    expect(check(headersWith(V0), at(0), '')).toBe('bad_signature')
  })
})
