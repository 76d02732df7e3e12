import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Asked {
  path: string
  headers: IncomingHttpHeaders
  body: { model: string; messages: { role: string; content: unknown }[]; system?: unknown }
}

type Behaviour =
  | { says: string }
  | { fails: number; times?: number }
  /** Never answers: not at all, or only up to its first words. */
  | { hangs: 'at once' | 'in the middle' }
  | { sends: string }

export type LanguageModelServer = Awaited<ReturnType<typeof startLanguageModel>>

/** A server on this machine that speaks like OpenAI's or Anthropic's, and behaves as the test says. */
export async function startLanguageModel(speaks: 'openai' | 'anthropic') {
  const asked: Asked[] = []
  let behaviour: Behaviour = { says: 'Nothing' }
  const answerOf = speaks === 'openai' ? chatCompletion : message

  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Asked['body']
    asked.push({ path: request.url!, headers: request.headers, body })
    if ('hangs' in behaviour) return hang(response, behaviour.hangs)
    if ('sends' in behaviour) return send(response, 200, behaviour.sends)
    if ('says' in behaviour) return send(response, 200, answerOf(body.model, behaviour.says))
    const error = { type: 'some_error', message: `no: ${request.headers.authorization}` }
    const left = behaviour.times === undefined ? undefined : behaviour.times - 1
    const { fails } = behaviour
    behaviour = left === 0 ? { says: 'Second thoughts' } : { fails, times: left }
    return send(response, fails, JSON.stringify({ error }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What it was asked, in order. */
    asked,
    /** How it answers from now on. */
    now(next: Behaviour) {
      behaviour = next
      asked.length = 0
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const send = (response: ServerResponse, status: number, body: string) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)

function hang(response: ServerResponse, where: 'at once' | 'in the middle'): void {
  if (where === 'in the middle')
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

const message = (model: string, words: string) =>
  JSON.stringify({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text: words }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  })
