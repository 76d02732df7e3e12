import { setTimeout as sleep } from 'node:timers/promises'
import { StartupError } from '../../errors.ts'
import type { Cluster } from './cluster.ts'
import { anotherOwnerError } from './ownership.ts'
import { findPostmaster, removeStaleLocks } from './postmaster.ts'
import { attachTo, launch, type Server, shutDown } from './server.ts'
import { isListening, openSession, type Session } from './session.ts'

export interface OpenServer {
  server: Server
  session: Session
  isFresh: boolean
}

const POLL_MS = 15
const RETRY_MS = 100
const TEMPORARY_LIMIT_MS = 10_000
const OTHER_SERVER_LIMIT_MS = 3000
const SILENCE_LIMIT_MS = 30_000

// Temporary: a concurrent start was faster, or a killed server's processes are still exiting.
const TEMPORARY = /lock file ".*" (already exists|is empty)|pre-existing shared memory block/
// Starting, stopping or recovering, which may take minutes after a crash; or too many connections.
const BUSY = ['57P03', '53300']
const ABSENT = /^(ENOENT|ECONNREFUSED|ECONNRESET|EPIPE|EAGAIN|CONNECTION_CLOSED|CONNECT_TIMEOUT|57P0[12])$/
const WRONG_PASSWORD = '28P01'

/** Opens a session on this cluster's running server, or starts one. */
export async function reachServer(cluster: Cluster): Promise<OpenServer> {
  const startedAt = Date.now()
  for (;;) {
    const elapsedMs = Date.now() - startedAt
    const postmaster = findPostmaster(cluster.folder)
    if (postmaster) {
      const server = attachTo(cluster, postmaster)
      const session = await reach(cluster, server)
      if (session) return { server, session, isFresh: false }
    } else if (await isListening(cluster.socketFolder)) {
      if (elapsedMs > OTHER_SERVER_LIMIT_MS) throw anotherOwnerError(cluster.dataFolder)
    } else {
      const startedServer = await start(cluster, elapsedMs > TEMPORARY_LIMIT_MS)
      if (startedServer) return startedServer
    }
    await sleep(RETRY_MS)
  }
}

/** Null if another attempt may succeed. */
async function start(cluster: Cluster, isLate: boolean): Promise<OpenServer | null> {
  removeStaleLocks(cluster.folder, cluster.socketFolder)
  const { server, log } = launch(cluster)
  const session = await reach(cluster, server).catch(async (error) => {
    await shutDown(server)
    log.publish()
    throw error
  })
  if (!session && !isLate && TEMPORARY.test(log.read())) {
    log.discard()
    return null
  }
  log.publish()
  if (session) return { server, session, isFresh: true }
  throw new StartupError(`PostgreSQL did not start: ${server.lastMessage()}. Its log is ${cluster.logFile}.`)
}

/** Null if the server has stopped. */
async function reach(cluster: Cluster, server: Server): Promise<Session | null> {
  let respondedAt = Date.now()
  while (server.isAlive()) {
    const session = await openSession(server.connection).catch((error) => {
      if (error.code === WRONG_PASSWORD) throw wrongPasswordError(cluster)
      if (BUSY.includes(error.code)) respondedAt = Date.now()
      else if (!ABSENT.test(error.code)) throw error
    })
    // Another server may answer on this socket while ours is about to fail because of it.
    if (session && findPostmaster(cluster.folder)?.pid === server.pid) return session
    session?.close()
    if (Date.now() - respondedAt > SILENCE_LIMIT_MS) throw unreachableError(cluster, server)
    await sleep(POLL_MS)
  }
  return null
}

function wrongPasswordError({ dataFolder }: Cluster): StartupError {
  return new StartupError(
    `The database does not accept the password in ${dataFolder}/postgres.password. Restore that file from a backup.`,
  )
}

function unreachableError({ dataFolder }: Cluster, { pid }: Server): StartupError {
  return new StartupError(
    `The PostgreSQL server for ${dataFolder} (process ${pid}) is running but doesn’t respond. ` +
      `Stop it with "kill -INT ${pid}" and start again.`,
  )
}
