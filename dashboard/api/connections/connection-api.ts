import lines from 'virtual:connection-routes'
import { type ConnectionContract, signedInApi } from '../client.ts'

/** Its routes load with its pages. */
export const connectionApi = signedInApi<ConnectionContract>(lines)
