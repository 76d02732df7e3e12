import lines from 'virtual:project-routes'
import { type LateContract, signedInApi } from '../client.ts'

/** The API of the pages of projects, in addition to `api.projects`. */
export const projectsApi = signedInApi<LateContract<'project'>>(lines)
