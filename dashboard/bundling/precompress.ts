import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const HASHED_FILE = /^assets\b/
const TEXT_FILE = /\.(m?js|css|svg|html)$/

/** Writes `.br` and `.gz` files for the server to send. */
export function precompress(): Plugin {
  let folder = ''
  let writtenFiles: string[] = []
  return {
    name: 'atrium:precompress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir)
    },
    writeBundle(_options, bundle) {
      writtenFiles = Object.values(bundle).map(({ fileName }) => fileName)
    },
    async closeBundle() {
      // Another language's build has compressed its files. Names with the same hash have the same content.
      const files = new Set(await readdir(folder, { recursive: true }))
      const isNew = (file: string) =>
        !files.has(`${file}.br`) || (writtenFiles.includes(file) && !HASHED_FILE.test(file))
      const texts = [...files].filter((file) => TEXT_FILE.test(file) && isNew(file))
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
