import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** Files on this machine, in a folder that goes with the test; a path that ends in `/` is an empty folder. */
export async function onDesktop(content: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-desktop-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(content)) {
    const whole = join(folder, path)
    await mkdir(path.endsWith('/') ? whole : dirname(whole), { recursive: true })
    if (!path.endsWith('/')) await writeFile(whole, text)
  }
  return (path: string) => join(folder, path)
}

/** Drags files and folders of this machine over something, as a person would; `drop` lets go of them. */
export async function dragFromDesktop(page: Page, over: Locator, paths: string[]) {
  const devtools = await page.context().newCDPSession(page)
  const box = (await over.boundingBox())!
  const event = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    devtools.send('Input.dispatchDragEvent', {
      type,
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      data: { items: [], files: paths, dragOperationsMask: 1 },
    })
  await event('dragEnter')
  await event('dragOver')
  return { drop: () => event('drop') }
}
