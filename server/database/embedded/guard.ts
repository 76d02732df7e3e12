import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { takeOwnership } from './ownership.ts'
import type { OpenServer } from './reach.ts'
import { type Server, shutDown } from './server.ts'
import { openSession, type Session } from './session.ts'

const RETRY_MS = 25

/** Holds ownership while the server runs, and detects when it stops. */
export function guard(cluster: Cluster, { server, session: first }: OpenServer) {
  let session = first
  let isOurs = true
  let stopping: Promise<void> | undefined
  return {
    connection: server.connection,
    died: watch(),
    stop() {
      stopping ??= stop()
      return stopping
    },
  }

  async function watch(): Promise<string> {
    for (;;) {
      session.unref()
      await session.closed
      const retakenSession = await retakeOwnership(server, cluster.purpose)
      if (stopping) return new Promise(() => {})
      if (!retakenSession) break
      session = retakenSession
    }
    isOurs = !server.isAlive()
    return isOurs
      ? `The embedded PostgreSQL stopped unexpectedly: ${server.lastMessage()}. Start Atrium again: PostgreSQL recovers its data. Its log is ${cluster.logFile}.`
      : `Another Atrium has taken over ${cluster.dataFolder}.`
  }

  // Only after the server has stopped: earlier, another Atrium could take over a stopping server.
  async function stop(): Promise<void> {
    if (isOurs) await shutDown(server)
    else server.orphanGuard.release()
    session.close()
  }
}

/**
 * Needed after PostgreSQL closes every connection because one of its processes crashed. Null if the server has stopped
 * or has another owner by then.
 */
async function retakeOwnership(server: Server, purpose: string): Promise<Session | null> {
  while (server.isAlive()) {
    const session = await openSession(server.connection).catch(() => null)
    const outcome = session && (await takeOwnership(session, purpose).catch(() => 'lost'))
    if (outcome === 'taken') return session
    session?.close()
    if (outcome === 'held') return null
    await sleep(RETRY_MS, undefined, { ref: false })
  }
  return null
}
