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

/** A statement and its result. */
export interface Sent {
  statement: Statement
  values: EncodedValue[]
  rows: Rows
  /** Null if it was executed. A statement after a failed one in its batch isn't, and has that one's error. */
  error: unknown
}

export const toSend = (statement: Statement, values: EncodedValue[] = []): Sent => ({
  statement,
  values,
  rows: new Rows(),
  error: null,
})

/** Executes one batch at a time; use `serially` to send several statements. */
export interface DatabaseClient extends Runner {
  run: (statement: Statement, values: EncodedValue[]) => Promise<Rows>
  /**
   * Sends the statements together, for one round trip. Resolves when each has a result or an error. Outside a
   * transaction, one that fails rolls the others back.
   */
  runBatch: (batch: readonly Sent[]) => Promise<void>
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
  const preparations: Preparations = new Map()

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
    async run(statement, values) {
      const sent = toSend(statement, values)
      await client.runBatch([sent])
      if (sent.error !== null) throw sent.error
      return sent.rows
    },
    runBatch: (batch) =>
      new Promise((resolve) => {
        const end = (from: number, error: unknown) => {
          for (const sent of batch.slice(from)) sent.error = withStatement(error, sent.statement)
          resolve()
        }
        if (lossError !== null) return end(0, lossError)
        if (statementChannel.hasSubscribers)
          for (const { statement } of batch) statementChannel.publish({ session: name, text: statement.text })
        const silenceMs = statementTimeoutMs * batch.length + SILENCE_GRACE_MS
        const timer = statementTimeoutMs === 0 ? undefined : setTimeout(() => lose(silentError()), silenceMs)
        const execution = new Execution(batch, preparations, (done, error) => {
          clearTimeout(timer)
          if (error === null) resolve()
          else end(done, failed(error))
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

/** Several callers share a session. */
export function serially(client: DatabaseClient) {
  let last: Promise<unknown> | null = null

  return {
    run(statement: Statement, values: EncodedValue[]): Promise<Rows> {
      const send = () => client.run(statement, values)
      const result = last === null ? send() : last.then(send)
      const settled: Promise<unknown> = result.then(
        () => free(settled),
        () => free(settled),
      )
      last = settled
      return result
    },
    readBatches: client.readBatches,
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

/** What the driver passes to `submit`. Its types lack the last three's fields. */
type Wiring = Pick<Wire, 'stream' | 'query' | 'sync'> & {
  parse(message: { name: string; text: string; types: number[] }): void
  bind(message: { statement: string; values: EncodedValue[] }): void
  describe(message: { type: 'P' }): void
  execute(message: null): void
  close(message: { type: 'S'; name: string }): void
  sendCopyFail(message: string): void
}

interface FieldDescription {
  name: string
  dataTypeID: number
}

/** By a statement's name, in one session. `maybe` after an error that doesn't tell. */
type Preparations = Map<string, 'prepared' | 'maybe'>

/** Unlike the driver's own query, sends a batch, declares parameter types and asks for columns only when preparing. */
class Execution implements Submittable {
  readonly #batch: readonly Sent[]
  readonly #preparations: Preparations
  readonly #onEnd: (done: number, error: unknown) => void
  /** The statement whose result arrives. */
  #at = 0
  #columns: Column[]
  #parseErrors = new Map<Sent, unknown>()

  constructor(
    batch: readonly Sent[],
    preparations: Preparations,
    onEnd: (done: number, error: unknown) => void,
  ) {
    this.#batch = batch
    this.#preparations = preparations
    this.#onEnd = onEnd
    this.#columns = batch[0]!.statement.columns ?? []
  }

  submit(connection: unknown): void {
    const wire = connection as Wiring
    const { statement } = this.#batch[0]!
    if (statement.types === null) {
      wire.query(statement.text)
      return
    }
    wire.stream.cork()
    const sentNames = new Set<string>()
    for (const sent of this.#batch) this.#submitOne(wire, sent, sentNames)
    wire.sync()
    wire.stream.uncork()
  }

  #submitOne(wire: Wiring, { statement, values }: Sent, sentNames: Set<string>): void {
    const { name, text, types, columns } = statement
    const state = sentNames.has(name) ? 'prepared' : this.#preparations.get(name)
    const isPrepared = name !== '' && state === 'prepared'
    if (!isPrepared) {
      if (state === 'maybe') wire.close({ type: 'S', name })
      wire.parse({ name, text, types: types! })
    }
    sentNames.add(name)
    wire.bind({ statement: name, values })
    if (!isPrepared || columns === null) wire.describe({ type: 'P' })
    wire.execute(null)
  }

  handleRowDescription({ fields }: { fields: FieldDescription[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserFor(dataTypeID) }))
    // Of several statements in one text, the last one's result counts.
    this.#batch[this.#at]!.rows = new Rows()
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    const columns = this.#columns
    const sent = this.#batch[this.#at]!
    const row: Row = {}
    try {
      for (let index = 0; index < fields.length; index++) {
        const { name, parse } = columns[index]!
        const text = fields[index]!
        row[name] = text === null || parse === undefined ? text : parse(text)
      }
    } catch (error) {
      if (!this.#parseErrors.has(sent)) this.#parseErrors.set(sent, error)
    }
    sent.rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { rows, statement } = this.#batch[this.#at]!
    rows.setTag(text)
    if (statement.types !== null) this.#next()
  }

  handleEmptyQuery(): void {
    if (this.#batch[this.#at]!.statement.types !== null) this.#next()
  }

  #next(): void {
    const { statement } = this.#batch[this.#at]!
    statement.columns = this.#columns
    if (statement.name !== '') this.#preparations.set(statement.name, 'prepared')
    this.#at++
    this.#columns = this.#batch[this.#at]?.statement.columns ?? []
  }

  handleReadyForQuery(): void {
    for (const [sent, error] of this.#parseErrors) sent.error = error
    this.#onEnd(this.#batch.length, null)
  }

  handleError(error: unknown): void {
    const name = this.#batch[this.#at]?.statement.name
    if (name && this.#preparations.get(name) !== 'prepared') this.#preparations.set(name, 'maybe')
    this.#onEnd(this.#at, error)
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: unknown): void {
    ;(connection as Wiring).sendCopyFail('COPY needs a stream')
  }

  handleCopyData(): void {}
}
