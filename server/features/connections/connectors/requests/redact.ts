import type { ConnectionTarget } from './build-request.ts'

const REDACTED = '[redacted]'
/** A shorter value may be part of ordinary words. */
const SECRET_LENGTH_MIN = 6
/** Deeper values would overflow recursive readers' stack. */
const DEPTH_MAX = 60

/**
 * Covers everything stored or sent to a model, in URL, JSON, base64 and hexadecimal forms too. Also removes characters
 * PostgreSQL can't store.
 */
export function createRedactor(target: Pick<ConnectionTarget, 'definition' | 'credentials'>) {
  const forms = [...new Set(secretsOf(target).flatMap(formsOf))]
    .filter((form) => form.length >= SECRET_LENGTH_MIN)
    .toSorted((a, b) => b.length - a.length)
  const pattern =
    forms.length > 0 ? new RegExp(forms.map((form) => RegExp.escape(form)).join('|'), 'gi') : null
  const text = (value: string): string => {
    const clean = value.replaceAll('\0', '\ufffd').toWellFormed()
    return pattern ? clean.replace(pattern, REDACTED) : clean
  }
  const redact = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return text(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth > DEPTH_MAX) return '[too deep]'
    if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1))
    const entries = Object.entries(value).filter(([, each]) => each !== undefined)
    return Object.fromEntries(entries.map(([name, each]) => [text(name), redact(each, depth + 1)]))
  }
  return { text, value: (value: unknown) => redact(value, 0) }
}

export type Redactor = ReturnType<typeof createRedactor>

/** Except fields that aren't secret, such as an account id. */
function secretsOf({
  definition: { auth },
  credentials,
}: Pick<ConnectionTarget, 'definition' | 'credentials'>) {
  const fields = auth.type === 'api_key' ? auth.fields : []
  const isPublic = (key: string) => fields.some((field) => field.key === key && !field.secret)
  return Object.entries(credentials)
    .filter(([key, value]) => !isPublic(key) && value.length >= SECRET_LENGTH_MIN)
    .map(([, value]) => value)
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ s: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    bytes.toString('hex'),
    ...[0, 1, 2].flatMap((offset) => base64Within(bytes, offset)),
  ]
}

/**
 * A secret inside a longer text's base64, such as `user:secret`, when `offset` bytes of its three-byte group precede
 * it. Drops end characters that depend on neighbors.
 */
function base64Within(bytes: Buffer, offset: number): string[] {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes])
  const from = Math.ceil((offset * 8) / 6)
  const to = Math.floor((shifted.length * 8) / 6)
  const standard = shifted.toString('base64').slice(from, to)
  return [standard, standard.replaceAll('+', '-').replaceAll('/', '_')]
}
