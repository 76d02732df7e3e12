import { sha256 } from '../../../../../security/digest.ts'
import { verify } from '../../../../../signatures/verify.ts'
import type { ReceivedEvent, ReceiverDefinition, RegisteredEndpoint } from '../../definition/receiver.ts'
import type { RequestTemplate } from '../../definition/template.ts'

export const receivedEvent = (body: unknown, overrides: Partial<ReceivedEvent> = {}): ReceivedEvent => ({
  headers: {},
  body,
  account: { id: 'account' },
  kept: {},
  ...overrides,
})

export const registeredEndpoint = (overrides: Partial<RegisteredEndpoint> = {}): RegisteredEndpoint => ({
  url: 'https://atrium.example/hook',
  secret: 'a-secret',
  events: [],
  config: {},
  now: new Date('2026-11-16T12:00:00Z'),
  ...overrides,
})

export const replies = (reply: RequestTemplate | readonly RequestTemplate[]): RequestTemplate[] =>
  [reply].flat() as RequestTemplate[]

export function isAccepted(
  { proof }: ReceiverDefinition,
  request: { headers: Record<string, string>; body: string; url?: string },
  secret: string,
  now: Date,
): boolean {
  if (proof.by !== 'signature') throw new Error('the receiver has no signature scheme')
  const { headers, body, url = registeredEndpoint().url } = request
  const signed = { url, headers, body: Buffer.from(body) }
  return verify(proof.schemes, signed, [{ text: secret, hash: sha256(secret) }], now).valid
}
