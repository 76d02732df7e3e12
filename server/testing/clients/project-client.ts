import type { Person, PersonOptions, ProjectOptions } from '../factories/factories.ts'
import type { Manifest } from '../factories/manifests.ts'
import { upload } from '../factories/uploads.ts'
import { bearer, type TestApp } from '../test-app.ts'

export type ProjectClient = Awaited<ReturnType<typeof createProjectClient>>

export async function createProjectClient(
  app: TestApp,
  options: PersonOptions & { colleagueOf?: Person } = {},
) {
  const { colleagueOf, ...personOptions } = options
  const org = colleagueOf ? await organizationOf(app, colleagueOf) : await app.organization()
  const person = await app.person(org, personOptions)
  const headers = bearer(await app.key(person, ['terminal']))
  const client = app.as(headers)
  return {
    person,
    headers,
    client,
    project: (options?: ProjectOptions) => app.project(person, options),
    put: async (content: string, name: string, parentId: string) =>
      (await upload(app, headers, content, { name, fields: { parentId } })).body.data as { id: string },
    folder: async (name: string, parentId: string) => {
      const created = await client.files.create({ source: 'folder', name, parentId })
      return 'file' in created ? created.file.id : created.id
    },
    manifestOf: async (projectId: string) => (await client.projectExport.export({ projectId })) as Manifest,
    restore: async (projectId: string, manifest: Manifest, query: Query = {}) => {
      const result = await client.projectExport.restore({ projectId, ...manifest, ...query })
      return result.dryRun ? { ...result, snapshotId: '' } : { ...result, plan: result.applied }
    },
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
