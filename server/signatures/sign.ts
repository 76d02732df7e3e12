import { hmac } from '../security/hmac.ts'
import { hmacKey } from './scheme.ts'

interface Message {
  id: string
  body: string
  /** Two during a grace period. */
  secrets: readonly string[]
  now: Date
}

/** Follows Standard Webhooks. */
export function signatureHeaders({ id, body, secrets, now }: Message): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signatures = secrets.map(
    (secret) =>
      `v1,${hmac('sha256', hmacKey(secret, 'base64'), [`${id}.${timestamp}.`, body]).toString('base64')}`,
  )
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
