import type { Secret } from '../signatures/scheme.ts'
import type { Headers } from '../signatures/signed-request.ts'

const HEADER_LENGTH_MAX = 2000
const SENSITIVE_NAME = /secret|token|password|authorization|cookie|api-?key|credential|jwt|session/

/** Values that are or contain a secret are removed. */
export const redactHeaders = (headers: Headers, secrets: readonly Secret[]): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const isSensitive =
        SENSITIVE_NAME.test(name) ||
        value.includes('whsec_') ||
        secrets.some(({ text }) => value.includes(text))
      return [
        sanitizeText(name),
        isSensitive ? '[redacted]' : sanitizeText(value).slice(0, HEADER_LENGTH_MAX),
      ]
    }),
  )

/** PostgreSQL can't store NUL characters or lone surrogates. */
export const sanitizeText = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

/** Omits parts deeper than `levels`. */
export function sanitizeJson(value: unknown, levels = 32): unknown {
  if (typeof value === 'string') return sanitizeText(value)
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return null
  if (Array.isArray(value)) return value.map((item) => sanitizeJson(item, levels - 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [sanitizeText(key), sanitizeJson(item, levels - 1)]),
  )
}
