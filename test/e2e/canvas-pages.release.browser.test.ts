import { beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { CHROMIUM, startE2e } from './browser.ts'
import { inspectPage } from './inspect-page.ts'
import { canvasOf, createCanvas } from './on-canvas.ts'
import { seedCanvas } from './seed-canvas.ts'

const LAYOUT_RULES = 'fits every width, is readable in both themes, and is accessible'

describe.skipIf(!CHROMIUM)('canvas page', () => {
  const e2e = startE2e()
  let ada: Person
  let seeded: Awaited<ReturnType<typeof createCanvas>>
  beforeAll(async () => {
    const { app } = e2e
    ada = await app.person(await app.organization('Analytical Engines'), { name: 'Ada Lovelace' })
    seeded = await createCanvas(e2e, ada, { name: 'Launch plan, autumn', emoji: '🚀' })
    await seedCanvas(seeded.api, seeded.projectId)
  })

  test(`${LAYOUT_RULES}, with selected blocks and the history panel`, async () => {
    const page = await e2e.visit(`${seeded.path}?panel=history`, { as: ada })
    const { block } = canvasOf(page)
    await page.getByRole('button', { name: /Ada Lovelace.*added 11 blocks/ }).click()
    await block('Launch, autumn').click()
    await page.getByRole('toolbar', { name: 'Selected blocks' }).waitFor()
    await inspectPage(page, 'canvas-history')
  })

  test(`${LAYOUT_RULES}, for a guest`, async () => {
    const { url } = await seeded.api.sharing.share({ projectId: seeded.projectId, access: 'edit' })
    const page = await e2e.visit(new URL(url!).pathname)
    await canvasOf(page).block('Launch, autumn').waitFor()
    await inspectPage(page, 'canvas-guest')
  })

  test('folds the sidebar on a canvas until the user unfolds it, and unfolds it elsewhere', async () => {
    const page = await e2e.visit('/projects', { as: ada })
    await page.getByRole('button', { name: 'Collapse sidebar' }).waitFor()
    await page.getByRole('link', { name: 'Launch plan, autumn' }).first().click()
    await canvasOf(page).block('Launch, autumn').waitFor()
    await page.getByRole('button', { name: 'Expand sidebar' }).click()
    await page.getByRole('button', { name: 'Collapse sidebar' }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Collapse sidebar' }).waitFor()
    await page.goForward()
    await page.getByRole('button', { name: 'Expand sidebar' }).waitFor()
  })

  test('keeps its floating toolbars from overlapping at every width', async () => {
    const page = await e2e.visit(seeded.path, { as: ada })
    await canvasOf(page).block('Launch, autumn').waitFor()
    for (const panel of [null, 'Navigator']) {
      if (panel) await page.getByRole('link', { name: panel }).click()
      for (const width of [1600, 1440, 1180, 900, 600, 390]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await page.evaluate(findCollisions), `${width} wide, panel: ${panel ?? 'none'}`).toEqual([])
      }
    }
  })
})

/** Runs in the page. */
function findCollisions(): string[] {
  const surface = document.querySelector('.canvas')!.getBoundingClientRect()
  const floating = [...document.querySelectorAll('.canvas-dock > *')]
    .map((element) => ({ name: element.className.split(' ')[0], box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0)
  return floating.flatMap(({ name, box }, index) => [
    ...(box.left < surface.left || box.right > surface.right ? [`${name} sticks out`] : []),
    ...floating
      .slice(index + 1)
      .filter(({ box: other }) => box.left < other.right && other.left < box.right)
      .filter(({ box: other }) => box.top < other.bottom && other.top < box.bottom)
      .map((other) => `${name} covers ${other.name}`),
  ])
}
