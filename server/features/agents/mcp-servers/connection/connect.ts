import { setTimeout as sleep } from 'node:timers/promises'
import type * as Mcp from '@modelcontextprotocol/client'
import type { AuthProvider, Client } from '@modelcontextprotocol/client'
import type { Outbound } from '../../../../outbound/outbound.ts'
import { describeMcpFailure, type Failure } from './failure.ts'
import { guardedFetch, type SessionLimits } from './guarded-fetch.ts'

/** Loaded lazily to save memory without MCP servers. */
export const loadMcp = () => import('@modelcontextprotocol/client')

const LIST_PAGES_MAX = 10
const CLOSE_TIMEOUT_MS = 2000

export interface Target {
  url: string
  headers: Record<string, string>
  /** Never in messages or prompts. */
  secrets: readonly string[]
  /** Refreshes the OAuth tokens. */
  tokens?: AuthProvider
}

export interface Session {
  mcp: typeof Mcp
  client: Client
  /** Without it, a request outlives the session. */
  options: { signal: AbortSignal; timeout: number }
}

export type SessionResult<T> =
  | { ok: true; value: T; durationMs: number }
  | ({ ok: false; durationMs: number } & Failure)

/** The client offers nothing, so the library refuses the server's sampling, elicitation and roots requests. */
export async function withSession<T>(
  outbound: Outbound,
  { url, headers, tokens }: Target,
  limits: SessionLimits,
  work: (session: Session) => Promise<T>,
  callerSignal?: AbortSignal,
): Promise<SessionResult<T>> {
  const mcp = await loadMcp()
  const started = performance.now()
  const durationMs = () => Math.round(performance.now() - started)
  const guarded = guardedFetch(outbound, limits, callerSignal)
  const options = { signal: guarded.signal, timeout: limits.timeoutMs }
  const client = new mcp.Client(
    { name: 'atrium', version: '1' },
    {
      capabilities: {},
      versionNegotiation: { mode: 'auto' },
      inputRequired: { autoFulfill: false },
      listMaxPages: LIST_PAGES_MAX,
    },
  )
  const transport = new mcp.StreamableHTTPClientTransport(new URL(url), {
    fetch: guarded.fetch,
    requestInit: { headers },
    ...(tokens && { authProvider: tokens }),
    onInsufficientScope: 'throw',
    reconnectionOptions: { ...NEVER_RECONNECT },
  })
  try {
    const value = await Promise.race([
      client.connect(transport, options).then(() => work({ mcp, client, options })),
      whenAborted(guarded.signal),
    ])
    return { ok: true, value, durationMs: durationMs() }
  } catch (error) {
    return { ok: false, ...describeMcpFailure(mcp, error, guarded, limits), durationMs: durationMs() }
  } finally {
    // Servers with the earlier protocol keep a session until it is terminated.
    await Promise.race([
      transport.terminateSession().catch(() => {}),
      sleep(CLOSE_TIMEOUT_MS, null, { ref: false }),
    ])
    guarded.end()
    await client.close().catch(() => {})
  }
}

/** For some requests, the library ignores the abort signal until their timeout. */
const whenAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
  })

const NEVER_RECONNECT = {
  maxRetries: 0,
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 1,
}
