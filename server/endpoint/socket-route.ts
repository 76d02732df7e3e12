import type { Capability, Origin, PublicContext } from '../context.ts'

/** A WebSocket that a feature serves beside its endpoints. Messages are text in both directions. */
export interface SocketRoute {
  /** A path in the syntax of endpoints, such as `/api/v1/things/:id`. */
  path: string
  /** The size of the largest message. */
  bytesMax: number
  /** Decides who connects. An ApiError is the response to the handshake, as to any other request. */
  open: (ctx: PublicContext<Capability>, request: SocketRequest) => Promise<OpenedSocket>
}

export interface SocketRequest {
  params: Readonly<Record<string, string>>
  query: Readonly<Record<string, unknown>>
  /** The path and the query, as the client sent them. */
  target: string
  headers: Readonly<Record<string, string>>
  origin: Origin
}

export interface OpenedSocket {
  /** The organization whose limit of open sockets counts this socket. */
  orgId: string
  /**
   * The last step before the connection, within the limit of open sockets; uses database connections of the
   * organization.
   */
  accept: (ctx: PublicContext<Capability>) => Promise<(connection: SocketConnection) => SocketHandler>
}

export interface SocketHandler {
  /** Called for one message after the other. An error ends the connection. */
  onText: (text: string) => Promise<void>
  /** A server that stops waits for the returned promise. */
  onClose: (code: number) => Promise<void>
}

export interface SocketConnection {
  /** A client that does not read loses the connection. */
  send: (text: string) => void
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
