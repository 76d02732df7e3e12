import { dictionary } from '../../../../../contract/dictionary.ts'
import type { ConnectorsConfig } from '../../../../config/connectors.ts'
import type { JobContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import type { Outbound } from '../../../../outbound/outbound.ts'
import {
  type OpenConnection,
  openConnection,
  reportFailure,
} from '../../../connections/connections/connections.ts'
import {
  type ConnectorDefinition,
  downloadContent,
  type Failure,
  retryAfterMs,
  sendRequest,
} from '../../../connections/connectors/connectors.ts'
import { isRecord } from './read.ts'
import { SourceFailure } from './source-failure.ts'

/** GitHub's largest tree has 7 MB. */
const ANSWER_BYTES_MAX = 16_000_000
/** More than a file may have: storing refuses larger ones with a clear reason. */
const DOWNLOAD_BYTES_MAX = 220_000_000
const DOWNLOAD_MS = 100_000

export interface RemoteRequest {
  method?: 'GET' | 'POST'
  /** Encoded, or a full URL at one of the connector's hosts. */
  path: string
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  headers?: Readonly<Record<string, string>>
  json?: unknown
}

export interface RemoteStream {
  content: AsyncIterable<Uint8Array>
  headers: Readonly<Record<string, string>>
}

/** The service, with the source's connection. Failures that concern the whole source are thrown. */
export interface Remote {
  /** Null if the service answers that it doesn't exist. */
  find: (request: RemoteRequest) => Promise<unknown>
  /** What a listing needs: absence ends the sync. */
  get: (request: RemoteRequest) => Promise<Record<string, unknown>>
  download: <T>(
    request: RemoteRequest,
    consume: (stream: RemoteStream) => Promise<T>,
  ) => Promise<{ kind: 'done'; value: T } | { kind: 'gone' } | { kind: 'refused'; reason: string }>
  orgId: string
  /** Without a connection. */
  outbound: Outbound
  now: () => Date
  signal: AbortSignal
  /** Answers that hold for one part of a sync. Providers bound what they keep. */
  memo: Map<string, unknown>
}

type Deps = Pick<JobContext<'outbound' | 'vault'>, 'sql' | 'outbound' | 'vault' | 'now'> & {
  connectors: ConnectorsConfig
}

export function openRemote(
  deps: Deps,
  orgId: string,
  connectionId: string | null,
  signal: AbortSignal,
): Remote {
  async function open() {
    if (connectionId === null) throw new SourceFailure('refused', 'It has no connection')
    try {
      return await openConnection(deps, orgId, connectionId)
    } catch (error) {
      if (error instanceof ApiError) throw new SourceFailure(meaningOf(error), error.message)
      throw error
    }
  }

  /** Refreshes refused tokens once. Throws unless the request can be repeated. */
  async function renew(
    { failure, headers }: { failure: Failure; headers: Readonly<Record<string, string>> },
    target: OpenConnection,
    attempt: number,
  ): Promise<void> {
    const { shouldRetry } = await reportFailure(deps, orgId, connectionId!, failure, target)
    if (shouldRetry && attempt === 1) return
    // The failure may have ended the connection, which is then the clearer reason.
    if (failure.means === 'expired' || failure.means === 'revoked') await open()
    throw failureOf(target.definition, failure, headers, deps.now())
  }

  async function send(request: RemoteRequest): Promise<unknown> {
    const { template, input } = templateOf(request)
    for (let attempt = 1; ; attempt++) {
      const target = await open()
      const options = { input, bytesMax: ANSWER_BYTES_MAX, signal }
      const exchange = await sendRequest(deps.outbound, target, template, options)
      if (exchange.ok) {
        if (exchange.answer.truncated) throw new SourceFailure('try_again', 'The answer is too large')
        return exchange.answer.body
      }
      const { failure, answer } = exchange
      if (failure.means === 'not_found' && answer !== null) return null
      await renew({ failure, headers: answer?.headers ?? {} }, target, attempt)
    }
  }

  return {
    orgId,
    outbound: deps.outbound,
    now: deps.now,
    signal,
    memo: new Map(),
    find: send,
    async get(request) {
      const body = await send(request)
      if (body === null)
        throw new SourceFailure('not_found', 'The service no longer finds what this source syncs')
      if (!isRecord(body))
        throw new SourceFailure('try_again', 'The service answered with something unexpected')
      return body
    },
    async download(request, consume) {
      const { template, input } = templateOf(request)
      const limits = { input, timeoutMs: DOWNLOAD_MS, bytesMax: DOWNLOAD_BYTES_MAX, signal }
      for (let attempt = 1; ; attempt++) {
        const target = await open()
        const result = await downloadContent(deps.outbound, target, template, limits, (content, headers) =>
          consume({ content, headers }),
        )
        if (result.ok) return { kind: 'done', value: result.value }
        const { failure, headers } = result
        if (failure.means === 'not_found') return { kind: 'gone' }
        if (failure.means === 'forbidden' || failure.means === 'invalid' || failure.means === 'failed')
          return { kind: 'refused', reason: failure.message }
        await renew({ failure, headers }, target, attempt)
      }
    },
  }
}

const MEANINGS = dictionary<SourceFailure['means'] | undefined>({
  connection_expired: 'connection_expired',
  connection_not_refreshed: 'try_again',
})

function meaningOf({ details }: ApiError): SourceFailure['means'] {
  const reason = details && 'reason' in details ? details.reason : undefined
  return MEANINGS[String(reason)] ?? 'refused'
}

/** Values are inputs, so braces in them are no placeholders. */
function templateOf({ method = 'GET', path, query = {}, headers = {}, json }: RemoteRequest) {
  const values = { query: Object.values(query), headers: Object.values(headers), json }
  return {
    input: { values },
    template: {
      method,
      path,
      query: Object.fromEntries(Object.keys(query).map((name, at) => [name, { $: `values.query.${at}` }])),
      headers: Object.fromEntries(Object.keys(headers).map((name, at) => [name, `{values.headers.${at}}`])),
      ...(json !== undefined && { json: { $: 'values.json' } }),
    },
  }
}

function failureOf(
  definition: Pick<ConnectorDefinition, 'retryAfter'>,
  { means, message }: Failure,
  headers: Readonly<Record<string, string>>,
  now: Date,
): SourceFailure {
  const waitMs = retryAfterMs(definition, headers, now)
  const retryAt = waitMs === null ? null : new Date(now.getTime() + waitMs)
  if (means === 'slow_down' || means === 'unreachable')
    return new SourceFailure('try_again', message, retryAt)
  return new SourceFailure('refused', message)
}
