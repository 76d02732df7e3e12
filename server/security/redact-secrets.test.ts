import { expect, test } from 'vitest'
import { redactSecrets } from './redact-secrets.ts'

test.each([
  ['atrium_live_0123456789abcdef0123456789abcdef', '[redacted]'],
  ['key sk-proj-4f5e6d7c8b9a0123456789, thanks', 'key [redacted], thanks'],
  ['Authorization: Bearer abcdefghijklmnop.qrstuvw', 'Authorization: Bearer [redacted]'],
  ['postgres://ada:s3cret@db:5432/x', 'postgres://[redacted]@db:5432/x'],
  ['{"password": "correct-horse-7"}', '{"password": "[redacted]"}'],
  ['API_KEY=abc12345', 'API_KEY=[redacted]'],
  ['ghp_0123456789abcdefghij and AKIAIOSFODNN7EXAMPLE', '[redacted] and [redacted]'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', '[redacted]'],
])('redacts %j', (text, expected) => {
  expect(redactSecrets(text)).toBe(expected)
})

test.each([
  'The password: please ask Ada for it',
  'See https://example.com/a:b@c and mailto:ada@example.com',
  'risk-averse skeletons keep sk-ills; 01890000-0000-7000-8000-000000000000',
  'Bearer bonds pay interest',
])('leaves %j unchanged', (text) => {
  expect(redactSecrets(text)).toBe(text)
})

test('redacts every text in a value and leaves the rest unchanged', () => {
  const value = { a: ['whsec_0123456789abcdefghij', 1], b: { c: null, d: true } }
  expect(redactSecrets(value)).toEqual({ a: ['[redacted]', 1], b: { c: null, d: true } })
})

test("takes linear time, even if a secret's beginning occurs many times", () => {
  for (const beginning of ['password=', 'eyJ-', '-----BEGIN PRIVATE KEY-----', 'x://a:']) {
    const text = beginning.repeat(50_000)
    expect(redactSecrets(`${text} sk-proj-4f5e6d7c8b9a0123456789`)).toBe(`${text} [redacted]`)
  }
})
