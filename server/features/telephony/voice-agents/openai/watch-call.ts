import { setTimeout as sleep } from 'node:timers/promises'
import type { JobContext } from '../../../../context.ts'
import type { TelephonyOptions } from '../../dependencies.ts'
import { recordEnd } from './end-call.ts'
import { followCall } from './side-socket.ts'
import { updateWatched, type WatchedCall } from './watch-queries.ts'

/** Longer than the time between two renewals, so that another process continues soon after a kill. */
export const LEASE_MS = 30_000
const RENEW_MS = 10_000
const RETRY_MS = 15_000
const RECONNECT_PAUSE_MS = 250
const RECONNECTS_MAX = 5

/**
 * Waits for the end of a call, which OpenAI reports only by the WebSocket of the call. A connection that breaks is
 * opened again; OpenAI refuses it after the end of the call.
 */
export async function watchCall(
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

/**
 * The URL of the WebSocket; null if an organization entered it, because WebSockets have no guard against private
 * networks.
 */
async function socketUrlOf({ models }: TelephonyOptions, { orgId, providerId }: WatchedCall) {
  const provider = await models.provider(orgId, 'openai')
  if (!provider || provider.apiKey === null) return null
  const url = new URL(`${provider.url}/realtime`)
  if (provider.source === 'organization' && url.host !== 'api.openai.com') return null
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.searchParams.set('call_id', providerId)
  return { url: url.href, headers: { authorization: `Bearer ${provider.apiKey}` } }
}
