import type { Page } from 'playwright-core'
import { seedManyBlocks } from '../../server/testing/factories/many-blocks.ts'
import { openBenchDatabase } from '../bench-database.ts'
import { startProgram } from '../program.ts'
import { openPage } from './open-page.ts'

const BLOCKS = 2000

/** Measures frame and main-thread times for a 2,000-block canvas in Chromium. */
const database = await openBenchDatabase()
const { folder, sql, organization, person, project, session } = database
const creator = await person(await organization())
const { id, slug, orgId } = await project(creator)
await seedManyBlocks(sql, orgId, id, BLOCKS)
const program = await startProgram('subject.ts', database.connection, folder)
const { page, close } = await openPage(program.url, await session(creator))
try {
  await page.goto(`/projects/${slug}`)
  await page.getByRole('toolbar', { name: 'Zoom' }).waitFor()
  await measureAll(page)
} finally {
  await close()
  await program.stop()
  await database.close()
}

async function measureAll(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  // Thread CPU time excludes other load on the machine.
  await devtools.send('Performance.enable')
  const threadTimeMs = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return 1000 * metrics.find(({ name }) => name === 'ThreadTime')!.value
  }
  const measure = async (name: string, action: () => Promise<unknown>) => {
    await page.waitForTimeout(800)
    await page.evaluate(countFrames)
    const before = await threadTimeMs()
    await action()
    const cpuMs = (await threadTimeMs()) - before
    const frames = await page.evaluate(() =>
      (window as unknown as { stopCounting: () => number[] }).stopCounting(),
    )
    const percentile = (fraction: number) =>
      frames[Math.min(frames.length - 1, Math.floor(frames.length * fraction))] ?? 0
    console.log(
      `${name.padEnd(40)} ${String(frames.length).padStart(4)} frames, ${percentile(0.5).toFixed(1)} ms median, ${percentile(0.95).toFixed(1)} ms p95; ${(cpuMs / frames.length).toFixed(1)} ms of main thread per frame`,
    )
  }
  const box = (await page.getByRole('application', { name: /^Canvas: / }).boundingBox())!
  const center = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const drag = async (dx: number, dy: number, steps = 80) => {
    await page.mouse.move(center.x, center.y)
    await page.mouse.move(center.x + 2, center.y + 2)
    await page.mouse.down()
    await page.mouse.move(center.x + dx, center.y + dy, { steps })
    await page.mouse.up()
  }
  const wheel = async (dx: number, dy: number, times: number) => {
    for (let index = 0; index < times; index++) await page.mouse.wheel(index < times / 2 ? dx : -dx, dy)
  }
  await page.mouse.move(center.x, center.y)
  await measure('all blocks visible: pan', () => wheel(30, 0, 80))
  await measure('all blocks visible: drag one block', () => drag(120, 80))
  await page.keyboard.press('Escape')
  await measure('all blocks visible: select all blocks', async () => {
    await page.mouse.move(box.x + 8, box.y + 8)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 8, box.y + box.height - 100, { steps: 60 })
    await page.mouse.up()
  })
  await measure(`all blocks visible: drag all ${BLOCKS}`, () => drag(60, 40))
  await page.keyboard.press('Control+z')
  await page.keyboard.press('Escape')
  await measure('zoom in to 100 %', async () => {
    await page.mouse.move(center.x, center.y)
    await page.keyboard.down('Control')
    await wheel(0, -40, 60)
    await page.keyboard.up('Control')
  })
  await page.keyboard.press('0')
  await measure('100 %: pan', () => wheel(40, 0, 80))
  await measure('100 %: drag one block', () => drag(200, 120))
}

/** Runs in the page. */
function countFrames() {
  const times: number[] = []
  let last = performance.now()
  let isCounting = true
  const step = (now: number) => {
    times.push(now - last)
    last = now
    if (isCounting) requestAnimationFrame(step)
  }
  requestAnimationFrame(step)
  Object.assign(window, {
    stopCounting: () => {
      isCounting = false
      return times.slice(1).sort((a, b) => a - b)
    },
  })
}
