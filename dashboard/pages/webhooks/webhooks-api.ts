import lines from 'virtual:webhook-routes'
import { type LateContract, signedInApi } from '../../api/client.ts'

/** Its routes load with its pages. */
export const webhookApi = signedInApi<LateContract<'webhook'>>(lines)
