import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = /\.(m?js|css|svg|html)$/

/** Writes `.br` and `.gz` files beside every text file of the build that has none yet, which the server sends. */
export function precompress(): Plugin {
  let folder = ''
  return {
    name: 'atrium:precompress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      const files = await readdir(folder, { recursive: true })
      const written = new Set(files)
      const texts = files.filter((file) => TEXT.test(file) && !written.has(`${file}.br`))
      await Promise.all(texts.map((file) => compress(join(folder, file))))
    },
  }
}

async function compress(file: string) {
  const bytes = await readFile(file)
  await Promise.all([
    promisify(brotliCompress)(bytes).then((compressed) => writeFile(`${file}.br`, compressed)),
    promisify(gzip)(bytes, { level: 9 }).then((compressed) => writeFile(`${file}.gz`, compressed)),
  ])
}
