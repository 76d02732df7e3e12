import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from '../e2e/browser.ts'

const RECORDING = join(import.meta.dirname, '../../docs/screenshots/run.gif')
const HAS_FFMPEG = spawnSync('ffmpeg', ['-version']).status === 0
const FRAME_MS = 150
/** Long enough to read. */
const STILL_MS = 1500
/** How long the last frame stays before the recording starts over. */
const END_SECONDS = 3
const SIZE = { width: 1200, height: 750 }

describe.skipIf(!CHROMIUM || !HAS_FFMPEG)('README recording', { timeout: 240_000 }, () => {
  const e2e = startE2e({
    build: async () => {
      const app = await buildTestApp()
      await app.app.startWorker()
      return app
    },
  })
  let ada: Person
  let folder: string
  beforeAll(async () => {
    ada = await e2e.app.person(await e2e.app.organization('Bean & Leaf'), {
      name: 'Ada Lovelace',
      role: 'owner',
    })
    folder = await mkdtemp(join(tmpdir(), 'recording-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('run.gif shows an agent that adds findings to the canvas and asks for approval', async () => {
    const api = await e2e.app.withSession(ada)
    const { project } = await api.projects.sample()
    const page = await e2e.visit(`/projects/${project.id}`, { as: ada })
    await page.setViewportSize(SIZE)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByText('Who it is for').first().waitFor()
    await page.evaluate(() => document.fonts.ready)
    const recording = record(page, folder)
    await page.getByRole('button', { name: 'Run', exact: true }).first().click()
    await page.getByText('Needs approval').waitFor({ timeout: 60_000 })
    await page.waitForTimeout(STILL_MS)
    await page.getByRole('link', { name: 'Decide' }).click()
    await page.getByRole('button', { name: 'Approve' }).first().waitFor()
    await page.waitForTimeout(STILL_MS)
    await page.getByRole('button', { name: 'Approve' }).first().click()
    await page.goBack()
    await page
      .getByText(/^Done|^Succeeded/)
      .first()
      .waitFor({ timeout: 60_000 })
    await page.waitForTimeout(STILL_MS)
    const frames = await recording.stop()
    const list = frames.map(({ name, seconds }) => `file '${name}'\nduration ${seconds}`)
    await writeFile(join(folder, 'frames.txt'), [...list, `file '${frames.at(-1)!.name}'`].join('\n'))
    const filter =
      'fps=10,scale=960:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none:diff_mode=rectangle'
    const args = [
      '-y',
      '-f',
      'concat',
      '-safe',
      '0',
      '-i',
      'frames.txt',
      '-filter_complex',
      filter,
      RECORDING,
    ]
    const { status, stderr } = spawnSync('ffmpeg', args, { cwd: folder, encoding: 'utf8' })
    expect(status, stderr).toBe(0)
  })
})

interface Frame {
  name: string
  seconds: number
}

function record(page: Page, folder: string) {
  const frames: { name: string; at: number }[] = []
  let isRunning = true
  const finished = (async () => {
    while (isRunning) {
      const name = `${frames.length}.png`
      frames.push({ name, at: Date.now() })
      await page.screenshot({ path: join(folder, name) })
      await page.waitForTimeout(FRAME_MS)
    }
  })()
  return {
    async stop(): Promise<Frame[]> {
      isRunning = false
      await finished
      return frames.map(({ name, at }, index) => ({
        name,
        seconds: index + 1 < frames.length ? (frames[index + 1]!.at - at) / 1000 : END_SECONDS,
      }))
    },
  }
}
