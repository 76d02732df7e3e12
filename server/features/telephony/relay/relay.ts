import type { Part, TelephonyOptions } from '../dependencies.ts'
import { relaySocket } from './relay-socket.ts'

/** A phone call is a session: what the caller says is a message, and the answers of the agent are spoken. */
export const relayPart = (options: TelephonyOptions): Part => ({
  routes: [],
  sockets: [relaySocket(options)],
})
