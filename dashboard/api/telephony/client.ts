import lines from 'virtual:telephony-routes'
import type { Contract } from '../../../contract/index.ts'
import { signedInApi } from '../client.ts'
import { readRoutes } from '../read-routes.ts'

export type TelephonyContract = Pick<
  Contract,
  'telephony' | 'phoneNumbers' | 'calls' | 'sms' | 'routing' | 'voiceAgents'
>

export const telephonyApi = signedInApi(readRoutes<TelephonyContract>(lines))
