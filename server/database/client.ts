import { channel } from 'node:diagnostics_channel'
import { Socket } from 'node:net'
import { Client, type ClientConfig, DatabaseError, type Submittable, type Connection as Wire } from 'pg'
import Cursor from 'pg-cursor'
import { type Connection, parseConnection } from './connection.ts'
import { ConnectionError, isConnectionLost, isPreparedStatementLost } from './pg-errors.ts'
import type { Column, Row, Runner, Statement } from './query.ts'
import { type EncodedValue, parserFor } from './values.ts'

export interface ClientSettings {
  /** The session's `application_name`. */
  name: string
  /** PostgreSQL cancels a statement after this time. Zero: never. */
  statementTimeoutMs: number
  /** PostgreSQL ends a transaction that waits this long for its client. Zero: never. */
  idleInTransactionMs: number
}

/** Published before each statement is sent, as `SentStatement`. */
export const statementChannel = channel('atrium:database:statement')

export interface SentStatement {
  session: string
  text: string
}

/** An unreachable server may not even refuse a connection. */
const CONNECT_TIMEOUT_MS = 10_000
/** Probes notice by then that a server vanished without closing the connection. */
const KEEP_ALIVE_MS = 30_000
/** A vanished server doesn't acknowledge the end of a session. */
const CLOSE_TIMEOUT_MS = 1000
/** Added to PostgreSQL's own limit: the server has stopped responding. */
const SILENCE_GRACE_MS = 10_000

/** Executes one statement at a time; use `serially` to send several. */
export interface DatabaseClient extends Runner {
  run: (statement: Statement, values: EncodedValue[]) => Promise<Rows>
  /** The driver's client, for COPY and LISTEN. */
  readonly pg: Client
  readonly openedAt: number
  /** Null while the session works. */
  lossError: () => unknown
  /** Called once, when lost or closed. */
  onLost: (error: unknown) => void
  /** No transaction is open, so another caller may have the session. */
  isReusable: () => boolean
  /** Running statements fail. */
  close: () => void
  unref: () => void
}

/** Fails with a `ConnectionError` or PostgreSQL's refusal. */
export async function openClient(connection: Connection, settings: ClientSettings): Promise<DatabaseClient> {
  const { tls, ...address } = parseConnection(connection)
  if (tls === null) return connectTo({ ...address, ssl: false }, settings)
  const secure = connectTo({ ...address, ssl: { rejectUnauthorized: tls.isVerified } }, settings)
  return secure.catch((error) => {
    if (tls.isRequired || !isWithoutTls(error)) throw error
    return connectTo({ ...address, ssl: false }, settings)
  })
}

const isWithoutTls = (error: unknown) => (error as { code?: unknown }).code === 'TLS_UNAVAILABLE'

async function connectTo(config: ClientConfig, settings: ClientSettings): Promise<DatabaseClient> {
  const socket = new Socket()
  const pg = new Client({
    ...config,
    application_name: settings.name,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    stream: () => socket,
  })
  const client = createClient(pg, socket, settings)
  const timeout = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    timeout.reject(new ConnectionError('CONNECT_TIMEOUT', 'The database did not answer in time'))
  }, CONNECT_TIMEOUT_MS)
  try {
    await Promise.race([pg.connect(), timeout.promise])
    await Promise.race([client.run(setUp(settings), []), timeout.promise])
    return client
  } catch (error) {
    client.close()
    throw toConnectionError(error, 'The database closed the connection before it was ready')
  } finally {
    clearTimeout(timer)
  }
}

/** As a statement, because poolers refuse most startup parameters. */
const setUp = ({ statementTimeoutMs, idleInTransactionMs }: ClientSettings): Statement => ({
  name: '',
  text: `set timezone = 'UTC'; set statement_timeout = ${statementTimeoutMs}; set idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
  types: null,
  columns: null,
})

function createClient(
  pg: Client,
  socket: Socket,
  { name, statementTimeoutMs }: ClientSettings,
): DatabaseClient {
  let lossError: unknown = null
  const silenceMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + SILENCE_GRACE_MS

  function lose(error: unknown): void {
    if (lossError !== null) return
    lossError = toConnectionError(error, 'The database connection was lost')
    socket.destroy()
    client.onLost(lossError)
  }

  pg.on('error', lose)
  pg.on('end', () => lose(new ConnectionError('CONNECTION_CLOSED', 'The database closed the connection')))

  /** Every error except a statement's own ends the session. */
  function failed(error: unknown): unknown {
    if (error instanceof DatabaseError && !isConnectionLost(error) && !isPreparedStatementLost(error))
      return error
    lose(error)
    return error instanceof DatabaseError ? error : lossError
  }

  const client: DatabaseClient = {
    pg,
    openedAt: Date.now(),
    onLost: () => {},
    lossError: () => lossError,
    isReusable: () => lossError === null && pg.getTransactionStatus() === 'I',
    close() {
      if (lossError !== null) return
      lossError = new ConnectionError('CONNECTION_ENDED', 'The database connection was closed')
      // Says goodbye if no statement runs, else destroys the socket.
      pg.end().catch(() => {})
      setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS).unref()
      client.onLost(lossError)
    },
    unref: () => void socket.unref(),
    run: (statement, values) =>
      new Promise((resolve, reject) => {
        if (lossError !== null) return reject(lossError)
        if (statementChannel.hasSubscribers) statementChannel.publish({ session: name, text: statement.text })
        const timer = silenceMs === 0 ? undefined : setTimeout(lose, silenceMs, silentError())
        const execution = new Execution(statement, values, (error, rows) => {
          clearTimeout(timer)
          if (error === null) resolve(rows)
          else reject(withStatement(failed(error), statement))
        })
        pg.query(execution)
      }),
    async *readBatches({ text }, values, rowsMax) {
      if (lossError !== null) throw lossError
      const cursor = pg.query(
        new Cursor<Row>(text, values, { types: { getTypeParser: cursorParser as never } }),
      )
      try {
        for (let rows = await cursor.read(rowsMax); rows.length > 0; rows = await cursor.read(rowsMax))
          yield rows
      } catch (error) {
        throw failed(error)
      } finally {
        // A lost server never confirms it.
        if (lossError === null) await cursor.close().catch(lose)
      }
    },
  }
  return client
}

const cursorParser = (oid: number) => parserFor(oid) ?? String

const silentError = () => new ConnectionError('CONNECTION_CLOSED', 'The database stopped answering')

function toConnectionError(error: unknown, message: string): unknown {
  if (error instanceof DatabaseError || error instanceof ConnectionError) return error
  const { code, message: reason } = error as { code?: string; message?: string }
  if (reason?.includes('does not support SSL'))
    return new ConnectionError('TLS_UNAVAILABLE', 'The database does not support TLS', error)
  return new ConnectionError(code ?? 'CONNECTION_CLOSED', code ? `${message}: ${reason}` : message, error)
}

/** For debuggers. Logs don't show it. */
const withStatement = (error: unknown, { text }: Statement): unknown =>
  error instanceof DatabaseError
    ? Object.defineProperty(error, 'statement', { value: text, configurable: true })
    : error

export type SerialSession = ReturnType<typeof serially>

/** In a transaction, several callers share a session. */
export function serially(client: DatabaseClient) {
  let last: Promise<unknown> | null = null
  let endError: Error | null = null

  function send(statement: Statement, values: EncodedValue[]) {
    if (endError) return Promise.reject(endError)
    return client.run(statement, values)
  }

  return {
    run(statement: Statement, values: EncodedValue[]): Promise<Rows> {
      const result = last === null ? send(statement, values) : last.then(() => send(statement, values))
      const settled: Promise<unknown> = result.then(
        () => free(settled),
        () => free(settled),
      )
      last = settled
      return result
    },
    readBatches: client.readBatches,
    idle: async () => void (await last),
    /** Refuses unsent and later statements. */
    end(error: Error): void {
      endError ??= error
    },
  }

  function free(settled: Promise<unknown>): void {
    if (last === settled) last = null
  }
}

export class Rows extends Array<Row> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array
  }

  #tag = ''

  /** As PostgreSQL reports it, such as `INSERT 0 3` or `ROLLBACK`. */
  get tag(): string {
    return this.#tag
  }

  get count(): number {
    return Number.parseInt(this.#tag.slice(this.#tag.lastIndexOf(' ') + 1), 10) || 0
  }

  setTag(tag: string): void {
    this.#tag = tag
  }
}

/** What the driver passes to `submit`. Its types lack the last two's fields. */
type Wiring = Pick<Wire, 'stream' | 'query' | 'sync'> & {
  parse(message: { name: string; text: string; types: number[] }): void
  bind(message: { statement: string; values: EncodedValue[] }): void
  describe(message: { type: 'P' }): void
  execute(message: null): void
  sendCopyFail(message: string): void
  parsedStatements: Record<string, string>
}

interface FieldDescription {
  name: string
  dataTypeID: number
}

/** Unlike the driver's own query, declares parameter types and asks for columns only when preparing. */
class Execution implements Submittable {
  readonly name: string
  readonly text: string
  readonly #statement: Statement
  readonly #values: EncodedValue[]
  readonly #onEnd: (error: unknown, rows: Rows) => void
  #columns: Column[]
  #rows = new Rows()
  #parseError: unknown = null

  constructor(statement: Statement, values: EncodedValue[], onEnd: (error: unknown, rows: Rows) => void) {
    this.name = statement.name
    this.text = statement.text
    this.#statement = statement
    this.#values = values
    this.#onEnd = onEnd
    this.#columns = statement.columns ?? []
  }

  submit(connection: unknown): void {
    const wire = connection as Wiring
    const { name, text, types, columns } = this.#statement
    if (types === null) {
      wire.query(text)
      return
    }
    wire.stream.cork()
    const isPrepared = name !== '' && wire.parsedStatements[name] !== undefined
    if (!isPrepared) wire.parse({ name, text, types })
    wire.bind({ statement: name, values: this.#values })
    if (!isPrepared || columns === null) wire.describe({ type: 'P' })
    wire.execute(null)
    wire.sync()
    wire.stream.uncork()
  }

  handleRowDescription({ fields }: { fields: FieldDescription[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserFor(dataTypeID) }))
    // With several statements, the last one's result counts.
    this.#rows = new Rows()
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.#columns
    const row: Row = {}
    try {
      for (let index = 0; index < fields.length; index++) {
        const { name, parse } = columns[index]!
        const text = fields[index]!
        row[name] = text === null || parse === undefined ? text : parse(text)
      }
    } catch (error) {
      this.#parseError ??= error
    }
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rows.setTag(text)
  }

  handleReadyForQuery(): void {
    if (this.#statement.types !== null) this.#statement.columns = this.#columns
    this.#onEnd(this.#parseError, this.#rows)
  }

  handleError(error: unknown): void {
    this.#onEnd(error, this.#rows)
  }

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: unknown): void {
    ;(connection as Wiring).sendCopyFail('COPY needs a stream')
  }

  handleCopyData(): void {}
}
