import lines from 'virtual:webhook-routes'
import { signedInApi, type WebhookContract } from '../../api/client.ts'

/** Its routes load with its pages. */
export const webhookApi = signedInApi<WebhookContract>(lines)
