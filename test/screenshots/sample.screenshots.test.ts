import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OutputOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'
import type { Person } from '../../server/testing/factories/factories.ts'
import { buildTestApp } from '../../server/testing/test-app.ts'
import { CHROMIUM, startE2e } from '../e2e/browser.ts'

const FOLDER = join(import.meta.dirname, '../../docs/screenshots')
const HAS_FFMPEG = spawnSync('ffmpeg', ['-version']).status === 0
const FRAME_MS = 150
/** Long enough to read. */
const STILL_MS = 1500
/** How long the last frame stays before the recording starts over. */
const END_SECONDS = 3
/** Ten frames a second, at the width GitHub shows. */
const FILTER =
  'fps=10,scale=960:-1:flags=lanczos,split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none:diff_mode=rectangle'

describe.skipIf(!CHROMIUM)('README pictures of the sample project', { timeout: 240_000 }, () => {
  const e2e = startE2e({
    build: async () => {
      const app = await buildTestApp()
      await app.app.startWorker()
      return app
    },
  })
  let ada: Person
  let sample: OutputOf<Contract['projects']['sample']>
  beforeAll(async () => {
    const org = await e2e.app.organization('Bean & Leaf')
    ada = await e2e.app.person(org, { name: 'Ada Lovelace', role: 'owner' })
    sample = await (await e2e.app.withSession(ada)).projects.sample()
  })

  async function open(path: string, text: string, size: { width: number; height: number }): Promise<Page> {
    const page = await e2e.visit(path, { as: ada })
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: 'light' })
    await page.getByText(text).first().waitFor()
    await page.evaluate(() => document.fonts.ready)
    return page
  }

  test('chat.png shows a conversation', async () => {
    const page = await open(`/chat/${sample.sessionId}`, 'Eight of twelve customers', {
      width: 1280,
      height: 800,
    })
    await page.screenshot({ path: join(FOLDER, 'chat.png') })
  })

  test.skipIf(!HAS_FFMPEG)(
    'run.gif shows an agent that adds findings to the canvas and asks before it saves a file',
    async () => {
      const page = await open(`/projects/${sample.project.id}`, 'Who it is for', { width: 1200, height: 750 })
      const frames = await mkdtemp(join(tmpdir(), 'recording-'))
      const recording = record(page, frames)
      await page.getByRole('button', { name: 'Run', exact: true }).first().click()
      await page.getByText('Needs approval').waitFor({ timeout: 60_000 })
      await page.waitForTimeout(STILL_MS)
      await page.getByRole('link', { name: 'Decide' }).click()
      const approve = page.getByRole('button', { name: 'Approve' }).first()
      await approve.waitFor()
      await page.waitForTimeout(STILL_MS)
      await approve.click()
      await page.goBack()
      await page
        .getByText(/^(Done|Succeeded)/)
        .first()
        .waitFor({ timeout: 60_000 })
      await page.waitForTimeout(STILL_MS)
      await writeFile(join(frames, 'list.txt'), await recording.stop())
      const input = ['-y', '-f', 'concat', '-safe', '0', '-i', join(frames, 'list.txt')]
      const output = ['-filter_complex', FILTER, join(FOLDER, 'run.gif')]
      const { status, stderr } = spawnSync('ffmpeg', [...input, ...output], { encoding: 'utf8' })
      await rm(frames, { recursive: true })
      expect(status, stderr).toBe(0)
    },
  )
})

/** Stopping returns the list of frames for ffmpeg. */
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
  const secondsOf = (index: number) =>
    index + 1 < frames.length ? (frames[index + 1]!.at - frames[index]!.at) / 1000 : END_SECONDS
  return {
    async stop(): Promise<string> {
      isRunning = false
      await finished
      const lines = frames.map(({ name }, index) => `file '${name}'\nduration ${secondsOf(index)}`)
      // ffmpeg ignores the duration of the last entry.
      return [...lines, `file '${frames.at(-1)!.name}'`].join('\n')
    },
  }
}
