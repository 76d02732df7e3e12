import { type DatabaseClient, type Rows, type Sent, toSend } from './client.ts'
import { isConnectionLost } from './pg-errors.ts'
import type { Runner, Statement } from './query.ts'
import { createSql, type Sql } from './sql.ts'
import type { EncodedValue } from './values.ts'

/** A pool's connection that a transaction holds. */
export interface Held {
  client: DatabaseClient
  /** Gives the lost one back and takes another. */
  replace: () => Promise<void>
}

const command = (text: string): Statement => ({ name: text, text, types: [], columns: [] })
const [BEGIN, COMMIT, ROLLBACK] = ['begin', 'commit', 'rollback'].map(command) as [
  Statement,
  Statement,
  Statement,
]

/**
 * Begins with the first statement, in the same round trip; without one, there is no transaction. Rejects as soon as the
 * connection is lost, even if the work waits for something else.
 */
export function runTransaction<T>(held: Held, work: (inside: Sql) => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const session = createSession(held, reject)
    async function execute(): Promise<T> {
      const result = await work(createSql(session))
      await session.commit()
      return result
    }
    execute()
      .then(resolve, async (error) => {
        session.end()
        await session.rollBack()
        reject(error)
      })
      .finally(() => session.end())
  })
}

interface Queued {
  sent: Sent
  settle: () => void
}

/** Sends what was asked for at about the same time together. */
function createSession(held: Held, onLost: (error: unknown) => void) {
  const queue: Queued[] = []
  let sending: Promise<void> | null = null
  let hasBegun = false
  let failure: unknown = null
  let hasEnded = false

  function enqueue(statement: Statement, values: EncodedValue[] = []): Promise<Rows> {
    if (hasEnded) return Promise.reject(failure ?? endedError())
    return new Promise((resolve, reject) => {
      const sent = toSend(statement, values)
      const settle = () => {
        if (sent.error === null) return resolve(sent.rows)
        // PostgreSQL refuses statements after a failed one: the caller gets the error that explains it.
        failure ??= sent.error
        reject(failure)
      }
      queue.push({ sent, settle })
      // After everything that waits for no event, so that concurrent calls of async functions share a batch.
      sending ??= new Promise<void>((sent) => process.nextTick(sent)).then(sendQueue)
    })
  }

  async function sendQueue(): Promise<void> {
    while (queue.length > 0) {
      const batch = takeBatch(queue)
      if (hasEnded) for (const { sent } of batch) sent.error = failure ?? endedError()
      else if (hasBegun) await held.client.runBatch(batch.map(({ sent }) => sent))
      else await sendFirst(batch.map(({ sent }) => sent))
      for (const { settle } of batch) settle()
    }
    sending = null
  }

  async function sendFirst(batch: Sent[]): Promise<void> {
    const isText = batch[0]!.statement.types === null
    const begin = toSend(BEGIN)
    const first = isText ? [begin] : [begin, ...batch]
    await held.client.runBatch(first)
    if (isRepeatable(first)) await sendAgain(first)
    hasBegun = begin.error === null
    if (hasBegun) held.client.onLost = onLost
    else {
      // A later statement must not begin a transaction without these, even if the caller caught their error.
      failure = begin.error
      hasEnded = true
    }
    if (!isText) return
    if (hasBegun) await held.client.runBatch(batch)
    else for (const sent of batch) sent.error = begin.error
  }

  async function sendAgain(batch: Sent[]): Promise<void> {
    try {
      await held.replace()
    } catch (error) {
      for (const sent of batch) sent.error = error
      return
    }
    for (const sent of batch) Object.assign(sent, toSend(sent.statement, sent.values))
    await held.client.runBatch(batch)
  }

  const runner: Runner = {
    run: enqueue,
    async *readBatches(...args) {
      if (!hasBegun) await enqueue(NOTHING)
      await sending
      yield* held.client.readBatches(...args)
    },
  }

  return Object.assign(runner, {
    async commit(): Promise<void> {
      const isEmpty = !hasBegun && failure === null && queue.length === 0 && sending === null
      if (isEmpty) return
      const { tag } = await enqueue(COMMIT)
      // PostgreSQL rolls back after a failed statement, even if the caller caught the error.
      if (tag !== 'COMMIT') throw failure ?? new Error('PostgreSQL rolled the transaction back')
    },
    async rollBack(): Promise<void> {
      await sending
      if (!hasBegun || held.client.lossError() !== null) return
      await held.client.run(ROLLBACK, []).catch(() => held.client.close())
    },
    /** Refuses unsent and later statements. */
    end(): void {
      hasEnded = true
    },
  })
}

const NOTHING = command('select')

const endedError = () => new Error('The transaction has ended')

/** The connection was lost before PostgreSQL was asked to commit anything. */
const isRepeatable = (batch: Sent[]): boolean =>
  isConnectionLost(batch.at(-1)!.error) && batch.every(({ statement }) => statement !== COMMIT)

/** Texts may be several statements, so each is sent alone. */
function takeBatch(queue: Queued[]): Queued[] {
  const isText = ({ sent }: Queued) => sent.statement.types === null
  if (isText(queue[0]!)) return queue.splice(0, 1)
  const end = queue.findIndex(isText)
  return queue.splice(0, end === -1 ? queue.length : end)
}
