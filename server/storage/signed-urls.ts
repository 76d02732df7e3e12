import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import type { Vault } from '../security/vault.ts'
import { isObjectKey, partsOfKey } from './object-store.ts'

/** Permits one method on one object until it expires. */
export interface SignedRead {
  method: 'GET'
  key: string
  expiresAt: Date
  mimeType: string
  disposition: string
}

export interface SignedWrite {
  method: 'PUT'
  key: string
  expiresAt: Date
  /** Exact, in bytes. */
  size: number
}

export type UrlTokenError = 'malformed' | 'bad_signature' | 'wrong_method' | 'expired'

/** Part of every signature: changing it invalidates issued URLs. */
const PURPOSE = 'object-ticket'
const FORM = /^([\w-]+)\.([\w-]+)$/

const Key = z.string().refine(isObjectKey)
const Read = z.tuple([z.literal('GET'), Key, z.int(), z.string(), z.string()])
const Write = z.tuple([z.literal('PUT'), Key, z.int(), z.int().min(0)])
const Payload = z.union([Read, Write])
type Payload = z.infer<typeof Payload>

/** Compressed, because long non-Latin file names triple in length in a header. */
export function signUrlToken(vault: Vault, permission: SignedRead | SignedWrite): string {
  const { method, key } = permission
  partsOfKey(key)
  const expires = permission.expiresAt.getTime()
  const payload: Payload =
    method === 'GET'
      ? [method, key, expires, permission.mimeType, permission.disposition]
      : [method, key, expires, permission.size]
  const text = deflateRawSync(JSON.stringify(payload)).toString('base64url')
  return `${text}.${vault.sign(PURPOSE, text)}`
}

/** Parses the payload only after verifying its signature. */
export function verifyUrlToken(
  vault: Vault,
  method: 'GET',
  token: string,
  now: Date,
): SignedRead | UrlTokenError
export function verifyUrlToken(
  vault: Vault,
  method: 'PUT',
  token: string,
  now: Date,
): SignedWrite | UrlTokenError
export function verifyUrlToken(
  vault: Vault,
  method: 'GET' | 'PUT',
  token: string,
  now: Date,
): SignedRead | SignedWrite | UrlTokenError {
  const [, text, signature] = FORM.exec(token) ?? []
  if (!text || !signature) return 'malformed'
  if (!vault.verify(PURPOSE, text, signature)) return 'bad_signature'
  const payload = parsePayload(text)
  if (!payload) return 'malformed'
  if (payload[0] !== method) return 'wrong_method'
  const expiresAt = new Date(payload[2])
  if (now >= expiresAt) return 'expired'
  const key = payload[1]
  return payload[0] === 'GET'
    ? { method: 'GET', key, expiresAt, mimeType: payload[3], disposition: payload[4] }
    : { method: 'PUT', key, expiresAt, size: payload[3] }
}

/** Null for a signed token in an unknown format, issued by another Atrium version. */
function parsePayload(text: string): Payload | null {
  try {
    return Payload.parse(JSON.parse(inflateRawSync(Buffer.from(text, 'base64url')).toString()))
  } catch {
    return null
  }
}
