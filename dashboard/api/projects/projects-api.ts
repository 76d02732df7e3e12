import lines from 'virtual:project-routes'
import { type ProjectsContract, signedInApi } from '../client.ts'

/** What the pages of projects call beside `api.projects`. */
export const projectsApi = signedInApi<ProjectsContract>(lines)
