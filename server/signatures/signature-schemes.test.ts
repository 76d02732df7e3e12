import { describe, expect, test } from 'vitest'
import { sha256 } from '../security/digest.ts'
import { hmac } from '../security/hmac.ts'
import type { HmacScheme, SignatureScheme } from './scheme.ts'
import { DISCORD, TELEGRAM, TWILIO, WEBHOOK_SCHEMES } from './signature-schemes.ts'
import type { SignedRequest } from './signed-request.ts'
import { verify } from './verify.ts'

const NOW = new Date(1_614_265_330_000)

interface SignedExample extends Omit<SignedRequest, 'body'> {
  body: string
}

const check = (
  schemes: readonly SignatureScheme[],
  { body, ...request }: SignedExample,
  secret: string,
  now = NOW,
) => verify(schemes, { ...request, body: Buffer.from(body) }, [{ text: secret, hash: sha256(secret) }], now)

describe('twilio', () => {
  const TOKEN = '12345'
  const FORM = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  /** The example of Twilio's documentation. */
  const VECTOR: SignedExample = {
    url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    headers: { ...FORM, 'x-twilio-signature': 'RSOYDt4T1cUTdK1PDd93/VVr8B8=' },
    body: 'To=%2B18005551212&From=%2B14158675309&Digits=1234&Caller=%2B14158675309&CallSid=CA1234567890ABCDE',
  }
  const verdict = (change: Partial<SignedExample> = {}, token = TOKEN) =>
    check([TWILIO], { ...VECTOR, ...change }, token)
  const signatureHeader = (text: string) => ({
    'x-twilio-signature': hmac('sha1', Buffer.from(TOKEN), [text]).toString('base64'),
  })

  test('accepts the published vector', () => {
    expect(verdict()).toMatchObject({ valid: true, scheme: TWILIO, reason: null })
  })

  test('accepts a WebSocket handshake, which has no parameters', () => {
    const headers = { 'x-twilio-signature': 'Qo5poBilpb4lZ2KcGOOHu1D9398=' }
    expect(verdict({ url: 'wss://example.com/relay?call=1', headers, body: '' }).valid).toBe(true)
  })

  test('accepts the URL with and without its port', () => {
    expect(verdict({ url: VECTOR.url.replace('.com/', '.com:443/') }).valid).toBe(true)
    const headers = { ...FORM, ...signatureHeader('http://a.example:80/x') }
    expect(verdict({ url: 'http://a.example/x', headers, body: '' }).valid).toBe(true)
    expect(verdict({ url: 'https://a.example/x', headers, body: '' }).valid).toBe(false)
  })

  test('signs repeated parameters once per distinct value, sorted', () => {
    const headers = { ...FORM, ...signatureHeader('https://a.example/xAoneAtwoBthree') }
    expect(verdict({ url: 'https://a.example/x', headers, body: 'B=three&A=two&A=one&A=two' }).valid).toBe(
      true,
    )
  })

  test('accepts a JSON body by the digest in the URL, and no other body', () => {
    const body = '{"a":1}'
    const url = `https://a.example/x?bodySHA256=${sha256(body).toString('hex')}`
    const headers = { 'content-type': 'application/json', ...signatureHeader(url) }
    expect(verdict({ url, headers, body }).valid).toBe(true)
    expect(verdict({ url, headers, body: '{"a":2}' }).valid).toBe(false)
    expect(verdict({ url, headers, body: '' }).valid).toBe(false)
  })

  test('refuses a body the signature does not cover', () => {
    const headers = { 'content-type': 'application/json', ...signatureHeader('https://a.example/x') }
    const request = { url: 'https://a.example/x', headers, body: '{"a":1}' }
    expect(verdict(request)).toMatchObject({ valid: false, reason: 'malformed_signature' })
  })

  test('refuses another URL, another parameter, another token and a missing header', () => {
    expect(verdict({ url: `${VECTOR.url}0` }).reason).toBe('bad_signature')
    expect(verdict({ body: VECTOR.body.replace('1234&', '1235&') }).reason).toBe('bad_signature')
    expect(verdict({}, '12346').reason).toBe('bad_signature')
    expect(verdict({ headers: FORM }).reason).toBe('missing_signature')
  })
})

describe('discord', () => {
  const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
  const SIGNATURE =
    '6717018d11001fe0389bdbcbbf20cebcbfd77b7f8c662a308c67fd17f7183d018f64c5db9617aa2a0850ca2cd1349c38076b26f8b3f47e68136bcca223e02f05'
  const VECTOR: SignedExample = {
    url: 'https://a.example/x',
    headers: { 'x-signature-ed25519': SIGNATURE, 'x-signature-timestamp': '1614265330' },
    body: '{"type":1}',
  }

  test('accepts a signature that discord-interactions accepts', () => {
    expect(check([DISCORD], VECTOR, PUBLIC_KEY)).toMatchObject({ valid: true, scheme: DISCORD })
  })

  test('refuses another body, timestamp, signature and public key', () => {
    const { headers } = VECTOR
    const refused: SignedExample[] = [
      { ...VECTOR, body: '{"type":2}' },
      { ...VECTOR, headers: { ...headers, 'x-signature-timestamp': '1614265331' } },
      { ...VECTOR, headers: { ...headers, 'x-signature-ed25519': SIGNATURE.replace('6717', '6718') } },
      { ...VECTOR, headers: { ...headers, 'x-signature-ed25519': SIGNATURE.slice(2) } },
    ]
    for (const request of refused) expect(check([DISCORD], request, PUBLIC_KEY).reason).toBe('bad_signature')
    expect(check([DISCORD], VECTOR, PUBLIC_KEY.replace('d75a', 'd75b')).reason).toBe('bad_signature')
    expect(check([DISCORD], VECTOR, 'not a key').reason).toBe('bad_signature')
  })

  test('refuses a timestamp more than five minutes old', () => {
    const late = new Date(NOW.getTime() + 301_000)
    expect(check([DISCORD], VECTOR, PUBLIC_KEY, late).reason).toBe('timestamp_skew')
  })
})

describe('telegram', () => {
  const request = (token: string) => ({
    url: 'https://a.example/x',
    headers: { 'x-telegram-bot-api-secret-token': token },
    body: '{}',
  })

  test('accepts only the registered secret token', () => {
    expect(check([TELEGRAM], request('a-secret_token'), 'a-secret_token').valid).toBe(true)
    expect(check([TELEGRAM], request('a-secret_tokem'), 'a-secret_token').reason).toBe('bad_signature')
    expect(check([TELEGRAM], request(''), 'a-secret_token').reason).toBe('missing_signature')
  })
})

/** A scheme as a catalog of providers adds it. */
describe('schemes composed from the same parts', () => {
  const hmacOf = (scheme: Partial<HmacScheme>): HmacScheme => ({
    kind: 'hmac',
    name: 'composed',
    header: ['x-signature'],
    algorithm: 'sha256',
    encoding: 'hex',
    key: 'text',
    format: { as: 'one', prefix: '' },
    signs: ['body'],
    ...scheme,
  })
  const BODY = '{"id":1,"text":"héllo"}'
  const request = (signature: string): SignedExample => ({
    url: 'https://a.example/x',
    headers: { 'x-signature': signature },
    body: BODY,
  })

  test("accept Shopify's vector, base64 without a prefix", () => {
    const scheme = hmacOf({ encoding: 'base64' })
    const vector = request('XUf97QBNYiFlEhZ8TzYn9hZrd0Z5sC/3KvwH5q3AXQg=')
    expect(check([scheme], vector, 'hush').valid).toBe(true)
  })

  test("accept ElevenLabs' vector, pairs with a 30-minute tolerance", () => {
    const scheme = hmacOf({
      format: { as: 'pairs', name: 'v0' },
      signs: ['timestamp', { text: '.' }, 'body'],
      timestamp: { from: { pair: 't' }, unit: 's', toleranceSeconds: 1800 },
    })
    const vector = request('t=1739537297,v0=e3c10145f151c8c77329f4e4e69a4d6fe5c9a6b45c4a821ffc60d24ad11ae8c2')
    const at = (seconds: number) => new Date((1_739_537_297 + seconds) * 1000)
    expect(check([scheme], vector, 'wsec_test', at(1800)).valid).toBe(true)
    expect(check([scheme], vector, 'wsec_test', at(1801)).reason).toBe('timestamp_skew')
  })
})

describe('accepted scheme list', () => {
  const secret = 'a shared secret'
  const headers = { 'x-webhook-secret': secret }
  const request = { url: 'https://a.example/x', headers, body: '{}' }

  test('fixes the schemes a receiver accepts: a sender cannot choose a weaker one', () => {
    expect(check(WEBHOOK_SCHEMES.auto, request, secret).valid).toBe(true)
    expect(check([TWILIO], request, secret)).toMatchObject({ valid: false, reason: 'missing_signature' })
    expect(check([], request, secret).reason).toBe('missing_signature')
  })
})
