import type { Capability, Origin, PublicContext } from '../context.ts'

export interface SocketRoute {
  /** In endpoint syntax, such as `/api/v1/things/:id`. */
  path: string
  /** Per message. */
  bytesMax: number
  /** Unsent bytes allowed for a client that doesn't read. Default 1 MB. */
  bufferedBytesMax?: number
  /** Decides who connects. An ApiError becomes the handshake's response, as for any request. */
  open: (ctx: PublicContext<Capability>, request: SocketRequest) => Promise<OpenedSocket>
}

export interface SocketRequest {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  /** Path and query, as sent. */
  target: string
  headers: Readonly<Record<string, string>>
  origin: Origin
}

export interface OpenedSocket {
  /** This organization's open socket limit counts the socket. */
  orgId: string
  /** Runs within the open socket limit, on the organization's database connections. */
  accept: (ctx: PublicContext<Capability>) => Promise<(connection: SocketConnection) => SocketHandler>
}

export interface SocketHandler {
  /** Called for one message at a time. An error ends the connection. */
  onText: (text: string) => Promise<void>
  /** Without it, a binary message ends the connection. */
  onBytes?: (bytes: Buffer) => Promise<void>
  /** A stopping server waits for the returned promise. */
  onClose: (code: number) => Promise<void>
}

export interface SocketConnection {
  /** A client that doesn't read loses the connection. */
  send: (message: string | Uint8Array) => void
  /** `reason` is at most 123 bytes. */
  close: (code: CloseCode, reason: string) => void
  isOpen: () => boolean
}

/** Per RFC 6455 and its registry. */
export const CLOSE = {
  normal: 1000,
  goingAway: 1001,
  unsupported: 1003,
  malformed: 1007,
  policy: 1008,
  failure: 1011,
  restart: 1012,
} as const
export type CloseCode = (typeof CLOSE)[keyof typeof CLOSE]
