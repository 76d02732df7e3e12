import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { createPng } from '../../server/testing/factories/pictures.ts'
import { upload } from '../../server/testing/factories/uploads.ts'
import { bearer } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { canvasOf, createCanvas } from './on-canvas.ts'

const PHOTO = createPng({ width: 3000, height: 2000, colorAt: (x, y) => [x % 256, y % 256, 90] })
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

describe.skipIf(!CHROMIUM)('Images on the canvas', () => {
  const e2e = startE2e()
  let ada: Person
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization(), { name: 'Ada' })
  })

  async function createBlock(title: string, bytes: Uint8Array, name: string, canvas?: object) {
    const created = await createCanvas(e2e, ada, { name: `${title}s` })
    const headers = bearer(await e2e.app.key(ada, ['files:write']))
    const { body } = await upload(e2e.app, headers, bytes, { name, fields: { parentId: created.folderId } })
    const { api, projectId } = created
    const fields = { width: 300, height: 200, ...canvas }
    const fileId = body.data.id as string
    const { id } = await api.canvas.create({ projectId, type: 'image', title, fileId, ...fields })
    return { ...created, id, fileId }
  }

  const loaded = async (image: ReturnType<ReturnType<typeof canvasOf>['canvas']['locator']>) => {
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBeGreaterThan(0)
    const [src, width] = await image.evaluate(({ src, naturalWidth }: HTMLImageElement) => [
      src,
      naturalWidth,
    ])
    return { src: new URL(String(src)), width }
  }

  test('load as thumbnails of the size that they need', async () => {
    const { path, fileId } = await createBlock('Photo', PHOTO, 'photo.png')
    const page = await e2e.visit(path, { as: ada })
    const { src, width } = await loaded(canvasOf(page).block('Photo').locator('img'))
    expect(src.pathname).toBe(`/api/v1/files/${fileId}/thumbnail`)
    const size = Number(src.searchParams.get('size'))
    expect(size).toBeGreaterThanOrEqual(300)
    expect(size).toBeLessThan(1568)
    expect(width).toBe(size)
  })

  test('load whole if they are animations', async () => {
    const { path, id } = await createBlock('Animation', GIF, 'dot.gif', {
      metadata: { mimeType: 'image/gif' },
    })
    const page = await e2e.visit(path, { as: ada })
    const { src } = await loaded(canvasOf(page).block('Animation').locator('img'))
    expect(src.pathname).toContain(`/blocks/${id}/file`)
  })

  test('load whole if the server refuses a thumbnail', async () => {
    const { path, id } = await createBlock('Broken', PHOTO, 'photo.png')
    const page = await e2e.visit('/projects', { as: ada, expectedStatuses: [400] })
    await page.route('**/thumbnail?**', (route) => route.fulfill({ status: 400, json: {} }))
    await page.goto(path)
    const image = canvasOf(page).block('Broken').locator('img')
    await expect.poll(() => image.getAttribute('src')).toContain(`/blocks/${id}/file`)
    expect((await loaded(image)).width).toBe(3000)
  })
})
