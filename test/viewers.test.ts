import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SCOPE_NAMES } from '../contract/accounts/scopes.ts'
import type { Endpoint } from '../contract/endpoint.ts'
import { endpointsByName } from '../contract/index.ts'
import { sampleBody } from '../server/http/docs/sample.ts'
import type { JsonSchema } from '../server/http/docs/schema.ts'
import { createStoredFile } from '../server/testing/clients/file-client.ts'
import type { Organization, Person } from '../server/testing/factories/factories.ts'
import { createManifest } from '../server/testing/factories/manifests.ts'
import { bearer, cookie, type Headers, shareTestApp, type TestApp } from '../server/testing/test-app.ts'

/** A workspace viewer calls every route to projects, files and agents; the contract declares which of them edit. */

let app: TestApp
let org: Organization
let owner: Person
let viewer: Person
let viewerHeaders: Headers
let ids: Record<string, string>

beforeAll(async () => {
  app = await shareTestApp()
  org = await app.organization()
  owner = await app.person(org, { role: 'owner' })
  viewer = await app.person(org)
  await app.setWorkspaceRole(viewer, org.workspaceId, 'viewer')
  viewerHeaders = cookie(await app.session(viewer))
  const client = await app.withSession(owner)
  const { id: projectId } = await app.project(owner)
  const { id: blockId } = await client.canvas.create({ projectId, type: 'note' })
  const { id: otherId } = await client.canvas.create({ projectId, type: 'note' })
  const { id: edgeId } = await client.canvas.connect({ projectId, fromBlockId: blockId, toBlockId: otherId })
  const { id: runId } = await client.runs.start({ projectId, status: 'running' })
  const { id: snapshotId } = await client.canvas.snapshot({ projectId })
  const { id: inviteId } = await client.sharing.invite({ projectId, role: 'viewer' })
  await client.sharing.share({ projectId })
  const { id: fileId } = await createStoredFile(app, owner)
  const { id: linkId } = await client.publicLinks.create({ id: fileId })
  const { id: trashedId } = await createStoredFile(app, owner)
  await client.files.remove({ id: trashedId })
  const { id: agentId } = await client.agents.create({ name: 'Researcher' })
  const { id: skillId } = await client.skills.create({ name: 'notes', description: 'Takes notes' })
  const { id: memoryId } = await client.memory.create({ projectId, key: 'color', content: 'Red' })
  const workspaceId = await app.workspace(org)
  ids = {
    projectId,
    blockId,
    edgeId,
    runId,
    snapshotId,
    inviteId,
    workspaceId,
    fileId,
    linkId,
    trashedId,
    agentId,
    memoryId,
    skillId,
    seq: '1',
    version: '1',
  }
})

const ROUTES = Object.entries(endpointsByName).filter(
  ([, { path, bytes, method }]) =>
    /^\/api\/v1\/(projects|files|agents|memory|skills)(\/|$)/.test(path) &&
    bytes !== 'events' &&
    method !== 'GET',
)

describe('a workspace viewer', () => {
  test.each(ROUTES)('is refused by %s exactly if it edits', async (name, endpoint) => {
    const { access } = endpoint
    const { status, body } = await call(name, endpoint, viewerHeaders)
    const isViewOnly = status === 403 && body.error.details?.reason === 'view_only'
    expect([name, isViewOnly]).toEqual([name, 'edits' in access && access.edits === true])
  })

  test("cannot change the organization's files in any way, with any credential", async () => {
    const before = await filesOf()
    const { fileId, trashedId } = ids as Record<string, string>
    const attempts: [string, string, unknown?][] = [
      ['POST', '/api/v1/files', { source: 'folder', name: 'Mine' }],
      ['POST', '/api/v1/files', { source: 'link', targetFileId: fileId }],
      ['POST', '/api/v1/files', { name: 'a.txt', mimeType: 'text/plain', size: 1 }],
      ['PATCH', `/api/v1/files/${fileId}`, { name: 'b.txt' }],
      ['PATCH', `/api/v1/files/${fileId}`, { tags: ['mine'] }],
      ['DELETE', `/api/v1/files/${fileId}`],
      ['POST', `/api/v1/files/${fileId}/copy`, {}],
      ['POST', `/api/v1/files/${trashedId}/restore`, {}],
    ]
    const keyHeaders = bearer(await app.key(viewer, SCOPE_NAMES))
    for (const headers of [viewerHeaders, keyHeaders]) {
      for (const [method, path, body] of attempts) {
        const response = await app.request(method, path, { headers, body })
        expect([response.status, response.body.error?.details], `${method} ${path}`).toEqual([
          403,
          { reason: 'view_only' },
        ])
      }
    }
    const purge = await app.request('DELETE', `/api/v1/files/${trashedId}?permanent=true`, {
      headers: viewerHeaders,
    })
    expect(purge.body.error.details).toEqual({ reason: 'view_only' })
    expect(await filesOf()).toEqual(before)
  })

  test("reads the organization's files", async () => {
    const { status, body } = await app.request('GET', '/api/v1/files', { headers: viewerHeaders })
    expect([status, body.data.items.map(({ id }: { id: string }) => id)]).toEqual([
      200,
      expect.arrayContaining([ids.fileId]),
    ])
  })
})

test("the workspace list has the caller's role, and canEdit exactly where they can create projects", async () => {
  const other = await app.workspace(org)
  const person = await app.person(org)
  await app.setWorkspaceRole(person, org.workspaceId, 'viewer')
  await app.setWorkspaceRole(person, other, 'editor')
  const admin = await app.withSession(await app.person(org, { role: 'admin' }))
  const personClient = await app.withSession(person)
  const rolesOf = async (client: typeof personClient) =>
    Object.fromEntries(
      (await client.workspaces.list()).items.map(({ id, role, canEdit }) => [id, { role, canEdit }]),
    )
  const roles = await rolesOf(personClient)
  expect(roles).toEqual({
    [org.workspaceId]: { role: 'viewer', canEdit: false },
    [other]: { role: 'editor', canEdit: true },
  })
  expect((await rolesOf(admin))[other]).toEqual({ role: null, canEdit: true })
  for (const [workspaceId, { canEdit }] of Object.entries(roles)) {
    await personClient.security.switch({ organizationId: org.id, workspaceId })
    const created = personClient.projects.create({ name: 'New' }).then(
      () => true,
      () => false,
    )
    expect([workspaceId, await created]).toEqual([workspaceId, canEdit])
  }
})

test('members write to the root exactly while they can edit in an existing workspace', async () => {
  const person = await app.person(org)
  const headers = bearer(await app.key(person, SCOPE_NAMES))
  const write = async () =>
    (await app.request('POST', '/api/v1/files', { headers, body: { source: 'folder', name: 'New' } })).status
  expect(await write()).toBe(201)
  await app.setWorkspaceRole(person, org.workspaceId, 'viewer')
  expect(await write()).toBe(403)
  await app.setWorkspaceRole(person, org.workspaceId, null)
  expect(await write()).toBe(403)
  const workspaceId = await app.workspace(org)
  await app.setWorkspaceRole(person, workspaceId, 'editor')
  expect(await write()).toBe(201)
  await app.sql`update workspaces set deleted_at = now() where id = ${workspaceId}`
  expect(await write()).toBe(403)
})

const filesOf = () => app.sql`
  select id, name, tags, parent_id, deleted_at from files where org_id = ${org.id} order by id`

/** Sends a valid body, so that missing access is the only possible reason for a refusal. */
function call(name: string, endpoint: Endpoint, headers: Headers) {
  const { path, method } = endpoint
  const fileId = name === 'files.restore' ? ids.trashedId : ids.fileId
  const [noun] = path.split('/').slice(3)
  const id =
    { agents: ids.agentId, files: fileId, memory: ids.memoryId, skills: ids.skillId }[noun!] ?? ids.projectId
  const url = path.replace(/:(\w+)/g, (_, param: string) => (param === 'id' ? id : ids[param])!)
  return app.request(method, url, { headers, body: bodyOf(name, endpoint) })
}

function bodyOf(name: string, { body }: Endpoint): unknown {
  if (name === 'projectExport.restore') return createManifest()
  if (name === 'files.create') return { source: 'folder', name: 'Mine' }
  if (name === 'templates.start') return { template: 'research' }
  if (!body) return {}
  const schema = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const sample = sampleBody(schema, []) as Record<string, unknown>
  if (name === 'files.update') return { name: 'Other' }
  if ('archive' in sample) return { archive: 'AAAA' }
  if ('scope' in sample) return { ...sample, scope: 'project', projectId: ids.projectId }
  return name === 'projects.shareWithWorkspace' ? { workspaceId: ids.workspaceId } : withoutParent(sample)
}

/** A sample id of a folder names no folder. */
const withoutParent = (body: Record<string, unknown>) => ({ ...body, parentId: undefined })
