import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'

interface Server {
  host: string
  port: number
  user: string
  password: string
  database: string
}

interface Notice {
  message: string
  /** The causing function or trigger. Null for a client statement. */
  context: string | null
}

const NOTICE = 'N'.charCodeAt(0)
const HEADER_BYTES = 5

/**
 * Passes every notice to a listener before the client sees the statement's result. Each connection has its own listener,
 * from `listen`, because notices from different connections interleave.
 */
export async function startNoticeProxy(server: Server, listen: () => (notice: Notice) => void) {
  const sockets = new Set<Socket>()
  const proxy = createServer((client) => {
    const upstream = connect(join(server.host, `.s.PGSQL.${server.port}`))
    const parse = createParser(listen())
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
        sockets.delete(socket)
      })
    }
    client.pipe(upstream)
    upstream.on('data', (chunk: Buffer) => {
      parse(chunk)
      client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const { port } = proxy.address() as AddressInfo
  return {
    connection: { ...server, host: '127.0.0.1', port },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

/** One byte for the type, four for the length, which includes itself. */
function createParser(onNotice: (notice: Notice) => void): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0)
  return (chunk) => {
    pending = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk
    while (pending.length >= HEADER_BYTES) {
      const size = 1 + pending.readUInt32BE(1)
      if (pending.length < size) break
      if (pending[0] === NOTICE) onNotice(noticeOf(pending.subarray(HEADER_BYTES, size)))
      pending = pending.subarray(size)
    }
  }
}

/** Reads fields M and W. Each field is a type and a NUL-terminated text. */
function noticeOf(fields: Buffer): Notice {
  const texts = new Map<string, string>()
  for (let at = 0; fields[at]; ) {
    const end = fields.indexOf(0, at)
    texts.set(String.fromCharCode(fields[at]!), fields.toString('utf8', at + 1, end))
    at = end + 1
  }
  return { message: texts.get('M') ?? '', context: texts.get('W') ?? null }
}
