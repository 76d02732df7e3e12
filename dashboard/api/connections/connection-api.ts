import lines from 'virtual:connection-routes'
import { type LateContract, signedInApi } from '../client.ts'

/** The API of connections, whose routes load with their pages. */
export const connectionApi = signedInApi<LateContract<'connection'>>(lines)
