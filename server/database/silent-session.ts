import { type DatabaseClient, serially } from './client.ts'
import { createSql } from './sql.ts'

export interface SilenceSettings {
  /** A statement may take this long before another session looks after it. */
  lookAfterMs: number
  /** The result may be on its way when the look ends. */
  graceMs: number
}

export const SILENCE: SilenceSettings = { lookAfterMs: 30_000, graceMs: 5000 }

/**
 * For sessions whose statements have no time limit. A proxy or firewall can drop a connection without closing it, and
 * then no result ever arrives. So another session asks whether the server still works on the statement; if it doesn't,
 * the session is lost and its statements fail. A look that fails decides nothing.
 */
export async function watchSilence(
  client: DatabaseClient,
  openOther: () => Promise<DatabaseClient>,
  { lookAfterMs, graceMs }: SilenceSettings,
): Promise<DatabaseClient> {
  const [session] = await createSql(serially(client))<{ pid: number }[]>`select pg_backend_pid() as pid`
  const { runBatch, readBatches } = client

  function whileWatched<T>(work: Promise<T>): Promise<T> {
    let timer = setTimeout(look, lookAfterMs)
    let isDone = false
    function look(): void {
      void isAtWork(session!.pid, openOther).then((works) => {
        if (!isDone) timer = works ? setTimeout(look, lookAfterMs) : setTimeout(client.close, graceMs)
      })
    }
    return work.finally(() => {
      isDone = true
      clearTimeout(timer)
    })
  }

  client.runBatch = (batch) => whileWatched(runBatch(batch))
  // Between batches, the session waits for the reader.
  client.readBatches = async function* (...args) {
    const batches = readBatches(...args)[Symbol.asyncIterator]()
    try {
      for (;;) {
        const { done, value } = await whileWatched(batches.next())
        if (done) return
        yield value
      }
    } finally {
      await whileWatched(Promise.resolve(batches.return?.()))
    }
  }
  return client
}

async function isAtWork(pid: number, openOther: () => Promise<DatabaseClient>): Promise<boolean> {
  const other = await openOther().catch(() => null)
  if (!other) return true
  try {
    // With an open cursor, a session is active even while it waits for the next request.
    const rows = await createSql(serially(other))`
      select from pg_stat_activity
      where pid = ${pid} and state = 'active' and wait_event is distinct from 'ClientRead'`
    return rows.length > 0
  } catch {
    return true
  } finally {
    other.close()
  }
}
