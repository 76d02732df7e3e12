import { z } from 'zod'
import type { CliEnvironment } from '../../config.ts'
import { connect } from '../../connect.ts'
import { follow, reportConnection } from '../../event-stream.ts'
import { Failure } from '../../failure.ts'
import { print, printMessage, sanitize, style } from '../../terminal.ts'
import { findWebhook, requireAdmin } from './find.ts'

interface ListenOptions {
  server?: string
  json?: boolean
  forward: string
}

const TIMEOUT_MS = 15_000
const Delivery = z.object({ type: z.string(), headers: z.record(z.string(), z.string()), body: z.string() })

/** Signs deliveries as the webhook does. */
export async function listen(
  ref: string,
  options: ListenOptions,
  environment: CliEnvironment,
): Promise<void> {
  const target = parseTarget(options.forward)
  const connection = await connect(options.server, environment)
  await requireAdmin(connection)
  const webhook = await findWebhook(connection, ref)
  const greeting = `Listening to ${sanitize(webhook.name)}, forwarding to ${target} (Ctrl+C to cancel)`
  const reportReachability = createReachabilityReporter(target)
  const path = `/api/v1/webhooks/${webhook.id}/listen`
  for await (const { name, data } of follow(connection, path, reportConnection({ greeting }))) {
    if (name !== 'delivery') continue
    const { type, headers, body } = Delivery.parse(JSON.parse(data))
    const outcome = await forward(target, headers, body)
    const id = headers['webhook-id'] ?? ''
    if (options.json) print(JSON.stringify({ id, type, ...outcome }))
    else print(`${style('dim', id, process.stdout)}  ${describeOutcome(outcome)}  ${sanitize(type)}`)
    reportReachability(outcome)
  }
}

interface Outcome {
  status: number | null
  error: string | null
  durationMs: number
}

async function forward(url: string, headers: Record<string, string>, body: string): Promise<Outcome> {
  const startedAt = performance.now()
  const elapsed = () => Math.round(performance.now() - startedAt)
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return { status: response.status, error: null, durationMs: elapsed() }
  } catch (error) {
    return { status: null, error: reasonOf(error as Error), durationMs: elapsed() }
  }
}

function reasonOf({ name, message, cause }: Error): string {
  if (name === 'TimeoutError') return `no response within ${TIMEOUT_MS / 1000} seconds`
  const { code, message: causeMessage } = (cause ?? {}) as { code?: string; message?: string }
  return code === 'ECONNREFUSED' ? 'connection refused' : (code ?? causeMessage ?? message)
}

/** Reports once when the program becomes unreachable, and once when it is back. */
function createReachabilityReporter(target: string): (outcome: Outcome) => void {
  let isUnreachable = false
  return ({ status, error }) => {
    if (status === null && !isUnreachable)
      printMessage(
        style('yellow', `${target} is unreachable (${sanitize(error!)}): is your program running?`),
      )
    if (status !== null && isUnreachable) printMessage(`${target} is reachable again`)
    isUnreachable = status === null
  }
}

function describeOutcome({ status, error, durationMs }: Outcome): string {
  const isSuccess = status !== null && status >= 200 && status < 300
  const label = status === null ? sanitize(error!) : String(status)
  return `${style(isSuccess ? 'green' : 'red', label, process.stdout)}  ${durationMs} ms`
}

function parseTarget(text: string): string {
  const isHttp = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (isHttp) return text
  throw new Failure('usage', `${text} is not a valid URL`, 'Example: http://localhost:4000/hook')
}
