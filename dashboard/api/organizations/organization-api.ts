import lines from 'virtual:organization-routes'
import { type LateContract, signedInApi } from '../client.ts'

/** Its routes load with its pages. */
export const organizationApi = signedInApi<LateContract<'organization'>>(lines)
