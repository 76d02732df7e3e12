import { Readable } from 'node:stream'
import { z } from 'zod'
import { randomHex } from '../../security/random.ts'
import { type ProviderCall, type ProviderOutcome, sendRequest } from '../provider-request.ts'

const TIMEOUT_MAX_MS = 180_000
const RESPONSE_BYTES_MAX = 1_048_576

export interface Recording {
  /** Providers recognize the format by the name. */
  name: string
  mimeType: string
  size: number
  seconds: number
  read: () => AsyncIterable<Uint8Array>
}

export interface Transcript {
  text: string
  language: string | null
  /** Null if the provider counts time or nothing. */
  tokens: { input: number; output: number } | null
}

const count = z.number().int().min(0)

/** `language` and `languages` depend on the model. Other servers send only the text. */
const Response = z.object({
  text: z.string(),
  language: z.string().max(100).nullish(),
  languages: z.array(z.object({ code: z.string().max(100) }).partial()).nullish(),
  usage: z
    .object({ type: z.literal('tokens'), input_tokens: count, output_tokens: count })
    .nullish()
    .catch(null),
})

/** Sends the recording as it is read. A provider has its patience and as long as the recording. */
export function transcribe(
  call: ProviderCall & { patienceMs: number },
  recording: Recording,
  language: string | undefined,
): Promise<ProviderOutcome<Transcript>> {
  const boundary = `atrium-${randomHex(16)}`
  const fields = { model: call.model, response_format: 'json', ...(language && { language }) }
  const start = Buffer.from(
    [
      ...Object.entries(fields).map(([name, value]) => part(boundary, `name="${name}"`, value)),
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${recording.name}"\r\ncontent-type: ${recording.mimeType}\r\n\r\n`,
    ].join(''),
  )
  const end = Buffer.from(`\r\n--${boundary}--\r\n`)
  async function* body() {
    yield start
    yield* recording.read()
    yield end
  }
  const request = {
    path: '/audio/transcriptions',
    headers: {
      accept: 'application/json',
      'content-type': `multipart/form-data; boundary=${boundary}`,
      // Not every server accepts chunks.
      'content-length': String(start.length + recording.size + end.length),
    },
    body: Readable.toWeb(Readable.from(body(), { objectMode: false })) as ReadableStream<Uint8Array>,
    timeoutMs: Math.min(call.patienceMs + Math.ceil(recording.seconds * 1000), TIMEOUT_MAX_MS),
    bytesMax: RESPONSE_BYTES_MAX,
  }
  return sendRequest(call, request, async (response) => toTranscript(await response.text()))
}

const part = (boundary: string, disposition: string, value: string) =>
  `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`

function toTranscript(body: string): Transcript {
  const { text, language, languages, usage } = parse(body)
  return {
    text: text.replaceAll('\0', '').toWellFormed().trim(),
    language: language ?? languages?.[0]?.code ?? null,
    tokens: usage ? { input: usage.input_tokens, output: usage.output_tokens } : null,
  }
}

function parse(body: string): z.output<typeof Response> {
  try {
    return Response.parse(JSON.parse(body))
  } catch {
    throw Object.assign(new Error('its response is not a transcription'), { statusCode: 502 })
  }
}
