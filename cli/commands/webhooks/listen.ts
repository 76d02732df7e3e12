import { z } from 'zod'
import type { Surroundings } from '../../config.ts'
import { connect } from '../../connect.ts'
import { follow } from '../../event-stream.ts'
import { Failure } from '../../failure.ts'
import { plain, print, style, tell } from '../../terminal.ts'
import { findWebhook } from './find.ts'
import { onStateOf } from './stream-state.ts'

interface ListenOptions {
  server?: string
  json?: boolean
  forward: string
}

const TIME_LIMIT_MS = 15_000
const Delivery = z.object({ type: z.string(), headers: z.record(z.string(), z.string()), body: z.string() })

/** Hands what a webhook forwards to a program on this machine, signed as the webhook would sign it. */
export async function listen(which: string, options: ListenOptions, around: Surroundings): Promise<void> {
  const target = targetOf(options.forward)
  const connection = await connect(options.server, around)
  const webhook = await findWebhook(connection, which)
  const greeting = `Listening to ${plain(webhook.name)}, forwarding to ${target}; Ctrl-C ends`
  const onOutcome = onOutcomeOf(target)
  const path = `/api/v1/webhooks/${webhook.id}/listen`
  for await (const { name, data } of follow(connection, path, onStateOf(greeting))) {
    if (name !== 'delivery') continue
    const { type, headers, body } = Delivery.parse(JSON.parse(data))
    const outcome = await forward(target, headers, body)
    const id = headers['webhook-id'] ?? ''
    if (options.json) print(JSON.stringify({ id, type, ...outcome }))
    else print(`${style('dim', id, process.stdout)}  ${wordsOf(outcome)}  ${plain(type)}`)
    onOutcome(outcome)
  }
}

interface Outcome {
  status: number | null
  error: string | null
  durationMs: number
}

async function forward(url: string, headers: Record<string, string>, body: string): Promise<Outcome> {
  const started = performance.now()
  const spent = () => Math.round(performance.now() - started)
  try {
    const signal = AbortSignal.timeout(TIME_LIMIT_MS)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return { status: response.status, error: null, durationMs: spent() }
  } catch (error) {
    return { status: null, error: reasonOf(error as Error), durationMs: spent() }
  }
}

function reasonOf({ name, message, cause }: Error): string {
  if (name === 'TimeoutError') return `no answer within ${TIME_LIMIT_MS / 1000} seconds`
  const { code, message: deeper } = (cause ?? {}) as { code?: string; message?: string }
  return code === 'ECONNREFUSED' ? 'nothing listens there' : (code ?? deeper ?? message)
}

/** Says once that the program is away, and once that it is back. */
function onOutcomeOf(target: string): (outcome: Outcome) => void {
  let isAway = false
  return ({ status, error }) => {
    if (status === null && !isAway)
      tell(style('yellow', `${target} does not answer (${plain(error!)}): is your program running?`))
    if (status !== null && isAway) tell(`${target} answers again`)
    isAway = status === null
  }
}

function wordsOf({ status, error, durationMs }: Outcome): string {
  const isGood = status !== null && status >= 200 && status < 300
  const word = status === null ? plain(error!) : String(status)
  return `${style(isGood ? 'green' : 'red', word, process.stdout)}  ${durationMs} ms`
}

function targetOf(given: string): string {
  const isWeb = URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)
  if (isWeb) return given
  throw new Failure(
    'usage',
    `${given} is no address to forward to`,
    'It looks like http://localhost:4000/hook',
  )
}
