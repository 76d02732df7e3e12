import { z } from 'zod'
import type { Surroundings } from '../../config.ts'
import { connect } from '../../connect.ts'
import { follow } from '../../event-stream.ts'
import { Failure } from '../../failure.ts'
import { plain, print, style, tell } from '../../terminal.ts'
import { findWebhook } from './find.ts'

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
  const told = {
    connected: `Listening to ${plain(webhook.name)}; Ctrl-C ends`,
    waiting: 'Connecting again …',
  }
  let state: keyof typeof told | undefined
  const onState = (now: keyof typeof told) => {
    if (now !== state && !(now === 'connected' && state === 'waiting')) tell(told[now])
    state = now
  }
  for await (const { name, data } of follow(connection, `/api/v1/webhooks/${webhook.id}/listen`, onState)) {
    if (name !== 'delivery') continue
    const { type, headers, body } = Delivery.parse(JSON.parse(data))
    const outcome = await forward(target, headers, body)
    const id = headers['webhook-id'] ?? ''
    if (options.json) print(JSON.stringify({ id, type, ...outcome }))
    else print(`${plain(type)}  ${id}  ${wordsOf(outcome)}`)
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
    const { cause, message } = error as Error
    return {
      status: null,
      error: String((cause as Error | undefined)?.message ?? message),
      durationMs: spent(),
    }
  }
}

function wordsOf({ status, error, durationMs }: Outcome): string {
  if (status === null) return style('red', plain(error!), process.stdout)
  const isGood = status >= 200 && status < 300
  return `${style(isGood ? 'green' : 'red', String(status), process.stdout)}  ${durationMs} ms`
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
