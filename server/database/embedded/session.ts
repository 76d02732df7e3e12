import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import type { Server } from './server.ts'
import { socketPath } from './socket-folder.ts'

/** One connection to the database `postgres`, which exists before ours does. */
export interface Session {
  sql: postgres.Sql
  /** Resolves when either side has closed the connection. */
  closed: Promise<void>
  /** Allows the process to exit while the connection is open. */
  unref(): void
  close(): Promise<void>
}

export async function openSession({ host, user, password }: Server['connection']): Promise<Session> {
  const closed = Promise.withResolvers<void>()
  let socket: Socket | undefined
  const options = {
    // Ignored in favor of `socket`: the driver would split a path with a comma into several hosts.
    host: 'localhost',
    // Once only: after a disconnect the driver would reconnect, possibly to a server whose ownership is unchecked.
    socket: async () => {
      if (socket) throw closedError()
      socket = await openSocket(host)
      return socket
    },
    user,
    password,
    database: 'postgres',
    max: 1,
    ssl: false,
    connect_timeout: 10,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    onclose: () => closed.resolve(),
  }
  const sql = postgres(options)
  const close = () => sql.end({ timeout: 1 })
  try {
    await sql`select`
  } catch (error) {
    await close()
    throw error
  }
  return { sql, closed: closed.promise, unref: () => socket?.unref(), close }
}

const closedError = () =>
  Object.assign(new Error('This database connection is closed'), { code: 'CONNECTION_CLOSED' })

/** Whether a server listens on the socket, even one whose process is not visible, as in another container. */
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
