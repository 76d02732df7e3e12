import { dictionary } from '../../contract/dictionary.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { ApiError } from '../errors.ts'
import { clip } from '../tools/clip.ts'

export interface ResultImage {
  type: 'image'
  data: string
  mimeType: string
}

export interface ToolResult {
  [name: string]: unknown
  content: ({ type: 'text'; text: string } | ResultImage)[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

/** More would fill the client's context. */
const OUTPUT_BYTES_MAX = 65_536

/** Text is for clients that pass on nothing else. */
export function toolResult(output: unknown, images: readonly ResultImage[] = []): ToolResult {
  const data = isObject(output) ? output : { result: output }
  const text = JSON.stringify(data)
  if (Buffer.byteLength(text) <= OUTPUT_BYTES_MAX)
    return { content: [{ type: 'text', text }, ...images], structuredContent: data }
  const cut = {
    note: `The output is too long (${text.length} characters): this is its beginning. Ask for less, with a limit or a filter`,
    beginning: clip(text, OUTPUT_BYTES_MAX / 2).text,
  }
  return { content: [{ type: 'text', text: JSON.stringify(cut) }, ...images], structuredContent: cut }
}

export const toolError = (error: ApiError, requestId: string): ToolResult => ({
  content: [{ type: 'text', text: errorText(error, requestId) }],
  isError: true,
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const NEXT_STEPS: Partial<Record<ErrorCode, string>> = {
  BAD_REQUEST: 'Correct the input and call again.',
  UNAUTHORIZED: 'Ask the user to connect this client again.',
  FORBIDDEN: 'Do not repeat the call: ask the user, who may have access.',
  NOT_FOUND: 'Find the right id with search or a list tool.',
  CONFLICT: 'Read the current state, then decide whether to call again.',
  PRECONDITION_FAILED: 'Read the record again, then repeat the change.',
  PAYLOAD_TOO_LARGE: 'Send less in one call.',
  REQUEST_TIMEOUT: 'Call again, with less in one call.',
  UNAVAILABLE: 'Wait a few seconds and call again.',
  INSUFFICIENT_STORAGE: 'Do not repeat the call; tell the server’s operator that its storage is full.',
  PROVIDER_ERROR: 'Wait a few seconds and call again.',
  INTERNAL: 'Do not repeat the call; report the request id to the server’s operator.',
}

const BY_REASON: Record<string, string> = dictionary({
  missing_scope: 'Do not repeat the call: no tool offers this.',
  read_only_key: 'The user has to connect with write access, or make the change in the dashboard.',
  view_only: 'The user has view-only access: ask them for a project that they can edit.',
  step_up_required: 'Only a person can do this, in the dashboard.',
  browser_session_required: 'Only a person can do this, in the dashboard.',
})

export function errorText({ code, message, details, headers }: ApiError, requestId: string): string {
  const fields = Array.isArray(details)
    ? details.map(({ path, message: rule }) => `${path.replace(/^(body|query|params)\./, '')} ${rule}`)
    : []
  const unnamedFields = fields.filter((field) => !message.includes(field)).slice(0, 10)
  const reason = Array.isArray(details) ? undefined : details?.reason
  const wait = headers['retry-after']
  const next =
    (reason && BY_REASON[reason]) ??
    (code === 'RATE_LIMITED' ? `Wait ${wait ?? 'a few'} seconds, then call again.` : NEXT_STEPS[code])
  const sentences = [
    withPeriod(message),
    ...(unnamedFields.length > 0 ? [withPeriod(unnamedFields.join('; '))] : []),
    next,
  ]
  return `${sentences.filter(Boolean).join(' ')} (request ${requestId})`
}

const withPeriod = (sentence: string) => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)
