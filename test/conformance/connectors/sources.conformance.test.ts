import type { DriveItem } from '@microsoft/microsoft-graph-types'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SourceKind } from '../../../contract/knowledge/source-options.ts'
import {
  buildSyncApp,
  createSource,
  readFolder,
  type SyncApp,
  untilQuiet,
} from '../../../server/testing/clients/sync-app.ts'

/**
 * The servers that tests sync from, asked by the vendors' own clients: these understand the answers, and send the same
 * requests as a sync.
 */

const KINDS = ['github', 'sharepoint', 'confluence'] satisfies SourceKind[]
const DOCS = {
  'guides/a.md': 'Alpha',
  'guides/b.md': 'Beta',
  'c.md': 'Gamma',
  'd.md': 'Delta',
  'e.md': 'Eta',
}

let app: SyncApp
beforeAll(async () => {
  app = await buildSyncApp(KINDS)
})
afterAll(() => app.closeAll())

/** The distinct requests of a first sync, with their parameters' names. */
async function syncOnce(kind: (typeof KINDS)[number]) {
  const service = app.service(kind)
  for (const [path, content] of Object.entries(DOCS)) service.write(path, content)
  const { client, source } = await createSource(app, kind)
  const { state, sync } = await untilQuiet(app, client, source.id)
  expect([state, sync?.added]).toEqual(['waiting', 5])
  expect(Object.keys(await readFolder(app, source.folderId))).toHaveLength(5)
  return shapesOf(service.requests.splice(0))
}

const shapesOf = (requests: readonly string[]) => [...new Set(requests.map(shapeOf))].toSorted()

function shapeOf(request: string): string {
  const [method, target] = request.split(' ') as [string, string]
  const { pathname, searchParams } = new URL(target, 'http://x')
  return [method, decodeURIComponent(pathname), ...[...searchParams.keys()].toSorted()].join(' ')
}

async function shapesBy(kind: (typeof KINDS)[number], ask: () => Promise<void>) {
  const { requests } = app.service(kind)
  requests.splice(0)
  await ask()
  return shapesOf(requests.splice(0))
}

describe('GitHub', () => {
  test('octokit reads the same repository with the same requests', async () => {
    const own = await syncOnce('github')
    const [{ Octokit }, { restEndpointMethods }] = await Promise.all([
      import('@octokit/core'),
      import('@octokit/plugin-rest-endpoint-methods'),
    ])
    const { rest } = new (Octokit.plugin(restEndpointMethods))({ baseUrl: app.service('github').url })
    const repo = { owner: 'acme', repo: 'handbook' }
    const contents: Record<string, string> = {}
    const sdk = await shapesBy('github', async () => {
      const { data: repository } = await rest.repos.get(repo)
      const { data: commit } = await rest.repos.getCommit({ ...repo, ref: repository.default_branch })
      const { data: tree } = await rest.git.getTree({
        ...repo,
        tree_sha: commit.commit.tree.sha,
        recursive: '1',
      })
      expect(tree.truncated).toBe(false)
      for (const { path, sha, type } of tree.tree) {
        if (type !== 'blob') continue
        const blob = await rest.git.getBlob({ ...repo, file_sha: sha!, mediaType: { format: 'raw' } })
        contents[path!] = blob.data as unknown as string
      }
    })
    expect(contents).toEqual(DOCS)
    expect(own).toEqual(sdk)
  })
})

describe('SharePoint', () => {
  test('Microsoft’s Graph client reads the same folder with the same requests', async () => {
    const own = await syncOnce('sharepoint')
    const { Client } = await import('@microsoft/microsoft-graph-client')
    const graph = Client.init({
      baseUrl: `${app.service('sharepoint').url}/`,
      authProvider: (done) => done(null, 'token'),
    })
    const contents: Record<string, string> = {}
    const share = Buffer.from('https://acme.sharepoint.com/:f:/s/Team/abc').toString('base64url')
    const fields = 'id,name,file,folder,package,remoteItem,size,cTag,eTag'
    const sdk = await shapesBy('sharepoint', async () => {
      const root: DriveItem = await graph
        .api(`/shares/u!${share}/driveItem`)
        .select('id,folder,parentReference')
        .get()
      const drive = `/drives/${root.parentReference!.driveId}`
      const delta = await graph.api(`${drive}/root/delta`).query({ token: 'latest' }).get()
      expect(delta['@odata.deltaLink']).toContain('token=')
      const read = async (id: string, above: string): Promise<void> => {
        for (let after: string | null = ''; after !== null; ) {
          const request = graph.api(`${drive}/items/${id}/children`).select(fields).top(200)
          const page = await (after === '' ? request : request.query({ $skiptoken: after })).get()
          for (const item of page.value as DriveItem[]) {
            if (item.folder) await read(item.id!, `${above}${item.name}/`)
            else {
              const stream: ReadableStream = await graph.api(`${drive}/items/${item.id}/content`).getStream()
              contents[above + item.name] = await new Response(stream).text()
            }
          }
          const next: string | undefined = page['@odata.nextLink']
          after = next === undefined ? null : new URL(next).searchParams.get('$skiptoken')
        }
      }
      await read(root.id!, '')
    })
    expect(contents).toEqual(DOCS)
    expect(own).toEqual(sdk)
  })
})

describe('Confluence', () => {
  test('confluence.js reads the same space with the same requests', async () => {
    const own = await syncOnce('confluence')
    const { createV2Client } = await import('confluence.js')
    const prefix = /^GET (.*)\/wiki\/api\/v2\//.exec(own[0]!)![1]!
    const client = createV2Client({
      host: `${app.service('confluence').url}${prefix}`,
      auth: { type: 'bearer', token: 'token' },
    })
    const contents: Record<string, string> = {}
    const sdk = await shapesBy('confluence', async () => {
      const { results: spaces } = await client.space.getSpaces({ keys: ['DOCS'], limit: 1 })
      const space = spaces![0]!
      for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
        const page = await client.page.getPagesInSpace({
          ...{ id: Number(space.id), depth: 'all', status: ['current'], limit: 250 },
          ...(cursor && { cursor }),
        })
        for (const { id, title, parentId } of page.results!) {
          const above =
            parentId === space.homepageId
              ? ''
              : `${(await client.page.getPageById({ id: Number(parentId) })).title}/`
          const { body } = await client.page.getPageById({ id: Number(id), bodyFormat: 'storage' })
          contents[`${above}${title}.md`] = body!.storage!.value!.replaceAll(/<[^>]+>/g, '')
        }
        const next = page._links?.next
        cursor = next ? (new URL(next, 'http://x').searchParams.get('cursor') ?? undefined) : undefined
      }
    })
    expect(contents).toEqual(DOCS)
    expect(own).toEqual(sdk)
  })
})
