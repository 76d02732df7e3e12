import type { Person, PersonOptions, ProjectOptions } from '../factories/factories.ts'
import type { Manifest } from '../factories/manifests.ts'
import { upload } from '../factories/uploads.ts'
import { bearer, type TestApp } from '../test-app.ts'

export type ProjectClient = Awaited<ReturnType<typeof createProjectClient>>

/** Somebody who makes projects with files, and copies of them; in an organization of their own, or with somebody. */
export async function createProjectClient(app: TestApp, options: PersonOptions & { beside?: Person } = {}) {
  const { beside, ...rest } = options
  const org = beside ? await organizationOf(app, beside) : await app.organization()
  const person = await app.person(org, rest)
  const headers = bearer(await app.key(person, ['terminal']))
  const client = app.as(headers)
  return {
    person,
    headers,
    client,
    project: (given?: ProjectOptions) => app.project(person, given),
    put: async (content: string, name: string, parentId: string) =>
      (await upload(app, headers, content, { name, fields: { parentId } })).body.data as { id: string },
    folder: async (name: string, parentId: string) => {
      const made = await client.files.create({ source: 'folder', name, parentId })
      return 'file' in made ? made.file.id : made.id
    },
    manifestOf: async (projectId: string) => (await client.projectExport.export({ projectId })) as Manifest,
    restore: async (projectId: string, manifest: Manifest, query: Query = {}) => {
      const answer = await client.projectExport.restore({ projectId, ...manifest, ...query })
      return answer.dryRun ? { ...answer, snapshotId: '' } : { ...answer, plan: answer.applied }
    },
    /** How a restore is refused, word for word. */
    refusal: async (projectId: string, manifest: unknown, query = '') => {
      const path = `/api/v1/projects/${projectId}/restore${query}`
      const { status, body } = await app.request('POST', path, { headers, body: manifest })
      return [status, body?.error?.message] as const
    },
  }
}

interface Query {
  dryRun?: 'true'
  mode?: 'merge' | 'replace'
  planHash?: string
}

async function organizationOf(app: TestApp, { orgId }: Person) {
  const [row] = await app.sql<{ id: string }[]>`
    select min(id::text) as id from workspaces where org_id = ${orgId}`
  return { id: orgId, name: '', workspaceId: row!.id }
}
