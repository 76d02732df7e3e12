import lines from 'virtual:organization-routes'
import { type LateContract, signedInApi } from '../client.ts'

/** The API of organizations, whose routes load with their pages. */
export const organizationApi = signedInApi<LateContract<'organization'>>(lines)
