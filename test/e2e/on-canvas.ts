import type { Locator, Page } from 'playwright-core'
import type { Person } from '../../server/testing/factories/factories.ts'
import type { startE2e } from './browser.ts'

type E2e = ReturnType<typeof startE2e>

/** Creates a project with an empty canvas; returns its API client and readers of the server's state. */
export async function createCanvas(
  e2e: E2e,
  person: Person,
  options: { name: string; emoji?: string } = { name: 'Apollo' },
) {
  const api = await e2e.app.withSession(person)
  const project = await api.projects.create(options)
  const projectId = project.id
  const blocks = async () => (await api.canvas.list({ projectId })).items
  return {
    api,
    projectId,
    folderId: project.folderId!,
    path: `/projects/${project.slug}`,
    blocks,
    edges: async () => (await api.canvas.list({ projectId })).edges,
    findBlock: async (text: string) =>
      (await blocks()).find(({ title, content }) => title === text || content === text),
  }
}

/** Locators and actions of the canvas on a page. */
export function canvasOf(page: Page) {
  const canvas = page.getByRole('application', { name: /^Canvas: / })
  const block = (name: string) => canvas.locator(`.react-flow__node[aria-label^="${name}"]`)
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  return {
    canvas,
    block,
    press,
    tool: (name: string) => canvas.getByRole('toolbar', { name: 'Tools' }).getByRole('button', { name }),
    waitForSave: () => page.getByText('Saved', { exact: true }).waitFor(),
    focused: () => page.evaluate(() => document.activeElement?.getAttribute('aria-label')),
    middle: (locator: Locator) => middleOf(locator),
    /** Drags between two points of the screen. */
    drag: async (from: { x: number; y: number }, to: { x: number; y: number }) => {
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move(from.x + 8, from.y + 8)
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2)
      await page.mouse.move(to.x, to.y)
      await page.mouse.up()
    },
  }
}

async function middleOf(locator: Locator) {
  const box = (await locator.boundingBox())!
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}
