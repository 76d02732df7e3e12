import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../startup/startup-error.ts'
import type { Cluster } from './cluster.ts'
import { anotherOwner } from './ownership.ts'
import { findPostmaster, removeStaleLocks } from './postmaster.ts'
import { found, launch, type Server, shutDown } from './server.ts'
import { answers, openSession, type Session } from './session.ts'

export interface Reached {
  server: Server
  session: Session
  isFresh: boolean
}

const POLL_MS = 15
const RETRY_MS = 100
const PASSING_LIMIT_MS = 10_000
const UNSEEN_LIMIT_MS = 3000
const SILENCE_LIMIT_MS = 30_000

// Another start was faster, or the processes of a killed server are still ending.
const PASSING = /lock file ".*" (already exists|is empty)|pre-existing shared memory block/
// Starting, stopping or recovering, which may take minutes after a crash; or all connections are taken.
const BUSY = ['57P03', '53300']
const ABSENT = /^(ENOENT|ECONNREFUSED|ECONNRESET|EPIPE|EAGAIN|CONNECTION_CLOSED|CONNECT_TIMEOUT|57P0[12])$/
const WRONG_PASSWORD = '28P01'

/** A session on the server of this cluster: the one that runs, or else a new one. */
export async function reachServer(cluster: Cluster): Promise<Reached> {
  const begunAt = Date.now()
  for (;;) {
    const passedMs = Date.now() - begunAt
    const running = findPostmaster(cluster.folder)
    if (running) {
      const server = found(cluster, running)
      const session = await reach(cluster, server)
      if (session) return { server, session, isFresh: false }
    } else if (await answers(cluster.socketFolder)) {
      if (passedMs > UNSEEN_LIMIT_MS) throw anotherOwner(cluster.dataFolder)
    } else {
      const started = await start(cluster, passedMs > PASSING_LIMIT_MS)
      if (started) return started
    }
    await sleep(RETRY_MS)
  }
}

/** Null when it is worth another try. */
async function start(cluster: Cluster, isLate: boolean): Promise<Reached | null> {
  removeStaleLocks(cluster.folder, cluster.socketFolder)
  const { server, log } = launch(cluster)
  const session = await reach(cluster, server).catch(async (error) => {
    await shutDown(server)
    log.publish()
    throw error
  })
  if (!session && !isLate && PASSING.test(log.read())) {
    log.discard()
    return null
  }
  log.publish()
  if (session) return { server, session, isFresh: true }
  throw new StartupError(`PostgreSQL did not start: ${server.lastWords()}. Its log is ${cluster.logFile}.`)
}

/** Null when the server has ended. */
async function reach(cluster: Cluster, server: Server): Promise<Session | null> {
  let heardAt = Date.now()
  while (server.isAlive()) {
    const session = await openSession(server.connection).catch((error) => {
      if (error.code === WRONG_PASSWORD) throw wrongPassword(cluster)
      if (BUSY.includes(error.code)) heardAt = Date.now()
      else if (!ABSENT.test(error.code)) throw error
    })
    // While our own launch is about to fail for it, another server may answer on the same socket.
    if (session && findPostmaster(cluster.folder)?.pid === server.pid) return session
    await session?.close()
    if (Date.now() - heardAt > SILENCE_LIMIT_MS) throw unreachable(cluster, server)
    await sleep(POLL_MS)
  }
  return null
}

function wrongPassword({ dataFolder }: Cluster): StartupError {
  return new StartupError(
    `The database does not accept the password in ${dataFolder}/postgres.password. Restore that file from a backup.`,
  )
}

function unreachable({ dataFolder }: Cluster, { pid }: Server): StartupError {
  return new StartupError(
    `The PostgreSQL server of ${dataFolder} (process ${pid}) runs but does not answer. ` +
      `Stop it with "kill -INT ${pid}" and start again.`,
  )
}
