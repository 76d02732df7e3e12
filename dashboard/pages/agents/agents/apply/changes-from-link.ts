import { t } from '../../../../../contract/text.ts'

export interface RequestedChange {
  kind: 'skill' | 'guardrail'
  /** Null to create it. */
  id: string | null
  version: number | null
  name: string
  body: Record<string, unknown>
}

/** More than any CLI link contains; anything larger is refused. */
const CHARACTERS_MAX = 20_000_000

/** The URL fragment is compressed JSON in base64url. Null if invalid. */
export async function changesFromLink(hash: string): Promise<RequestedChange[] | null> {
  try {
    const bytes = Uint8Array.from(atob(hash.slice(1).replace(/-/g, '+').replace(/_/g, '/')), (each) =>
      each.charCodeAt(0),
    )
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
    const value: unknown = JSON.parse(await readLimited(stream.pipeThrough(new TextDecoderStream())))
    return Array.isArray(value) && value.length > 0 && value.every(isChange) ? value : null
  } catch {
    return null
  }
}

async function readLimited(stream: ReadableStream<string>): Promise<string> {
  const reader = stream.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text
    text += value
    if (text.length > CHARACTERS_MAX) throw new Error(t`too long`)
  }
}

function isChange(value: unknown): value is RequestedChange {
  if (typeof value !== 'object' || value === null) return false
  const { kind, id, name, body } = value as Record<string, unknown>
  return (
    (kind === 'skill' || kind === 'guardrail') &&
    (id === null || typeof id === 'string') &&
    typeof name === 'string' &&
    typeof body === 'object' &&
    body !== null
  )
}
