import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import type { Vault } from '../security/vault.ts'
import { isObjectKey, partsOfKey } from './keys.ts'

/** What a signed address of this server allows: one method on one object, until it expires. */
export interface ReadTicket {
  method: 'GET'
  key: string
  expiresAt: Date
  mimeType: string
  disposition: string
}

export interface WriteTicket {
  method: 'PUT'
  key: string
  expiresAt: Date
  /** Exactly as many bytes may be sent. */
  size: number
}

export type TicketProblem = 'malformed' | 'bad_signature' | 'wrong_method' | 'expired'

const PURPOSE = 'object-ticket'
const FORM = /^([\w-]+)\.([\w-]+)$/

const Key = z.string().refine(isObjectKey)
const Read = z.tuple([z.literal('GET'), Key, z.int(), z.string(), z.string()])
const Write = z.tuple([z.literal('PUT'), Key, z.int(), z.int().min(0)])
const Payload = z.union([Read, Write])
type Payload = z.infer<typeof Payload>

/** `<payload>.<tag>`. Compressed, because a long name in another script is three times as long in a header. */
export function makeTicket(vault: Vault, ticket: ReadTicket | WriteTicket): string {
  const { method, key } = ticket
  partsOfKey(key)
  const expires = ticket.expiresAt.getTime()
  const payload: Payload =
    method === 'GET'
      ? [method, key, expires, ticket.mimeType, ticket.disposition]
      : [method, key, expires, ticket.size]
  const text = deflateRawSync(JSON.stringify(payload)).toString('base64url')
  return `${text}.${vault.sign(PURPOSE, text)}`
}

/** The ticket, or the word for why it does not open. Nothing of it is looked at before its signature holds. */
export function openTicket(vault: Vault, method: 'GET', ticket: string, now: Date): ReadTicket | TicketProblem
export function openTicket(
  vault: Vault,
  method: 'PUT',
  ticket: string,
  now: Date,
): WriteTicket | TicketProblem
export function openTicket(
  vault: Vault,
  method: 'GET' | 'PUT',
  ticket: string,
  now: Date,
): ReadTicket | WriteTicket | TicketProblem {
  const [, text, tag] = FORM.exec(ticket) ?? []
  if (!text || !tag) return 'malformed'
  if (!vault.verify(PURPOSE, text, tag)) return 'bad_signature'
  const payload = payloadOf(text)
  if (!payload) return 'malformed'
  if (payload[0] !== method) return 'wrong_method'
  const expiresAt = new Date(payload[2])
  if (now >= expiresAt) return 'expired'
  const key = payload[1]
  return payload[0] === 'GET'
    ? { method: 'GET', key, expiresAt, mimeType: payload[3], disposition: payload[4] }
    : { method: 'PUT', key, expiresAt, size: payload[3] }
}

/** Null for a ticket that we signed but do not understand: another version of Atrium made it. */
function payloadOf(text: string): Payload | null {
  try {
    return Payload.parse(JSON.parse(inflateRawSync(Buffer.from(text, 'base64url')).toString()))
  } catch {
    return null
  }
}
