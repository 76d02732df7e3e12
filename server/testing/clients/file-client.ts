import { type Context, createContext } from '../../context.ts'
import { insertFile, type NewFile } from '../../features/files/files/queries.ts'
import { newId } from '../../security/ids.ts'
import { randomHex } from '../../security/random.ts'
import { CALLER_DEFAULTS } from '../factories/caller.ts'
import type { Person } from '../factories/factories.ts'
import { bearer, type TestApp } from '../test-app.ts'

export async function createStoredFile(
  app: TestApp,
  owner: Person,
  file: Partial<NewFile> & { content?: string } = {},
) {
  const { content = 'hello', ...fields } = file
  const key = fields.objectKey ?? `${owner.orgId}/${randomHex(16)}`
  const now = app.clock.now()
  await app.sql`
    insert into objects (org_id, key, stored_at, created_at) values (${owner.orgId}, ${key}, ${now}, ${now})
    on conflict do nothing`
  return insertFile(app.sql, owner.orgId, {
    id: newId(),
    parentId: owner.orgId,
    source: 'upload',
    name: 'notes.txt',
    mimeType: 'text/plain',
    size: content.length,
    sha256: null,
    createdBy: owner.id,
    now,
    ...fields,
    objectKey: key,
  })
}

export type FileClient = Awaited<ReturnType<typeof createFileClient>>

export async function createFileClient(app: TestApp) {
  const person = await app.person(await app.organization())
  const headers = bearer(await app.key(person, ['files:write']))
  const { files } = app.as(headers)
  type ListQuery = Parameters<typeof files.list>[0]
  return {
    person,
    headers,
    files,
    folder: async (name: string, parentId?: string | null) =>
      createdRecord(await files.create({ source: 'folder', name, parentId })),
    link: async (targetFileId: string, parentId?: string | null) =>
      createdRecord(await files.create({ source: 'link', targetFileId, parentId })),
    upload: (name: string, parentId?: string | null) =>
      createStoredFile(app, person, { name, parentId: parentId ?? person.orgId }),
    names: async (query: ListQuery = {}) => (await files.list(query)).items.map(({ name }) => name),
    trash: async () => (await files.list({ trashed: 'true' })).items.map(({ name }) => name),
    withSession: async () => (await app.withSession(person)).files,
  }
}

/** `files.create` wraps the record for presigned uploads. */
export const createdRecord = <R extends { id: string }>(created: { file: R } | R): R =>
  'file' in created ? created.file : created

/** Runs `work` with the user as caller, like another feature would. */
export const inProjectTransaction = <T>(
  app: TestApp,
  { id: userId, orgId }: Person,
  work: (ctx: Context<'quotas'>) => Promise<T>,
) => {
  const caller = { ...CALLER_DEFAULTS, userId, orgId }
  return createContext({ ...app.app.system(), caller }).transaction(work)
}
