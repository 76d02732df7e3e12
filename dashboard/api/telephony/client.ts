import lines from 'virtual:telephony-routes'
import { type LateContract, signedInApi } from '../client.ts'

export const telephonyApi = signedInApi<LateContract<'telephony'>>(lines)
