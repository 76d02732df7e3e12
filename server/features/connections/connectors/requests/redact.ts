import type { ConnectionTarget } from './build-request.ts'

const REDACTED = '[redacted]'
/** A shorter value may be part of ordinary words, and is not a secret. */
const SECRET_LENGTH_MIN = 6
/** Deeper values would overflow the stack of recursive readers. */
const DEPTH_MAX = 60

/**
 * Removes the secrets of a connection from everything that is stored or that a model receives: as they are, and as URLs,
 * JSON, base64 and hexadecimal numbers write them. It also removes characters that PostgreSQL cannot store.
 */
export function redactorOf(target: Pick<ConnectionTarget, 'definition' | 'credentials'>) {
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

export type Redactor = ReturnType<typeof redactorOf>

/** Every credential except the fields of a definition that are not secret, such as the id of an account. */
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
 * The characters that a secret has within the base64 form of a longer text, such as `user:secret`, when `offset` bytes of
 * its group of three precede it. Characters at the ends that depend on the neighbors are left out.
 */
function base64Within(bytes: Buffer, offset: number): string[] {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes])
  const from = Math.ceil((offset * 8) / 6)
  const to = Math.floor((shifted.length * 8) / 6)
  const standard = shifted.toString('base64').slice(from, to)
  return [standard, standard.replaceAll('+', '-').replaceAll('/', '_')]
}
