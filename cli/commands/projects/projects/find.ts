import { ApiFailure } from '../../../../client/client.ts'
import type { OutputOf } from '../../../../contract/endpoint.ts'
import { ProjectRef, projects } from '../../../../contract/projects/projects.ts'
import { type Connection, parseResponse } from '../../../connect.ts'
import { explain, Failure } from '../../../failure.ts'

export type Project = OutputOf<typeof projects.create>

/** Accepts an id, a slug or a unique name. */
export async function findProject(connection: Connection, ref: string): Promise<Project> {
  const { server, client } = connection
  const direct = await findByRef(connection, ref)
  if (direct) return direct
  const list = client.projects.list({ search: ref.slice(0, 255) })
  const found = (await parseResponse(server, projects.list, list)).items.filter(({ name }) => name === ref)
  if (found.length === 1) return found[0]!
  if (found.length > 1)
    throw new Failure(
      'usage',
      `${found.length} projects are named ${ref}: use a slug`,
      `Slugs: ${found
        .map(({ slug }) => slug)
        .toSorted()
        .join(', ')}`,
    )
  throw new Failure('failed', `Project ${ref} not found`, 'Run `npx atrium projects ls` to list projects.')
}

async function findByRef({ server, client }: Connection, ref: string): Promise<Project | null> {
  if (!ProjectRef.safeParse(ref).success) return null
  const found = await client.projects.get({ id: ref }).catch((error: unknown) => {
    if (error instanceof ApiFailure && error.code === 'NOT_FOUND') return null
    throw explain(error, server)
  })
  return found && parseResponse(server, projects.get, Promise.resolve(found))
}

export const projectUrl = (server: string, { slug }: Project): string => `${server}/projects/${slug}`
