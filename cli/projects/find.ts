import { ApiFailure } from '../../client/client.ts'
import type { OutputOf } from '../../contract/endpoint.ts'
import { ProjectRef, projects } from '../../contract/projects/projects.ts'
import { ask, type Connection } from '../connect.ts'
import { explain, Failure } from '../failure.ts'

export type Project = OutputOf<typeof projects.create>

/** By id or slug, or by a name that only one project has. */
export async function findProject(connection: Connection, which: string): Promise<Project> {
  const { server, client } = connection
  const direct = await byRef(connection, which)
  if (direct) return direct
  const list = client.projects.list({ search: which.slice(0, 255) })
  const found = (await ask(server, projects.list, list)).items.filter(({ name }) => name === which)
  if (found.length === 1) return found[0]!
  if (found.length > 1)
    throw new Failure(
      'usage',
      `${found.length} projects are called ${which}: name one by its slug`,
      `They are ${found
        .map(({ slug }) => slug)
        .toSorted()
        .join(', ')}`,
    )
  throw new Failure('failed', `There is no project ${which}`, '`atrium projects ls` shows those there are.')
}

async function byRef({ server, client }: Connection, which: string): Promise<Project | null> {
  if (!ProjectRef.safeParse(which).success) return null
  const found = await client.projects.get({ id: which }).catch((error: unknown) => {
    if (error instanceof ApiFailure && error.code === 'NOT_FOUND') return null
    throw explain(error, server)
  })
  return found && ask(server, projects.get, Promise.resolve(found))
}

export const addressOf = (server: string, { slug }: Project): string => `${server}/projects/${slug}`
