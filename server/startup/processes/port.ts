import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { ToChild } from './messages.ts'

/** While no process is ready. */
const WAITING_MAX = 1000

export type Port = ReturnType<typeof createPort>

/**
 * Accepts connections and hands them to processes in turn. Not with Node's cluster module, where a client waits forever
 * if the process that was about to get its connection is killed: here another one gets it.
 */
export function createPort() {
  const open = new Set<ChildProcess>()
  /** Until a process has it, a connection stays open here too. */
  const handedOver = new Map<ChildProcess, Map<number, Socket>>()
  const waiting: Socket[] = []
  let lastConnection = 0

  const server = createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    handOver(socket)
  })

  const countPending = (child: ChildProcess) => handedOver.get(child)!.size

  /** A busy process gets no more until it has taken those that it was given. */
  function nextChild(): ChildProcess | undefined {
    const [next, ...others] = open
    const child = others.reduce(
      (least, other) => (countPending(other) < countPending(least!) ? other : least),
      next,
    )
    if (child) {
      open.delete(child)
      open.add(child)
    }
    return child
  }

  function handOver(socket: Socket): void {
    const child = nextChild()
    if (!child) {
      if (waiting.length < WAITING_MAX) waiting.push(socket)
      else socket.destroy()
      return
    }
    const connection = ++lastConnection
    handedOver.get(child)!.set(connection, socket)
    const message: ToChild = { type: 'connection', connection }
    // A process that can't be reached has ended, and `end` follows.
    child.send(message, socket, { keepOpen: true }, () => {})
  }

  return {
    async listen(port: number, host: string): Promise<number> {
      server.listen({ port, host })
      await once(server, 'listening')
      return (server.address() as AddressInfo).port
    },
    /** The process gets connections from now on. */
    add(child: ChildProcess): void {
      open.add(child)
      handedOver.set(child, new Map())
      for (const socket of waiting.splice(0)) handOver(socket)
    },
    /** The process gets no more connections. */
    remove: (child: ChildProcess): void => void open.delete(child),
    accepted(child: ChildProcess, connection: number): void {
      handedOver.get(child)?.get(connection)?.destroy()
      handedOver.get(child)?.delete(connection)
    },
    /** The process ended. */
    end(child: ChildProcess): void {
      const lost = handedOver.get(child)?.values() ?? []
      open.delete(child)
      handedOver.delete(child)
      for (const socket of lost) handOver(socket)
    },
    close(): void {
      server.close()
      for (const socket of waiting.splice(0)) socket.destroy()
    },
  }
}
