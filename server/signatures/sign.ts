import { hmac } from '../security/hmac.ts'
import { keyOf } from './verify.ts'

interface Signed {
  id: string
  body: string
  /** One, or during a grace period two. */
  secrets: readonly string[]
  now: Date
}

/** The headers that prove where a delivery comes from, as Standard Webhooks has them. */
export function signatureHeaders({ id, body, secrets, now }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = secrets.map(
    (secret) =>
      `v1,${hmac('sha256', keyOf(secret, 'base64'), [`${id}.${timestamp}.`, body]).toString('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
