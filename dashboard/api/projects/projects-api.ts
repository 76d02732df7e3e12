import lines from 'virtual:project-routes'
import { type LateContract, signedInApi } from '../client.ts'

/** What the pages of projects call beside `api.projects`. */
export const projectsApi = signedInApi<LateContract<'project'>>(lines)
