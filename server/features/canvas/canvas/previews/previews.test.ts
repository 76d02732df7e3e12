import { beforeAll, expect, test } from 'vitest'
import { PREVIEW_FRAME, PREVIEW_SHAPES_MAX } from '../../../../../contract/projects/list-options.ts'
import { shareTestApp, type TestApp } from '../../../../testing/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await shareTestApp()
})

test('previews show the largest blocks in the frame without text, and are redrawn after a change', async () => {
  const org = await app.organization()
  const [ada, bob] = [await app.person(org, { name: 'Ada' }), await app.person(org, { name: 'Bob' })]
  const [client, other] = [await app.withSession(ada), await app.withSession(bob)]
  const { id: projectId } = await client.projects.create({ name: 'Plan' })
  const { id: secretId } = await client.projects.create({ name: 'Secret', visibility: 'private' })
  const note = { projectId, type: 'note' as const, title: 'Very secret', content: 'words', color: 'teal' }
  await client.canvas.create({ ...note, x: -4000, y: 100, width: 600, height: 400 })
  const group = await other.canvas.create({
    projectId,
    type: 'group',
    width: 2000,
    height: 1500,
    color: 'blue',
  })
  for (let n = 0; n < PREVIEW_SHAPES_MAX; n++)
    await client.canvas.create({ projectId, type: 'text', x: n * 20, y: n * 20, width: 60, height: 40 })
  await client.canvas.create({ projectId: secretId, type: 'note', title: 'Hidden' })

  const read = async (reader: typeof client) =>
    (await reader.projectPreviews.list({ ids: `${projectId}, ${secretId}` })).items
  const items = await read(other)
  expect(items.map((preview) => preview.projectId)).toEqual([projectId])
  const [preview] = items
  expect(JSON.stringify(preview)).not.toMatch(/secret|words/i)
  expect(preview).toMatchObject({ owner: { id: ada.id, name: 'Ada' }, people: [{ id: bob.id, name: 'Bob' }] })
  expect(preview!.shapes).toHaveLength(PREVIEW_SHAPES_MAX)
  expect(preview!.shapes[0]).toMatchObject({ type: 'group', color: 'blue' })
  for (const { x, y, width, height } of preview!.shapes) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0)
    expect([x + width <= PREVIEW_FRAME.width, y + height <= PREVIEW_FRAME.height]).toEqual([true, true])
  }
  expect((await read(client)).map((item) => item.projectId).toSorted()).toEqual(
    [projectId, secretId].toSorted(),
  )

  await client.canvas.remove({ projectId, blockId: group.id })
  expect((await read(client)).find((item) => item.projectId === projectId)).toEqual(preview)
  app.clock.advance(31)
  const after = (await read(client)).find((item) => item.projectId === projectId)!
  expect(after.shapes.some(({ type }) => type === 'group')).toBe(false)

  await client.projects.update({ id: projectId, visibility: 'private' })
  expect(await read(other)).toEqual([])
  await expect(client.projectPreviews.list({ ids: 'x' })).rejects.toThrow(
    'query.ids.0 must be a comma-separated list of project ids',
  )
})
