import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { openClient, serially } from '../client.ts'
import { createSql, type Sql } from '../sql.ts'
import type { Server } from './server.ts'
import { socketPath } from './socket-folder.ts'

/** One connection to the `postgres` database, which exists before ours. It doesn't reconnect. */
export interface Session {
  sql: Sql
  /** Resolves when either side has closed the connection. */
  closed: Promise<void>
  unref: () => void
  close: () => void
}

export async function openSession(connection: Server['connection']): Promise<Session> {
  const settings = { name: 'atrium embedded', statementTimeoutMs: 0, idleInTransactionMs: 0 }
  const client = await openClient({ ...connection, database: 'postgres' }, settings)
  const closed = Promise.withResolvers<void>()
  client.onLost = () => closed.resolve()
  return {
    sql: createSql(serially(client)),
    closed: closed.promise,
    unref: client.unref,
    close: client.close,
  }
}

/** Also detects a server with an invisible process, as in another container. */
export async function isListening(socketFolder: string): Promise<boolean> {
  try {
    const socket = await openSocket(socketFolder)
    socket.destroy()
    return true
  } catch {
    return false
  }
}

async function openSocket(folder: string): Promise<Socket> {
  const socket = connect(socketPath(folder))
  await once(socket, 'connect')
  return socket
}
