import { clip } from '../../../../tools/clip.ts'
import type { ProviderAnswer } from './answer.ts'
import type { Redactor } from './redact.ts'
import type { BuiltRequest } from './target.ts'

const BYTES_MAX = 16_384
/** Headers that are not stored. The values of the others are redacted. */
const OMITTED_HEADERS = /^(authorization|accept|content-type|user-agent|cookie)$/i

/** A request as it is stored: without secrets, and not more than 16 KB. */
export function recordedRequest(redactor: Redactor, request: BuiltRequest, pages: number) {
  const { method, url, headers, body } = request
  const storedHeaders = Object.fromEntries(
    Object.entries(headers).filter(([name]) => !OMITTED_HEADERS.test(name)),
  )
  return limitSize(
    redactor.value({
      method,
      url,
      ...(Object.keys(storedHeaders).length > 0 && { headers: storedHeaders }),
      ...(body !== undefined && { body: bodyOf(body) }),
      ...(pages > 1 && { pages }),
    }),
  )
}

export const recordedAnswer = (redactor: Redactor, answer: ProviderAnswer | null) =>
  answer && limitSize(redactor.value({ status: answer.status, body: answer.body }))

function bodyOf(body: string | Uint8Array): unknown {
  if (typeof body !== 'string') return `[${body.length} bytes]`
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function limitSize(value: unknown): unknown {
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) <= BYTES_MAX) return value
  // The text is written as a JSON string once more, with a few bytes around it.
  return { cut: true, beginning: clip(text, BYTES_MAX - 100).text }
}
