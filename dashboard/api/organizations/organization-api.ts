import lines from 'virtual:organization-routes'
import { type OrganizationContract, signedInApi } from '../client.ts'

/** Its routes load with its pages. */
export const organizationApi = signedInApi<OrganizationContract>(lines)
