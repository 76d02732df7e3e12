import type { Page } from 'playwright-core'
import { seedManyFiles } from '../../server/testing/factories/many-files.ts'
import { openBenchDatabase } from '../bench-database.ts'
import { median } from '../compare.ts'
import { startProgram } from '../program.ts'
import { openPage } from './open-page.ts'

const ROWS = 1000
const LIMIT_MS = 100
/** Repeated because the time depends on when in a frame it begins. */
const REPETITIONS = 10

/** Measures input-to-next-frame time in a 1,000-row folder. */
const database = await openBenchDatabase()
const { folder, sql, organization, person, session } = database
const owner = await person(await organization(), { role: 'owner' })
await seedManyFiles(sql, owner, { count: ROWS })
const program = await startProgram('subject.ts', database.connection, folder)
const { page, close } = await openPage(program.url, await session(owner))
try {
  await page.goto('/files')
  await loadAll(page)
  await page.evaluate(observeInputs)
  const slowInteractions = await measureAll(page)
  if (slowInteractions.length > 0) throw new Error(`Over ${LIMIT_MS} ms: ${slowInteractions.join(', ')}`)
} finally {
  await close()
  await program.stop()
  await database.close()
}

async function loadAll(page: Page): Promise<void> {
  const table = page.locator('table[aria-rowcount]')
  await table.waitFor()
  await page.mouse.move(700, 450)
  // The header counts as a row.
  while (Number(await table.getAttribute('aria-rowcount')) <= ROWS) {
    await page.mouse.wheel(0, 100_000)
    await page.waitForTimeout(50)
  }
  await page.mouse.wheel(0, -1_000_000)
}

async function measureAll(page: Page): Promise<string[]> {
  const slowInteractions: string[] = []
  const measure = async (name: string, interact: (n: number) => Promise<unknown>) => {
    const times: number[] = []
    for (let n = 0; n < REPETITIONS; n++) {
      await page.waitForTimeout(200)
      await page.evaluate(() => (window as unknown as DurationObserver).takeDurations())
      await interact(n)
      await page.waitForTimeout(200)
      times.push(
        Math.max(0, ...(await page.evaluate(() => (window as unknown as DurationObserver).takeDurations()))),
      )
    }
    const medianMs = median(times)
    console.log(`${name.padEnd(32)} ${medianMs} ms median, ${Math.max(...times)} ms at most`)
    if (medianMs > LIMIT_MS) slowInteractions.push(name)
  }
  await measure('next row (j)', () => page.keyboard.press('j'))
  await measure('select a row (x)', () => page.keyboard.press('x'))
  await measure('select all rows, or none', (n) => page.keyboard.press(n % 2 === 0 ? 'Control+a' : 'Escape'))
  await measure('a letter in the filter', async (n) => {
    if (n === 0) await page.keyboard.press('/')
    await page.keyboard.press(n % 2 === 0 ? 'r' : 'Backspace')
  })
  await page.keyboard.press('Escape')
  await measure('menu of a row', async (n) => {
    const button = page.getByRole('button', { name: /^Actions for/ }).nth(n)
    await (n % 2 === 0 ? button.click() : page.keyboard.press('Escape'))
  })
  return slowInteractions
}

interface DurationObserver {
  takeDurations: () => number[]
}

/** Runs in the page. The browser reports durations in 8 ms steps. */
function observeInputs() {
  let durations: number[] = []
  new PerformanceObserver((list) => {
    durations.push(...list.getEntries().map(({ duration }) => duration))
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  Object.assign(window, {
    takeDurations: () => {
      const taken = durations
      durations = []
      return taken
    },
  })
}
