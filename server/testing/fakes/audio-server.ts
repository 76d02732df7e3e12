import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

interface AudioRequest {
  path: string
  headers: IncomingHttpHeaders
  /** A form's text fields, or the JSON body. */
  fields: Record<string, unknown>
  file: { name: string; type: string; bytes: Buffer } | null
}

type Behavior = (response: ServerResponse, request: AudioRequest) => void

export type AudioServer = Awaited<ReturnType<typeof startAudioServer>>

/** Speaks OpenAI's audio API. Says what it heard last, and returns spoken text as its bytes. */
export async function startAudioServer() {
  const requests: AudioRequest[] = []
  let behavior: Behavior = usual
  const server = createServer(async (request, response) => {
    const received = await read(request.url!, request.headers, await buffer(request))
    if (!received.path.includes('/audio/')) return answer(200, { data: [] })(response)
    requests.push(received)
    behavior(response, received)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    respond(next: Behavior = usual) {
      behavior = next
      requests.length = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const HEARD = 'Hello Grace, how are you?'

const usual: Behavior = (response, { path, fields }) => {
  if (path.endsWith('/audio/speech'))
    return response
      .writeHead(200, { 'content-type': 'audio/mpeg' })
      .end(`<${String(fields.voice)}>${String(fields.input)}`)
  if (path.endsWith('/audio/transcriptions'))
    return answer(200, { text: HEARD, usage: { type: 'duration', seconds: 2 } })(response)
  return answer(404, { error: { message: 'Not found' } })(response)
}

export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body))

async function read(path: string, headers: IncomingHttpHeaders, body: Buffer): Promise<AudioRequest> {
  const type = headers['content-type'] ?? ''
  if (!type.startsWith('multipart/form-data'))
    return { path, headers, fields: body.length > 0 ? JSON.parse(body.toString()) : {}, file: null }
  const form = await new Response(body as BodyInit, { headers: { 'content-type': type } }).formData()
  const file = form.get('file') as File | null
  return {
    ...{ path, headers },
    fields: Object.fromEntries([...form].filter(([, value]) => typeof value === 'string')),
    file: file && {
      ...{ name: file.name, type: file.type },
      bytes: Buffer.from(await file.arrayBuffer()),
    },
  }
}
