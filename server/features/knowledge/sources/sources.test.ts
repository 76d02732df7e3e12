import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SOURCE_KIND_NAMES, type SourceKind } from '../../../../contract/knowledge/source-options.ts'
import {
  buildSyncApp,
  createSource,
  readFolder,
  type SyncApp,
  syncAgain,
  untilQuiet,
} from '../../../testing/clients/sync-app.ts'

let app: SyncApp
beforeAll(async () => {
  app = await buildSyncApp([...SOURCE_KIND_NAMES])
})
afterAll(() => app.closeAll())
beforeEach(() => {
  for (const kind of SOURCE_KIND_NAMES) {
    const service = app.service(kind)
    service.failWith(() => null)
    service.docs.clear()
  }
})

/** As the service's documents are stored: pages have their title as a heading. */
const stored = (kind: SourceKind, path: string, content: string) =>
  kind === 'notion' || kind === 'confluence'
    ? `# ${path.split('/').at(-1)!.replace(/\.md$/, '')}\n\n${content}\n`
    : content
const expected = (kind: SourceKind) =>
  Object.fromEntries(
    Object.entries(app.service(kind).contents()).map(([path, content]) => [
      path,
      stored(kind, path, content),
    ]),
  )

describe.each(SOURCE_KIND_NAMES)('a source of the kind %s', (kind) => {
  test('follows new, changed, moved and deleted documents', async () => {
    const service = app.service(kind)
    for (const name of ['a', 'b', 'c', 'd']) service.write(`${name}.md`, `Text ${name}`)
    for (const name of ['e', 'f', 'g', 'h']) service.write(`guides/deep/${name}.md`, `Text ${name}`)
    const { client, source } = await createSource(app, kind)
    expect(await untilQuiet(app, client, source.id)).toMatchObject({ state: 'waiting', itemCount: 8 })
    expect(await readFolder(app, source.folderId)).toEqual(expected(kind))

    service.write('a.md', 'Text a, changed')
    service.write('guides/new.md', 'New')
    service.remove('b.md')
    service.move('guides/deep/e.md', 'guides/moved.md')
    const after = await syncAgain(app, client, source.id)
    expect(after.sync).toMatchObject({ outcome: 'succeeded', trigger: 'manual' })
    expect(await readFolder(app, source.folderId)).toEqual(expected(kind))
    const { items } = await client.sources.log({ id: source.id, syncId: after.sync!.id })
    expect(items.map(({ action, path }) => `${action} ${path}`).toSorted()).toEqual(
      kind === 'github' || kind === 'website'
        ? [
            'added guides/moved.md',
            'added guides/new.md',
            'changed a.md',
            'removed b.md',
            'removed guides/deep/e.md',
          ]
        : [
            'added guides/new.md',
            'changed a.md',
            `${kind === 'notion' || kind === 'confluence' ? 'changed' : 'moved'} guides/moved.md`,
            'removed b.md',
          ],
    )
    const quiet = await syncAgain(app, client, source.id)
    expect(quiet.sync).toMatchObject({ added: 0, changed: 0, removed: 0, skipped: 0 })
  })
})
