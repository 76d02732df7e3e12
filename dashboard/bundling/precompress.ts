import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const TEXT = /\.(m?js|css|svg|html)$/

/** Writes `.br` and `.gz` files beside every text file of the build, which the server sends. */
export function precompress(): Plugin {
  let folder = ''
  let written: string[] = []
  return {
    name: 'atrium:precompress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    writeBundle(_options, bundle) {
      written = Object.values(bundle).map(({ fileName }) => fileName)
    },
    async closeBundle() {
      // The folder also contains files of the build in another language, which are compressed already.
      const files = await readdir(folder, { recursive: true })
      const isNew = (file: string) => written.includes(file) || !files.includes(`${file}.br`)
      const texts = files.filter((file) => TEXT.test(file) && isNew(file))
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
