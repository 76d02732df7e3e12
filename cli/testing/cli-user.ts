import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createdRecord } from '../../server/testing/clients/file-client.ts'
import { upload } from '../../server/testing/factories/uploads.ts'
import { bearer, type TestApp } from '../../server/testing/test-app.ts'
import { createHome } from './command.ts'

export type CliUser = Awaited<ReturnType<typeof createCliUser>>

export async function createCliUser(
  app: TestApp,
  group:
    | 'agents'
    | 'chat'
    | 'mcp'
    | 'memory'
    | 'models'
    | 'skills'
    | 'tables'
    | 'templates'
    | 'files'
    | 'knowledge'
    | 'projects'
    | 'runs'
    | 'sources'
    | 'web-search'
    | 'embeddings'
    | 'webhooks' = 'files',
) {
  const home = await createHome()
  const cwd = join(home.folder, 'cwd')
  await mkdir(cwd)
  // Webhook management requires admin.
  const role = group === 'webhooks' ? 'admin' : 'member'
  const org = await app.organization()
  const person = await app.person(org, { role })
  const headers = bearer(await app.key(person, ['terminal']))
  const client = app.as(headers)
  const { files } = client
  const env = { ATRIUM_SERVER: app.url, ATRIUM_API_KEY: headers.authorization!.slice('Bearer '.length) }
  const optionsFor = (server: string) => ({ env: { ...env, ATRIUM_SERVER: server }, cwd })
  const start = (args: string[], server = app.url) => home.start([group, ...args], optionsFor(server))
  const run = (args: string[], server = app.url) => home.run([group, ...args], optionsFor(server))

  return {
    home,
    cwd,
    env,
    org,
    person,
    client,
    files,
    start,
    run,
    runJson: async (args: string[]) => {
      const { code, stdout } = await run([...args, '--json'])
      return { code, ...JSON.parse(stdout) }
    },
    createFolder: async (name: string, parentId?: string) =>
      createdRecord(await files.create({ source: 'folder', name, parentId })),
    uploadFile: async (content: string, name: string, parentId?: string) => {
      const fields: Record<string, string> = parentId ? { parentId } : {}
      return (await upload(app, headers, content, { name, fields })).body.data as { id: string }
    },
    listNames: async (parentId?: string) => (await files.list({ parentId })).items.map(({ name }) => name),
  }
}
