import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: { model: string; messages: { role: string; content: unknown }[]; system?: unknown }
}

type Behavior =
  | { text: string }
  | { status: number; times?: number }
  /** Sends nothing, or only the beginning. */
  | { hangs: 'before the headers' | 'within the body' }
  | { rawBody: string }

export type LanguageModelServer = Awaited<ReturnType<typeof startLanguageModel>>

export async function startLanguageModel(protocol: 'openai' | 'anthropic' | 'google') {
  const requests: ReceivedRequest[] = []
  let behavior: Behavior = { text: 'Nothing' }
  const responseBody = { openai: chatCompletion, anthropic: message, google: generatedContent }[protocol]

  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as ReceivedRequest['body']
    requests.push({ path: request.url!, headers: request.headers, body })
    if ('hangs' in behavior) return hang(response, behavior.hangs)
    if ('rawBody' in behavior) return send(response, 200, behavior.rawBody)
    if ('text' in behavior) return send(response, 200, responseBody(body.model, behavior.text))
    const error = { type: 'some_error', message: `no: ${request.headers.authorization}` }
    const timesLeft = behavior.times === undefined ? undefined : behavior.times - 1
    const { status } = behavior
    behavior = timesLeft === 0 ? { text: 'Second attempt' } : { status, times: timesLeft }
    return send(response, status, JSON.stringify({ error }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respond(next: Behavior) {
      behavior = next
      requests.length = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const send = (response: ServerResponse, status: number, body: string) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)

function hang(response: ServerResponse, where: 'before the headers' | 'within the body'): void {
  if (where === 'within the body')
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":')
}

const chatCompletion = (model: string, content: string) =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model,
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  })

const message = (model: string, text: string) =>
  JSON.stringify({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  })

const generatedContent = (_model: string, text: string) =>
  JSON.stringify({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  })
