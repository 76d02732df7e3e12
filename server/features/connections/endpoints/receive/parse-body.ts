import type { Headers } from '../../../../signatures/signed-request.ts'

/** The JSON value or the fields of the form that a provider sent; its text if it is neither. */
export function parseBody(headers: Headers, body: Uint8Array): unknown {
  const text = Buffer.from(body).toString('utf8')
  if (/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? ''))
    return Object.fromEntries(new URLSearchParams(text))
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
