import type { Part, TelephonyOptions } from '../dependencies.ts'
import { relaySocket } from './relay-socket.ts'

/** A phone call is a session: the words of the caller are messages, and the answers of the agent are spoken. */
export const relayPart = (options: TelephonyOptions): Part => ({
  routes: [],
  sockets: [relaySocket(options)],
})
