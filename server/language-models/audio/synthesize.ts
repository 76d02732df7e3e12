import { type ProviderCall, type ProviderOutcome, sendRequest } from '../provider-request.ts'

/** For one piece, up to its last byte. */
const TIMEOUT_MS = 180_000
/** A piece of 4,000 characters lasts about five minutes, which is 5 MB. */
const PIECE_BYTES_MAX = 16_777_216

/** OpenAI accepts 4,096. */
export const PIECE_CHARACTERS_MAX = 4000

interface SpeechCall extends ProviderCall {
  voiceName: string
  /** For a piece's first byte. */
  patienceMs: number
}

/**
 * As MP3, which can be appended piece by piece. The first bytes have arrived when it returns, so that a refusal can
 * still be reported. A later failure breaks the stream off.
 */
export async function synthesize(
  call: SpeechCall,
  pieces: readonly string[],
): Promise<ProviderOutcome<AsyncIterable<Uint8Array>>> {
  const [first, ...others] = pieces
  const started = await startPiece(call, first!)
  if (started.kind === 'failed') return started
  const { value } = started
  async function* audio() {
    yield* value
    for (const piece of others) {
      const next = await startPiece(call, piece)
      if (next.kind === 'failed') throw new Error(next.failure.message)
      yield* next.value
    }
  }
  return { kind: 'done', value: audio() }
}

function startPiece(call: SpeechCall, input: string): Promise<ProviderOutcome<AsyncIterable<Uint8Array>>> {
  const { model, voiceName: voice, patienceMs } = call
  const request = {
    path: '/audio/speech',
    headers: { accept: 'audio/mpeg', 'content-type': 'application/json' },
    body: JSON.stringify({ model, input, voice, response_format: 'mp3' }),
    timeoutMs: TIMEOUT_MS,
    startMaxMs: patienceMs,
    bytesMax: PIECE_BYTES_MAX,
    valuesMax: Infinity,
  }
  return sendRequest(call, request, async (response) => {
    const type = response.headers.get('content-type') ?? ''
    const chunks = response.body?.values()
    const first = await chunks?.next()
    if (!chunks || !first || first.done || /json|text|html/.test(type)) {
      await chunks?.return?.()
      throw Object.assign(new Error('its response is not audio'), { statusCode: 502 })
    }
    return rest(first.value, chunks)
  })
}

async function* rest(first: Uint8Array, others: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield first
  yield* others
}
