import lines from 'virtual:project-routes'
import { type LateContract, signedInApi } from '../client.ts'

/** Calls of the pages of projects beside `api.projects`. */
export const projectsApi = signedInApi<LateContract<'project'>>(lines)
