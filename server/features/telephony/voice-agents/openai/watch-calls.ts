import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { refuseInTransaction } from '../../../../concurrency/work-scope.ts'
import type { JobContext } from '../../../../context.ts'
import type { WorkerRuntime } from '../../../../feature.ts'
import { waitingIn } from '../../../../jobs/claim-fairly.ts'
import { startOrganizationLoop } from '../../../../jobs/organization-loop.ts'
import { DUE_CALLS } from '../../calls/queries.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { recordEnd } from './control-call.ts'
import { claimWatched, updateWatched, WATCH_CHANNEL, type WatchedCall } from './watch-queries.ts'

/** Open connections are cheap. */
const CONCURRENCY_MAX = 1000
const CLAIM_MAX = 50

export const startWatchingCalls = (options: TelephonyOptions, runtime: WorkerRuntime) =>
  startOrganizationLoop<WatchedCall>(runtime, {
    name: 'calls at OpenAI',
    channel: WATCH_CHANNEL,
    waiting: waitingIn(DUE_CALLS),
    concurrency: CONCURRENCY_MAX,
    perOrganization: CONCURRENCY_MAX,
    claimMax: CLAIM_MAX,
    leaseMs: LEASE_MS,
    whileSuspended: true,
    handOverMs: 0,
    claim: (request) => claimWatched(runtime.pool, request),
    run: (call, { handOver }) => watchCall(options, runtime.context(), call, handOver),
  })

/** Longer than the renewal interval, so others take over soon after a kill. */
const LEASE_MS = 30_000
const RENEW_MS = 10_000
const RETRY_MS = 15_000
const RECONNECT_PAUSE_MS = 250
const RECONNECTS_MAX = 5

/**
 * OpenAI reports a call's end only through its WebSocket. Reopens broken connections, which OpenAI refuses after the
 * end.
 */
async function watchCall(
  options: TelephonyOptions,
  ctx: JobContext,
  call: WatchedCall,
  handOver: AbortSignal,
): Promise<void> {
  const { orgId, id } = call
  const setNextWatch = (inMs: number | null) =>
    updateWatched(ctx.sql, orgId, id, inMs === null ? null : new Date(ctx.now().getTime() + inMs))
  const target = await socketUrlOf(options, call)
  if (!target) return void (await setNextWatch(null))
  const stop = new AbortController()
  const signal = AbortSignal.any([handOver, stop.signal])
  const renewal = setInterval(() => {
    void setNextWatch(LEASE_MS).then(
      (isOpen) => isOpen || stop.abort(),
      () => stop.abort(),
    )
  }, RENEW_MS)
  try {
    for (let attempt = 0; attempt <= RECONNECTS_MAX; attempt++) {
      const end = await followCall(target.url, target.headers, {
        signal,
        onOpen: () => {
          attempt = 0
        },
      })
      if (signal.aborted) return void (await setNextWatch(0))
      if (end === 'gone')
        return await recordEnd(ctx, orgId, id, { status: 'completed', endReason: 'caller_hung_up' })
      // The call then ends here at its maximum length.
      if (end === 'refused') return void (await setNextWatch(null))
      if (end === 'unreachable') break
      await sleep(RECONNECT_PAUSE_MS)
    }
    await setNextWatch(RETRY_MS)
  } finally {
    clearInterval(renewal)
  }
}

/** Null if an organization entered the URL: WebSockets have no private-network guard. */
async function socketUrlOf({ models }: TelephonyOptions, { orgId, providerId }: WatchedCall) {
  const provider = await models.provider(orgId, 'openai')
  if (!provider || provider.apiKey === null) return null
  const url = new URL(`${provider.url}/realtime`)
  if (provider.source === 'organization' && url.host !== 'api.openai.com') return null
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.searchParams.set('call_id', providerId)
  return { url: url.href, headers: { authorization: `Bearer ${provider.apiKey}` } }
}

const HANDSHAKE_MS = 10_000
const BYTES_MAX = 4_194_304
const GONE = new Set([400, 404, 410])

type SocketEnd =
  /** The next attempt shows whether the call has ended. */
  'closed' | 'gone' | 'refused' | 'unreachable'

/** The WebSocket stays open as long as the call. Ignores messages: the call isn't recorded. */
function followCall(
  url: string,
  headers: Record<string, string>,
  { signal, onOpen }: { signal: AbortSignal; onOpen: () => void },
): Promise<SocketEnd> {
  refuseInTransaction('another server')
  const socket = new WebSocket(url, {
    headers,
    handshakeTimeout: HANDSHAKE_MS,
    maxPayload: BYTES_MAX,
    perMessageDeflate: false,
  })
  return new Promise((resolve) => {
    let isOpen = false
    const stop = () => socket.terminate()
    const end = (outcome: SocketEnd) => {
      signal.removeEventListener('abort', stop)
      resolve(outcome)
    }
    signal.addEventListener('abort', stop)
    socket.on('open', () => {
      isOpen = true
      onOpen()
    })
    socket.on('unexpected-response', (_request, { statusCode = 0 }) => {
      end(GONE.has(statusCode) ? 'gone' : statusCode >= 500 || statusCode === 429 ? 'unreachable' : 'refused')
      socket.terminate()
    })
    socket.on('error', () => end(isOpen ? 'closed' : 'unreachable'))
    socket.on('close', () => end(isOpen ? 'closed' : 'unreachable'))
  })
}
