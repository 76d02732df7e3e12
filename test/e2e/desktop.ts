import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'

/** Writes files to a temporary folder of the test; a path that ends in `/` is an empty folder. */
export async function writeLocalFiles(content: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-desktop-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [path, text] of Object.entries(content)) {
    const target = join(folder, path)
    await mkdir(path.endsWith('/') ? target : dirname(target), { recursive: true })
    if (!path.endsWith('/')) await writeFile(target, text)
  }
  return (path: string) => join(folder, path)
}

/** Drags local files and folders over an element; `drop` releases them. */
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
