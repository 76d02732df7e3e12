import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import type { Server } from './server.ts'
import { socketPath } from './socket-folder.ts'

/** One connection to the database `postgres`, which is there before ours is. */
export interface Session {
  sql: postgres.Sql
  /** Resolves when the connection has ended, from whichever side. */
  closed: Promise<void>
  /** Lets the process end although the connection is open. */
  unref(): void
  close(): Promise<void>
}

export async function openSession({ host, user, password }: Server['connection']): Promise<Session> {
  const closed = Promise.withResolvers<void>()
  let socket: Socket | undefined
  const options = {
    // A path with a comma would be taken for several hosts; the socket below is what counts.
    host: 'localhost',
    // Once only: after a loss the driver would connect again by itself, to a server that nobody has checked.
    socket: async () => {
      if (socket) throw new Error('This connection to the database has ended')
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

/** Whether anything listens there, even where its process cannot be seen, as from another container. */
export async function answers(socketFolder: string): Promise<boolean> {
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
