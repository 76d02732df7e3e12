import fc from 'fast-check'
import { getExpectedTwilioSignature, validateRequest } from 'twilio/lib/webhooks/webhooks.js'
import { expect, test } from 'vitest'
import { callbackUrl } from '../../../server/features/telephony/carrier/urls.ts'
import { sha256 } from '../../../server/security/digest.ts'
import { TWILIO } from '../../../server/signatures/signature-schemes.ts'
import { verify } from '../../../server/signatures/verify.ts'

const TOKEN = '12345678901234567890123456789012'
const NOW = new Date('2026-11-16T12:00:00Z')

const isValid = (url: string, fields: Record<string, string>, signature: string) =>
  verify(
    [TWILIO],
    {
      url,
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        'x-twilio-signature': signature,
      },
      body: Buffer.from(new URLSearchParams(fields).toString()),
    },
    [{ text: TOKEN, hash: sha256(TOKEN) }],
    NOW,
  ).valid

const formFields = fc.dictionary(
  fc.stringMatching(/^[A-Z][A-Za-z0-9]{0,12}$/),
  fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.toWellFormed().replaceAll('\0', '')),
  { maxKeys: 6, noNullPrototype: true },
)
const hosts = fc.constantFrom(
  'https://atrium.example',
  'https://atrium.example:443',
  'https://atrium.example:8443',
  'https://elsewhere.example',
  'http://127.0.0.1:3000',
)
const request = fc.record({
  host: hosts,
  signedHost: fc.option(hosts, { nil: null }),
  number: fc.uuid(),
  call: fc.option(fc.uuid(), { nil: undefined }),
  fields: formFields,
})

const withoutPort = (url: string) => url.replace(/:\d+\//, '/')

test("verify accepts callback URLs as Twilio's own library does, with and without a port, and no other host", () => {
  let accepted = 0
  fc.assert(
    fc.property(request, ({ host, signedHost, number, call, fields }) => {
      const query = { number, ...(call !== undefined && { call }) }
      const url = callbackUrl(host, 'status', query)
      const signedUrl = callbackUrl(signedHost ?? host, 'status', query)
      const signature = getExpectedTwilioSignature(TOKEN, signedUrl, fields)
      const expected = validateRequest(TOKEN, signature, url, fields)
      const actual = isValid(url, fields, signature)
      if (expected) expect(actual).toBe(true)
      // Behind a proxy, the port that the carrier signed may differ from the port of this server.
      if (actual) expect(withoutPort(signedUrl)).toBe(withoutPort(url))
      if (expected) accepted++
    }),
    { numRuns: 300 },
  )
  expect(accepted).toBeGreaterThan(50)
})

test('verify refuses a signature from another callback, number, call, form or token', () => {
  const url = callbackUrl('https://atrium.example', 'voice', { number: '1', call: '2' })
  const fields = { CallSid: 'CA1', From: '+4930111111' }
  const signature = getExpectedTwilioSignature(TOKEN, url, fields)
  expect(isValid(url, fields, signature)).toBe(true)
  for (const other of [
    url.replace('voice', 'sms'),
    url.replace('number=1', 'number=3'),
    `${url}0`,
    `${url}&x=1`,
  ])
    expect(isValid(other, fields, signature)).toBe(false)
  for (const other of [{ ...fields, From: '+4930111112' }, { ...fields, To: '1' }, { CallSid: 'CA1' }])
    expect(isValid(url, other as Record<string, string>, signature)).toBe(false)
  expect(isValid(url, fields, getExpectedTwilioSignature(`${TOKEN}0`, url, fields))).toBe(false)
})
