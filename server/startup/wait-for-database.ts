import { setTimeout as sleep } from 'node:timers/promises'
import { openClient } from '../database/client.ts'
import type { Connection } from '../database/connection.ts'
import { StartupError } from '../errors.ts'

interface WaitOptions {
  say: (line: string) => void
  signal?: AbortSignal
  limitMs?: number
}

/** PostgreSQL restarts in seconds and usually recovers from a crash in less than a minute. */
const LIMIT_MS = 60_000
const RETRY_MS = 500
const REPEAT_LINE_MS = 15_000

/** Says why it waits. Wrong settings fail at once. */
export async function waitForDatabase(
  connection: Connection,
  { say, signal, limitMs = LIMIT_MS }: WaitOptions,
): Promise<void> {
  const address = addressOf(connection)
  const startedAt = Date.now()
  let said = { reason: '', at: 0 }
  for (;;) {
    const failure = await tryToConnect(connection)
    if (!failure) return
    const reason = reasonOf(failure)
    if (!isTemporary(failure)) {
      throw new StartupError(
        `PostgreSQL at ${address} refuses the connection: ${reason}. Check DATABASE_URL.`,
      )
    }
    if (Date.now() - startedAt >= limitMs) {
      throw new StartupError(
        `PostgreSQL at ${address} has accepted no connection for ${Math.round(limitMs / 1000)} seconds (${reason}). ` +
          'Check DATABASE_URL, and that PostgreSQL runs and accepts connections from this machine.',
      )
    }
    if (reason !== said.reason || Date.now() - said.at >= REPEAT_LINE_MS) {
      say(`Waiting for PostgreSQL at ${address} (${reason}) …`)
      said = { reason, at: Date.now() }
    }
    await sleep(RETRY_MS, undefined, { signal })
  }
}

/** Omits user and password. */
function addressOf(connection: Connection): string {
  if (typeof connection !== 'string') return connection.host
  const url = new URL(connection)
  const socket = url.searchParams.get('host')
  return socket?.startsWith('/') ? socket : `${socket || url.hostname || 'localhost'}:${url.port || 5432}`
}

type Failure = Error & { code?: string }

async function tryToConnect(connection: Connection): Promise<Failure | null> {
  const settings = { name: 'atrium start', statementTimeoutMs: 0, idleInTransactionMs: 0 }
  return openClient(connection, settings).then(
    (client) => {
      client.close()
      return null
    },
    (error: Failure) => error,
  )
}

/** Socket and DNS codes, and a PostgreSQL that stops, starts, recovers or has no free connection. */
const TEMPORARY =
  /^(CONNECT_TIMEOUT|CONNECTION_CLOSED|ECONN\w+|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|57P0[1-5]|53300|08\w{3})$/
/** PgBouncer reports these with a temporary failure's code. */
const PERMANENT_TEXT = /unsupported startup parameter|no such database|no such user|auth(entication)? failed/i

const isTemporary = ({ code = '', message }: Failure): boolean =>
  TEMPORARY.test(code) && !PERMANENT_TEXT.test(message)

function reasonOf({ code, message }: Failure): string {
  if (code === 'ECONNREFUSED') return 'connection refused'
  if (code === 'ENOENT') return 'its socket does not exist'
  return message || code || 'unknown'
}
