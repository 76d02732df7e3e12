import lines from 'virtual:webhook-routes'
import { type LateContract, signedInApi } from '../../api/client.ts'

/** The API of webhooks, whose routes load with their pages. */
export const webhookApi = signedInApi<LateContract<'webhook'>>(lines)
