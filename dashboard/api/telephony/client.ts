import lines from 'virtual:telephony-routes'
import { signedInApi, type TelephonyContract } from '../client.ts'

export const telephonyApi = signedInApi<TelephonyContract>(lines)
