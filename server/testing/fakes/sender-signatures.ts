import { hmac } from '../../security/hmac.ts'

/** `test/conformance/signatures.conformance.test.ts` compares these with the senders' own packages. */

export function signAsStripe({ payload, secret, timestamp }: StripeRequest): string {
  const signature = hmac('sha256', Buffer.from(secret), [`${timestamp}.${payload}`]).toString('hex')
  return `t=${timestamp},v1=${signature}`
}

export interface StripeRequest {
  payload: string
  secret: string
  /** Unix time in seconds. */
  timestamp: number
}

export function signAsTwilio(token: string, url: string, fields: Record<string, string>): string {
  const content = Object.keys(fields)
    .sort()
    .map((name) => `${name}${fields[name]}`)
    .join('')
  return hmac('sha1', Buffer.from(token), [`${url}${content}`]).toString('base64')
}
