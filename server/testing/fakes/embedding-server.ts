import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface EmbeddingRequest {
  path: string
  headers: IncomingHttpHeaders
  model: string
  input: string[]
}

type Behavior = (response: ServerResponse, request: EmbeddingRequest) => void

export type EmbeddingServer = Awaited<ReturnType<typeof startEmbeddingServer>>

/** Speaks OpenAI's `/v1/embeddings` and Ollama's `/api/embed`. Words of one meaning have one direction. */
export async function startEmbeddingServer() {
  const requests: EmbeddingRequest[] = []
  let behavior: Behavior = usual
  const server = createServer(async (request, response) => {
    const path = request.url!
    if (request.method !== 'POST')
      return send(response, 200, path === '/api/tags' ? { models: [] } : { data: [] })
    const { model, input } = (await json(request)) as { model: string; input: string[] }
    const received = { path, headers: request.headers, model, input }
    requests.push(received)
    behavior(response, received)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    /** Ollama's. */
    root,
    url: `${root}/v1`,
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

export const usual: Behavior = (response, { path, model, input }) => {
  const vectors = input.map((text) => meaningOf(text, model.includes('large') ? LARGE : SMALL))
  if (path === '/v1/embeddings')
    return send(response, 200, {
      data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })).toReversed(),
      usage: { prompt_tokens: input.length * TOKENS_PER_TEXT },
    })
  if (path === '/api/embed')
    return send(response, 200, {
      model,
      embeddings: vectors,
      prompt_eval_count: input.length * TOKENS_PER_TEXT,
    })
  return send(response, 404, { error: { message: 'Not found' } })
}

export function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export const TOKENS_PER_TEXT = 10
const SMALL = 64
const LARGE = 96

const MEANINGS = [
  ['car', 'automobile', 'vehicle', 'sedan'],
  ['salary', 'wage', 'pay', 'remuneration'],
  ['doctor', 'physician', 'surgeon'],
]

/** A number per meaning, and some for the other words, so that no vector is empty. */
function meaningOf(text: string, dimensions: number): number[] {
  const vector = Array.from({ length: dimensions }, () => -0.01)
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const meaning = MEANINGS.findIndex((words) => words.includes(word))
    if (meaning !== -1) for (let index = 0; index < 8; index++) vector[meaning * 8 + index]! += 1
    else vector[dimensions - 1 - (word.length % 16)]! += 0.02
  }
  return vector
}
