import { setTimeout as sleep } from 'node:timers/promises'
import type { Outbound } from '../../../../outbound/outbound.ts'
import type { ConnectorDefinition, ConnectorTool } from '../definition/definition.ts'
import type { BuiltRequest, ConnectionTarget } from './build-request.ts'
import { type Exchange, sendBuilt } from './send-request.ts'

const ATTEMPTS_MAX = 4
/** If the provider names no time. */
const PAUSES_MS = [500, 1500, 4000]

/** Over all the call's requests. */
export interface RemainingWait {
  leftMs: number
}

export interface RetryOptions {
  effect: ConnectorTool['effect']
  /** The provider recognizes a repetition. */
  isKeyed: boolean
  remainingWait: RemainingWait
  signal: AbortSignal
  now: () => Date
  /** When the connection is free. */
  slot: <T>(work: () => Promise<T>) => Promise<T>
}

export interface SendResult {
  exchange: Exchange
  attempts: number
  /** Null if the provider gave no time. */
  retryAt: Date | null
}

/** While a repetition can't act twice and enough time is left. */
export async function sendWithRetries(
  outbound: Outbound,
  target: ConnectionTarget,
  request: BuiltRequest,
  options: RetryOptions,
): Promise<SendResult> {
  const { remainingWait, signal, now, slot } = options
  for (let attempts = 1; ; attempts++) {
    const exchange = await slot(() => sendBuilt(outbound, target, request, signal))
    const requestedMs = exchange.answer
      ? retryAfterMs(target.definition, exchange.answer.headers, now())
      : null
    const retryAt =
      !exchange.ok && requestedMs !== null && exchange.failure.means === 'slow_down'
        ? new Date(now().getTime() + requestedMs)
        : null
    const pause = requestedMs ?? PAUSES_MS[attempts - 1]!
    const mayRepeat = attempts < ATTEMPTS_MAX && isRepeatable(exchange, requestedMs !== null, options)
    if (!mayRepeat || pause > remainingWait.leftMs || signal.aborted) return { exchange, attempts, retryAt }
    remainingWait.leftMs -= pause
    await sleep(pause, undefined, { signal }).catch(() => {})
    if (signal.aborted) return { exchange, attempts, retryAt }
  }
}

/**
 * A provider that limits requests did not act. With 503, only `retry-after` proves it. After any other fault it may
 * have acted, so only safe requests are repeated.
 */
function isRepeatable(
  exchange: Exchange,
  hasRetryAfter: boolean,
  { effect, isKeyed }: RetryOptions,
): boolean {
  if (exchange.ok) return false
  const { means } = exchange.failure
  const isSafeToRepeat = effect !== 'once' || isKeyed
  if (means === 'slow_down') return isSafeToRepeat || exchange.answer?.status !== 503 || hasRetryAfter
  return means === 'unreachable' && isSafeToRepeat
}

/** Some providers send invalid times. */
const DELAY_MAX_MS = 366 * 86_400_000

type Headers = Readonly<Record<string, string>>

/**
 * Returns null if the provider gives no time. `retry-after` has seconds or a date, and other headers follow the
 * definition. A past time means now.
 */
export function retryAfterMs(
  { retryAfter }: Pick<ConnectorDefinition, 'retryAfter'>,
  headers: Headers,
  now: Date,
): number | null {
  const standard = headers['retry-after']
  const custom = retryAfter && headers[retryAfter.header]
  const ms =
    retryAfter?.header === 'retry-after' || standard === undefined
      ? custom === undefined
        ? null
        : inUnit(custom, retryAfter!.unit, now)
      : secondsOrDate(standard, now)
  return ms === null ? null : Math.min(Math.max(ms, 0), DELAY_MAX_MS)
}

function secondsOrDate(value: string, now: Date): number | null {
  const seconds = numberOf(value)
  if (seconds !== null) return seconds * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? null : date - now.getTime()
}

function inUnit(value: string, unit: 'seconds' | 'milliseconds' | 'epoch', now: Date): number | null {
  if (unit === 'seconds') return secondsOrDate(value, now)
  const number = numberOf(value)
  if (number === null) return null
  if (unit === 'milliseconds') return number
  // Some providers count the epoch in milliseconds.
  return (number > 1e11 ? number : number * 1000) - now.getTime()
}

const numberOf = (value: string): number | null =>
  /^\d{1,15}(\.\d{1,9})?$/.test(value.trim()) ? Number(value) : null
