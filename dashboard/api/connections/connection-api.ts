import lines from 'virtual:connection-routes'
import { type LateContract, signedInApi } from '../client.ts'

/** Its routes load with its pages. */
export const connectionApi = signedInApi<LateContract<'connection'>>(lines)
