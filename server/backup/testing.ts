import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Connection } from '../database/connection.ts'
import { type CopySession, openCopySession } from '../database/copy.ts'
import { listTables } from './catalog.ts'

export async function withSession<T>(
  connection: Connection,
  work: (session: CopySession) => Promise<T>,
): Promise<T> {
  const session = await openCopySession(connection, 'test')
  try {
    return await work(session)
  } finally {
    session.close()
  }
}

/** Row counts and a hash per table. */
export const digestTables = (connection: Connection): Promise<Record<string, string>> =>
  withSession(connection, async (session) => {
    const digests: Record<string, string> = {}
    for (const { quoted } of await listTables(session)) {
      const [row] = await session.query<{ digest: string }>(
        `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as digest from ${quoted} t`,
      )
      digests[quoted] = row!.digest
    }
    return digests
  })

/** Forwards connections to a server, and falls silent on those carrying the `freezeAt` text. */
export async function startFreezingProxy(target: string | number, port = 0) {
  let frozenText: string | null = null
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = typeof target === 'string' ? connect(target) : connect(target, '127.0.0.1')
    let isFrozen = false
    const forward = (from: Socket, to: Socket) => {
      sockets.add(from)
      from.on('data', (chunk) => {
        isFrozen ||= frozenText !== null && chunk.includes(frozenText)
        if (!isFrozen) to.write(chunk)
      })
      from.on('close', () => to.destroy()).on('error', () => {})
    }
    forward(client, upstream)
    forward(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    freezeAt(text: string | null) {
      frozenText = text
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
