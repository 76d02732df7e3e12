import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * An OpenAI-compatible provider controlled by the first user message: `steps 20` makes 19 tool calls, then answers;
 * `stream 100 50` sends 100 deltas, one every 50 ms, each with its send time; `speak 40 50` sends ten-word sentences
 * starting with the time.
 */
const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  if (request.method !== 'POST') return void response.end(JSON.stringify({ data: [{ id: 'bench' }] }))
  const messages: Message[] = JSON.parse(body).messages
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const [, command, count, pauseMs] =
    COMMAND.exec(textOf(messages.find(({ role }) => role === 'user')!)) ?? []
  if (command === 'steps') playStep(response, messages, Number(count))
  else if (command === 'speak') await playSpeech(response, Number(count), Number(pauseMs))
  else await playStream(response, Number(count), Number(pauseMs))
  response.end('data: [DONE]\n\n')
})

/** On its own line, because caller speech is between markers. */
const COMMAND = /^(steps|stream|speak) (\d+)(?: (\d+))?$/m

interface Message {
  role: string
  content: string | { text: string }[]
}

const textOf = ({ content }: Message) => (typeof content === 'string' ? content : content[0]!.text)

function playStep(response: ServerResponse, messages: Message[], steps: number): void {
  const step = messages.filter(({ role }) => role === 'assistant').length + 1
  send(response, { content: `This is step ${step}.` })
  const tool = { name: 'search_actions', arguments: '{"words":"snapshot"}' }
  if (step < steps)
    send(response, { tool_calls: [{ index: 0, id: `call_${step}`, type: 'function', function: tool }] })
  finish(response, step < steps ? 'tool_calls' : 'stop')
}

async function playStream(response: ServerResponse, count: number, pauseMs: number): Promise<void> {
  for (let n = 0; n < count && !response.destroyed; n++) {
    send(response, { content: `${performance.timeOrigin + performance.now()} ` })
    await sleep(pauseMs)
  }
  finish(response, 'stop')
}

async function playSpeech(response: ServerResponse, count: number, pauseMs: number): Promise<void> {
  send(response, { content: `${Math.round(performance.timeOrigin + performance.now())} ` })
  for (let n = 1; n < count && !response.destroyed; n++) {
    await sleep(pauseMs)
    send(response, { content: n % 10 === 9 ? 'end. ' : 'word ' })
  }
  finish(response, 'stop')
}

const CHUNK = { id: 'bench', object: 'chat.completion.chunk', created: 0, model: 'bench' }

const send = (response: ServerResponse, delta: object, finishReason: string | null = null) =>
  response.write(
    `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`,
  )

function finish(response: ServerResponse, reason: string): void {
  send(response, {}, reason)
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 }
  response.write(`data: ${JSON.stringify({ ...CHUNK, choices: [], usage })}\n\n`)
}

server.listen(0, '127.0.0.1', () =>
  process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
)
process.on('SIGTERM', () => process.exit(0))
